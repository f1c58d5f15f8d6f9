import tweepy


# tweepy sends its requests to api.twitter.com. Under `pipit lead -- pytest` they arrive at Pipit, with its demo world.
def test_tweepy_posts_and_reads(pipit):
    maya = pipit.users.maya
    client = tweepy.Client(maya.token())
    created = client.create_tweet(text="Hello from tweepy", user_auth=False)
    assert maya.posts()[0]["id"] == str(created.data["id"])
    found = client.get_user(username="lucia")
    assert found.data.name == "Lucía Ferrer"
    pipit.journal.wait_for(operation="createTweet", user="maya")
