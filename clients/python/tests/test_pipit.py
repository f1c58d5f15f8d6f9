import json
import urllib.error
import urllib.request
from datetime import datetime, timezone

import pytest

from pipit_testing import PipitNotStarted, PipitRefused, PipitWaitTimeout, start_pipit
from pipit_testing.pipit import SMALL_WORLD


@pytest.fixture(scope="session")
def pipit_options():
    return {"seed": 5, "rate_limits": "standard"}


def texts(user):
    return [post["text"] for post in user.posts()]


def test_users_write_and_react(pipit):
    alice, bob = pipit.users.alice, pipit.users["bob"]
    post = alice.post("Hello")
    bob.like(post)
    bob.repost(post["id"])
    bob.follow(alice)
    bob.quote(post, "Look")
    assert bob.reply(post, "Hi")["text"] == "@alice Hi"
    alice.follow(bob)
    bob.message(alice, "Psst")
    assert alice.request("GET", "/2/dm_events")["data"][0]["text"] == "Psst"
    metrics = alice.request("GET", f"/2/tweets/{post['id']}", query={"tweet.fields": "public_metrics"})
    assert metrics["data"]["public_metrics"]["like_count"] == 1
    alice.delete(post)
    assert texts(alice) == []


def test_each_test_has_a_fresh_world(pipit):
    assert texts(pipit.users.bob) == []


def test_credentials(pipit):
    alice = pipit.users.alice
    assert alice.token() == alice.token()
    assert alice.oauth1()["access_token"].startswith("1-")
    narrow = alice.token(scopes=["tweet.read", "users.read"])
    request = urllib.request.Request(
        f"{pipit.url}/2/tweets",
        data=json.dumps({"text": "x"}).encode(),
        headers={"authorization": f"Bearer {narrow}", "content-type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 403
    assert pipit.app_token() != ""


def test_a_refusal_names_request_and_status(pipit):
    with pytest.raises(PipitRefused, match="POST /2/tweets: 400") as refused:
        pipit.users.alice.post("")
    assert refused.value.status == 400
    assert "errors" in refused.value.problem


def test_the_clock_moves_forward(pipit):
    assert pipit.clock.read() == {"time": "2026-01-01T00:00:00.000Z", "mode": "frozen"}
    pipit.clock.advance("2h")
    assert pipit.clock.advance(1.5)["time"] == "2026-01-01T02:00:01.500Z"
    pipit.clock.set(datetime(2026, 2, 1, tzinfo=timezone.utc))
    assert pipit.clock.run()["mode"] == "running"
    assert pipit.clock.freeze("2026-03-01T00:00:00Z")["time"] == "2026-03-01T00:00:00.000Z"


def test_snapshots_are_restored(pipit):
    alice = pipit.users.alice
    alice.post("Kept")
    name = pipit.snapshot()
    alice.post("Dropped")
    pipit.restore(name)
    assert texts(alice) == ["Kept"]


def test_worlds_are_added_exported_and_replaced(pipit):
    pipit.users.alice.post("Exported")
    world = pipit.export_world()
    wren = {"id": "7", "username": "wren", "name": "Wren"}
    pipit.load({"users": [wren]})
    assert pipit.users.wren.id == "7"
    with start_pipit() as other:
        same = start_pipit(world, url=other.url)
        assert texts(same.users.alice) == ["Exported"]
        with pytest.raises(ValueError):
            start_pipit("demo", url=other.url)


def test_faults_and_limits(pipit):
    alice = pipit.users.alice
    rule = pipit.faults.add({"status": 503}, match={"operation": "createTweet"}, count=1)
    assert [each["id"] for each in pipit.faults.list()] == [rule["id"]]
    with pytest.raises(PipitRefused) as refused:
        alice.post("First")
    assert refused.value.status == 503
    alice.post("Second")
    pipit.faults.remove(rule["id"])
    pipit.faults.clear()
    pipit.limits.exhaust(operation="createTweet", user="alice")
    with pytest.raises(PipitRefused) as refused:
        alice.post("Third")
    assert refused.value.status == 429
    pipit.limits.set("createTweet", 1, user="alice")
    alice.post("Third")
    assert pipit.limits.list() != []
    pipit.limits.clear()


def test_usage_and_costs(pipit):
    alice = pipit.users.alice
    alice.post("To read")
    assert pipit.usage.set(7)["used"] == 7
    pipit.usage.exhaust("test app")
    with pytest.raises(PipitRefused) as refused:
        alice.posts()
    assert refused.value.status == 429
    assert pipit.costs.set_prices(post_create=2)["post_create"] == 2
    alice.post("Costs two dollars")
    pipit.costs.exhaust()
    with pytest.raises(PipitRefused) as refused:
        alice.post("No money")
    assert refused.value.status == 402
    pipit.costs.set_budget()
    alice.post("As much as it wants")
    assert pipit.costs.list()[0]["budget"] is None


def test_the_journal_finds_counts_and_waits(pipit):
    pipit.users.alice.post("One")
    pipit.users.bob.post("Two")
    entries = pipit.journal.wait_for(operation="createTweet", count=2)
    assert [json.loads(entry["request"]["body"]["text"])["text"] for entry in entries] == ["One", "Two"]
    assert pipit.journal.count(operation="createTweet", user="bob") == 1
    assert len(pipit.journal.find(refused=False)) == 2
    with pytest.raises(PipitWaitTimeout, match="createTweet: POST /2/tweets 201"):
        pipit.journal.wait_for(operation="usersIdLike", timeout=0.01)
    pipit.journal.clear()
    assert pipit.journal.count() == 0


def test_a_world_document_is_loaded():
    wren = {"id": "7", "username": "wren", "name": "Wren"}
    app = {**SMALL_WORLD["apps"][0], "owner": "wren"}
    with start_pipit({"users": [wren], "apps": [app]}) as pipit:
        assert pipit.users.wren.id == "7"
        pipit.stop()


def test_a_server_that_does_not_start_says_why():
    with pytest.raises(PipitNotStarted, match="username"):
        start_pipit({"users": [{"id": "1", "username": "a b", "name": "A"}]})


def test_a_missing_program_is_named(monkeypatch):
    monkeypatch.setenv("PIPIT_COMMAND", "/nowhere/pipit")
    with pytest.raises(PipitNotStarted, match="PIPIT_COMMAND"):
        start_pipit()
