"""Drives the handlers of Debian's unmodified tweepy through OAuth flows with a browser between their steps.

The first line of standard input is a JSON object with port, credentials and callback. For each handler the script prints
a line {"open": address}; the next line of standard input is the redirect target of the browser, or the PIN.
The last line printed is {"results": {...}}.
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import tweepy

sys.path.append(str(Path(__file__).parent.parent / "support"))
from local_flows import WORLD, through_browser  # noqa: E402


def username_of(**credentials):
    user_auth = "consumer_key" in credentials
    return tweepy.Client(**credentials).get_me(user_auth=user_auth).data.username


def oauth1(callback, read_verifier):
    keys = {"consumer_key": WORLD["apiKey"], "consumer_secret": WORLD["apiSecret"]}
    handler = tweepy.OAuth1UserHandler(keys["consumer_key"], keys["consumer_secret"], callback=callback)
    back = through_browser(handler.get_authorization_url())
    token, secret = handler.get_access_token(read_verifier(back))
    return username_of(**keys, access_token=token, access_token_secret=secret)


def oauth2(client_secret, client_id):
    handler = tweepy.OAuth2UserHandler(
        client_id=client_id,
        redirect_uri=WORLD["callback"],
        scope=["tweet.read", "users.read", "offline.access"],
        client_secret=client_secret,
    )
    back = through_browser(handler.get_authorization_url())
    token = handler.fetch_token(back)
    assert token["token_type"] == "bearer" and token["refresh_token"]
    return username_of(bearer_token=token["access_token"])


results = {
    "callback": oauth1(WORLD["callback"], lambda back: parse_qs(urlparse(back).query)["oauth_verifier"][0]),
    "pin": oauth1("oob", lambda pin: pin),
    "confidential": oauth2(WORLD["clientSecret"], WORLD["clientId"]),
    "public": oauth2(None, WORLD["publicClientId"]),
}
app = tweepy.OAuth2AppHandler(WORLD["apiKey"], WORLD["apiSecret"])
results["appOnly"] = tweepy.Client(app._bearer_token).get_user(username="alice").data.username
print(json.dumps({"results": results}), flush=True)
