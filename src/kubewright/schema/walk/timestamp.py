"""Times in metadata: RFC 3339 in, seconds of UTC out, and the complaints of Go's parser.

The parser reads piece by piece and complains about the first piece that does not fit. It is more lenient than the RFC:
an hour may have one digit, a comma may start the fraction, an offset may be 24 hours and 60 minutes.
"""

import re
from datetime import UTC, datetime, timedelta

__all__ = ["ZERO_TIME", "TimestampError", "normalise"]

ZERO_TIME = "0001-01-01T00:00:00Z"
"""What counts as no time at all."""

_LAYOUT = "2006-01-02T15:04:05Z07:00"
_two = re.compile("[0-9]{2}")
_one_or_two = re.compile("[0-9]{1,2}")
_year = re.compile("[0-9]{4}")
# The layout's pieces in order: what it says there, what is read, what it is called when out of range, and its range.
_PIECES = (
    ("2006", _year, "", 0, 9999),
    ("-", None, "", 0, 0),
    ("01", _two, "month", 1, 12),
    ("-", None, "", 0, 0),
    ("02", _two, "", 0, 99),
    ("T", None, "", 0, 0),
    ("15", _one_or_two, "hour", 0, 23),
    (":", None, "", 0, 0),
    ("04", _two, "minute", 0, 59),
    (":", None, "", 0, 0),
    ("05", _two, "second", 0, 59),
)
_fraction = re.compile("[.,][0-9]+")
_offset = re.compile("([+-])([0-9]{2}):([0-9]{2})")


class TimestampError(ValueError):
    """Not a time; the text is the one Go's parser gives."""


def normalise(text: str) -> str:
    """Return the time in UTC without fraction, as the server stores it."""
    numbers, at = [], 0
    for layout, pattern, name, low, high in _PIECES:
        if pattern is None:
            if not text.startswith(layout, at):
                raise _unread(text, at, layout)
            at += 1
            continue
        match = pattern.match(text, at)
        if match is None:
            raise _unread(text, at, layout)
        at = match.end()
        number = int(match[0])
        if name and not low <= number <= high:
            raise _complaint(text, f": {name} out of range")
        numbers.append(number)
    if match := _fraction.match(text, at):
        at = match.end()
    ahead = timedelta()
    if text.startswith("Z", at):
        at += 1
    else:
        match = _offset.match(text, at)
        if match is None:
            raise _unread(text, at, "Z07:00")
        hours, minutes = int(match[2]), int(match[3])
        if hours > 24 or minutes > 60:
            part = "minute" if minutes > 60 else "hour"
            raise _complaint(text, f": time zone offset {part} out of range")
        at = match.end()
        ahead = timedelta(hours=hours, minutes=minutes) * (-1 if match[1] == "-" else 1)
    if at < len(text):
        raise _complaint(text, f": extra text: {_quote(text[at:])}")
    # The calendar repeats every 400 years: moved by that much, year 0 and its neighbours fit Python's range.
    year, month, day, hour, minute, second = numbers
    shift = 400 if year < 5000 else -400
    try:
        moved = datetime(year + shift, month, day, hour, minute, second, tzinfo=UTC) - ahead
    except ValueError:
        raise _complaint(text, ": day out of range") from None
    return f"{moved.year - shift:04d}-{moved:%m-%dT%H:%M:%SZ}"


def _unread(text: str, at: int, layout: str) -> TimestampError:
    return _complaint(text, f" as {_quote(_LAYOUT)}: cannot parse {_quote(text[at:])} as {_quote(layout)}")


def _complaint(text: str, rest: str) -> TimestampError:
    return TimestampError(f"parsing time {_quote(text)}{rest}")


def _quote(text: str) -> str:
    out = []
    for char in text:
        if " " <= char < "\x80":
            out.append(f"\\{char}" if char in '"\\' else char)
        else:
            out.extend(f"\\x{byte:02x}" for byte in char.encode(errors="replace"))
    return '"' + "".join(out) + '"'
