"""Room for expressions that nest deeply.

CEL allows 250 levels. Each takes a handful of Python's frames, which together may be more than the interpreter's limit
leaves, depending on how deep the caller stands. The ordinary expression pays nothing: only when the limit is met is it
raised, and the work done again. Calls of Python functions by Python functions take no room on the C stack.
"""

import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["deeply"]

_P = ParamSpec("_P")
_T = TypeVar("_T")

# Frames that 250 levels take at most, with what macros make of them: measured, and doubled.
_FRAMES = 12_000


def deeply(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What `function` returns; it must be one that can be called again."""
    try:
        return function(*args, **kwargs)
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + _FRAMES)
        try:
            return function(*args, **kwargs)
        finally:
            sys.setrecursionlimit(limit)
