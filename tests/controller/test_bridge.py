"""Synchronous functions beside the loop, in the time of the day and in simulated time."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kubewright import clock
from kubewright.cache import Key
from kubewright.controller.bridge import Bridge, Ended, call
from kubewright.controller.limit import Limit
from kubewright.trials import loop as trials

RUNS = pytest.mark.parametrize("run", [asyncio.run, trials.run], ids=["real", "simulated"])
Run = Callable[[Any], Any]

about: contextvars.ContextVar[str] = contextvars.ContextVar("about", default="")


@RUNS
def test_what_it_returns_or_raises_comes_back(run: Run) -> None:
    def leave(bridge: Bridge) -> None:
        raise SystemExit(3)

    async def story() -> list[Ended]:
        return [await call(lambda bridge: 42), await call(leave)]

    fine, left = run(story())
    assert fine == (42, None)
    assert isinstance(left[1], SystemExit)


@RUNS
def test_what_the_loop_does_for_it_comes_back_and_so_does_its_failure(run: Run) -> None:
    async def double(number: int) -> int:
        await asyncio.sleep(0)
        return 2 * number

    async def fail() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    def work(bridge: Bridge) -> list[Any]:
        found: list[Any] = [bridge.wait(double(1)), bridge.wait(double(2))]
        try:
            bridge.wait(fail())
        except ValueError as error:
            found.append(str(error))
        return found

    async def story() -> Ended:
        return await call(work)

    assert run(story()) == ([2, 4, "no"], None)


@RUNS
def test_it_knows_what_its_caller_knew(run: Run) -> None:
    async def story() -> Ended:
        about.set("shop")
        return await call(lambda bridge: about.get())

    assert run(story()) == ("shop", None)


def test_in_simulated_time_it_runs_alone_and_time_passes_only_while_it_waits() -> None:
    told: list[str] = []

    async def count() -> None:
        while True:
            await asyncio.sleep(1)
            told.append(f"loop {clock.monotonic():g}")

    def work(name: str, seconds: float) -> Callable[[Bridge], None]:
        def inner(bridge: Bridge) -> None:
            told.append(f"{name} begins {clock.monotonic():g}")
            bridge.wait(asyncio.sleep(seconds))
            told.append(f"{name} ends {clock.monotonic():g}")

        return inner

    async def story() -> None:
        counting = asyncio.create_task(count())
        await asyncio.gather(call(work("long", 2.5)), call(work("short", 0.5)))
        counting.cancel()

    trials.run(story())
    assert told == ["long begins 0", "short begins 0", "short ends 0.5", "loop 1", "loop 2", "long ends 2.5"]


def test_many_in_simulated_time_are_the_same_each_time() -> None:
    def play() -> list[str]:
        told: list[str] = []

        def work(number: int) -> Callable[[Bridge], None]:
            def inner(bridge: Bridge) -> None:
                for turn in range(5):
                    told.append(f"{number}.{turn} {clock.now():%S.%f}")
                    bridge.wait(asyncio.sleep((number * 7 + turn * 3) % 11 / 10))

            return inner

        async def story() -> None:
            await asyncio.gather(*(call(work(number)) for number in range(20)))

        trials.run(story())
        return told

    assert play() == play()


def test_a_run_that_ends_leaves_no_thread_behind() -> None:
    async def story() -> None:
        call(lambda bridge: bridge.wait(asyncio.sleep(3600)))
        await asyncio.sleep(1)

    trials.run(story())
    assert [each for each in threading.enumerate() if each.name == "kubewright-in-turns"] == []


@RUNS
def test_a_thread_that_does_not_end_keeps_no_program_from_ending(run: Run) -> None:
    async def story() -> Ended:
        return await call(lambda bridge: threading.current_thread().daemon)

    assert run(story()) == (True, None)


def test_what_ends_after_its_loop_is_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    threads: list[threading.Thread] = []
    closed = threading.Event()

    def work(bridge: Bridge) -> None:
        threads.append(threading.current_thread())
        closed.wait()

    async def story() -> None:
        call(work)

    asyncio.run(story())
    closed.set()
    for each in threads:
        each.join()
    assert capfd.readouterr().err == ""


@RUNS
def test_what_nobody_waits_for_any_more_is_refused_what_it_asks_for(run: Run) -> None:
    told: list[str] = []
    loop: Any = None
    begun, over = asyncio.Event(), asyncio.Event()

    async def begin() -> None:
        begun.set()
        await asyncio.sleep(3600)

    async def end() -> None:
        told.append("done for it")

    def work(bridge: Bridge) -> None:
        for asked in (begin, end):
            try:
                bridge.wait(asked())
            except asyncio.CancelledError as error:
                told.append(type(error).__name__)
        loop.call_soon_threadsafe(over.set)

    async def story() -> None:
        nonlocal loop
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(Limit("it", None).threaded(Key("default", "shop"), call(work)))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await over.wait()

    run(story())
    assert told == ["CancelledError", "CancelledError"]
