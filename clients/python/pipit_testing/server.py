"""A server that this process starts."""

import json
import os
import select
import shlex
import subprocess
import tempfile
import time


class PipitNotStarted(Exception):
    """A server that did not start. The message ends with what it wrote to standard error."""


class Server:
    """Runs `pipit serve` on a free port until `stop`."""

    def __init__(self, args, timeout):
        command = shlex.split(os.environ.get("PIPIT_COMMAND", "pipit"))
        # A file, because nobody reads a pipe while the server runs.
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [*command, "serve", "--port", "0", "--json", "--end-with-input", *args],
                # Held open: the server ends with it, also when this process is killed.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except OSError as error:
            self._errors.close()
            raise PipitNotStarted(
                f"cannot run {shlex.join(command)}: {error}; PIPIT_COMMAND says how to run pipit"
            ) from None
        try:
            self.url = self._read_url(time.monotonic() + timeout)
        except BaseException:
            self.stop()
            raise

    def stop(self):
        """Ends the server. Idempotent."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()

    def _read_url(self, deadline):
        output = b""
        while True:
            left = deadline - time.monotonic()
            readable, _, _ = select.select([self._process.stdout], [], [], max(left, 0))
            if not readable:
                raise PipitNotStarted(f"pipit was not ready in time:\n{self._error_text()}")
            chunk = os.read(self._process.stdout.fileno(), 65536)
            if not chunk:
                self._process.wait()
                raise PipitNotStarted(f"pipit ended before it was ready:\n{self._error_text()}")
            output += chunk
            for line in output.split(b"\n")[:-1]:
                if b'"url"' in line:
                    return json.loads(line)["url"]

    def _error_text(self):
        self._errors.seek(0)
        return self._errors.read()[-20_000:].decode(errors="replace")
