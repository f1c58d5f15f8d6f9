"""Runs the unmodified command twarc2 with requests to a port of this machine.

Arguments: the port, and those of twarc2.
"""

import sys

import requests

from local_adapter import LocalAdapter

port = int(sys.argv.pop(1))
requests.sessions.HTTPAdapter = lambda: LocalAdapter(port)

from twarc.command2 import twarc2  # noqa: E402 - creates its session when it is imported

twarc2(prog_name="twarc2")
