"""Equality of JSON that has a schema, without turning it into values first.

Both sides are of one declared type, so what Python finds equal is equal: inside it no bool meets a number. What Python
finds different may still be equal in CEL's eyes: the order of sets, keys of list-maps, two spellings of an instant, a
null that is as good as absent. Only types that hold such things are looked at again.
"""

from collections.abc import Callable
from typing import Any

from kubewright.cel.equality import equal
from kubewright.cel.schema_values import read
from kubewright.cel.types import Type

__all__ = ["raw_equality"]

_EXACT = frozenset(("bool", "int", "string"))


def raw_equality(type_: Type) -> Callable[[Any, Any], bool]:
    """The function that compares JSON of a type."""
    if _exact(type_):
        return _same
    return lambda a, b: bool(a == b) or equal(read(type_, a), read(type_, b))


def _same(a: Any, b: Any) -> bool:
    return bool(a == b)


def _exact(type_: Type) -> bool:
    """Whether Python's word is the last."""
    if type_.kind in _EXACT:
        return True
    if type_.kind == "list":
        return not type_.list_type and _exact(type_.params[0])
    return type_.kind == "map" and _exact(type_.params[1])
