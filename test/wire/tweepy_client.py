"""Drives Debian's unmodified tweepy against a running server; prints {check: null or the error} as JSON.

Standard input: a JSON object with the server's port, credentials and ids.
"""

import json
import sys
import traceback

import tweepy

from local_adapter import LocalAdapter

WORLD = json.load(sys.stdin)
POSTS = WORLD["posts"]


def client(**credentials):
    made = tweepy.Client(**credentials)
    made.session.mount("https://", LocalAdapter(WORLD["port"]))
    return made


def keys_of(user):
    return {
        "consumer_key": WORLD["apiKey"],
        "consumer_secret": WORLD["apiSecret"],
        "access_token": WORLD[user]["accessToken"],
        "access_token_secret": WORLD[user]["accessSecret"],
    }


app = client(bearer_token=WORLD["bearerToken"])
alice = client(bearer_token=WORLD["bearerToken"], **keys_of("alice"))
bob = client(**keys_of("bob"))
alice_oauth2 = client(bearer_token=WORLD["aliceOAuth2"])

POST_EXPANSIONS = [
    "attachments.media_keys",
    "attachments.poll_ids",
    "author_id",
    "entities.mentions.username",
    "geo.place_id",
    "in_reply_to_user_id",
    "referenced_tweets.id",
    "referenced_tweets.id.author_id",
]
POST_FIELDS = [
    "attachments",
    "author_id",
    "context_annotations",
    "conversation_id",
    "created_at",
    "edit_controls",
    "entities",
    "geo",
    "in_reply_to_user_id",
    "lang",
    "possibly_sensitive",
    "public_metrics",
    "referenced_tweets",
    "reply_settings",
    "source",
    "withheld",
]
EVERYTHING = {
    "expansions": POST_EXPANSIONS,
    "tweet_fields": POST_FIELDS,
    "media_fields": ["alt_text", "duration_ms", "height", "preview_image_url", "url", "variants", "width"],
    "poll_fields": ["duration_minutes", "end_datetime", "voting_status"],
    "place_fields": ["contained_within", "country", "country_code", "geo", "name", "place_type"],
    "user_fields": ["created_at", "description", "entities", "protected", "public_metrics", "verified"],
}


