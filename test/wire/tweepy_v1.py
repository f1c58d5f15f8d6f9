"""Uses v1.1 with Debian's unmodified tweepy; prints the results as JSON.

Standard input: a JSON object with the server's port, credentials and the id of a post of bob.
"""

import base64
import io
import json
import sys

import tweepy

from local_adapter import LocalAdapter

WORLD = json.load(sys.stdin)

keys = (WORLD["apiKey"], WORLD["apiSecret"], WORLD["accessToken"], WORLD["accessSecret"])
api = tweepy.API(tweepy.OAuth1UserHandler(*keys))
api.session.mount("https://", LocalAdapter(WORLD["port"]))
app = tweepy.API(tweepy.OAuth2BearerHandler(WORLD["bearerToken"]))
app.session.mount("https://", LocalAdapter(WORLD["port"]))


def refusal(call, *args, **options):
    try:
        call(*args, **options)
    except tweepy.HTTPException as error:
        return [type(error).__name__, error.api_codes]


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def picture():
    return io.BytesIO(PIXEL)


created = api.update_status("Tweepy: 100% & more, or café?", tweet_mode="extended")
reply = api.update_status("Yes", in_reply_to_status_id=WORLD["post"], auto_populate_reply_metadata=True)
liked = api.create_favorite(WORLD["post"])
outcome = {
    "created": [created.full_text, created.user.screen_name, created.created_at.tzinfo is not None],
    "reply": [reply.text, reply.in_reply_to_screen_name],
    "repeated": refusal(api.update_status, "Tweepy: 100% & more, or café?"),
    "liked": liked.favorited,
    "liked again": refusal(api.create_favorite, WORLD["post"]),
    "unliked": api.destroy_favorite(WORLD["post"]).favorited,
    "status": app.get_status(WORLD["post"]).id == int(WORLD["post"]),
    "missing": refusal(app.get_status, 1),
    "home": [status.id for status in tweepy.Cursor(api.home_timeline, count=2).items(4)],
    "timeline": [status.user.screen_name for status in app.user_timeline(screen_name="bob", count=2)],
    "user": api.get_user(screen_name="bob").following,
    "users": [user.screen_name for user in api.lookup_users(screen_name=["bob", "alice"])],
    "followers": app.get_follower_ids(screen_name="alice"),
    "friends": [str(id) for id in tweepy.Cursor(api.get_friend_ids, screen_name="alice").items()],
    "unfollowed": api.destroy_friendship(screen_name="bob").following,
    "followed": api.create_friendship(screen_name="bob").following,
    "search": [len(app.search_tweets("pond -filter:retweets", result_type="recent", count=10))],
    "places": [place.full_name for place in api.search_geo(query="harbour")],
    "destroyed": api.destroy_status(created.id).id == created.id,
    "profile": api.update_profile(location="Pond", url="alice.example").url,
    "picture": api.update_profile_image("me.png", file=picture()).default_profile_image,
    "banner": api.update_profile_banner("banner.png", file=picture(), width=1, height=1),
    "banner sizes": sorted(app.get_profile_banner(screen_name="alice")["sizes"])[0],
    "banner removed": [
        api.remove_profile_banner(),
        refusal(app.get_profile_banner, screen_name="alice"),
    ],
}
json.dump(outcome, sys.stdout)
