"""The standard functions of CEL: sizes, conversions, the parts of instants and spans of time."""

from collections.abc import Callable
from typing import Final

from kubewright.cel.conversions import (
    to_bool,
    to_bytes,
    to_double,
    to_duration,
    to_int,
    to_string,
    to_timestamp,
    to_type,
    to_uint,
)
from kubewright.cel.library.overload import Overload
from kubewright.cel.times import GETTERS, SECOND, zone_offset
from kubewright.cel.values import Duration, Native, ObjectView, Timestamp

__all__ = ["OVERLOADS", "size"]


def size(value: Native) -> int:
    """Characters of a string, bytes of bytes, elements of a list, entries of a map."""
    return len(value.raw) if type(value) is ObjectView else len(value)


def _part(name: str) -> Callable[[Timestamp], int]:
    get = GETTERS[name]
    return lambda stamp: get(stamp.nanoseconds)


def _part_in_zone(name: str) -> Callable[[Timestamp, str], int]:
    get = GETTERS[name]
    return lambda stamp, zone: get(stamp.nanoseconds + zone_offset(zone, stamp.nanoseconds) * SECOND)


def _towards_zero(unit: int) -> Callable[[Duration], int]:
    def count(span: Duration) -> int:
        whole = abs(span.nanoseconds) // unit
        return whole if span.nanoseconds >= 0 else -whole

    return count


# The names that overloads of a getter have, by the getter.
_TIMESTAMP_IDS: Final = {
    "getFullYear": "timestamp_to_year",
    "getMonth": "timestamp_to_month",
    "getDayOfYear": "timestamp_to_day_of_year",
    "getDayOfMonth": "timestamp_to_day_of_month",
    "getDate": "timestamp_to_day_of_month_1_based",
    "getDayOfWeek": "timestamp_to_day_of_week",
    "getHours": "timestamp_to_hours",
    "getMinutes": "timestamp_to_minutes",
    "getSeconds": "timestamp_to_seconds",
    "getMilliseconds": "timestamp_to_milliseconds",
}
_DURATION_IDS: Final = {
    "getHours": ("duration_to_hours", 3600 * SECOND),
    "getMinutes": ("duration_to_minutes", 60 * SECOND),
    "getSeconds": ("duration_to_seconds", SECOND),
    "getMilliseconds": ("duration_to_milliseconds", 10**6),
}
_CONVERSIONS: Final[dict[str, tuple[Callable[[Native], Native], tuple[str, ...]]]] = {
    "bool": (to_bool, ("bool", "string")),
    "bytes": (to_bytes, ("bytes", "string")),
    "double": (to_double, ("double", "int", "string", "uint")),
    "duration": (to_duration, ("duration", "string", "int")),
    "int": (to_int, ("int", "double", "duration", "string", "timestamp", "uint")),
    "string": (to_string, ("string", "bool", "bytes", "double", "duration", "int", "timestamp", "uint")),
    "timestamp": (to_timestamp, ("timestamp", "int", "string")),
    "uint": (to_uint, ("uint", "double", "int", "string")),
}
_WIDTHS: Final = {"int": "int64", "uint": "uint64"}


def _conversion_id(wanted: str, source: str) -> str:
    return f"{_WIDTHS.get(source, source)}_to_{_WIDTHS.get(wanted, wanted)}"


OVERLOADS: Final = {
    **{f"size_{kind}": Overload("size", size, (kind,)) for kind in ("bytes", "list", "map", "string")},
    **{f"{kind}_size": Overload("size", size, (kind,)) for kind in ("bytes", "list", "map", "string")},
    **{
        _conversion_id(wanted, source): Overload(wanted, convert, (source,))
        for wanted, (convert, sources) in _CONVERSIONS.items()
        for source in sources
    },
    "to_dyn": Overload("dyn", lambda value: value, ("any",)),
    "type": Overload("type", to_type, ("any",)),
    **{id_: Overload(name, _part(name), ("timestamp",)) for name, id_ in _TIMESTAMP_IDS.items()},
    **{
        f"{id_}_tz" if name == "getSeconds" else f"{id_}_with_tz": Overload(
            name, _part_in_zone(name), ("timestamp", "string")
        )
        for name, id_ in _TIMESTAMP_IDS.items()
    },
    **{id_: Overload(name, _towards_zero(unit), ("duration",)) for name, (id_, unit) in _DURATION_IDS.items()},
}
