"""Reads the filtered stream with Debian's unmodified tweepy until it is killed; prints each text as JSON.

Argument: a JSON object with the server's port, the bearer token, and the minutes of the backfill. `patienceSeconds`
replaces the time that tweepy waits for a sign of life.
"""

import json
import sys

from tweepy import StreamingClient

from local_adapter import LocalAdapter

WORLD = json.loads(sys.argv[1])


class Adapter(LocalAdapter):
    def send(self, request, **options):
        if "patienceSeconds" in WORLD:
            options["timeout"] = WORLD["patienceSeconds"]
        return super().send(request, **options)


class Reader(StreamingClient):
    def on_tweet(self, tweet):
        print(json.dumps(tweet.text))

    def on_matching_rules(self, matching_rules):
        assert all(rule.tag == "" for rule in matching_rules)

    def on_errors(self, errors):
        print(json.dumps({"errors": errors}))

    def on_request_error(self, status_code):
        print(json.dumps({"status": status_code}))

    def on_exception(self, exception):
        print(json.dumps({"exception": str(exception)}))


reader = Reader(WORLD["bearerToken"])
reader.session.mount("https://", Adapter(WORLD["port"]))
reader.filter(backfill_minutes=WORLD["backfillMinutes"])
