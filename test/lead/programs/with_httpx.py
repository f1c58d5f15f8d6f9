import os

import httpx

headers = {"Authorization": "Bearer " + os.environ["PIPIT_BEARER_TOKEN"]}
response = httpx.get("https://api.x.com/2/users/by/username/maya", headers=headers)
print(response.json()["data"]["username"])
