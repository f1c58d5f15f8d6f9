"""Connects OAuth flows of unmodified clients to this machine and to the browser of the test.

The first line of standard input is a JSON object with the port and the credentials (`WORLD`). Importing this module
redirects every request for https://api... to that port over plain HTTP, after the client has signed it.
"""

import json
import sys
from urllib.parse import urlparse

import requests

WORLD = json.loads(sys.stdin.readline())

send_as_is = requests.adapters.HTTPAdapter.send


def send_here(self, request, **options):
    """Sends a request to this machine; the client still sees the address that it asked for."""
    url = request.url
    parts = urlparse(url)
    request.headers["Host"] = parts.netloc
    request.url = parts._replace(scheme="http", netloc="127.0.0.1:%d" % WORLD["port"]).geturl()
    try:
        return send_as_is(self, request, **options)
    finally:
        request.url = url


requests.adapters.HTTPAdapter.send = send_here


def through_browser(address):
    """Returns what the browser was sent back to, or the PIN, after it opened the address."""
    print(json.dumps({"open": address}), flush=True)
    return sys.stdin.readline().strip()
