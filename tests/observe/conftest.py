"""Tests with sockets run on asyncio's own loop and on uvloop, none for longer than it must."""

from tests.http.conftest import Run, run

__all__ = ["Run", "run"]
