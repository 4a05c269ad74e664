"""A limit that moves."""

import asyncio

import uvloop
from tests.http.conftest import Run

from kubewright.http.deadline import Deadline


def test_a_limit_that_was_moved_away_is_reached_later(run: Run) -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        reached: asyncio.Future[float] = loop.create_future()
        deadline = Deadline(loop, lambda: reached.set_result(loop.time()))
        start = loop.time()
        deadline.after(0.01)
        deadline.after(0.05)
        return await reached - start

    assert run(main) >= 0.049


def test_a_limit_that_was_moved_near_is_reached_sooner(run: Run) -> None:
    async def main() -> None:
        reached = asyncio.Event()
        deadline = Deadline(asyncio.get_running_loop(), reached.set)
        deadline.after(1000)
        deadline.after(0.01)
        await reached.wait()

    run(main)


def test_a_limit_that_was_lifted_is_never_reached(run: Run) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        reached, later = asyncio.Event(), asyncio.Event()
        deadline = Deadline(loop, reached.set)
        deadline.after(0.01)
        deadline.stop()
        deadline.stop()
        loop.call_later(0.02, later.set)
        await later.wait()
        assert not reached.is_set()

    run(main)


def test_a_limit_can_be_moved_in_the_moment_it_is_reached() -> None:
    # uvloop calls what is due at once without a timer, whose handle knows no time.
    async def main() -> None:
        loop = asyncio.get_running_loop()
        reached = asyncio.Event()
        deadline = Deadline(loop, reached.set)
        deadline.after(0.0)
        deadline.after(0.01)
        await reached.wait()

    uvloop.run(main())
