"""How Go prints values.

The texts of the API server's answers are made by Go's `fmt` and `encoding/json`; to give the same bytes we print as
they do. JSON numbers follow the server's decoding: an integer that fits 64 bits is an integer, every other number a
float64. Nothing here recurses, since a value may be nested deeper than Python's stack.
"""

from collections.abc import Generator
from decimal import Decimal
from math import inf, isfinite
from typing import Any, Final

from kubewright.model.parts import DEEPEST, is_light, parts
from kubewright.schema.expression import expression

__all__ = [
    "INT64_MAX",
    "INT64_MIN",
    "as_float",
    "marshal",
    "marshal_in_steps",
    "quote",
    "quote_in_steps",
    "show",
    "sprint",
    "sprint_in_steps",
    "to_int64",
    "truncate",
]

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_ESCAPES = {"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"} | {
    "\\": "\\\\",
    '"': '\\"',
}
_JSON_ESCAPES = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"'}
# encoding/json keeps its output safe inside HTML and JavaScript.
_JSON_UNICODE = frozenset("<>&\u2028\u2029")
_ODD_JSON: Final = expression('["\\\\\x00-\x1f<>&\u2028\u2029\ud800-\udfff]')
#: Of a long text so many characters are quoted at once, and of a large value so many values are written.
_CHARACTERS: Final = 4096
_MOST: Final = 1000


def quote(text: str) -> str:
    """`%q`: a double-quoted Go string literal."""
    # Most texts need nothing else.
    usual = text.replace("\\", "\\\\").replace('"', '\\"')
    if usual.isascii() and usual.isprintable():
        return f'"{usual}"'
    return '"' + "".join(map(_quoted, text)) + '"'


def quote_in_steps(text: str, most: int = _CHARACTERS) -> Generator[None, None, str]:
    """The same of a long text."""
    made: list[str] = []
    for start in range(0, len(text), most):
        made.append(quote(text[start : start + most])[1:-1])
        yield
    return '"' + "".join(made) + '"'


def _quoted(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def as_float(value: int | float) -> float:
    """The nearest float64; beyond its range, infinity."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def to_int64(value: float) -> int:
    """Go's `int64(f)` on amd64: towards zero, and the smallest integer for all that does not fit."""
    if isfinite(value) and INT64_MIN <= (whole := int(value)) <= INT64_MAX:
        return whole
    return INT64_MIN


def truncate(value: int | float) -> int | float:
    """A number as the server holds it: integers beyond 64 bits are floats."""
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX:
        return as_float(value)
    return value


def show(value: object) -> str:
    """A rejected value inside an error message: Go strings for strings, JSON for what has parts."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number(value)
    return marshal(value)


def _digits(value: float) -> tuple[str, str, int]:
    """The sign, the shortest digits that mean `value`, and the place of the decimal point among them."""
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int), "only finite numbers have digits"
    text = "".join(map(str, digits))
    stripped = text.strip("0") or "0"
    point = len(text.lstrip("0")) + exponent if stripped != "0" else 1
    return "-" if sign else "", stripped, point


def _plain(digits: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def _scientific(digits: str, point: int) -> str:
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    exponent = point - 1
    return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _number(value: int | float) -> str:
    """`%v` of a number: floats in `%g`, with an exponent below 1e-4 and from 1e+06 on."""
    value = truncate(value)
    if isinstance(value, int):
        return str(value)
    if not isfinite(value):
        return "NaN" if value != value else "+Inf" if value > 0 else "-Inf"
    sign, digits, point = _digits(value)
    return sign + (_plain(digits, point) if -4 <= point - 1 < 6 else _scientific(digits, point))


def _json_number(value: int | float) -> str:
    value = truncate(value)
    if isinstance(value, int):
        return str(value)
    if not isfinite(value):
        return "null"
    sign, digits, point = _digits(value)
    if digits != "0" and not 1e-6 <= abs(value) < 1e21:
        # "e-09" is written "e-9", but "e+09" stays: Go's own rule.
        return sign + _scientific(digits, point).replace("e-0", "e-")
    return sign + _plain(digits, point)


def _json_string(text: str) -> str:
    if _ODD_JSON.search(text) is None:
        return f'"{text}"'
    out = []
    for char in text:
        if char in _JSON_ESCAPES:
            out.append(_JSON_ESCAPES[char])
        elif char < " " or char in _JSON_UNICODE:
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append("\ufffd" if "\ud800" <= char < "\ue000" else char)
    return '"' + "".join(out) + '"'


def marshal(value: object, *, sort: bool = True) -> str:
    """`json.Marshal`: compact, keys sorted (a Go struct's are not: `sort=False`)."""
    return _render(value, sort=sort, words=False)


def sprint(value: object) -> str:
    """`%v` of any JSON value, as in `[a 1 map[k:v]]`."""
    return _render(value, sort=True, words=True)


def marshal_in_steps(value: object, most: int = _MOST) -> Generator[None, None, str]:
    """`marshal` of a large value, in steps."""
    return _render_in_steps(value, most, words=False)


def sprint_in_steps(value: object, most: int = _MOST) -> Generator[None, None, str]:
    """`sprint` of a large value, in steps."""
    return _render_in_steps(value, most, words=True)


def _scalar(value: object, words: bool) -> str:
    if value is None:
        return "<nil>" if words else "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if words else _json_string(value)
    if isinstance(value, (int, float)):
        return _number(value) if words else _json_number(value)
    return _json_string(str(value))


class _Text(str):
    """A piece of output that waits on the stack, to be told from a value."""

    __slots__ = ()


def _render(value: object, *, sort: bool, words: bool) -> str:
    separator, colon = (_Text(" "), ":") if words else (_Text(","), ":")
    out: list[str] = []
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _Text):
            out.append(item)
        elif isinstance(item, dict):
            out.append("map[" if words else "{")
            stack.append(_Text("]" if words else "}"))
            names = sorted(item, reverse=True) if sort else list(reversed(item))
            for index, name in enumerate(names):
                stack.append(item[name])
                stack.append(_Text((name if words else _json_string(name)) + colon))
                if index < len(names) - 1:
                    stack.append(separator)
        elif isinstance(item, list):
            out.append("[")
            stack.append(_Text("]"))
            for index, member in enumerate(reversed(item)):
                stack.append(member)
                if index < len(item) - 1:
                    stack.append(separator)
        else:
            out.append(_scalar(item, words))
    return "".join(out)


def _render_in_steps(value: Any, most: int, *, words: bool, depth: int = 0) -> Generator[None, None, str]:
    """A large value part by part (see `model.parts`): light members together, one that is heavy by itself."""
    if depth == DEEPEST or is_light(value, most):
        return _render(value, sort=True, words=words)
    is_map = isinstance(value, dict)
    opening, closing = ("[", "]") if not is_map else ("map[", "]") if words else ("{", "}")
    made: list[str] = []
    for part, key, _ in parts({name: value[name] for name in sorted(value)} if is_map else value, most):
        if key is None:
            made.append(_render(part, sort=True, words=words)[len(opening) : -1])
            yield
            continue
        text = yield from _render_in_steps(part, most, words=words, depth=depth + 1)
        if isinstance(key, str):
            text = f"{key if words else _json_string(key)}:{text}"
        made.append(text)
    return opening + (" " if words else ",").join(made) + closing
