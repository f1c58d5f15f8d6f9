"""Routes requests of an unmodified tweepy to this machine."""

import requests


class LocalAdapter(requests.adapters.HTTPAdapter):
    """Sends requests for https://... to this machine over plain HTTP, after they were signed."""

    def __init__(self, port, told=None):
        super().__init__()
        self.port = port
        self.told = told

    def send(self, request, **options):
        url = request.url
        parts = requests.compat.urlparse(url)
        if self.told is not None:
            self.told.append("%s %s" % (request.method, parts.path))
        request.headers["Host"] = parts.netloc
        request.url = parts._replace(scheme="http", netloc="127.0.0.1:%d" % self.port).geturl()
        try:
            return super().send(request, **options)
        finally:
            request.url = url
