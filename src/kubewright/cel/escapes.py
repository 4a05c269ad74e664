"""Where RE2 in C++ and in Go differ: of the escapes of a pattern, one is known to the former alone."""

import re
from typing import Final

__all__ = ["takes_bytes"]

#: A quoted stretch, an escape, or any other character.
_token: Final = re.compile(r"\\Q.*?(?:\\E|$)|\\.|.", re.DOTALL).findall


def takes_bytes(pattern: str) -> bool:
    r"""Whether a pattern has `\C`: one byte of a text, even of a character that has several."""
    return "\\C" in pattern and "\\C" in _token(pattern)
