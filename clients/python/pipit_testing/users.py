"""Users of a server, and what they do through the interface."""


class Tokens:
    """Issues credentials, and keeps those of OAuth 2.0 until the state of the server changes."""

    def __init__(self, connection):
        self._control = connection.control
        self._kept = {}

    def issue(self, **wanted):
        given = {name: value for name, value in wanted.items() if value is not None}
        return self._control("POST", "/tokens", body=given)

    def of_user(self, username, app=None, scopes=None):
        key = (username, app, tuple(scopes or ()))
        if key not in self._kept:
            self._kept[key] = self.issue(username=username, app=app, scopes=scopes)
        return self._kept[key]

    def forget(self):
        """Forgets all tokens: the server no longer knows them."""
        self._kept.clear()


class User:
    """A user. Nothing is sent before a method is called."""

    def __init__(self, username, connection, tokens):
        self.username = username
        self._connection = connection
        self._tokens = tokens

    @property
    def id(self):
        return self._tokens.of_user(self.username)["user"]["id"]

    def token(self, app=None, scopes=None):
        """Returns an OAuth 2.0 access token: the same one until the state of the server is reset."""
        return self._tokens.of_user(self.username, app, scopes)["access_token"]

    def oauth1(self, app=None):
        """Issues OAuth 1.0a credentials: api_key, api_secret, access_token, access_token_secret."""
        issued = self._tokens.issue(username=self.username, app=app, kind="oauth1")
        names = ("api_key", "api_secret", "access_token", "access_token_secret")
        return {name: issued[name] for name in names}

    def sign_in(self):
        """Signs the user in to the pages without a password; returns the value of the header `cookie`."""
        return self._connection.control("POST", "/sessions", body={"username": self.username})["cookie"]

    def request(self, method, path, query=None, body=None):
        """Sends a request with this user's token. Raises PipitRefused."""
        return self._connection.send(method, path, query=query, body=body, token=self.token())

    def post(self, text, **fields):
        """Writes a post and returns it, with `id` and `text`."""
        return self.request("POST", "/2/tweets", body={"text": text, **fields})["data"]

    def reply(self, post, text):
        return self.post(text, reply={"in_reply_to_tweet_id": _id(post)})

    def quote(self, post, text):
        return self.post(text, quote_tweet_id=_id(post))

    def repost(self, post):
        self._add("retweets", tweet_id=_id(post))

    def like(self, post):
        self._add("likes", tweet_id=_id(post))

    def delete(self, post):
        self.request("DELETE", f"/2/tweets/{_id(post)}")

    def follow(self, user):
        self._add("following", target_user_id=user.id)

    def message(self, user, text):
        self.request("POST", f"/2/dm_conversations/with/{user.id}/messages", body={"text": text})

    def posts(self):
        """Returns this user's newest posts, newest first; at most 100."""
        path = f"/2/users/{self.id}/tweets"
        return self.request("GET", path, query={"max_results": 100}).get("data", [])

    def _add(self, kind, **body):
        self.request("POST", f"/2/users/{self.id}/{kind}", body=body)


class Users:
    """The users of a server: `users.alice` or `users["alice"]`."""

    def __init__(self, create):
        self._create = create
        self._known = {}

    def __getitem__(self, username):
        if username not in self._known:
            self._known[username] = self._create(username)
        return self._known[username]

    def __getattr__(self, username):
        if username.startswith("_"):
            raise AttributeError(username)
        return self[username]


def _id(post):
    return post if isinstance(post, str) else post["id"]
