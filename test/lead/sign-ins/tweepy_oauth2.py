import os

import tweepy

handler = tweepy.OAuth2UserHandler(
    client_id=os.environ["PIPIT_CLIENT_ID"],
    client_secret=os.environ["PIPIT_CLIENT_SECRET"],
    redirect_uri="http://127.0.0.1:3000/callback",
    scope=["tweet.read", "users.read"],
)
print(handler.get_authorization_url(), flush=True)
# The library for OAuth 2.0 wants https, or this word for it.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
token = handler.fetch_token(input())
print(tweepy.Client(token["access_token"]).get_me(user_auth=False).data.username)
