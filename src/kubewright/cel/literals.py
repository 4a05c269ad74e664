"""What a literal stands for: numbers in range, quotes off, escapes read."""

import re

from kubewright.cel.ast import Uint, Value

__all__ = ["LITERALS", "BadLiteral", "read_bytes", "read_literal", "read_string"]

_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "null": None}
# Kinds of tokens that are literals.
LITERALS = frozenset(("NUM_INT", "NUM_UINT", "NUM_FLOAT", "STRING", "BYTES", *_CONSTANTS))
_INFINITE = (float("inf"), float("-inf"))


class BadLiteral(Exception):
    """A number out of range, or an escape that stands for nothing."""


def read_literal(kind: str, word: str) -> Value:
    """The value of a token of one of the kinds `LITERALS`; a number may have a sign before it."""
    match kind:
        case "STRING":
            return read_string(word)
        case "BYTES":
            return read_bytes(word[1:])
        case "NUM_INT":
            whole = _integer(word)
            if whole is None or not -(1 << 63) <= whole < 1 << 63:
                raise BadLiteral("invalid int literal")
            return whole
        case "NUM_UINT":
            whole = _integer(word[:-1])
            if whole is None or whole >= 1 << 64:
                raise BadLiteral("invalid uint literal")
            return Uint(whole)
        case "NUM_FLOAT":
            value = float(word)
            if value in _INFINITE:
                raise BadLiteral("invalid double literal")
            return value
    return _CONSTANTS[kind]


_LEADING_ZEROS = re.compile(r"(-?)(?:0x0*|0*)(?=.)")


def _integer(word: str) -> int | None:
    """A whole number, unless it has more digits than any that fits."""
    digits = _LEADING_ZEROS.sub(r"\1", word, count=1)
    if len(digits) > 21:
        return None
    return int(digits, 16 if "x" in word else 10)


_ESCAPE = re.compile(r"\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))")
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def read_string(quoted: str) -> str:
    """The text of a STRING token."""
    body, raw = _unquoted(quoted)
    if raw or "\\" not in body:
        return body
    return _ESCAPE.sub(_character, body)


def read_bytes(quoted: str) -> bytes:
    """The bytes of a BYTES token without its `b`: characters as UTF-8, `\\x` and octal escapes as the byte itself."""
    body, raw = _unquoted(quoted)
    if raw or "\\" not in body:
        return body.encode(errors="surrogatepass")
    parts: list[bytes] = []
    end = 0
    for escape in _ESCAPE.finditer(body):
        parts.append(body[end : escape.start()].encode(errors="surrogatepass"))
        two, four, eight, octal, simple = escape.groups()
        if four or eight:
            raise BadLiteral("unable to unescape string")
        if simple:
            parts.append(_SIMPLE.get(simple, simple).encode())
        else:
            parts.append(bytes((int(two, 16) if two else int(octal, 8),)))
        end = escape.end()
    parts.append(body[end:].encode(errors="surrogatepass"))
    return b"".join(parts)


def _unquoted(quoted: str) -> tuple[str, bool]:
    """What stands between the quotes, and whether it is raw. Line ends of any kind are line feeds."""
    if "\r" in quoted:
        quoted = quoted.replace("\r\n", "\n").replace("\r", "\n")
    raw = quoted[0] in "rR"
    if raw:
        quoted = quoted[1:]
    if len(quoted) >= 6 and quoted[:3] in ('"""', "'''"):
        return quoted[3:-3], raw
    return quoted[1:-1], raw


def _character(escape: re.Match[str]) -> str:
    two, four, eight, octal, simple = escape.groups()
    if simple:
        return _SIMPLE.get(simple, simple)
    code = int(octal, 8) if octal else int(two or four or eight, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise BadLiteral("invalid unicode code point")
    return chr(code)
