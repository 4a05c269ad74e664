"""The work queue: what a key costs on its way through, with 100,000 of them in it.

The peer is asyncio's own queue, which neither collapses nor orders nor delays anything: what is above it is the price
of that.
"""

import asyncio
import random

from bench.measure import report, seconds_per_call
from kubewright.controller.queue import Queue

__all__ = ["main"]

KEYS = 100_000


def main() -> None:
    """Print the table."""
    keys = [("default", f"name-{number}") for number in range(KEYS)]
    priorities = random.Random(1).choices([-100, 0, 10], k=KEYS)
    times = seconds_per_call(
        {
            "asyncio.Queue: put, get": lambda: asyncio.run(_peer(keys)),
            "add, get, done": lambda: asyncio.run(_through(keys, [0] * KEYS, 0.0)),
            "three priorities": lambda: asyncio.run(_through(keys, priorities, 0.0)),
            "each added three times": lambda: asyncio.run(_through(keys * 3, [0] * KEYS * 3, 0.0)),
            "each with a delay": lambda: asyncio.run(_through(keys, [0] * KEYS, 1e-9)),
            "each fails once": lambda: asyncio.run(_failing(keys)),
        },
        rounds=3,
    )
    each = {name: spent / KEYS for name, spent in times.items()}
    report(f"The work queue, {KEYS:,} keys, a key", each, "asyncio.Queue: put, get")


async def _peer(keys: list[tuple[str, str]]) -> None:
    queue: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    for key in keys:
        queue.put_nowait(key)
    for _ in keys:
        await queue.get()
        queue.task_done()


async def _through(keys: list[tuple[str, str]], priorities: list[int], after: float) -> None:
    queue: Queue[tuple[str, str]] = Queue()
    for key, priority in zip(keys, priorities, strict=True):
        queue.add(key, priority, after)
    for _ in range(KEYS):
        queue.done(await queue.get())


async def _failing(keys: list[tuple[str, str]]) -> None:
    queue: Queue[tuple[str, str]] = Queue()
    for key in keys:
        queue.add(key)
    for _ in range(KEYS):
        key = await queue.get()
        queue.failed(key)
        queue.done(key)


if __name__ == "__main__":
    main()
