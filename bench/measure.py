"""How everything here is measured: CPU time, rounds interleaved, the median of each.

Interleaving puts all candidates through the same disturbances; the median forgets the worst of them. A round is as many
calls as take about twenty milliseconds, so that the clock's own grain does not show.
"""

import contextlib
import gc
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["report", "seconds_per_call", "stopped"]

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
