import json
import os
import urllib.request

request = urllib.request.Request(
    "https://api.twitter.com/2/users/by/username/maya",
    headers={"Authorization": "Bearer " + os.environ["PIPIT_BEARER_TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["data"]["username"])
