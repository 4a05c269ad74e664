"""What a quoted literal stands for: quotes off, escapes read."""

import re

__all__ = ["BadLiteral", "read_bytes", "read_string"]


class BadLiteral(Exception):
    """An escape that stands for nothing."""


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
