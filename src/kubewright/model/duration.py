"""Durations: spans of time as Kubernetes writes them, `1h30m`, `1.5h`, `100ms`.

A `Duration` is a whole number of nanoseconds within int64 (about ±292 years), read and written as Go does, because
that is what `metav1.Duration` is. It is immutable, hashable, and compares with other durations and with
`datetime.timedelta`.

`str(d)` is the canonical text, `1h30m0s`, which is what a Kubernetes server answers for a built-in kind. `d.wire` is
the text the value was read from, so that an untouched value is sent back unchanged; a computed value has none and is
sent in canonical form.
"""

import datetime as dt
import re
from collections.abc import Callable
from typing import Any, Final, final

from kubewright.errors import KubewrightError

__all__ = ["Duration", "DurationError"]


class DurationError(KubewrightError, ValueError):
    """A text that is no duration, or a span that does not fit."""


_UNITS: Final = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,  # the micro sign
    "\u03bcs": 10**3,  # the Greek letter
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_TERM: Final = re.compile(r"([0-9]*+)(?:\.([0-9]*+))?+([^0-9.]*+)")
_LIMIT: Final = 2**63
_MICROSECOND: Final = dt.timedelta(microseconds=1)

_set: Final = object.__setattr__


@final
class Duration:
    """A span of time: `Duration("1h30m")` or `Duration(timedelta(minutes=90))`."""

    __slots__ = ("_nanoseconds", "_wire")

    _nanoseconds: int
    _wire: str | None

    def __init__(self, value: str | dt.timedelta) -> None:
        if isinstance(value, str):
            _set(self, "_nanoseconds", _parse(value))
            _set(self, "_wire", value)
        elif isinstance(value, dt.timedelta):
            _set(self, "_nanoseconds", _checked(value // _MICROSECOND * 1000))
            _set(self, "_wire", None)
        else:
            raise DurationError(f"a duration is made from a text such as '1h30m' or a timedelta, not from {value!r}")

    @classmethod
    def of_nanoseconds(cls, nanoseconds: int) -> "Duration":
        """The span of that many nanoseconds."""
        duration = cls.__new__(cls)
        _set(duration, "_nanoseconds", _checked(nanoseconds))
        _set(duration, "_wire", None)
        return duration

    # -- what it is

    @property
    def nanoseconds(self) -> int:
        """The whole span in nanoseconds, exactly."""
        return self._nanoseconds

    @property
    def seconds(self) -> float:
        """The whole span in seconds."""
        return self._nanoseconds / 10**9

    @property
    def timedelta(self) -> dt.timedelta:
        """The span as Python has it, in microseconds; what is finer is cut off."""
        micros = abs(self._nanoseconds) // 1000
        return dt.timedelta(microseconds=micros if self._nanoseconds >= 0 else -micros)

    @property
    def wire(self) -> str:
        """What to send: the text the value was read from, or the canonical text of a computed one."""
        return str(self) if self._wire is None else self._wire

    def __str__(self) -> str:
        return _format(self._nanoseconds)

    def __repr__(self) -> str:
        return f"Duration({self.wire!r})"

    def __bool__(self) -> bool:
        return self._nanoseconds != 0

    def __hash__(self) -> int:
        # An equal timedelta hashes alike.
        return hash(self._nanoseconds) if self._nanoseconds % 1000 else hash(self.timedelta)

    # -- comparison

    def __eq__(self, other: object) -> bool:
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else self._nanoseconds == nanoseconds

    def __lt__(self, other: "Duration | dt.timedelta") -> bool:
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else self._nanoseconds < nanoseconds

    def __le__(self, other: "Duration | dt.timedelta") -> bool:
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else self._nanoseconds <= nanoseconds

    def __gt__(self, other: "Duration | dt.timedelta") -> bool:
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else self._nanoseconds > nanoseconds

    def __ge__(self, other: "Duration | dt.timedelta") -> bool:
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else self._nanoseconds >= nanoseconds

    # -- arithmetic

    def __add__(self, other: "Duration | dt.timedelta") -> "Duration":
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else Duration.of_nanoseconds(self._nanoseconds + nanoseconds)

    __radd__ = __add__

    def __sub__(self, other: "Duration | dt.timedelta") -> "Duration":
        nanoseconds = _nanoseconds_of(other)
        return NotImplemented if nanoseconds is None else Duration.of_nanoseconds(self._nanoseconds - nanoseconds)

    def __rsub__(self, other: dt.timedelta) -> "Duration":
        return -self + other

    def __mul__(self, other: int) -> "Duration":
        return Duration.of_nanoseconds(self._nanoseconds * other) if type(other) is int else NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> "Duration":
        return Duration.of_nanoseconds(-self._nanoseconds)

    def __pos__(self) -> "Duration":
        return self

    def __abs__(self) -> "Duration":
        return self if self._nanoseconds >= 0 else -self

    # -- immutability

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Duration cannot be changed; compute a new one instead of setting {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Duration cannot be changed; {name} cannot be deleted")

    def __copy__(self) -> "Duration":
        return self

    def __deepcopy__(self, memo: object) -> "Duration":
        return self

    def __reduce__(self) -> tuple[Callable[..., "Duration"], tuple[Any, ...]]:
        if self._wire is None:
            return Duration.of_nanoseconds, (self._nanoseconds,)
        return Duration, (self._wire,)


def _nanoseconds_of(other: object) -> int | None:
    if isinstance(other, Duration):
        return other._nanoseconds
    return other // _MICROSECOND * 1000 if isinstance(other, dt.timedelta) else None


def _checked(nanoseconds: int) -> int:
    if -_LIMIT <= nanoseconds < _LIMIT:
        return nanoseconds
    raise DurationError(f"{_format(nanoseconds)} is no duration: it must fit an int64 of nanoseconds, about 292 years")


def _parse(text: str) -> int:
    """Nanoseconds; errors in Go's words."""
    negative = text.startswith("-")
    position = 1 if text.startswith(("-", "+")) else 0
    if text[position:] == "0":
        return 0
    if position == len(text):
        raise _refused("invalid duration", text)
    total = 0
    while position < len(text):
        match = _TERM.match(text, position)
        assert match is not None  # every part of it is optional
        whole, fraction, unit = match.groups(default="")
        if not whole and not fraction:
            raise _refused("invalid duration", text)
        whole = whole.lstrip("0")
        if len(whole) > 19 or (whole and int(whole) > _LIMIT):
            raise _refused("invalid duration", text)
        if not unit:
            raise _refused("missing unit in duration", text)
        if unit not in _UNITS:
            raise _refused(f"unknown unit {_quote(unit)} in duration", text)
        total += int(whole or "0") * _UNITS[unit] + _fraction(fraction, _UNITS[unit])
        if total > _LIMIT:
            raise _refused("invalid duration", text)
        position = match.end()
    if negative:
        return -total
    if total == _LIMIT:
        raise _refused("invalid duration", text)
    return total


def _fraction(digits: str, unit: int) -> int:
    """Nanoseconds of the digits after the point.

    Go computes them in a float (`0.3333333333333333333h` is twenty minutes sharp) and drops digits an int64 cannot
    hold; the same steps give the same nanosecond.
    """
    value, scale = 0, 1.0
    for digit in digits:
        if value > (_LIMIT - 1) // 10 or value * 10 + int(digit) > _LIMIT:
            break
        value = value * 10 + int(digit)
        scale *= 10
    return int(float(value) * (float(unit) / scale))


def _format(nanoseconds: int) -> str:
    sign, left = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    if left == 0:
        return "0s"
    if left < 10**3:
        return f"{sign}{left}ns"
    if left < 10**6:
        return f"{sign}{_point(left, 3)}\u00b5s"
    if left < 10**9:
        return f"{sign}{_point(left, 6)}ms"
    minutes, left = divmod(left, 60 * 10**9)
    hours, minutes = divmod(minutes, 60)
    leading = f"{hours}h{minutes}m" if hours else f"{minutes}m" if minutes else ""
    return f"{sign}{leading}{_point(left, 9)}s"


def _point(value: int, places: int) -> str:
    """The value with a decimal point so many places from its end, without trailing zeros."""
    whole, fraction = divmod(value, 10**places)
    return f"{whole}.{fraction:0{places}}".rstrip("0") if fraction else str(whole)


def _quote(text: str) -> str:
    """The text as Go's time package quotes it in errors."""
    return '"' + "".join(_QUOTED.get(char) or _escaped(char) for char in text) + '"'


_QUOTED: Final = {chr(code): chr(code) for code in range(0x20, 0x80)} | {'"': '\\"', "\\": "\\\\"}


def _escaped(char: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def _refused(reason: str, text: str) -> DurationError:
    return DurationError(f"time: {reason} {_quote(text)}; write it as in '1h30m' or '500ms'")
