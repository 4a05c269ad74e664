"""Instants and spans of time in texts, as Go reads and writes them, and the parts of an instant in a time zone.

Instants reach from year 1 to year 9999; their parts are computed from day numbers, since a zone may carry one a few
hours beyond what Python's dates hold.
"""

import datetime as dt
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

from kubewright.cel.memory import remembered
from kubewright.cel.values import INT_MAX, INT_MIN, Duration, EvaluationError, Timestamp
from kubewright.model.duration import DurationError
from kubewright.model.selectors.names import quote

__all__ = [
    "GETTERS",
    "MAX_SECONDS",
    "MIN_SECONDS",
    "SECOND",
    "civil",
    "format_duration",
    "format_timestamp",
    "in_range",
    "is_date",
    "is_date_time",
    "parse_date",
    "parse_date_time",
    "parse_duration",
    "parse_timestamp",
    "parse_worded_duration",
    "zone_offset",
]

SECOND: Final = 10**9
DAY: Final = 86400
MIN_SECONDS: Final = -62135596800
MAX_SECONDS: Final = 253402300799

_RFC3339: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})?"
).fullmatch
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch
_MONTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_before(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date."""
    # Years that begin in March put the leap day last; 719468 days lie between 0000-03-01 and 1970-01-01.
    if month <= 2:
        year -= 1
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day number: the reverse of `days_before`."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _instant(text: str, *, local: bool) -> Timestamp | None:
    # What nearly every instant looks like: 2006-01-02T15:04:05Z.
    if len(text) == 20 and text[4] == text[7] == "-" and text[10] == "T" and text[19] == "Z":
        with suppress(ValueError):
            found = dt.datetime.fromisoformat(text[:19])
            seconds = (found.toordinal() - 719163) * DAY + found.hour * 3600 + found.minute * 60 + found.second
            return Timestamp(seconds * SECOND)
    match = _RFC3339(text)
    if match is None or (match[8] is None and not local):
        return None
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    if not _is_date(year, month, day) or hour > 23 or minute > 59 or second > 59:
        return None
    offset = 0
    zone = match[8]
    if zone and zone != "Z":
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 24 or minutes > 60:
            return None
        offset = (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)
    seconds = days_before(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset
    return Timestamp(seconds * SECOND + int((match[7] or "")[:9].ljust(9, "0")), offset)


def _is_date(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _MONTHS[month - 1] + (month == 2 and _leap(year))


def parse_timestamp(text: str) -> Timestamp | None:
    """`timestamp(text)`: RFC 3339, else None; an error if it lies outside of the years 1 to 9999."""
    found = _instant(text, local=False)
    if found is not None and not in_range(found.nanoseconds):
        raise EvaluationError("timestamp overflow")
    return found


def _date_time(text: str) -> Timestamp:
    found = _instant(text, local=True) if text else Timestamp(0)
    if found is None:
        raise EvaluationError(f"Invalid date-time formatted string {text}: cannot parse {quote(text)}")
    return found


#: A string of the format `date-time`: RFC 3339, or without a zone; the empty one is 1970.
parse_date_time: Final = remembered(_date_time)


def parse_date(text: str) -> Timestamp:
    """A string of the format `date`: midnight in UTC."""
    match = _DATE(text)
    if match is None or not _is_date(*(parts := tuple(map(int, match.groups())))):
        raise EvaluationError(f"Invalid date formatted string {text}: cannot parse {quote(text)}")
    return Timestamp(days_before(*parts) * DAY * SECOND)


def is_date(text: str) -> bool:
    """Whether a text has the format `date`."""
    match = _DATE(text)
    return match is not None and _is_date(*map(int, match.groups()))


_TIME: Final = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})").fullmatch


def is_date_time(text: str) -> bool:
    """Whether a text has the format `date-time`, which is checked more leniently than it is read."""
    parts = text.lower().split("t")
    if len(parts) < 2 or not is_date(parts[0]):
        return False
    match = _TIME(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def in_range(nanoseconds: int) -> bool:
    """Whether an instant lies in the years 1 to 9999."""
    return MIN_SECONDS <= nanoseconds // SECOND <= MAX_SECONDS


def parse_duration(text: str) -> Duration | None:
    """`duration(text)`: `1h30m`, `-1.5s`, else None."""
    try:
        return Duration(text)
    except DurationError:
        return None


# The last spelling of a unit is a prefix ("minutes", "weeks"), the others stand alone.
_WORDED_UNITS: Final = (
    (1, ("ns", "nano")),
    (10**3, ("us", "µs", "micro")),
    (10**6, ("ms", "milli")),
    (SECOND, ("s", "sec")),
    (60 * SECOND, ("m", "min")),
    (3600 * SECOND, ("h", "hr", "hour")),
    (DAY * SECOND, ("d", "day")),
    (7 * DAY * SECOND, ("w", "wk", "week")),
)
_worded: Final = re.compile(r"(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)").findall


def _worded_duration(text: str) -> Duration:
    found = parse_duration(text)
    if found is not None:
        return found
    total, known = 0, False
    for count, word in _worded(text):
        digits = count.lstrip("0") or "0"
        if len(digits) > 19 or int(digits) > INT_MAX:
            raise EvaluationError(f"Invalid duration {text}: strconv.Atoi: parsing {quote(count)}: value out of range")
        unit = word.lower()
        for size, names in _WORDED_UNITS:
            if unit in names or unit.startswith(names[-1]):
                total, known = total + int(digits) * size, True
    if not known:
        raise EvaluationError(f"Invalid duration {text}: unable to parse {text} as duration")
    # The server adds in 64 bits.
    return Duration.of_nanoseconds((total - INT_MIN) % 2**64 + INT_MIN)


#: A string of the format `duration`: Go's, or words such as "3 weeks", the known ones of which are added up.
parse_worded_duration: Final = remembered(_worded_duration)


def format_timestamp(stamp: Timestamp, *, utc: bool = False) -> str:
    """RFC 3339 in the zone it was written in, with as many decimals as it needs."""
    offset = 0 if utc else stamp.offset
    seconds, fraction = divmod(stamp.nanoseconds + offset * SECOND, SECOND)
    days, of_day = divmod(seconds, DAY)
    year, month, day = civil(days)
    decimals = f".{fraction:09d}".rstrip("0") if fraction else ""
    zone = "Z"
    if offset:
        minutes = abs(offset) // 60
        zone = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
    clock = f"{of_day // 3600:02d}:{of_day // 60 % 60:02d}:{of_day % 60:02d}"
    return f"{year:04d}-{month:02d}-{day:02d}T{clock}{decimals}{zone}"


def format_duration(span: Duration) -> str:
    """Seconds in decimals, without an exponent."""
    # Go divides in two steps and adds doubles; the shortest text of that sum is what it prints.
    whole, rest = divmod(abs(span.nanoseconds), SECOND)
    seconds = float(whole) + rest / 1e9
    text = repr(seconds)
    if "e" in text:
        text = f"{seconds:.9f}".rstrip("0").rstrip(".")
    return ("-" if span.nanoseconds < 0 else "") + text.removesuffix(".0") + "s"


def zone_offset(zone: str, nanoseconds: int) -> int:
    """Seconds east of UTC: of a named zone at an instant, or of `+01:30`."""
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return 0 if zone in ("", "UTC") else _named_offset(zone, nanoseconds // SECOND)
    number = _atoi(hours) * 60
    rest = _atoi(minutes)
    return (number - rest if zone[0] == "-" else number + rest) * 60


_is_number: Final = re.compile("[+-]?[0-9]+").fullmatch


def _atoi(text: str) -> int:
    if not _is_number(text):
        raise EvaluationError(f"strconv.Atoi: parsing {quote(text)}: invalid syntax")
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > 19 or not INT_MIN <= (value := int(digits) * (-1 if text[0] == "-" else 1)) <= INT_MAX:
        raise EvaluationError(f"strconv.Atoi: parsing {quote(text)}: value out of range")
    return value


def _named_offset(name: str, seconds: int) -> int:
    transition = _zone(name)
    return transition(seconds)


@cache
def _zone(name: str) -> Callable[[int], int]:
    import zoneinfo  # only expressions that name a zone need it

    try:
        zone = zoneinfo.ZoneInfo(name) if name != "Local" else zoneinfo.ZoneInfo("UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise EvaluationError(f"unknown time zone {name}") from None
    epoch = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

    def offset(seconds: int) -> int:
        # A day from the edges of Python's calendar the zone's rules are the same.
        inside = min(max(seconds, MIN_SECONDS + 2 * DAY), MAX_SECONDS - 2 * DAY)
        delta = (epoch + dt.timedelta(seconds=inside)).astimezone(zone).utcoffset()
        return 0 if delta is None else int(delta.total_seconds())

    return offset


def _days(nanoseconds: int) -> int:
    return nanoseconds // (DAY * SECOND)


def _day_of_year(nanoseconds: int) -> int:
    days = _days(nanoseconds)
    return days - days_before(civil(days)[0], 1, 1)


#: The parts of an instant, by the name of the function that gets them; months and most days count from 0.
GETTERS: Final[dict[str, Callable[[int], int]]] = {
    "getFullYear": lambda ns: civil(_days(ns))[0],
    "getMonth": lambda ns: civil(_days(ns))[1] - 1,
    "getDate": lambda ns: civil(_days(ns))[2],
    "getDayOfMonth": lambda ns: civil(_days(ns))[2] - 1,
    "getDayOfWeek": lambda ns: (_days(ns) + 4) % 7,  # 1970 began on a Thursday
    "getDayOfYear": _day_of_year,
    "getHours": lambda ns: ns // (3600 * SECOND) % 24,
    "getMinutes": lambda ns: ns // (60 * SECOND) % 60,
    "getSeconds": lambda ns: ns // SECOND % 60,
    "getMilliseconds": lambda ns: ns // 10**6 % 1000,
}
