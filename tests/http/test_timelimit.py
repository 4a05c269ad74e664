"""Time limits that share one timer."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from kubewright.http import TimeLimits
from kubewright.trials.loop import run


def play(story: Callable[[], Awaitable[Any]]) -> Any:
    async def staged() -> Any:
        return await story()

    return run(staged())


def now() -> float:
    return asyncio.get_running_loop().time()


def test_what_takes_too_long_ends_with_a_timeout_when_its_time_is_over() -> None:
    async def story() -> None:
        began = now()
        with pytest.raises(TimeoutError), TimeLimits(5).start() as limit:
            await asyncio.sleep(60)
        assert limit.expired
        assert now() - began == 5

    play(story)


def test_what_ends_in_time_is_left_alone() -> None:
    async def story() -> None:
        limits = TimeLimits(5)
        with limits.start() as limit:
            await asyncio.sleep(4)
        await asyncio.sleep(60)
        assert not limit.expired

    play(story)


def test_each_has_its_own_time_though_the_timer_is_one() -> None:
    async def story() -> None:
        limits = TimeLimits(5)
        ended: list[tuple[str, float]] = []

        async def work(name: str, begin: float, takes: float) -> None:
            await asyncio.sleep(begin)
            try:
                with limits.start():
                    await asyncio.sleep(takes)
            except TimeoutError:
                ended.append((name, now() - start))

        start = now()
        await asyncio.gather(work("first", 0, 60), work("quick", 1, 1), work("second", 3, 60), work("last", 20, 60))
        assert ended == [("first", 5), ("second", 8), ("last", 25)]

    play(story)


def test_a_task_that_is_cancelled_from_outside_stays_cancelled() -> None:
    async def story() -> None:
        async def work() -> None:
            with TimeLimits(5).start():
                await asyncio.sleep(60)

        task = asyncio.create_task(work())
        asyncio.get_running_loop().call_later(2, task.cancel)
        with pytest.raises(asyncio.CancelledError):
            await task

    play(story)


def test_a_task_that_is_cancelled_in_the_same_moment_stays_cancelled() -> None:
    async def story() -> None:
        async def work() -> None:
            with TimeLimits(5).start():
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    task.cancel()
                    raise

        task = asyncio.create_task(work())
        with pytest.raises(asyncio.CancelledError):
            await task

    play(story)


def test_one_limit_within_another_ends_first() -> None:
    async def story() -> None:
        outer, inner = TimeLimits(10), TimeLimits(3)
        with outer.start() as around:
            with pytest.raises(TimeoutError), inner.start():
                await asyncio.sleep(60)
            await asyncio.sleep(1)
        assert not around.expired

    play(story)


def test_without_a_number_there_is_no_limit() -> None:
    async def story() -> None:
        with TimeLimits(None).start():
            await asyncio.sleep(100_000)

    play(story)


def test_they_go_on_in_another_loop() -> None:
    limits = TimeLimits(5)

    async def story() -> None:
        with pytest.raises(TimeoutError), limits.start():
            await asyncio.sleep(60)

    play(story)
    play(story)


def test_who_asked_is_told_of_each_limit_that_is_reached_and_whether_it_has_ended() -> None:
    async def story() -> None:
        reached: list[tuple[object, float]] = []
        limits = TimeLimits(5, lambda limit: reached.append((limit.about, now())))
        began = now()
        with limits.start("quick") as quick:
            await asyncio.sleep(1)
        assert not quick.running
        with limits.start("deaf") as deaf:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            assert deaf.running
        assert not deaf.running
        assert reached == [("deaf", began + 6)]

    play(story)


def test_in_another_thread_it_is_for_the_task_there() -> None:
    limits = TimeLimits(0.2)
    begun, ended = threading.Event(), threading.Event()

    async def first() -> None:
        with limits.start():
            pass
        begun.set()
        while not ended.is_set():  # noqa: ASYNC110 - another thread tells nobody here
            await asyncio.sleep(0.01)

    async def second() -> None:
        with pytest.raises(TimeoutError), limits.start():
            await asyncio.sleep(60)

    there = threading.Thread(target=lambda: asyncio.run(first()))
    there.start()
    try:
        begun.wait()
        asyncio.run(second())
    finally:
        ended.set()
        there.join()
