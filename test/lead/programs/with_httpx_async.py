import asyncio
import os

import httpx


async def main():
    headers = {"Authorization": "Bearer " + os.environ["PIPIT_BEARER_TOKEN"]}
    async with httpx.AsyncClient(headers=headers, trust_env=False) as client:
        response = await client.get("https://api.x.com/2/users/by/username/maya")
    print(response.json()["data"]["username"])


asyncio.run(main())
