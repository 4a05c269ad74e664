"""Bytes in JSON: base64 as Go reads and writes it.

Go reads a little more than it writes: line breaks are nothing to it, and the bits that the last character has too many
are dropped.
"""

from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from typing import Final

__all__ = ["Base64Error", "encode", "normalise", "size"]

_ALPHABET: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_PADDING: Final = ord("=")


class Base64Error(ValueError):
    """No base64; the text is the one Go gives."""

    def __init__(self, at: int) -> None:
        super().__init__(f"illegal base64 data at input byte {at}")


def encode(data: bytes | list[int]) -> str:
    """Bytes as Go writes them."""
    return b2a_base64(bytes(data), newline=False).decode()


def normalise(text: str) -> str:
    """The text that Go writes for the bytes that a text means."""
    try:
        if encode(a2b_base64(text)) == text:
            return text
    except ValueError:  # not ASCII, or not base64
        pass
    return encode(_leniently(text.encode(errors="replace")))


def size(texts: Iterable[str]) -> int:
    """How many bytes texts mean together that are as Go writes them."""
    together = "".join(texts)
    return len(together) // 4 * 3 - together.count("=")


def _leniently(data: bytes) -> bytes:
    digits, at = bytearray(), _past_breaks(data, 0)
    while at < len(data):
        char = data[at]
        filled = len(digits) % 4
        if char in _ALPHABET:
            digits.append(char)
        elif char == _PADDING and filled >= 2:
            _check_end(data, at + 1, filled)
            return a2b_base64(bytes(digits) + b"=" * (4 - filled))
        else:
            raise Base64Error(at)
        at = _past_breaks(data, at + 1)
    if left := len(digits) % 4:
        raise Base64Error(at - left)
    return a2b_base64(bytes(digits))


def _check_end(data: bytes, at: int, filled: int) -> None:
    """What follows the first padding: if two characters stood before it a second one, then nothing."""
    at = _past_breaks(data, at)
    if filled == 2:
        if at == len(data):
            raise Base64Error(at)
        if data[at] != _PADDING:
            raise Base64Error(at - 1)
        at = _past_breaks(data, at + 1)
    if at < len(data):
        raise Base64Error(at)


def _past_breaks(data: bytes, at: int) -> int:
    while at < len(data) and data[at] in b"\r\n":
        at += 1
    return at
