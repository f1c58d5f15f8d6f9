"""Changes rules of the filtered stream with Debian's unmodified tweepy; prints what it got as JSON.

Standard input: a JSON object with the server's port and the bearer token.
"""

import json
import sys

from tweepy import StreamingClient, StreamRule

from local_adapter import LocalAdapter

WORLD = json.load(sys.stdin)

client = StreamingClient(WORLD["bearerToken"])
client.session.mount("https://", LocalAdapter(WORLD["port"]))

added = client.add_rules([StreamRule("heron", tag="birds"), StreamRule("pond")])
duplicate = client.add_rules(StreamRule("heron"))
listed = client.get_rules()
dry = client.delete_rules(listed.data[0].id, dry_run=True)
deleted = client.delete_rules(listed.data)
json.dump(
    {
        "added": [[rule.value, rule.tag] for rule in added.data],
        "summary": added.meta["summary"],
        "duplicate": duplicate.errors[0]["title"],
        "listed": [rule.value for rule in listed.data],
        "dry": dry.meta["summary"],
        "deleted": deleted.meta["summary"],
        "left": client.get_rules().data,
    },
    sys.stdout,
)
