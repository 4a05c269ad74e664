"""Times in metadata: RFC 3339 in, seconds of UTC out, and the complaints of Go's parser.

The parser reads piece by piece and complains about the first piece that does not fit. It is more lenient than the RFC:
an hour may have one digit, a comma may start the fraction, an offset may be 24 hours and 60 minutes.
"""

import re
from datetime import UTC, datetime, timedelta

__all__ = ["ZERO_TIME", "TimestampError", "normalise"]

ZERO_TIME = "0001-01-01T00:00:00Z"
"""What counts as no time at all."""

_LAYOUT = b"2006-01-02T15:04:05Z07:00"
_MICRO = b".000000"
_MICRO_LAYOUT = b"2006-01-02T15:04:05.000000Z07:00"
_two = re.compile(b"[0-9]{2}")
_one_or_two = re.compile(b"[0-9]{1,2}")
_year = re.compile(b"[0-9]{4}")
# The layout's pieces in order: what it says there, what is read, what it is called when out of range, and its range.
_PIECES = (
    (b"2006", _year, "", 0, 9999),
    (b"-", None, "", 0, 0),
    (b"01", _two, "month", 1, 12),
    (b"-", None, "", 0, 0),
    (b"02", _two, "", 0, 99),
    (b"T", None, "", 0, 0),
    (b"15", _one_or_two, "hour", 0, 23),
    (b":", None, "", 0, 0),
    (b"04", _two, "minute", 0, 59),
    (b":", None, "", 0, 0),
    (b"05", _two, "second", 0, 59),
)
_fraction = re.compile(b"[.,][0-9]+")
_six_places = re.compile(b"[.,][0-9]{6}")


class TimestampError(ValueError):
    """Not a time; the text is the one Go's parser gives."""


def normalise(text: str, *, micro: bool = False) -> str:
    """Return the time in UTC without fraction, as the server stores it; or with six places, which must be there."""
    data, numbers, at = text.encode(errors="replace"), [], 0
    whole = _MICRO_LAYOUT if micro else _LAYOUT
    for layout, pattern, name, low, high in _PIECES:
        if pattern is None:
            if not data.startswith(layout, at):
                raise _unread(data, at, layout, whole)
            at += 1
            continue
        match = pattern.match(data, at)
        if match is None:
            raise _unread(data, at, layout, whole)
        at = match.end()
        number = int(match[0])
        if name and not low <= number <= high:
            raise _complaint(data, f": {name} out of range")
        numbers.append(number)
    fraction = ""
    if match := (_six_places if micro else _fraction).match(data, at):
        at = match.end()
        fraction = match[0].decode().replace(",", ".") if micro else ""
    elif micro:
        raise _unread(data, at, _MICRO, whole)
    ahead = timedelta()
    if data.startswith(b"Z", at):
        at += 1
    else:
        ahead = _offset(data, at, whole)
        at += len(b"+07:00")
    if at < len(data):
        raise _complaint(data, f": extra text: {_quote(data[at:])}")
    # The calendar repeats every 400 years: moved by that much, year 0 and its neighbours fit Python's range.
    year, month, day, hour, minute, second = numbers
    shift = 400 if year < 5000 else -400
    try:
        moved = datetime(year + shift, month, day, hour, minute, second, tzinfo=UTC) - ahead
    except ValueError:
        raise _complaint(data, ": day out of range") from None
    year = moved.year - shift
    return f"{'-' if year < 0 else ''}{abs(year):04d}-{moved:%m-%dT%H:%M:%S}{fraction}Z"


def _offset(data: bytes, at: int, whole: bytes) -> timedelta:
    """Read "+07:00". The range is looked at first: an hour too late is told even if the minutes are none."""
    sign, hours, colon, minutes = data[at : at + 1], data[at + 1 : at + 3], data[at + 3 : at + 4], data[at + 4 : at + 6]
    if colon != b":" or len(minutes) < 2:
        raise _unread(data, at, b"Z07:00", whole)
    readable = bool(_two.match(hours))
    hour, minute = int(hours) if readable else 0, int(minutes) if readable and _two.match(minutes) else 0
    if minute > 60 or hour > 24:
        raise _complaint(data, f": time zone offset {'minute' if minute > 60 else 'hour'} out of range")
    if not readable or not _two.match(minutes) or sign not in (b"+", b"-"):
        raise _unread(data, at, b"Z07:00", whole)
    return timedelta(hours=hour, minutes=minute) * (-1 if sign == b"-" else 1)


def _unread(data: bytes, at: int, layout: bytes, whole: bytes) -> TimestampError:
    return _complaint(data, f" as {_quote(whole)}: cannot parse {_quote(data[at:])} as {_quote(layout)}")


def _complaint(data: bytes, rest: str) -> TimestampError:
    return TimestampError(f"parsing time {_quote(data)}{rest}")


def _quote(data: bytes) -> str:
    shown = (
        "\\" + chr(byte) if byte in b'"\\' else chr(byte) if 0x20 <= byte < 0x80 else f"\\x{byte:02x}" for byte in data
    )
    return '"' + "".join(shown) + '"'
