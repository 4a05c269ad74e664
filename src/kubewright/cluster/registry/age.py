"""How long ago something was, in the few words of a table: `37s`, `5m12s`, `3h4m`, `2d`, `1y20d`."""

from datetime import datetime
from typing import Any

from kubewright.schema.walk.timestamp import ZERO_TIME, normalise

__all__ = ["age", "duration", "moment"]


def age(timestamp: Any, now: datetime) -> str:
    """The time since a timestamp; unknown if there is none, invalid if it is no time."""
    if not isinstance(timestamp, str) or timestamp in ("", "null", ZERO_TIME):
        return "<unknown>"
    then = moment(timestamp)
    return "<invalid>" if then is None else duration((now - then).total_seconds())


def moment(timestamp: str) -> datetime | None:
    """A timestamp as a time, to the second; None if it is none."""
    try:
        return datetime.fromisoformat(normalise(timestamp))
    except ValueError:
        return None


def duration(elapsed: float) -> str:
    """A number of seconds in two or three digits. Clocks may differ: up to two seconds ahead are none at all."""
    seconds = int(elapsed)
    if seconds < -1:
        return "<invalid>"
    if seconds < 120:
        return f"{max(seconds, 0)}s"
    minutes, hours = seconds // 60, seconds // 3600
    if minutes < 10:
        return _two(minutes, "m", seconds % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    days = hours // 24
    if days < 8:
        return _two(days, "d", hours % 24, "h")
    if days < 730:
        return f"{days}d"
    years = days // 365
    return _two(years, "y", days % 365, "d") if years < 8 else f"{years}y"


def _two(large: int, unit: str, small: int, part: str) -> str:
    return f"{large}{unit}{small}{part}" if small else f"{large}{unit}"
