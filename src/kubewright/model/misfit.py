"""What of a document does not fit its type, said for who wrote the document.

    spec.replicas: an integer is wanted, and this is a string

msgspec finds it and says it in Python's types: "Expected `int | null`, got `str` - at `$.spec.replicas`". Who reads it
has the document at hand: so fields are told by their paths in it, and values by JSON's own types.
"""

import re
from typing import Final

__all__ = ["describe_misfit"]

_PLACED: Final = re.compile(r"(?P<what>.*?)(?: - at `(?:key in )?\$\.?(?P<path>.*)`)?", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<found>[^`]*)`")
_ENUM: Final = re.compile(r"Invalid enum value (?P<value>.*)", re.DOTALL)

_WORDS: Final = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "a boolean",
    "array": "a list",
    "object": "an object",
    "datetime": "a time",
}


def describe_misfit(told: str) -> str:
    """The field, and what is wrong with it; without a full stop."""
    placed = _PLACED.fullmatch(told)
    assert placed is not None  # every part of the pattern may be empty
    what = placed["what"]
    if (expected := _EXPECTED.fullmatch(what)) is not None:
        # Null reads as if the field were absent, so nobody has to write it.
        wanted = " or ".join(_WORDS.get(word, word) for word in expected["wanted"].split(" | ") if word != "null")
        what = f"{wanted} is wanted, and this is {_found(expected['found'], wanted)}"
    elif (enum := _ENUM.fullmatch(what)) is not None:
        what = f"{enum['value']} is none of the values that it may have"
    else:
        what = what[:1].lower() + what[1:]
    return f"{placed['path']}: {what}" if placed["path"] else what


def _found(word: str, wanted: str) -> str:
    return "one with a fraction, or too large" if (word, wanted) == ("float", "an integer") else _WORDS.get(word, word)
