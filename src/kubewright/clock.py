"""The one module through which time comes.

Nothing else in `kubewright` reads a clock. All waiting goes through the running event loop, and so does all telling of
time: a loop that has a `wall` method (the simulated one of `kubewright.trials.loop` has) is asked; elsewhere it is the
system's. So whoever runs the loop holds time, and two loops in one process hold two times.
"""

import sys
import time
from datetime import UTC, datetime
from typing import Any

__all__ = ["is_simulated", "monotonic", "now", "wall"]


def monotonic() -> float:
    """Seconds since an arbitrary moment; never goes back, so deadlines are counted in it."""
    loop = _simulated()
    return float(loop.time()) if loop is not None else time.monotonic()


def now() -> datetime:
    """The time of day, in UTC."""
    loop = _simulated()
    return datetime.fromtimestamp(loop.wall(), UTC) if loop is not None else datetime.now(UTC)


def wall() -> float:
    """The time of day, in seconds since 1970."""
    loop = _simulated()
    return float(loop.wall()) if loop is not None else time.time()


def is_simulated() -> bool:
    """Whether time is simulated, so that nobody waits for what takes long."""
    return _simulated() is not None


def _simulated() -> Any:
    # Not imported: a program that has not loaded asyncio runs no loop, and need not wait for it to load.
    events = sys.modules.get("asyncio.events")
    loop = events._get_running_loop() if events is not None else None
    return loop if hasattr(loop, "wall") else None
