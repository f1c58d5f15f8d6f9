"""Calls every public method of tweepy's unmodified Client against a running server; prints the results as JSON.

Standard input: a JSON object with the server's port, credentials and ids. Standard output: the names of
all methods, and for each check, in the order below, its requests and null or the error.
"""

import inspect
import json
import sys
import traceback

import tweepy

from local_adapter import LocalAdapter

WORLD = json.load(sys.stdin)
USERS = WORLD["users"]
POSTS = WORLD["posts"]
ALICE, BOB, CAROL = USERS["alice"], USERS["bob"], USERS["carol"]
HELLO, REPLY = POSTS["hello"], POSTS["reply"]
LIST, SPACE = WORLD["list"], WORLD["space"]
SINCE_2022 = "2022-01-01T00:00:00Z"

requested = []


def client(**credentials):
    created = tweepy.Client(**credentials)
    created.session.mount("https://", LocalAdapter(WORLD["port"], requested))
    return created


def user_client(name):
    keys = WORLD["tokens"][name]
    return client(
        consumer_key=WORLD["apiKey"],
        consumer_secret=WORLD["apiSecret"],
        access_token=keys["accessToken"],
        access_token_secret=keys["accessSecret"],
    )


app = client(bearer_token=WORLD["bearerToken"])
alice = user_client("alice")
bob = user_client("bob")
alice_oauth2 = client(bearer_token=WORLD["aliceOAuth2"])
created = {}


def ids(answer):
    assert not answer.errors, answer.errors
    return [str(each.id) for each in answer.data or []]


def data(answer):
    assert not answer.errors, answer.errors
    return answer.data


def same(found, expected):
    assert found == expected, "%r is not %r" % (found, expected)


# Posts


def check_create_tweet():
    created["post"] = data(alice.create_tweet(text="Tweepy was here"))["id"]
    reply = data(bob.create_tweet(text="Where?", in_reply_to_tweet_id=created["post"]))["id"]
    found = data(app.get_tweet(reply, tweet_fields="conversation_id"))
    same(str(found.conversation_id), created["post"])


def check_get_tweet():
    same(data(app.get_tweet(HELLO)).text, "Hello from the pond #birds")


def check_get_tweets():
    same(ids(app.get_tweets([REPLY, HELLO])), [REPLY, HELLO])


def check_search_recent_tweets():
    same(ids(app.search_recent_tweets("herons")), [POSTS["yesterday"]])


def check_search_all_tweets():
    same(ids(app.search_all_tweets("#birds -is:retweet", start_time=SINCE_2022)), [HELLO])


def check_get_recent_tweets_count():
    answer = app.get_recent_tweets_count("herons", granularity="day")
    same(answer.meta["total_tweet_count"], 1)
    same(sum(bucket["tweet_count"] for bucket in answer.data), 1)


def check_get_all_tweets_count():
    same(app.get_all_tweets_count("herons", granularity="day").meta["total_tweet_count"], 1)


def check_get_users_tweets():
    same(ids(app.get_users_tweets(ALICE)), [created["post"], POSTS["yesterday"], HELLO])


def check_get_users_mentions():
    assert REPLY in ids(app.get_users_mentions(ALICE))


def check_get_home_timeline():
    found = ids(alice.get_home_timeline(exclude="retweets"))
    same([found[-2], found[-1]], [REPLY, HELLO])


def check_get_quote_tweets():
    same(ids(app.get_quote_tweets(HELLO)), [POSTS["quote"]])


def check_hide_reply():
    same(data(alice.hide_reply(REPLY)), {"hidden": True})


def check_unhide_reply():
    same(data(alice.unhide_reply(REPLY)), {"hidden": False})


def check_like():
    same(data(alice.like(REPLY)), {"liked": True})


def check_get_liking_users():
    same(ids(app.get_liking_users(REPLY)), [ALICE])


def check_get_liked_tweets():
    same(ids(app.get_liked_tweets(ALICE)), [REPLY])


def check_unlike():
    same(data(alice.unlike(REPLY)), {"liked": False})
    same(ids(app.get_liking_users(REPLY)), [])


def check_retweet():
    same(data(alice.retweet(REPLY)), {"retweeted": True})


