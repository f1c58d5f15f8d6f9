"""Reads the filtered stream with the unmodified xdk for Python until it is killed; prints each text as JSON.

Argument: a JSON object with the server's port, the bearer token, and the minutes of the backfill.
"""

import json
import sys

from xdk import Client
from xdk.streaming import StreamConfig

WORLD = json.loads(sys.argv[1])

client = Client(base_url="http://127.0.0.1:%d" % WORLD["port"], bearer_token=WORLD["bearerToken"])
config = StreamConfig(initial_backoff=0.1, timeout=WORLD.get("patienceSeconds"))
for message in client.stream.posts(backfill_minutes=WORLD["backfillMinutes"], stream_config=config):
    print(json.dumps(message.model_dump()["data"]["text"]))
