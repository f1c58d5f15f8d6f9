"""A server for tests."""

import itertools
import json
import os
import tempfile
from contextlib import contextmanager
from urllib.parse import quote

from .connection import Connection
from .control import Clock, Costs, Faults, Limits, Usage
from .journal import Journal
from .server import Server
from .users import Tokens, User, Users

# The world of a server without another one: an app and two users.
SMALL_WORLD = {
    "users": [
        {"id": "1", "username": "alice", "name": "Alice"},
        {"id": "2", "username": "bob", "name": "Bob"},
    ],
    "apps": [
        {
            "id": "9",
            "name": "test app",
            "owner": "alice",
            "access_level": "elevated",
            "permissions": "read_write_dm",
            "api_key": "test-api-key",
            "api_secret": "test-api-secret",
            "bearer_token": "test-bearer-token",
            "client_id": "test-client-id",
            "client_secret": "test-client-secret",
            "redirect_uris": ["http://127.0.0.1:3000/callback"],
        }
    ],
}


class Pipit:
    """A server, with handles to its users, clock, faults, limits, usage, costs and journal."""

    def __init__(self, connection, stop):
        self._connection = connection
        self._stop = stop
        self._tokens = Tokens(connection)
        self._names = itertools.count(1)
        self.url = connection.url
        self.users = Users(lambda username: User(username, connection, self._tokens))
        self.clock = Clock(connection)
        self.faults = Faults(connection)
        self.journal = Journal(connection)
        self.limits = Limits(connection)
        self.usage = Usage(connection)
        self.costs = Costs(connection)

    @property
    def env(self):
        """Variables for programs under test."""
        return {"PIPIT_URL": self.url}

    def app_token(self, app=None):
        """Issues a bearer token of an app, named by id or name; by default of the first one."""
        return self._tokens.issue(app=app, kind="app")["access_token"]

    def state(self):
        """Returns the clock, the seed and the snapshots."""
        return self._connection.control("GET", "")

    def reset(self, seed=None, time=None):
        """Returns to the loaded world. A seed freezes the clock, at `time` if given."""
        given = {"seed": seed, "time": time}
        self._change("POST", "/reset", {name: value for name, value in given.items() if value is not None})

    def snapshot(self, name=None):
        """Keeps the present state, and returns its name; by default one that is not in use."""
        name = name or f"test-{os.getpid()}-{next(self._names)}"
        return self._connection.control("POST", "/snapshots", body={"name": name})["name"]

    def snapshots(self):
        """Returns the names of the snapshots, oldest first."""
        return [snapshot["name"] for snapshot in self._connection.control("GET", "/snapshots")]

    def delete_snapshot(self, name):
        self._connection.control("DELETE", f"/snapshots/{quote(name, safe='')}")

    def restore(self, name):
        """Returns to the state of a snapshot."""
        self._change("POST", f"/snapshots/{quote(name, safe='')}/restore")

    def load(self, world):
        """Adds a world document to the present state, until the next reset."""
        self._change("POST", "/world", world)

    def replace_world(self, world):
        """Makes a world document the state, to which resets return from then on."""
        self._change("PUT", "/world", world)

    def export_world(self):
        """Returns the present state as a world document."""
        return self._connection.ask("GET", "/world")

    def stop(self):
        """Ends the server, unless it was running before. Idempotent."""
        self._stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _change(self, method, path, body=None):
        self._tokens.forget()
        self._connection.control(method, path, body=body)


def start_pipit(world=None, seed=None, rate_limits="off", url=None, sandbox_key=None, args=(), timeout=20):
    """Starts a server with a sandbox, in memory and on a free port; or uses the sandbox at `url` or PIPIT_URL.

    `world` is a world document, the path of a world file, or `demo`. Raises PipitNotStarted.
    """
    url = url or os.environ.get("PIPIT_URL")
    if url is not None:
        if isinstance(world, str):
            raise ValueError("a running server gets no world file: give the document of the world")
        pipit = Pipit(Connection(url, sandbox_key or os.environ.get("PIPIT_SANDBOX_KEY")), lambda: None)
        if world is not None:
            pipit.replace_world(world)
        pipit.reset(seed=seed)
        return pipit
    with _world_file(SMALL_WORLD if world is None else world) as file:
        seeded = [] if seed is None else ["--sandbox-seed", str(seed)]
        fixed = ["--sandbox", "--log-level", "error", "--request-log", "off", "--rate-limits", rate_limits]
        server = Server([*fixed, "--load", file, *seeded, *args], timeout)
    return Pipit(Connection(server.url), server.stop)


@contextmanager
def _world_file(world):
    """Gives the path of a world; a document is in a file meanwhile."""
    if isinstance(world, str):
        yield world
        return
    with tempfile.TemporaryDirectory(prefix="pipit-world-") as folder:
        file = os.path.join(folder, "world.json")
        with open(file, "w", encoding="utf-8") as target:
            json.dump(world, target)
        yield file
