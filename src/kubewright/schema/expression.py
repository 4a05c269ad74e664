"""Regular expressions of our own, compiled when they are first asked.

There are dozens of them, for formats that few schemas have: compiling all of them takes longer than a server spends on
its certificates. (Patterns that come from a schema are another matter: see `pattern`.)
"""

import re
from collections.abc import Callable
from typing import Any, cast

__all__ = ["expression", "whole"]


def expression(text: str) -> re.Pattern[str]:
    """The expression, to be used as if it were compiled."""
    return cast("re.Pattern[str]", _Expression(text))


def whole(text: str) -> Callable[[str], bool]:
    """The function that says whether an expression matches the whole of a string."""
    pattern = expression(text)
    return lambda value: pattern.fullmatch(value) is not None


class _Expression:
    def __init__(self, text: str) -> None:
        self._text = text

    def __getattr__(self, name: str) -> Any:
        """Compile, and put the method here, where it is found without asking again."""
        method = getattr(re.compile(self._text), name)
        setattr(self, name, method)
        return method
