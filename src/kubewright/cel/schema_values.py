"""Values that come from an object with a schema: from JSON to what CEL sees, by the declared type.

The type says how JSON is to be read: a string may stand for an instant, a span of time or bytes, a whole number for a
double; an object's properties have names that expressions spell escaped, and a null there is as good as absent.

`reader` gives the function that turns JSON of a type into a value, or None where JSON is the value already. Most data
is of the latter kind, so what an expression reads along declared fields is never copied.
"""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from kubewright.cel.times import parse_date, parse_date_time, parse_worded_duration
from kubewright.cel.types import Type
from kubewright.cel.values import ABSENT, EvaluationError, MapList, Native, ObjectView, Optional, SetList

__all__ = ["Reader", "entries", "field", "field_names", "read", "reader"]

Reader = Callable[[Any], Native]

_PLAIN = frozenset(("bool", "int", "string", "dyn", "any", "uint", "null", "error", "parameter", "type", "opaque"))


def reader(type_: Type) -> Reader | None:
    """How JSON of that type becomes a value; None if it is one."""
    kind = type_.kind
    if kind == "opaque" and type_.name == "optional_type":
        return _optional_reader(type_)
    if kind in _PLAIN:
        return None
    scalar = _SCALARS.get(kind)
    if scalar is not None:
        return scalar
    if kind == "struct":
        return lambda raw: ObjectView(raw, type_) if type(raw) is dict else raw
    if kind == "map":
        return _map_reader(type_)
    return _list_reader(type_)


def read(type_: Type, raw: Any) -> Native:
    """The value that JSON of a type stands for."""
    made = reader(type_)
    return raw if made is None or raw is None else made(raw)


def _list_reader(type_: Type) -> Reader | None:
    element = reader(type_.params[0])
    if type_.list_type == "set":
        return lambda raw: SetList(raw if element is None else [v if v is None else element(v) for v in raw])
    if type_.list_type == "map":
        keys = type_.map_keys
        return lambda raw: MapList(raw if element is None else [v if v is None else element(v) for v in raw], keys)
    if element is None:
        return None
    return lambda raw: [v if v is None else element(v) for v in raw]


def _optional_reader(type_: Type) -> Reader | None:
    value = reader(type_.params[0])
    if value is None:
        return None
    return lambda raw: raw if raw.value is ABSENT or raw.value is None else Optional(value(raw.value))


def _map_reader(type_: Type) -> Reader | None:
    value = reader(type_.params[1])
    if value is None:
        return None
    return lambda raw: {key: v if v is None else value(v) for key, v in raw.items()}


def _double(raw: Any) -> float:
    return raw if type(raw) is float else float(raw)


def _timestamp(raw: Any) -> Native:
    # A date has ten characters and a date-time more; the two formats need no further telling apart.
    return parse_date(raw) if len(raw) == 10 else parse_date_time(raw)


def _bytes(raw: Any) -> bytes:
    try:
        return base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError):
        raise EvaluationError(f"Invalid byte formatted string {raw}: illegal base64 data") from None


_SCALARS: dict[str, Reader] = {
    "double": _double,
    "timestamp": _timestamp,
    "duration": parse_worded_duration,
    "bytes": _bytes,
}


def field_names(type_: Type) -> Mapping[str, str]:
    """How expressions spell the properties of an object: key in the object → name in CEL."""
    return {declared.name: name for name, declared in (type_.fields or {}).items()}


def field(view: ObjectView, name: str) -> Native:
    """A declared field that is there and not null, else `ABSENT`."""
    found = view.fields.get(name, ABSENT)
    if found is ABSENT:
        declared = (view.type.fields or {}).get(name)
        raw = None if declared is None else view.raw.get(declared.name)
        if declared is None or raw is None:
            return ABSENT
        found = view.fields[name] = read(declared.type, raw)
    return found


def entries(mapping: Native) -> list[tuple[Native, Native]]:
    """The keys and values of a map, or of the declared fields of an object that are there."""
    if type(mapping) is dict:
        return list(mapping.items())
    names = field_names(mapping.type)
    found = [(name, field(mapping, name)) for key in mapping.raw if (name := names.get(key)) is not None]
    return [(name, value) for name, value in found if value is not ABSENT]
