"""Numbers that remember how they were written.

Go reads a number by its text: `1.0` is no integer to it, the quantity `1e3` stays one, and its errors quote what stood
there. Whoever decodes a document for a built-in kind makes every number with a point or an exponent a `Literal`; the
readers turn it into what the type makes of it, so that objects never hold one.
"""

from typing import Any

__all__ = ["Literal", "forget"]


class Literal(float):
    """A number, and its text."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> "Literal":
        made = super().__new__(cls, text)
        made.text = text
        return made


def forget(value: Any) -> Any:
    """The value with plain numbers in the place of literals."""
    if isinstance(value, dict):
        return {key: forget(item) for key, item in value.items()}
    if isinstance(value, list):
        return [forget(item) for item in value]
    return float(value) if isinstance(value, Literal) else value
