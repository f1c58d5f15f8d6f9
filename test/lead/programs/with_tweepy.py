import os

import tweepy

client = tweepy.Client(
    consumer_key=os.environ["PIPIT_API_KEY"],
    consumer_secret=os.environ["PIPIT_API_SECRET"],
    access_token=os.environ["PIPIT_ACCESS_TOKEN"],
    access_token_secret=os.environ["PIPIT_ACCESS_TOKEN_SECRET"],
)
client.create_tweet(text="Led from tweepy")
print(client.get_me().data.username)
