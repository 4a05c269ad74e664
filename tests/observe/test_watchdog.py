import asyncio
import logging
import threading
import time
from typing import Any

import pytest
from tests.observe.conftest import Run

from kubewright import clock
from kubewright.observe import Metrics, Watchdog
from kubewright.trials.loop import run as simulate


def block(seconds: float) -> None:
    """What a careless reconciler does."""
    until = clock.monotonic() + seconds
    while clock.monotonic() < until:
        time.sleep(0.005)


async def until(caplog: pytest.LogCaptureFixture, words: str) -> str:
    """The message with these words, as soon as it is there."""
    while True:
        for message in caplog.messages:
            if words in message:
                return message
        await asyncio.sleep(0.005)


def test_a_blocked_loop_is_said_with_the_place_and_afterwards_for_how_long(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()

    async def main() -> None:
        with Watchdog(0.05, metrics.loop):
            block(0.4)
            place = await until(caplog, "is blocked")
            assert "in block" in place
            assert "test_watchdog.py" in place
            after = await until(caplog, "was blocked")
            assert 0.1 < float(after.split("for ")[1].split()[0]) < 10

    with caplog.at_level(logging.WARNING):
        run(main)
    stalls, seconds = metrics.loop._stalls.value, metrics.loop._seconds.value
    assert stalls >= 1
    assert seconds > 0.1


class Asked(asyncio.SelectorEventLoop):
    """A loop that counts how often another thread asked it for something."""

    times = 0

    def call_soon_threadsafe(  # type: ignore[override]  # a TypeVarTuple would say no more here
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        self.times += 1
        return super().call_soon_threadsafe(callback, *args, context=context)


def test_a_loop_that_turns_is_left_in_peace(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Asked)
        with Watchdog(0.6, metrics.loop):
            while loop.times < 3:  # noqa: ASYNC110 - a thread tells nobody
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING), asyncio.Runner(loop_factory=Asked) as runner:
        runner.run(main())
    assert not [record for record in caplog.records if record.name == "kubewright.watchdog"]
    assert metrics.loop._stalls.value == 0


def test_its_thread_ends_with_it(run: Run) -> None:
    def dogs() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "watchdog"]

    async def main() -> None:
        with Watchdog(0.05):
            assert len(dogs()) == 1
        while dogs():  # noqa: ASYNC110 - a thread tells nobody
            await asyncio.sleep(0.005)

    run(main)


def test_under_virtual_time_there_is_no_thread() -> None:
    async def main() -> int:
        with Watchdog(0.05):
            await asyncio.sleep(3600)
            return sum(thread.name == "watchdog" for thread in threading.enumerate())

    assert simulate(main()) == 0


def test_what_holds_the_interpreter_is_said_with_the_place(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    def hold() -> None:
        sum(range(30_000_000))  # C code that lets no other thread run

    async def main() -> None:
        with Watchdog(0.05):
            while not any("Nothing in this process ran for" in message for message in caplog.messages):
                hold()
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING):
        run(main)
    assert any("Nothing" in message and "in hold" in message for message in caplog.messages)
