"""Drives Debian's unmodified requests-oauthlib through the flows of the original platform's samples.

Communicates with the test like `test/web/tweepy_handlers.py`.
"""

import base64
import hashlib
import json
import sys
from pathlib import Path

import requests
from requests_oauthlib import OAuth1Session, OAuth2Session

sys.path.append(str(Path(__file__).parent.parent / "support"))
from local_flows import WORLD, through_browser  # noqa: E402

ME = "https://api.twitter.com/2/users/me"


def oauth1(query, signature_type):
    """Without a callback the user gets a PIN."""
    keys = {"client_key": WORLD["apiKey"], "client_secret": WORLD["apiSecret"], "signature_type": signature_type}
    session = OAuth1Session(**keys)
    request_token = session.fetch_request_token("https://api.twitter.com/oauth/request_token" + query)
    pin = through_browser(session.authorization_url("https://api.twitter.com/oauth/authorize"))
    session = OAuth1Session(
        **keys,
        resource_owner_key=request_token["oauth_token"],
        resource_owner_secret=request_token["oauth_token_secret"],
        verifier=pin,
    )
    tokens = session.fetch_access_token("https://api.twitter.com/oauth/access_token")
    session = OAuth1Session(
        **keys,
        resource_owner_key=tokens["oauth_token"],
        resource_owner_secret=tokens["oauth_token_secret"],
    )
    return session.get(ME, params={"user.fields": "created_at,description"}).json()["data"]["username"]


def oauth2(code_verifier):
    session = OAuth2Session(
        WORLD["publicClientId"], redirect_uri=WORLD["callback"], scope=["tweet.read", "users.read"]
    )
    digest = hashlib.sha256(code_verifier.encode()).digest()
    address, _ = session.authorization_url(
        "https://twitter.com/i/oauth2/authorize",
        code_challenge=base64.urlsafe_b64encode(digest).decode().replace("=", ""),
        code_challenge_method="S256",
    )
    token = session.fetch_token(
        token_url="https://api.twitter.com/2/oauth2/token",
        authorization_response=through_browser(address),
        client_id=WORLD["publicClientId"],
        include_client_id=True,
        code_verifier=code_verifier,
    )
    return requests.get(ME, headers={"Authorization": "Bearer " + token["access_token"]}).json()["data"]["username"]


results = {
    "callbackInQuery": oauth1("?oauth_callback=oob&x_auth_access_type=write", "AUTH_HEADER"),
    "noCallback": oauth1("", "AUTH_HEADER"),
    "signedInQuery": oauth1("", "QUERY"),
    "shortVerifier": oauth2("v" * 36),
}
print(json.dumps({"results": results}), flush=True)
