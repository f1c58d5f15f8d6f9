import os

from authlib.integrations.requests_client import OAuth1Session

session = OAuth1Session(
    os.environ["PIPIT_API_KEY"],
    os.environ["PIPIT_API_SECRET"],
    token=os.environ["PIPIT_ACCESS_TOKEN"],
    token_secret=os.environ["PIPIT_ACCESS_TOKEN_SECRET"],
)
print(session.get("https://api.x.com/2/users/me").json()["data"]["username"])
