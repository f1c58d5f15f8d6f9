import asyncio
import os

import aiohttp


async def main():
    headers = {"Authorization": "Bearer " + os.environ["PIPIT_BEARER_TOKEN"]}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get("https://api.x.com/2/users/by/username/maya") as response:
            print((await response.json())["data"]["username"])


asyncio.run(main())