def check_get_retweeters():
    same(ids(app.get_retweeters(REPLY)), [ALICE])


def check_unretweet():
    same(data(alice.unretweet(REPLY)), {"retweeted": False})
    same(ids(app.get_retweeters(REPLY)), [])


def check_bookmark():
    same(data(alice_oauth2.bookmark(HELLO)), {"bookmarked": True})


def check_get_bookmarks():
    same(ids(alice_oauth2.get_bookmarks()), [HELLO])


def check_remove_bookmark():
    same(data(alice_oauth2.remove_bookmark(HELLO)), {"bookmarked": False})
    same(ids(alice_oauth2.get_bookmarks()), [])


def check_delete_tweet():
    same(data(alice.delete_tweet(created["post"])), {"deleted": True})


# Users


def check_get_me():
    same(str(data(alice.get_me()).id), ALICE)
    same(str(data(alice_oauth2.get_me(user_auth=False)).id), ALICE)


def check_get_user():
    same(data(app.get_user(id=BOB)).username, "bob")
    same(str(data(app.get_user(username="bob")).id), BOB)


def check_get_users():
    same(ids(app.get_users(ids=[BOB, ALICE])), [BOB, ALICE])
    same(ids(app.get_users(usernames=["alice", "bob"])), [ALICE, BOB])


def check_follow_user():
    same(data(alice.follow_user(CAROL)), {"following": True, "pending_follow": False})


def check_get_users_following():
    same(ids(app.get_users_following(ALICE)), [CAROL, BOB])


def check_get_users_followers():
    same(ids(app.get_users_followers(CAROL)), [ALICE])


def check_unfollow_user():
    same(data(alice.unfollow_user(CAROL)), {"following": False})
    same(ids(app.get_users_following(ALICE)), [BOB])


def check_follow():
    same(data(alice.follow(USERS["dave"])), {"following": False, "pending_follow": True})


def check_unfollow():
    same(data(alice.unfollow(USERS["dave"])), {"following": False})


def check_block():
    same(data(alice.block(CAROL)), {"blocking": True})


def check_get_blocked():
    same(ids(alice.get_blocked()), [CAROL, USERS["mallory"]])


def check_unblock():
    same(data(alice.unblock(CAROL)), {"blocking": False})
    same(ids(alice.get_blocked()), [USERS["mallory"]])


def check_mute():
    same(data(alice.mute(CAROL)), {"muting": True})


def check_get_muted():
    same(ids(alice.get_muted()), [CAROL])


def check_unmute():
    same(data(alice.unmute(CAROL)), {"muting": False})
    same(ids(alice.get_muted()), [])


# Lists


def check_create_list():
    created["list"] = data(alice.create_list("Divers", description="Under water", private=True))["id"]


def check_update_list():
    same(data(alice.update_list(created["list"], name="Waders", description="", private=False)), {"updated": True})


def check_get_list():
    found = data(app.get_list(created["list"], list_fields=["private", "owner_id"]))
    same([found.name, found.private, str(found.owner_id)], ["Waders", False, ALICE])


def check_get_owned_lists():
    same(ids(app.get_owned_lists(ALICE)), [created["list"], LIST])


def check_add_list_member():
    same(data(alice.add_list_member(created["list"], CAROL)), {"is_member": True})


def check_get_list_members():
    same(ids(app.get_list_members(created["list"])), [CAROL])


def check_get_list_memberships():
    same(ids(app.get_list_memberships(CAROL)), [created["list"]])


def check_get_list_tweets():
    assert REPLY in ids(app.get_list_tweets(LIST))
    same(ids(app.get_list_tweets(created["list"])), [POSTS["quote"]])


def check_remove_list_member():
    same(data(alice.remove_list_member(created["list"], CAROL)), {"is_member": False})
    same(ids(app.get_list_members(created["list"])), [])


def check_follow_list():
    same(data(bob.follow_list(LIST)), {"following": True})


def check_get_followed_lists():
    same(ids(app.get_followed_lists(BOB)), [LIST])


def check_get_list_followers():
    same(ids(app.get_list_followers(LIST)), [BOB, USERS["dave"]])


def check_unfollow_list():
    same(data(bob.unfollow_list(LIST)), {"following": False})
    same(ids(app.get_followed_lists(BOB)), [])