def refused(error, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except error as refusal:
        return refusal
    raise AssertionError("not refused")


def check_lookup_with_everything():
    answer = app.get_tweets([POSTS["root"], POSTS["reply"], POSTS["poll"], POSTS["pictures"]], **EVERYTHING)
    root, reply, poll, pictures = answer.data
    assert root.text.startswith("Salt &amp; pepper"), root.text
    assert root.created_at.year == 2022, root.created_at
    assert root.public_metrics["like_count"] == 1, root.public_metrics
    assert root.entities["mentions"][0]["username"] == "bob", root.entities
    assert root.edit_controls["edits_remaining"] == 5, root.edit_controls
    assert reply.in_reply_to_user_id == int(WORLD["alice"]["id"])
    assert reply.referenced_tweets[0].type == "replied_to"
    assert poll.attachments["poll_ids"] and pictures.attachments["media_keys"]
    assert {user.username for user in answer.includes["users"]} == {"alice", "bob"}, answer.includes
    assert answer.includes["polls"][0].voting_status in ("open", "closed")
    assert answer.includes["polls"][0].end_datetime > root.created_at
    assert answer.includes["media"][0].alt_text == "A bird"
    assert answer.includes["places"][0].country_code == "IS"


def check_lookup_of_one_in_every_context():
    for caller, user_auth in ((app, False), (alice, True), (alice_oauth2, False)):
        answer = caller.get_tweet(POSTS["root"], user_auth=user_auth, **EVERYTHING)
        assert answer.data.id == int(POSTS["root"]) and not answer.errors, answer


def check_partial_errors():
    answer = app.get_tweets([POSTS["root"], WORLD["unknownPost"], POSTS["guarded"]])
    assert [post.id for post in answer.data] == [int(POSTS["root"])], answer.data
    titles = [error["title"] for error in answer.errors]
    assert titles == ["Not Found Error", "Authorization Error"], titles


def check_users():
    fields = {"expansions": "pinned_tweet_id", "user_fields": ["created_at", "public_metrics", "location"]}
    by_id = app.get_user(id=WORLD["bob"]["id"], **fields)
    by_username = app.get_user(username="bob", **fields)
    assert by_id.data.data == by_username.data.data
    assert by_id.data.location == "By the sea" and by_id.data.created_at is not None
    assert by_id.includes["tweets"][0].id == int(POSTS["reply"])
    both = app.get_users(ids=[WORLD["bob"]["id"], WORLD["alice"]["id"]]).data
    assert [user.username for user in both] == ["bob", "alice"], both
    assert app.get_users(usernames=["alice", "bob"]).data == both[::-1]
    assert alice.get_me().data.username == "alice"
    assert alice_oauth2.get_me(user_auth=False).data.username == "alice"


def check_posting_with_oauth1():
    post = alice.create_tweet(text="From tweepy, signed: ünïcode & more", reply_settings="mentionedUsers")
    reply = alice.create_tweet(text="And on", in_reply_to_tweet_id=post.data["id"])
    quote = bob.create_tweet(text="Quoting", quote_tweet_id=post.data["id"])
    picture = alice.create_tweet(text="A picture", media_ids=[WORLD["freeMedia"]])
    poll = alice.create_tweet(text="Which?", poll_options=["This", "That"], poll_duration_minutes=30)
    ids = [answer.data["id"] for answer in (post, reply, quote, picture, poll)]
    read = app.get_tweets(ids, **EVERYTHING)
    assert not read.errors and len(read.data) == 5, read
    assert read.data[0].reply_settings == "mentionedUsers"
    assert [post.conversation_id for post in read.data[:2]] == [int(ids[0])] * 2
    assert read.data[2].referenced_tweets[0].type == "quoted"
    assert read.data[3].attachments["media_keys"] == ["3_" + WORLD["freeMedia"]]
    assert read.includes["polls"][0].duration_minutes == 30


def check_posting_with_oauth2():
    post = alice_oauth2.create_tweet(text="From tweepy, bearing a token", user_auth=False)
    assert alice_oauth2.delete_tweet(post.data["id"], user_auth=False).data == {"deleted": True}
    assert app.get_tweet(post.data["id"]).errors[0]["title"] == "Not Found Error"


def check_deleting():
    post = bob.create_tweet(text="Soon gone")
    refused(tweepy.Forbidden, alice.delete_tweet, post.data["id"])
    assert bob.delete_tweet(post.data["id"]).data == {"deleted": True}


def check_hiding_replies():
    assert alice.hide_reply(POSTS["reply"]).data == {"hidden": True}
    assert alice.unhide_reply(POSTS["reply"]).data == {"hidden": False}
    assert alice_oauth2.hide_reply(POSTS["reply"], user_auth=False).data == {"hidden": True}
    refused(tweepy.Forbidden, bob.hide_reply, POSTS["reply"])


def check_refusals():
    assert refused(tweepy.BadRequest, app.get_tweet, "none").api_messages
    wrong = client(**{**keys_of("alice"), "access_token_secret": "wrong"})
    refused(tweepy.Unauthorized, wrong.get_me)
    refused(tweepy.Unauthorized, client(bearer_token="nobody").get_tweet, POSTS["root"])
    refused(tweepy.Forbidden, app.create_tweet, text="No user", user_auth=False)
    alice.create_tweet(text="Said once by tweepy")
    duplicate = refused(tweepy.Forbidden, alice.create_tweet, text="Said once by tweepy")
    assert "duplicate" in str(duplicate), str(duplicate)


def outcome(check):
    try:
        check()
    except Exception:
        return traceback.format_exc()
    return None


checks = {name: value for name, value in globals().items() if name.startswith("check_")}
json.dump({name: outcome(check) for name, check in checks.items()}, sys.stdout)
