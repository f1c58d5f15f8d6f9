"""Reads the filtered stream with Debian's unmodified tweepy; prints `connected`, then what it got as JSON.

Standard input: a JSON object with the server's port, the bearer token and the number of posts.
"""

import json
import sys

from tweepy import StreamingClient

from local_adapter import LocalAdapter

WORLD = json.load(sys.stdin)


class Reader(StreamingClient):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.texts = []
        self.tags = set()
        self.problems = []

    def on_connect(self):
        print("connected", flush=True)

    def on_response(self, response):
        self.texts.append(response.data.text)
        self.tags.update(rule.tag for rule in response.matching_rules)
        if len(self.texts) == WORLD["posts"]:
            self.disconnect()

    def on_errors(self, errors):
        self.problems.append(errors)


reader = Reader(WORLD["bearerToken"], max_retries=0)
reader.session.mount("https://", LocalAdapter(WORLD["port"]))
reader.filter()
print(json.dumps({"texts": reader.texts, "tags": sorted(reader.tags), "errors": reader.problems}))
