"""What makes the key and the value of a label, and what the server says of a bad one.

`label_key` and `label_value` return the complaints about a text, none if it is good. Lengths are counted in bytes. A
text that came with bytes that are no UTF-8 is expected as Python keeps it (`surrogateescape`).
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from kubewright.errors import KubewrightError

__all__ = ["SelectorError", "invalid", "label_key", "label_value", "marshal", "quote"]

_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_DNS_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_is_name: Final = re.compile(_NAME).fullmatch
#: The same, and short enough: nearly every key and value there is.
_is_short_name: Final = re.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?").fullmatch
_is_dns_label: Final = re.compile(_DNS_LABEL).fullmatch
#: Good keys with a prefix, of which the same few come again and again.
_usual_keys: Final[set[str]] = set()
_MOST_USUAL: Final = 1024

_NAME_RULE: Final = (
    "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_KEY_SHAPE: Final = (
    f"must {_NAME_RULE} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME}')"
)
_KEY_FORM: Final = (
    f"a valid label key {_KEY_SHAPE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_VALUE_SHAPE: Final = (
    f"a valid label must be an empty string or {_NAME_RULE} "
    f"(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '({_NAME})?')"
)
_PREFIX_SHAPE: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    rf"'{_DNS_LABEL}(\.{_DNS_LABEL})*')"
)


class SelectorError(KubewrightError, ValueError):
    """A selector that cannot be read, in the server's words."""


def label_key(text: str) -> list[str]:
    """What the server says against a label's key."""
    if text in _usual_keys or _is_short_name(text):
        return []
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return [_KEY_FORM]
    complaints = []
    if slash and not prefix:
        complaints.append("prefix part must be non-empty")
    elif slash:
        if _longer(prefix, 253):
            complaints.append("prefix part must be no more than 253 bytes")
        if not all(map(_is_dns_label, prefix.split("."))):
            complaints.append(f"prefix part {_PREFIX_SHAPE}")
    if not name:
        complaints.append("name part must be non-empty")
    elif _longer(name, 63):
        complaints.append("name part must be no more than 63 bytes")
    if not _is_name(name):
        complaints.append(f"name part {_KEY_SHAPE}")
    if not complaints and len(_usual_keys) < _MOST_USUAL:
        _usual_keys.add(text)
    return complaints


def label_value(text: str) -> list[str]:
    """What the server says against a label's value."""
    if not text or _is_short_name(text):
        return []
    complaints = ["must be no more than 63 bytes"] if _longer(text, 63) else []
    if not _is_name(text):
        complaints.append(_VALUE_SHAPE)
    return complaints


def _longer(text: str, limit: int) -> bool:
    if text.isascii():
        return len(text) > limit
    # A surrogate stands for one byte of the request.
    return len(text.encode(errors="replace")) > limit


def invalid(place: str, text: str, complaint: str) -> str:
    """The server's sentence about a text that is no good."""
    return f"{place}: Invalid value: {quote(text)}: {complaint}"


_ESCAPES: Final = dict(zip('\a\b\f\n\r\t\v\\"', 'abfnrtv\\"', strict=True))


def quote(text: str) -> str:
    """A string as Go's `%q` prints it."""
    return '"' + "".join(char if char.isprintable() and char not in '"\\' else _escape(char) for char in text) + '"'


def _escape(char: str) -> str:
    code = ord(char)
    if char in _ESCAPES:
        return "\\" + _ESCAPES[char]
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# encoding/json keeps its output safe inside HTML and JavaScript.
_UNSAFE: Final = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def marshal(texts: Sequence[str]) -> str:
    """Strings as Go's JSON prints them: what is not a plain string is told so, inside an error."""
    safe = [text.encode(errors="replace").decode() for text in texts]
    return msgspec.json.encode(safe).decode().translate(_UNSAFE)
