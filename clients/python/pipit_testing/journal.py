"""The requests that a server has received, and its answers."""


class PipitWaitTimeout(Exception):
    """Requests that did not arrive in time. The message lists those that did."""


class Journal:
    """Filters are `operation`, `method`, `path`, `status`, `app`, `user`, `refused` and `since`."""

    def __init__(self, connection):
        self._connection = connection

    def find(self, **filters):
        """Returns the matching entries, oldest first; at most the newest 10,000."""
        query = {**filters, "limit": 10_000}
        return self._connection.control("GET", "/journal", query=query)[::-1]

    def count(self, **filters):
        """Returns the number of matching entries."""
        return self._connection.control("GET", "/journal/count", query=filters)["count"]

    def wait_for(self, count=1, timeout=5.0, **filters):
        """Waits until entries match, at most `timeout` seconds, and returns them, oldest first."""
        query = {**filters, "n": count, "timeout": round(timeout * 1000)}
        answer = self._connection.ask("GET", "/journal/wait", query=query)
        if answer["meta"]["complete"]:
            return answer["data"]
        arrived = "\n".join(_line(entry) for entry in self.find()[-20:])
        raise PipitWaitTimeout(
            f"waited {timeout} s for {count} requests like {filters}; there were {len(answer['data'])}."
            f" The server has received:\n{arrived or '  nothing'}"
        )

    def get(self, id):
        """Returns one entry, by its id."""
        return self._connection.control("GET", f"/journal/{id}")

    def har(self):
        """Returns all entries as an HTTP Archive 1.2, oldest first."""
        return self._connection.ask("GET", "/journal.har")

    def clear(self):
        """Forgets all entries."""
        self._connection.control("DELETE", "/journal")


def _line(entry):
    request, refusal = entry["request"], entry.get("refusal")
    reason = f" ({refusal['reason']}: {refusal.get('detail', '')})" if refusal else ""
    status = entry["answer"]["status"]
    return f"  {entry['operation']}: {request['method']} {request['path']} {status}{reason}"
