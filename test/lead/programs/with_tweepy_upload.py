import base64
import io
import os

import tweepy

PIXEL = b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

auth = tweepy.OAuth1UserHandler(
    os.environ["PIPIT_API_KEY"],
    os.environ["PIPIT_API_SECRET"],
    os.environ["PIPIT_ACCESS_TOKEN"],
    os.environ["PIPIT_ACCESS_TOKEN_SECRET"],
)
api = tweepy.API(auth)
media = api.media_upload("pixel.png", file=io.BytesIO(base64.b64decode(PIXEL)))
client = tweepy.Client(
    consumer_key=auth.consumer_key,
    consumer_secret=auth.consumer_secret,
    access_token=auth.access_token,
    access_token_secret=auth.access_token_secret,
)
client.create_tweet(text="A pixel", media_ids=[media.media_id])
print(api.verify_credentials().screen_name)
