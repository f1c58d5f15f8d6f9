import os

from requests_oauthlib import OAuth1Session

session = OAuth1Session(
    os.environ["PIPIT_API_KEY"],
    os.environ["PIPIT_API_SECRET"],
    os.environ["PIPIT_ACCESS_TOKEN"],
    os.environ["PIPIT_ACCESS_TOKEN_SECRET"],
)
print(session.get("https://api.x.com/2/users/me").json()["data"]["username"])
