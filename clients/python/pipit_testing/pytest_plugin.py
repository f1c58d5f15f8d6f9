"""The fixture `pipit`, reset before each test."""

import pytest

from .pipit import start_pipit


@pytest.fixture(scope="session")
def pipit_options():
    """The arguments of `start_pipit`; override it in conftest.py."""
    return {}


@pytest.fixture(scope="session")
def pipit_server(pipit_options):
    """The server of all tests."""
    with start_pipit(**pipit_options) as pipit:
        yield pipit


@pytest.fixture
def pipit(pipit_server):
    """A server with a fresh world."""
    pipit_server.reset()
    return pipit_server
