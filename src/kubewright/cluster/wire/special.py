"""Values that read JSON in their own way: times, quantities, numbers or texts, JSON itself.

Each reader takes what the document has and gives what the server writes for it. None, JSON's null, reaches only those
that stand in their struct by value; behind a pointer null is no value at all.
"""

import re
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings, Path, refused, spelled
from kubewright.cluster.wire.literal import forget
from kubewright.model.quantity import Quantity, QuantityError
from kubewright.schema.walk.timestamp import ZERO_TIME, TimestampError, normalise

__all__ = ["READERS", "number"]

Reader = Callable[[Any, Path, Findings], Any]

_INT32: Final = (-(2**31), 2**31 - 1)
_MICRO_ZERO: Final = "0001-01-01T00:00:00.000000Z"
_DIGITS: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
# As the server itself writes them; others take the long way.
_time_written: Final = re.compile(_DIGITS + "Z").fullmatch
_micro_written: Final = re.compile(_DIGITS + r"\.[0-9]{6}Z").fullmatch


def _time(value: object, path: Path, found: Findings) -> str | None:
    return _moment(value, path, micro=False)


def _micro_time(value: object, path: Path, found: Findings) -> str | None:
    return _moment(value, path, micro=True)


def _moment(value: object, path: Path, *, micro: bool) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise refused(path, value, "string")
    zero = _MICRO_ZERO if micro else ZERO_TIME
    if (_micro_written if micro else _time_written)(value) and _real(value):
        return None if value == zero else value
    try:
        text = normalise(value, micro=micro)
    except TimestampError as error:
        raise Undecodable(str(error)) from None
    return None if text == zero else text


def _real(text: str) -> bool:
    """Whether such a day and such an hour exist."""
    try:
        datetime.fromisoformat(text[:19])
    except ValueError:
        return False
    return True


def _quantity(value: object, path: Path, found: Findings) -> str:
    if isinstance(value, str):
        return _parsed(value)
    if value is None:
        return "0"
    if isinstance(value, bool):
        return _parsed("true" if value else "false")
    return _parsed(spelled(value) if isinstance(value, (int, float)) else "{}")


@lru_cache(maxsize=1024)  # the same few amounts stand in most objects
def _parsed(text: str) -> str:
    try:
        return str(Quantity(text.strip()))
    except QuantityError as error:
        # Ours says which text it is about; Go does not.
        raise Undecodable(str(error).rpartition(" is no quantity: ")[2]) from None


def _int_or_string(value: object, path: Path, found: Findings) -> int | str:
    if isinstance(value, str):
        return value
    if value is None:
        return 0
    if type(value) is not int or not _INT32[0] <= value <= _INT32[1]:
        raise refused(path, value, "int32", exact=isinstance(value, (int, float)) and not isinstance(value, bool))
    return value


def _raw(value: object, path: Path, found: Findings) -> object:
    return forget(value)


def _fields(value: object, path: Path, found: Findings) -> object:
    # It is read again, by those who know what it means, and has no numbers but as texts.
    return value


def _json(value: Any, path: Path, found: Findings) -> Any:
    """JSON that the server reads and writes again: keys in order, and a whole number is an integer."""
    if isinstance(value, dict):
        return {key: _json(value[key], path, found) for key in sorted(value)}
    if isinstance(value, list):
        return [_json(item, path, found) for item in value]
    return number(value) if isinstance(value, float) else value


def number(value: float) -> int | float:
    """A float64 as Go writes it: whole ones without a point."""
    value = float(value)
    return int(value) if value.is_integer() and abs(value) < 1e21 and str(value) != "-0.0" else value


READERS: Final[dict[str, Reader]] = {
    "meta/v1.Time": _time,
    "meta/v1.MicroTime": _micro_time,
    "meta/v1.FieldsV1": _fields,
    "resource.Quantity": _quantity,
    "intstr.IntOrString": _int_or_string,
    "runtime.RawExtension": _raw,
    "apiextensions/v1.JSON": _json,
}
