"""Uploads media with Debian's unmodified tweepy and posts them; prints the results as JSON.

Standard input: a JSON object with the server's port, credentials and files in base64 by name.
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
client = tweepy.Client(None, *keys)
client.session.mount("https://", LocalAdapter(WORLD["port"]))


def upload(name, **options):
    return api.media_upload(name, file=io.BytesIO(base64.b64decode(WORLD["files"][name])), **options)


def posted(media):
    post = client.create_tweet(text="%d" % media.media_id, media_ids=[media.media_id])
    answer = client.get_tweet(
        post.data["id"],
        user_auth=True,
        expansions="attachments.media_keys",
        media_fields=["alt_text", "duration_ms", "height", "url", "width"],
    )
    return dict(answer.includes["media"][0].data)


photo = upload("bird.png")
api.create_media_metadata(photo.media_id, "A bird")
chunked = upload("bird.png", chunked=True, media_category="tweet_image", chunk_size=100)
moving = upload("moving.gif", media_category="tweet_gif")
video = upload("film.mp4", media_category="tweet_video")
try:
    upload("film.mp4")
    refusal = None
except tweepy.BadRequest as error:
    refusal = [error.api_codes, error.api_messages]

json.dump(
    {
        "photo": [photo.image, photo.size, photo.media_id_string == str(photo.media_id), posted(photo)],
        "chunked": posted(chunked),
        "moving": posted(moving),
        "video": [video.processing_info["state"], posted(video)],
        "refusal": refusal,
    },
    sys.stdout,
)
