import os

import tweepy

handler = tweepy.OAuth1UserHandler(
    os.environ["PIPIT_API_KEY"], os.environ["PIPIT_API_SECRET"], callback="oob"
)
print(handler.get_authorization_url(), flush=True)
token, secret = handler.get_access_token(input())
client = tweepy.Client(
    consumer_key=os.environ["PIPIT_API_KEY"],
    consumer_secret=os.environ["PIPIT_API_SECRET"],
    access_token=token,
    access_token_secret=secret,
)
print(client.get_me().data.username)
