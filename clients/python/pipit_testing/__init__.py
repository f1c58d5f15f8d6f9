"""Pipit in the tests of Python programs (docs/testing.md#pytest)."""

from .connection import PipitRefused
from .journal import PipitWaitTimeout
from .pipit import Pipit, start_pipit
from .server import PipitNotStarted

__all__ = ["Pipit", "PipitNotStarted", "PipitRefused", "PipitWaitTimeout", "start_pipit"]
