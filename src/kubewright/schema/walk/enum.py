"""Enumerations, compared as the server compares.

Before it compares, the server converts the value to the type of each choice by Go's conversions: an integer becomes the
float it equals, a float is cut to the integer below, and an integer becomes the character with that code. Null is in no
enumeration, not even in one that lists it.
"""

from collections.abc import Callable

from kubewright.schema.walk.golang import as_float, to_int64, truncate
from kubewright.schema.walk.values import same

__all__ = ["compile_enum"]


def compile_enum(choices: tuple[object, ...]) -> Callable[[object], bool]:
    """Return the function that says whether a value is among `choices`."""
    texts = frozenset(choice for choice in choices if isinstance(choice, str))
    others = [choice for choice in choices if not isinstance(choice, str)]

    def member(value: object) -> bool:
        if type(value) is str:
            return value in texts
        if texts and _character(value) in texts:
            return True
        return any(_equals(value, choice) for choice in others)

    return member


def _character(value: object) -> str | None:
    """Go's `string(int64)`: the character with that code, U+FFFD if there is none."""
    if not isinstance(value, int) or isinstance(value, bool) or isinstance(truncate(value), float):
        return None
    return chr(value) if 0 <= value < 0xD800 or 0xE000 <= value <= 0x10FFFF else "\ufffd"


def _equals(value: object, choice: object) -> bool:
    if value is None or choice is None:
        return False
    if _is_number(value) and _is_number(choice):
        assert isinstance(value, int | float)
        assert isinstance(choice, int | float)
        held, wanted = truncate(value), truncate(choice)
        if isinstance(wanted, float):
            return as_float(held) == wanted
        return (to_int64(held) if isinstance(held, float) else held) == wanted
    return same(value, choice)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
