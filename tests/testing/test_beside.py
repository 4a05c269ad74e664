"""What runs beside a test has a loop of its own, and its failures are the test's."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator

import pytest

from kubewright.testing.beside import BesideError, beside


def test_a_block_runs_while_another_thread_is_inside_the_context() -> None:
    said: list[str] = []

    @contextlib.asynccontextmanager
    async def room() -> AsyncIterator[threading.Thread]:
        said.append("in")
        yield threading.current_thread()
        said.append("out")

    with beside(room()) as thread:
        assert said == ["in"]
        assert thread is not threading.current_thread()
    assert said == ["in", "out"]


def test_what_does_not_start_is_told_at_once() -> None:
    @contextlib.asynccontextmanager
    async def room() -> AsyncIterator[None]:
        raise OSError("the port is taken")
        yield

    with pytest.raises(BesideError, match="did not start: the port is taken"), beside(room()):
        pass


def test_what_fails_at_its_end_is_told_there() -> None:
    @contextlib.asynccontextmanager
    async def room() -> AsyncIterator[None]:
        yield
        raise OSError("the disk is full")

    with pytest.raises(BesideError, match="failed: the disk is full"), beside(room()):
        asyncio.run(asyncio.sleep(0))
