"""Conversions between types: `int(x)`, `string(x)`, `timestamp(x)` and the others.

A text that cannot be read fails with the words `type conversion error`; a value of a type that has no such conversion,
which only an expression of unknown types can hold, with `no such overload`.
"""

import re
from collections.abc import Callable
from math import isnan
from typing import Final

from kubewright.cel.floats import format_float, parse_float
from kubewright.cel.times import (
    MAX_SECONDS,
    MIN_SECONDS,
    SECOND,
    format_duration,
    format_timestamp,
    parse_duration,
    parse_timestamp,
)
from kubewright.cel.values import (
    INT_MAX,
    INT_MIN,
    UINT_MAX,
    Duration,
    EvaluationError,
    Native,
    Timestamp,
    TypeValue,
    Uint,
    no_such_overload,
    type_name,
)

__all__ = [
    "to_bool",
    "to_bytes",
    "to_double",
    "to_duration",
    "to_int",
    "to_string",
    "to_timestamp",
    "to_type",
    "to_uint",
    "utf8",
]

_is_int: Final = re.compile("[+-]?[0-9]+").fullmatch
_is_uint: Final = re.compile("[0-9]+").fullmatch
_TRUE: Final = frozenset(("1", "t", "T", "TRUE", "true", "True"))
_FALSE: Final = frozenset(("0", "f", "F", "FALSE", "false", "False"))


def _failed(value: Native, wanted: str) -> EvaluationError:
    if type(value) is str or wanted == "duration":
        names = {"timestamp": "google.protobuf.Timestamp", "duration": "google.protobuf.Duration"}
        return EvaluationError(f"type conversion error from '{type_name(value)}' to '{names.get(wanted, wanted)}'")
    return no_such_overload(f"{wanted}({type_name(value)})")


def utf8(text: str) -> bytes:
    """The bytes of a string; a half surrogate pair, legal in JSON's escapes, is what Go makes of it: U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def to_int(value: Native) -> int:
    """`int(value)`."""
    kind = type(value)
    if kind is int:
        return int(value)
    if kind is str:
        # Python refuses to read numbers of thousands of digits, and none of them would fit.
        if _is_int(value) and len(digits := value.lstrip("+-").lstrip("0")) <= 19:
            number = int(digits or "0") * (-1 if value[0] == "-" else 1)
            if INT_MIN <= number <= INT_MAX:
                return number
    elif kind is float:
        # Both ends are exclusive: neither bound can be told from its neighbours as a double.
        if isnan(value) or not float(INT_MIN) < value < float(INT_MAX):
            raise EvaluationError("integer overflow")
        return int(value)
    elif kind is Uint:
        if value > INT_MAX:
            raise EvaluationError("integer overflow")
        return int(value)
    elif kind is Timestamp:
        return int(value.nanoseconds // SECOND)
    elif kind is Duration:
        return int(value.nanoseconds)
    raise _failed(value, "int")


def to_uint(value: Native) -> Uint:
    """`uint(value)`."""
    kind = type(value)
    if kind is Uint:
        return Uint(value)
    if kind is str:
        if _is_uint(value) and len(digits := value.lstrip("0")) <= 20 and int(digits or "0") <= UINT_MAX:
            return Uint(digits or "0")
    elif kind is float:
        if isnan(value) or not 0 <= value < float(UINT_MAX):
            raise EvaluationError("unsigned integer overflow")
        return Uint(value)
    elif kind is int:
        if value < 0:
            raise EvaluationError("unsigned integer overflow")
        return Uint(value)
    raise _failed(value, "uint")


def to_double(value: Native) -> float:
    """`double(value)`."""
    kind = type(value)
    if kind is float:
        return float(value)
    if kind is int or kind is Uint:
        return float(value)
    if kind is str:
        number = parse_float(value)
        if number is not None:
            return number
    raise _failed(value, "double")


def to_bool(value: Native) -> bool:
    """`bool(value)`."""
    if type(value) is bool:
        return bool(value)
    if type(value) is str:
        if value in _TRUE:
            return True
        if value in _FALSE:
            return False
    raise _failed(value, "bool")


def to_bytes(value: Native) -> bytes:
    """`bytes(value)`."""
    if type(value) is str:
        return utf8(value)
    if type(value) is bytes:
        return bytes(value)
    raise _failed(value, "bytes")


def to_string(value: Native) -> str:
    """`string(value)`."""
    write = _STRINGS.get(type(value))
    if write is not None:
        return write(value)
    text: Callable[[], str] | None = getattr(value, "text", None)
    if text is not None:
        return text()
    raise _failed(value, "string")


def _bytes_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


_STRINGS: Final[dict[type, Callable[[Native], str]]] = {
    str: str,
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: format_float,
    bytes: _bytes_text,
    Timestamp: format_timestamp,
    Duration: format_duration,
    TypeValue: lambda value: str(value.name),
}


def to_timestamp(value: Native) -> Timestamp:
    """`timestamp(value)`: from RFC 3339 or seconds since 1970."""
    kind = type(value)
    if kind is Timestamp:
        return Timestamp(value.nanoseconds, value.offset)
    if kind is int:
        if not MIN_SECONDS <= value <= MAX_SECONDS:
            raise EvaluationError("timestamp overflow")
        return Timestamp(value * SECOND)
    found = parse_timestamp(value) if kind is str else None
    if found is None:
        raise _failed(value, "timestamp")
    return found


def to_duration(value: Native) -> Duration:
    """`duration(value)`: from a text such as `1h30m`."""
    if isinstance(value, Duration):
        return value
    found = parse_duration(value) if type(value) is str else None
    if found is None:
        raise _failed(value, "duration")
    return found


def to_type(value: Native) -> TypeValue:
    """`type(value)`."""
    return TypeValue(type_name(value))
