"""The one module through which time comes.

Nothing else in `kubewright` reads a clock. Whoever holds this seam holds time: a simulated run replaces it, and every
deadline and timestamp follows.
"""

import time
from datetime import UTC, datetime

__all__ = ["monotonic", "now"]


def monotonic() -> float:
    """Seconds since an arbitrary moment; never goes back, so deadlines are counted in it."""
    return time.monotonic()


def now() -> datetime:
    """The time of day, in UTC."""
    return datetime.now(UTC)
