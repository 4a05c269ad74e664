"""The syntax tree of a text, also while other threads read theirs.

Python 3.11 counts the depth of all trees under construction in one place: if two threads are at it at once, one of them
is told of a mistake that nobody made (cpython's issue 106905). It is then simply done again.
"""

import ast
from typing import Final

__all__ = ["parse"]

_ATTEMPTS: Final = 100


def parse(text: str) -> ast.Module:
    """The tree; `SyntaxError` if there is none."""
    for _ in range(_ATTEMPTS):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)
