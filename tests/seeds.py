"""How many random lives are lived: thousands by hand, a tenth of them where every change is tried."""

import os

__all__ = ["seeds"]


def seeds(many: int) -> range:
    """The seeds of a deep test."""
    return range(many // 10 if os.environ.get("CI") else many)
