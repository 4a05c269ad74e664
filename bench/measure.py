"""How everything here is measured: CPU time, rounds interleaved, the median of each.

Interleaving puts all candidates through the same disturbances; the median forgets the worst of them. A round is as many
calls as take about twenty milliseconds, so that the clock's own grain does not show.
"""

import asyncio
import contextlib
import gc
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["Pulse", "report", "seconds_per_call", "stopped"]

ROUND = 0.02


def seconds_per_call(candidates: Mapping[str, Callable[[], object]], rounds: int = 15) -> dict[str, float]:
    """The CPU time of one call of each candidate."""
    counts = {name: _calls_per_round(call) for name, call in candidates.items()}
    times: dict[str, list[float]] = {name: [] for name in candidates}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in candidates.items():
                times[name].append(_spent(call, counts[name]) / counts[name])
    finally:
        gc.enable()
    return {name: statistics.median(found) for name, found in times.items()}


@contextlib.contextmanager
def stopped(pids: Sequence[int]) -> Iterator[None]:
    """These processes stand still meanwhile."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


class Pulse:
    """Beats in every turn of the loop while it is entered; `longest` is the CPU time between two beats."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = 0.0
        self._beating = False
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> "Pulse":
        self._beating = True
        self._last = time.thread_time()
        self._beat()
        return self

    def __exit__(self, *error: object) -> None:
        self._beating = False

    def _beat(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now
        if self._beating:
            self._loop.call_soon(self._beat)


def report(title: str, times: Mapping[str, float], peer: str) -> None:
    """A table: each candidate's time, and its ratio to the peer."""
    print(f"\n{title}")
    for name, spent in times.items():
        print(f"  {name:<44} {spent * 1e6:>10.2f} µs   {spent / times[peer]:>7.2f} x {peer}")


def _calls_per_round(call: Callable[[], object]) -> int:
    call()  # what is compiled on first use is no part of the measurement
    count = 1
    while _spent(call, count) < ROUND and count < 1_000_000:
        count *= 2
    return count


def _spent(call: Callable[[], object], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        call()
    return time.process_time() - start
