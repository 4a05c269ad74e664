"""What a library gives for one overload: its function's name, the call, and which arguments it takes at run time.

An expression whose types are known calls `call` directly. Where an argument is of unknown type the overload is chosen
by `kinds`, one per argument: the names of `KINDS`, or `any`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from kubewright.cel.values import (
    Duration,
    MapList,
    Native,
    ObjectView,
    Opaque,
    Optional,
    SetList,
    Timestamp,
    TypeValue,
    Uint,
)

__all__ = ["KINDS", "Overload", "takes"]


class Overload(NamedTuple):
    """One overload of a function; `call` takes the arguments in order, a receiver first."""

    function: str
    call: Callable[..., Native]
    kinds: tuple[str, ...]


_LIST: Final = frozenset((list, SetList, MapList))
KINDS: Final[dict[str, frozenset[type]]] = {
    "bool": frozenset((bool,)),
    "int": frozenset((int,)),
    "uint": frozenset((Uint,)),
    "double": frozenset((float,)),
    "string": frozenset((str,)),
    "bytes": frozenset((bytes,)),
    "list": _LIST,
    "map": frozenset((dict, ObjectView)),
    "timestamp": frozenset((Timestamp,)),
    "duration": frozenset((Duration,)),
    "optional": frozenset((Optional,)),
    "type": frozenset((TypeValue,)),
}


def takes(kind: str, value: Native) -> bool:
    """Whether a value is of a kind; opaque values are known by their type's name."""
    types = KINDS.get(kind)
    if types is not None:
        return type(value) in types
    return kind == "any" or (isinstance(value, Opaque) and value.type_name == kind)
