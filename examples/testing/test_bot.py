import pytest

from pipit_testing import PipitRefused


def test_a_reply_starts_with_the_handle(pipit):
    alice, bob = pipit.users.alice, pipit.users.bob
    bob.reply(alice.post("Who is up?"), "Me")
    assert bob.posts()[0]["text"] == "@alice Me"
    assert pipit.journal.count(operation="createTweet") == 2


def test_a_server_fails_once(pipit):
    pipit.faults.add({"status": 503}, match={"operation": "createTweet"}, count=1)
    with pytest.raises(PipitRefused):
        pipit.users.alice.post("First")
    pipit.users.alice.post("Second")
