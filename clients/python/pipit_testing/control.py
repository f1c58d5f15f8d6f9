"""The clock, the faults, the limits, the usage and the costs of a server."""

from datetime import datetime, timezone


class Clock:
    """The time of the server, which never steps back."""

    def __init__(self, connection):
        self._control = connection.control

    def read(self):
        """Returns `time` and `mode`, which is `running` or `frozen`."""
        return self._control("GET", "/clock")

    def freeze(self, time=None):
        """Stops the clock, at its present time or at a later one."""
        body = {} if time is None else {"time": _text(time)}
        return self._control("POST", "/clock/freeze", body=body)

    def run(self):
        """Lets the clock run again."""
        return self._control("POST", "/clock/run")

    def set(self, time):
        """Moves the clock to a later time; everything that is due until then happens in its order."""
        return self._control("PUT", "/clock", body={"time": _text(time)})

    def advance(self, by):
        """Moves the clock forward by seconds or a duration such as `2h`, as `set` does."""
        body = {"duration": by} if isinstance(by, str) else {"milliseconds": round(by * 1000)}
        return self._control("POST", "/clock/advance", body=body)


class Faults:
    """Rules that disturb requests (docs/sandbox.md#faults)."""

    def __init__(self, connection):
        self._control = connection.control

    def add(self, effect, **rule):
        """Adds a rule with `match`, `probability`, `after` and `count`."""
        return self._control("POST", "/faults", body={**rule, "effect": effect})

    def get(self, id):
        """Returns a rule, with how often it applied."""
        return self._control("GET", f"/faults/{id}")

    def list(self):
        return self._control("GET", "/faults")

    def remove(self, id):
        self._control("DELETE", f"/faults/{id}")

    def clear(self):
        """Removes all rules."""
        self._control("DELETE", "/faults")


class Limits:
    """Rate limits of an `app`, or of a `user`; a server needs `rate_limits="standard"` to have any."""

    def __init__(self, connection):
        self._control = connection.control

    def list(self):
        """Returns the windows that run."""
        return self._control("GET", "/rate_limits")

    def set(self, operation, remaining, **holder):
        """Sets how many calls of an operation remain in the window."""
        body = {"operation": operation, "remaining": remaining, **holder}
        return self._control("PUT", "/rate_limits", body=body)

    def exhaust(self, **limit):
        """Uses up the limit of an `operation`, or of all: the next call gets 429."""
        return self._control("POST", "/rate_limits/exhaust", body=limit)

    def clear(self):
        """Gives everyone the full limits back."""
        self._control("DELETE", "/rate_limits")


class Usage:
    """The posts that an app has read; `app` is its id or name, by default the first one."""

    def __init__(self, connection):
        self._control = connection.control

    def read(self, app=None):
        """Returns `cap`, `used`, `days_left` and `days`."""
        return self._control("GET", "/usage", query={"app": app})

    def set(self, posts, app=None):
        """Sets the posts that an app has read in the current month of its cap."""
        return self._control("PUT", "/usage", body=_given(posts=posts, app=app))

    def exhaust(self, app=None):
        """Uses up the cap: the next read of posts gets 429."""
        return self.set(self.read(app)["cap"], app)


class Costs:
    """What the apps have spent, the prices and the budgets, in dollars (docs/sandbox.md#costs)."""

    def __init__(self, connection):
        self._control = connection.control

    def list(self):
        """Returns what the apps have spent."""
        return self._control("GET", "/costs")

    def prices(self):
        return self._control("GET", "/prices")

    def set_prices(self, **prices):
        """Changes the given prices, for later requests."""
        return self._control("PUT", "/prices", body=prices)

    def set_budget(self, limit=None, app=None):
        """Sets how much an app may spend, with what is spent already; without a limit, it has no budget."""
        return self._control("PUT", "/budget", body=_given(limit=limit, app=app))

    def exhaust(self, app=None):
        """Takes all money from an app: its next request with a price gets 402."""
        return self.set_budget(0, app)


def _given(**members):
    return {name: value for name, value in members.items() if value is not None}


def _text(time):
    if not isinstance(time, datetime):
        return time
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
