import asyncio
import logging
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable

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
            assert float(after.split("for ")[1].split()[0]) >= 0.38

    with caplog.at_level(logging.WARNING):
        run(main)
    assert metrics.loop._stalls.value >= 1


def test_for_how_long_is_told_to_within_a_quarter_of_the_limit_whenever_it_began(run: Run) -> None:
    metrics = Metrics()
    limit, times = 0.2, 4

    async def main() -> float:
        lost = 0.0
        with Watchdog(limit, metrics.loop):
            for _ in range(times):
                seen, began = metrics.loop._stalls.value, clock.monotonic()
                block(2 * limit)
                lost += clock.monotonic() - began
                while metrics.loop._stalls.value == seen:  # noqa: ASYNC110 - a thread tells nobody
                    await asyncio.sleep(0.03)
        return lost

    # It is never told as less than that; as more it is if the machine lets others run in between.
    assert run(main) - times * limit / 4 <= metrics.loop._seconds.value


@pytest.mark.parametrize(
    "wait",
    [
        lambda: subprocess.run([sys.executable, "-c", "import time; time.sleep(0.5)"], capture_output=True, check=True),
        lambda: (ends := multiprocessing.Pipe()) and ends[0].poll(0.5),
    ],
    ids=["subprocess", "pipe"],
)
def test_what_waits_as_a_loop_does_blocks_it_all_the_same(
    run: Run, caplog: pytest.LogCaptureFixture, wait: Callable[[], object]
) -> None:
    async def main() -> None:
        with Watchdog(0.1):
            wait()
            await until(caplog, "was blocked")

    with caplog.at_level(logging.WARNING):
        run(main)
    assert any("is blocked" in message and "in <lambda>" in message for message in caplog.messages)


class Counted(Watchdog):
    """Counts how often the loop has answered."""

    times = 0

    def _turn(self) -> None:
        self.times += 1
        super()._turn()


def test_a_loop_that_turns_is_left_in_peace(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()

    async def main() -> None:
        with Counted(0.6, metrics.loop) as dog:
            while dog.times < 6:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING):
        run(main)
    assert not [record for record in caplog.records if record.name == "kubewright.watchdog"]
    assert metrics.loop._stalls.value == 0


def test_what_the_loop_let_go_of_ends_in_its_own_thread(run: Run) -> None:
    ends: list[str] = []

    class Held:
        def __del__(self) -> None:
            ends.append(threading.current_thread().name)

    def hold() -> None:
        held = Held()
        block(0.2)
        del held

    async def main() -> None:
        with Watchdog(0.04):
            for _ in range(3):
                hold()
                await asyncio.sleep(0.05)

    run(main)
    assert ends == [threading.current_thread().name] * 3


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
            while not any("in this process ran for" in message for message in caplog.messages):
                hold()
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING):
        run(main)
    assert any("in this process" in message and "in hold" in message for message in caplog.messages)


def test_the_thread_ends_with_its_loop() -> None:
    watchdog = Watchdog(limit=0.02)

    async def begin() -> None:
        watchdog.start()

    asyncio.run(begin())
    thread = watchdog._thread
    assert thread is not None
    thread.join(10)
    assert not thread.is_alive()
