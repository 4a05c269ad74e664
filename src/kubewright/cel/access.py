"""Reading values whose type is known only at run time: fields, elements, entries, ranges."""

from collections.abc import Iterable
from typing import Final

from kubewright.cel.equality import lookup
from kubewright.cel.schema_values import entries, field
from kubewright.cel.values import (
    ABSENT,
    NONE,
    Duration,
    EvaluationError,
    Native,
    ObjectView,
    Optional,
    Timestamp,
    Uint,
    no_such_key,
    type_name,
)

__all__ = [
    "has_entry",
    "index",
    "iterate",
    "iterate_pairs",
    "optional_index",
    "optional_select",
    "out_of_bounds",
    "present",
    "select",
]


def out_of_bounds(place: int) -> EvaluationError:
    """A list has no such place."""
    return EvaluationError(f"index out of bounds: {place}")


def _find(value: Native, key: Native) -> Native:
    """An entry or element; `ABSENT` where there is none."""
    kind = type(value)
    if kind is dict:
        return lookup(value, key)
    if kind is ObjectView:
        return field(value, key) if type(key) is str else ABSENT
    if isinstance(value, list):
        place = _place(key)
        return value[place] if 0 <= place < len(value) else ABSENT
    return ABSENT


def _at(value: Native, key: Native) -> Native:
    """The same for a key that stands in brackets, where null may not."""
    if key is None:
        raise EvaluationError("invalid qualifier type: <nil>")
    return _find(value, key)


def _place(key: Native) -> int:
    kind = type(key)
    if kind is int or kind is Uint:
        return int(key)
    if kind is float:
        if not key.is_integer():
            raise EvaluationError(f"unsupported index value {key} in list")
        return int(key)
    raise EvaluationError(f"unsupported index type '{type_name(key)}' in list")


def index(value: Native, key: Native) -> Native:
    """`value[key]`; of an optional, an optional."""
    if type(value) is Optional:
        return optional_index(value, key)
    found = _at(value, key)
    if found is ABSENT:
        raise out_of_bounds(_place(key)) if isinstance(value, list) else no_such_key(key)
    return found


def select(value: Native, name: str) -> Native:
    """`value.name`."""
    if isinstance(value, list):
        raise EvaluationError("unsupported index type 'string' in list")
    return index(value, name)


def optional_index(value: Native, key: Native) -> Optional:
    """`value[?key]`."""
    if type(value) is Optional:
        if value.value is ABSENT:
            return NONE
        value = value.value
    found = _at(value, key)
    return NONE if found is ABSENT else Optional(found)


def optional_select(value: Native, name: str) -> Optional:
    """`value.?name`."""
    return optional_index(value, name)


def present(value: Native, name: str) -> bool:
    """`has(value.name)`."""
    if type(value) is Optional:
        value = value.value
    if type(value) is dict:
        return name in value
    if isinstance(value, list):
        raise EvaluationError("unsupported index type 'string' in list")
    return type(value) is ObjectView and field(value, name) is not ABSENT


def has_entry(value: Native, key: Native) -> bool:
    """`key in value` of a map."""
    return _find(value, key) is not ABSENT


# What Go calls the types of values that cannot be iterated.
_GO_NAMES: Final = {
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    type(None): "types.Null",
    Timestamp: "types.Timestamp",
    Duration: "types.Duration",
    Optional: "*types.Optional",
}


def iterate(value: Native) -> Iterable[Native]:
    """What a fold with one variable runs over: elements or keys."""
    if isinstance(value, list | dict):
        return value
    if type(value) is ObjectView:
        return [key for key, _ in entries(value)]
    raise EvaluationError(f"got '{_GO_NAMES.get(type(value), type_name(value))}', expected iterable type")


def iterate_pairs(value: Native) -> Iterable[tuple[Native, Native]]:
    """What a fold with two variables runs over: places and elements, or keys and values."""
    if isinstance(value, list):
        return enumerate(value)
    if isinstance(value, dict | ObjectView):
        return entries(value)
    raise EvaluationError(f"unsupported comprehension range type: {_GO_NAMES.get(type(value), type_name(value))}")