def check_pin_list():
    same(data(alice.pin_list(LIST)), {"pinned": True})


def check_get_pinned_lists():
    same(ids(alice.get_pinned_lists()), [LIST])


def check_unpin_list():
    same(data(alice.unpin_list(LIST)), {"pinned": False})
    same(ids(alice.get_pinned_lists()), [])


def check_delete_list():
    same(data(alice.delete_list(created["list"])), {"deleted": True})
    same(ids(app.get_owned_lists(ALICE)), [LIST])


# Spaces


def check_get_space():
    same(data(app.get_space(SPACE, space_fields="title")).title, "All about #birds")


def check_get_spaces():
    same([space.id for space in data(app.get_spaces(ids=[SPACE]))], [SPACE])
    same([space.id for space in data(app.get_spaces(user_ids=[ALICE, BOB]))], [SPACE])


def check_search_spaces():
    same([space.id for space in data(app.search_spaces("birds", state="live"))], [SPACE])


def check_get_space_buyers():
    same(ids(alice_oauth2.get_space_buyers(SPACE)), [BOB])


def check_get_space_tweets():
    same(ids(app.get_space_tweets(SPACE)), [HELLO])


# Direct messages


def events_of(read):
    """Reads the events in all three ways and returns their texts, newest first."""
    conversation = "%s-%s" % (ALICE, BOB)
    ways = {"participant_id": BOB}, {"dm_conversation_id": conversation}, {}
    texts = [[event.text for event in data(read(event_types="MessageCreate", **way))] for way in ways]
    assert texts[0] == texts[1], texts
    assert set(texts[0]) <= set(texts[2]), texts
    return texts[0]


def sent(send, text):
    """Sends to a user and to the conversation created by that."""
    first = data(send(participant_id=BOB, text=text))
    second = data(send(dm_conversation_id=first["dm_conversation_id"], text=text + " again"))
    same(second["dm_conversation_id"], first["dm_conversation_id"])


def check_create_direct_message():
    sent(alice.create_direct_message, "Quack")


def check_create_dm():
    sent(alice.create_dm, "Honk")


def check_get_direct_message_events():
    same(events_of(alice.get_direct_message_events)[:4], ["Honk again", "Honk", "Quack again", "Quack"])


def check_get_dm_events():
    same(events_of(alice.get_dm_events)[-1], "Written in the world file")


def group_of(create, text):
    group = data(create(participant_ids=[BOB, CAROL], text=text))["dm_conversation_id"]
    messages = data(bob.get_dm_events(dm_conversation_id=group, event_types="MessageCreate"))
    same([event.text for event in messages], [text])
    return group


def check_create_direct_message_conversation():
    created["group"] = group_of(alice.create_direct_message_conversation, "All of you")


def check_create_dm_conversation():
    assert group_of(alice.create_dm_conversation, "All again") != created["group"]


# Compliance


def check_create_compliance_job():
    job = data(app.create_compliance_job("users", name="ponds", resumable=True))
    same([job["type"], job["name"], job["resumable"], job["status"]], ["users", "ponds", True, "created"])
    created["job"] = job["id"]


def check_get_compliance_job():
    same(data(app.get_compliance_job(created["job"]))["name"], "ponds")


def check_get_compliance_jobs():
    same([job["id"] for job in data(app.get_compliance_jobs("users", status="created"))], [created["job"]])
    same(app.get_compliance_jobs("tweets").data, None)


# Anything


def check_request():
    answer = app.request("GET", "/2/users/%s" % BOB)
    same([answer.status_code, answer.json()["data"]["username"]], [200, "bob"])


def outcome(check):
    requested.clear()
    try:
        check()
        fault = None
    except Exception:
        fault = traceback.format_exc()
    return {"fault": fault, "requested": list(requested)}


prefix = "check_"
checks = {name[len(prefix) :]: value for name, value in globals().items() if name.startswith(prefix)}
methods = [name for name, _ in inspect.getmembers(tweepy.Client, inspect.isfunction) if name[0] != "_"]
json.dump({"methods": methods, "outcomes": {name: outcome(check) for name, check in checks.items()}}, sys.stdout)
