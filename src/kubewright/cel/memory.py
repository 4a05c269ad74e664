"""Texts that were read before need not be read again.

An object is validated every time it is written, and most of its texts stay the same: what a text was read as is kept
for the last of them. Long texts are not kept, so that what a stranger sends cannot fill the memory, and neither are
errors.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

__all__ = ["remembered"]

_T = TypeVar("_T")

_LONGEST: Final = 128  # characters


def remembered(read: Callable[[str], _T], count: int = 512) -> Callable[[str], _T]:
    """`read`, which must always give equal values for equal texts, with its last results kept."""
    known = lru_cache(maxsize=count)(read)

    def recall(text: str) -> _T:
        return known(text) if len(text) <= _LONGEST else read(text)

    return recall
