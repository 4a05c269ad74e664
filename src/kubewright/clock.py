"""The one module through which time comes.

Nothing else in `kubewright` reads a clock. Whoever holds this seam holds time: a simulated run replaces it, and every
deadline and timestamp follows.
"""

import time

__all__ = ["monotonic"]


def monotonic() -> float:
    """Seconds since an arbitrary moment; never goes back, so deadlines are counted in it."""
    return time.monotonic()
