"""Values that have a message of their own in protobuf and one word in JSON: times, quantities, JSON itself.

    UNPACK[type](data) -> value          # what JSON has for a message; Malformed
    PACK[type](value) -> bytes           # the message

None is the time zero, which JSON writes as null and protobuf as a message without fields.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

import msgspec

from kubewright.cluster.patches.syntax import syntax_error
from kubewright.cluster.wire.body import goes_deep
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.literal import Literal
from kubewright.cluster.wire.protobuf.scan import LENGTH, VARINT, Malformed, fields, signed, text
from kubewright.cluster.wire.protobuf.write import message
from kubewright.cluster.wire.special import READERS
from kubewright.model.documents import is_deep
from kubewright.model.piecemeal import decode_in_steps

__all__ = ["AS_JSON", "FIELDS", "PACK", "UNPACK", "fields_in_steps"]

#: The type of managed fields.
FIELDS: Final = "meta/v1.FieldsV1"
_STAMP: Final = {1: ("Seconds", VARINT), 2: ("Nanos", VARINT)}
_QUANTITY: Final = {1: ("String_", LENGTH)}
_INT_OR_STRING: Final = {1: ("Type", VARINT), 2: ("IntVal", VARINT), 3: ("StrVal", LENGTH)}
_RAW: Final = {1: ("Raw", LENGTH)}
#: The time zero, the first second of the year 1, in seconds of Unix.
_ZERO: Final = -62_135_596_800
_DAY: Final = 86_400
#: Days from 1 March of the year 0 to 1 January 1970, and in 400 years.
_EPOCH, _ERA = 719_468, 146_097

_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decode: Final = msgspec.json.Decoder(float_hook=Literal).decode


def _time(data: bytes) -> str | None:
    seconds, _ = _stamp(data)
    return None if seconds == _ZERO else f"{_clock(seconds)}Z"


def _micro_time(data: bytes) -> str | None:
    seconds, nanos = _stamp(data)
    # Towards zero, as Go divides; there may be more than a second of them, or less than none.
    micros = seconds * 1_000_000 + int(nanos / 1000)
    seconds, rest = divmod(micros, 1_000_000)
    return None if micros == _ZERO * 1_000_000 else f"{_clock(seconds)}.{rest:06}Z"


def _stamp(data: bytes) -> tuple[int, int]:
    found = {1: 0, 2: 0} if data else {1: _ZERO, 2: 0}
    found.update(fields(data, "Timestamp", _STAMP))
    return signed(found[1], 64), signed(found[2], 32)


def _clock(seconds: int) -> str:
    """A moment of any year: Python's own know but the years that have four digits."""
    days, second = divmod(seconds, _DAY)
    era, day = divmod(days + _EPOCH, _ERA)
    # Years that begin in March have their odd day last.
    of_era = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * of_era + of_era // 4 - of_era // 100
    shifted = (5 * day + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = of_era + era * 400 + (month <= 2)
    date = f"{'-' if year < 0 else ''}{abs(year):04}-{month:02}-{day - (153 * shifted + 2) // 5 + 1:02}"
    return f"{date}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _seconds(text: str) -> int:
    """The way back: `text` ends with the second."""
    date, _, time = text.rpartition("T")
    year, month, day = (int(part) for part in date.rsplit("-", 2))
    hour, minute, second = (int(part) for part in time.split(":"))
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    days = era * _ERA + of_era * 365 + of_era // 4 - of_era // 100 + of_year - _EPOCH
    return days * _DAY + hour * 3600 + minute * 60 + second


def _pack_time(value: str | None) -> bytes:
    return b"" if value is None else message(_seconds(value[:-1]), 0)


def _pack_micro_time(value: str | None) -> bytes:
    if value is None:
        return b""
    whole, _, micros = value[:-1].rpartition(".")
    return message(_seconds(whole), int(micros) * 1000)


def _quantity(data: bytes) -> Any:
    value = "0"
    if len(data) > 1 and data[0] == 10 and data[1] == len(data) - 2:  # one short text, as nearly all are
        return _read("resource.Quantity", text(data[2:]))
    for _, raw in fields(data, "Quantity", _QUANTITY):
        value = _read("resource.Quantity", text(raw))
    return value


def _int_or_string(data: bytes) -> int | str:
    # As Go writes all but long texts, large numbers and negative ones: each field, in order, in one byte and its text.
    if 6 <= len(data) < 134 and data[:5:2] == b"\x08\x10\x1a" and data[5] == len(data) - 6:
        if data[1] == 1 and data[3] < 128:
            return text(data[6:])
        if data[1] == 0 and data[3] < 128:
            return data[3]
    found: dict[int, Any] = {1: 0, 2: 0, 3: b""}
    found.update(fields(data, "IntOrString", _INT_OR_STRING))
    match signed(found[1], 64):
        case 0:
            return signed(found[2], 32)
        case 1:
            return text(found[3])
    raise Malformed("impossible IntOrString.Type")


def _pack_int_or_string(value: int | str) -> bytes:
    return message(1, 0, value.encode()) if isinstance(value, str) else message(0, value, b"")


def _raw(name: str) -> Callable[[bytes], Any]:
    kind = name.rpartition(".")[2]

    def unpack(data: bytes) -> Any:
        value = None
        for _, raw in fields(data, kind, _RAW):
            if raw:
                value = _read(name, _parse(raw))
        return value

    return unpack


def _parse(raw: bytes) -> Any:
    """JSON inside a message. Go looks at that of most types only when it writes it, and panics then."""
    try:
        value = _decode(raw)
    except _UNREADABLE:
        raise Malformed(syntax_error(raw) or "exceeded max depth") from None
    if is_deep(raw):
        raise Malformed("exceeded max depth")
    return value


def _fields(data: bytes) -> Any:
    """Managed fields that cannot be read are none, and no reason to refuse an object."""
    try:
        return _raw(FIELDS)(data)
    except Malformed:
        return None


def fields_in_steps(data: bytes) -> Generator[None, None, Any]:
    """The same of long ones, in steps."""
    value = None
    try:
        for _, raw in fields(data, "FieldsV1", _RAW):
            if raw:
                value = yield from decode_in_steps(raw, _decode)
                if (yield from goes_deep(value)):
                    return None
    except (Malformed, *_UNREADABLE):
        return None
    return value


def _pack_raw(value: Any) -> bytes:
    return b"" if value is None else message(msgspec.json.encode(value))


def _read(name: str, value: Any) -> Any:
    """What the reader of JSON makes of a value."""
    try:
        return READERS[name](value, None, Findings())
    except Undecodable as error:
        raise Malformed(str(error)) from None


_RAWS: Final = ("apiextensions/v1.JSON", "runtime.RawExtension")
#: Types whose message is the text of what JSON has for it.
AS_JSON: Final = frozenset({FIELDS, *_RAWS})
UNPACK: Final[Mapping[str, Callable[[bytes], Any]]] = {
    "meta/v1.Time": _time,
    "meta/v1.MicroTime": _micro_time,
    "resource.Quantity": _quantity,
    "intstr.IntOrString": _int_or_string,
    FIELDS: _fields,
    **{name: _raw(name) for name in _RAWS},
}
PACK: Final[Mapping[str, Callable[[Any], bytes]]] = {
    "meta/v1.Time": _pack_time,
    "meta/v1.MicroTime": _pack_micro_time,
    "resource.Quantity": lambda value: message(value.encode()),
    "intstr.IntOrString": _pack_int_or_string,
    **dict.fromkeys(AS_JSON, _pack_raw),
}
