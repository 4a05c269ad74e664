"""The parameters of a request, read as the server reads them: a pair that is malformed is none."""

import re
from urllib.parse import unquote_plus

__all__ = ["read_query"]

_MALFORMED = re.compile(r"%(?![0-9A-Fa-f]{2})|;")


def read_query(text: str) -> dict[str, list[str]]:
    """Values by name, in order."""
    values: dict[str, list[str]] = {}
    for pair in text.split("&"):
        if pair and _MALFORMED.search(pair) is None:
            name, _, value = pair.partition("=")
            values.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return values
