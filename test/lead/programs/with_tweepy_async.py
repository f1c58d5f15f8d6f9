import asyncio
import os

from tweepy.asynchronous import AsyncClient


async def main():
    client = AsyncClient(bearer_token=os.environ["PIPIT_BEARER_TOKEN"])
    print((await client.get_user(username="maya")).data.username)


asyncio.run(main())
