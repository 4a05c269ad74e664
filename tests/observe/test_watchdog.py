import asyncio
import logging
import threading
import time
from types import FrameType

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
            assert float(after.split("for ")[1].split()[0]) >= 0.4

    with caplog.at_level(logging.WARNING):
        run(main)
    assert metrics.loop._stalls.value >= 1


def test_it_tells_no_less_than_the_time_that_was_lost_whenever_it_began(run: Run) -> None:
    metrics = Metrics()

    async def main() -> float:
        lost = 0.0
        with Watchdog(0.2, metrics.loop):
            for _ in range(4):
                seen, began = metrics.loop._stalls.value, clock.monotonic()
                block(0.4)
                lost += clock.monotonic() - began
                while metrics.loop._stalls.value == seen:  # noqa: ASYNC110 - a thread tells nobody
                    await asyncio.sleep(0.03)
        return lost

    assert run(main) <= metrics.loop._seconds.value


def test_what_is_over_before_anybody_looks_is_told_all_the_same(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        with Watchdog(0.2):
            block(0.201)
            await until(caplog, "was blocked")

    with caplog.at_level(logging.WARNING):
        run(main)


class Counted(Watchdog):
    """Counts how often the loop was looked at, and how often it was asked."""

    looks = asks = 0

    def _rests(self, frame: FrameType | None) -> bool:
        rests = super()._rests(frame)
        self.looks += 1
        self.asks += not rests
        return rests


def test_a_loop_that_turns_is_left_in_peace(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()

    async def main() -> None:
        with Counted(0.6, metrics.loop) as dog:
            while dog.looks < 6:
                sum(range(1_000))
                await asyncio.sleep(0)

    with caplog.at_level(logging.WARNING):
        run(main)
    assert not [record for record in caplog.records if record.name == "kubewright.watchdog"]
    assert metrics.loop._stalls.value == 0


def test_a_loop_that_rests_is_not_woken(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        with Counted(0.08) as dog:
            while not dog.looks:  # noqa: ASYNC110 - a thread tells nobody
                await asyncio.sleep(0.01)
            enough = asyncio.Event()
            before, looked = dog.asks, dog.looks

            def look() -> None:
                while dog.looks < looked + 6:
                    time.sleep(0.005)
                loop.call_soon_threadsafe(enough.set)

            looking = threading.Thread(target=look)
            looking.start()
            await enough.wait()
            looking.join()
            assert dog.asks <= before + 2  # at the beginning and at the end it may have been at work

    with caplog.at_level(logging.WARNING):
        run(main)
    assert not [record for record in caplog.records if record.name == "kubewright.watchdog"]


def test_its_thread_ends_with_it(run: Run) -> None:
    others = set(threading.enumerate())  # those of other tests may still be about to end

    def dogs() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "watchdog" and thread not in others]

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


def test_the_thread_ends_with_its_loop() -> None:
    watchdog = Watchdog(limit=0.02)

    async def begin() -> None:
        watchdog.start()

    asyncio.run(begin())
    thread = watchdog._thread
    assert thread is not None
    thread.join(10)
    assert not thread.is_alive()
