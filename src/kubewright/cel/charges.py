"""What a call costs at run time, in the units and with the roundings of the API server.

Texts cost a tenth of a unit per character they are walked through, a pattern a quarter per character of its own times
that. Lists cost their length where a function walks them, its square where it compares all with all. Whatever is not
listed costs one unit. An argument that is an error has the size of a number.
"""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final, TypeAlias

from kubewright.cel.conversions import utf8
from kubewright.cel.library.formats import Format
from kubewright.cel.schema_values import entries
from kubewright.cel.values import ABSENT, Native, ObjectView, Opaque, Optional

__all__ = ["LIST", "MAP", "STRUCT", "call_cost", "one_unit", "size_of"]

#: Making a list, making a map.
LIST: Final = 10
MAP: Final = 30
STRUCT: Final = 40

_TEXT: Final = 0.1
_PATTERN: Final = 0.25

_Args: TypeAlias = Sequence[Native]


def size_of(value: Native) -> int:
    """Characters, bytes, elements or entries; 1 of everything else."""
    kind = type(value)
    if kind is ObjectView:
        return len(value.raw)
    if isinstance(value, str | bytes | list | dict):
        return len(value)
    if isinstance(value, Opaque):
        size: int = getattr(value, "size", 1)
        return size
    return 1


def _size_within(value: Native) -> int:
    """The same, looking into optionals."""
    while type(value) is Optional and value.value is not ABSENT:
        value = value.value
    return size_of(value)


def _walk(value: Native) -> int:
    """Walking through a value with all that is in it; not by recursion, since values may be nested deeply."""
    cost, pending = 0, [value]
    while pending:
        one = pending.pop()
        if type(one) is str:
            cost += int(len(utf8(one)) * _TEXT)
        elif type(one) is bytes:
            cost += int(len(one) * _TEXT)
        elif isinstance(one, list):
            pending += one
        elif isinstance(one, dict | ObjectView):
            pending += [part for entry in entries(one) for part in entry]
        else:
            cost += 1
    return cost


def _text(count: float) -> int:
    return ceil(count * _TEXT)


def _search(text: Native, pattern: int) -> int:
    return _text(1.0 + size_of(text)) * ceil(pattern * _PATTERN)


def _contains_address(args: _Args, *, network: bool) -> int:
    own = size_of(args[0])
    cost = _text(own + own)
    if network:
        cost += _text(own) + 1
    return cost + _text(size_of(args[1])) if type(args[1]) is str else cost


def _first_text(args: _Args, result: Native) -> int:
    return _text(size_of(args[0]))


def _first_text_twice(args: _Args, result: Native) -> int:
    return ceil(size_of(args[0]) * 2 * _TEXT)


def _first_walk(args: _Args, result: Native) -> int:
    return _walk(args[0])


def one_unit(args: _Args, result: Native) -> int:
    """What most calls cost."""
    return 1


def _pattern_search(args: _Args, result: Native) -> int:
    return _search(args[0], size_of(args[1]))


def _validate(args: _Args, result: Native) -> int:
    return _search(args[1], args[0].regex_size) if type(args[0]) is Format else 1


_Charge: TypeAlias = Callable[[_Args, Native], int]

# By function, whatever the overload.
_FUNCTIONS: Final[dict[str, _Charge]] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _first_walk),
    **dict.fromkeys(("url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey"), _first_text),
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"), _first_text),
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), _first_text_twice),
    "join": lambda args, result: ceil(size_of(result) * 2 * _TEXT),
    "find": _pattern_search,
    "findAll": _pattern_search,
    "containsIP": lambda args, result: _contains_address(args, network=False),
    "containsCIDR": lambda args, result: _contains_address(args, network=True),
    "validate": _validate,
}
_LESSER: Final = ("less", "less_equals", "greater", "greater_equals")


def _shorter_text(args: _Args, result: Native) -> int:
    return _text(min(_size_within(args[0]), _size_within(args[1])))


def _both_texts(args: _Args, result: Native) -> int:
    return _text(_size_within(args[0]) + _size_within(args[1]))


def _allocated(factor: float, count: int) -> int:
    return int(count * factor) + 1 + LIST


def _compared(elements: Native) -> int:
    """Every element with every other."""
    count = size_of(elements)
    factor = 2.0
    if isinstance(elements, list) and elements and type(elements[0]) in (str, bytes):
        factor += _TEXT
    return _allocated(factor, count * count)


def _sets(factor: int) -> _Charge:
    return lambda args, result: 1 + size_of(args[0]) * size_of(args[1]) * factor


# By overload, if it is known which one is meant; these come before the functions.
_LISTS: Final[dict[str, _Charge]] = {
    **dict.fromkeys(("list_slice", "lists_range", "list_reverse"), lambda args, result: _allocated(1, size_of(result))),
    "list_flatten": lambda args, result: _allocated(1, size_of(args[0])),
    "list_flatten_int": lambda args, result: _allocated(args[1] if type(args[1]) is int else 1, size_of(args[0])),
    "list_distinct": lambda args, result: _compared(args[0]),
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
}
_STANDARD: Final[dict[str, _Charge]] = {
    **dict.fromkeys(
        ("starts_with_string", "ends_with_string", "string_to_bytes", "bytes_to_string", "strings_quote"),
        lambda args, result: _text(_size_within(args[0])),
    ),
    "string_format": lambda args, result: _text(_size_within(args[0])),
    "in_list": lambda args, result: _size_within(args[1]),
    **{f"{order}_{kind}": _shorter_text for order in _LESSER for kind in ("string", "bytes")},
    "equals": _shorter_text,
    "not_equals": _shorter_text,
    "add_string": _both_texts,
    "add_bytes": _both_texts,
    "matches_string": _pattern_search,
    "contains_string": lambda args, result: _text(_size_within(args[0])) * _text(_size_within(args[1])),
}


def call_cost(function: str, overload: str) -> _Charge:
    """The charge for a call; `overload` is empty if it is not known which one is meant."""
    if overload in _LISTS:
        return _LISTS[overload]
    if overload.endswith("_sort"):
        return lambda args, result: _compared(args[0])
    if overload.endswith("_sortByAssociatedKeys"):
        return lambda args, result: _compared(args[1])
    if overload == "cidr_ip":
        return one_unit
    if function in _FUNCTIONS:
        return _FUNCTIONS[function]
    if overload == "equals":
        return lambda args, result: 1 if isinstance(args[0], Opaque) else _shorter_text(args, result)
    return _STANDARD.get(overload, one_unit)
