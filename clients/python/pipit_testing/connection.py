"""Requests to a server."""

import json
import urllib.error
import urllib.parse
import urllib.request

SANDBOX_PATH = "/_pipit/sandbox"

# Requests go to the server itself, whatever proxies the environment names.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class PipitRefused(Exception):
    """A request that a server refused: its method, path, status and problem."""

    def __init__(self, method, path, status, problem):
        self.method = method
        self.path = path
        self.status = status
        self.problem = problem
        parts = [problem.get("title"), problem.get("detail")]
        super().__init__(f"{method} {path}: {status} {': '.join(part for part in parts if part)}")


class Connection:
    """Sends requests to a server, and to its sandbox."""

    def __init__(self, url, key=None):
        self.url = url.rstrip("/")
        self._key = key

    def send(self, method, path, query=None, body=None, token=None, headers=None):
        """Sends a request of the interface and returns the parsed answer. Raises PipitRefused."""
        sent = dict(headers or {})
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        data = None
        if body is not None:
            sent["content-type"] = "application/json"
            data = json.dumps(body).encode()
        url = self.url + path + _query(query)
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        try:
            with _opener.open(request) as answer:
                return _parsed(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                problem = _parsed(error.read())
            raise PipitRefused(
                method, path, error.code, problem if isinstance(problem, dict) else {}
            ) from None

    def ask(self, method, path, query=None, body=None):
        """Sends a request to the sandbox and returns the parsed answer. Raises PipitRefused."""
        headers = {} if self._key is None else {"x-pipit-sandbox-key": self._key}
        return self.send(method, SANDBOX_PATH + path, query=query, body=body, headers=headers)

    def control(self, method, path, query=None, body=None):
        """Does the same and returns `data` of the answer."""
        return self.ask(method, path, query=query, body=body)["data"]


def _query(query):
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in (query or {}).items()
        if value is not None
    }
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _parsed(data):
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None
