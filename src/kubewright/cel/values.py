"""How CEL's values are held in Python, and the errors evaluation ends in.

What JSON decodes to is already a value: None, bool, int, float, str, list and dict stand for null, bool, int, double,
string, list and map. The rest has a class: `Uint`, bytes, `Timestamp`, `Duration` (the model's own), `TypeValue`,
`Optional`, and the opaque values of the libraries.

Three kinds of value remember the schema they came from, because CEL's operators treat them differently: `ObjectView`
(an object with declared properties), `SetList` and `MapList` (lists whose order does not count). They exist only where
a value leaves what is known statically; on the usual path the raw JSON is read as it is.

Python's `True == 1` is not CEL's: whoever compares values of unknown type goes through `kubewright.cel.equality`.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from kubewright.cel.ast import Uint
from kubewright.cel.types import Type
from kubewright.errors import KubewrightError
from kubewright.model.duration import Duration

__all__ = [
    "ABSENT",
    "INT_MAX",
    "INT_MIN",
    "NONE",
    "UINT_MAX",
    "BudgetExceeded",
    "Duration",
    "EvaluationError",
    "MapList",
    "Native",
    "ObjectView",
    "Opaque",
    "Optional",
    "SetList",
    "Timestamp",
    "TypeValue",
    "Uint",
    "no_such_key",
    "no_such_overload",
    "type_name",
]

Native: TypeAlias = Any  # a CEL value, as the table above has it

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1
UINT_MAX: Final = 2**64 - 1

#: What a lookup gives where there is nothing: CEL's null is a value of its own.
ABSENT: Final = object()


class EvaluationError(KubewrightError):
    """An expression has no value for these inputs; the text is the API server's."""


class BudgetExceeded(KubewrightError):
    """An evaluation cost more than it may; no operator of the language can catch this."""

    def __init__(self) -> None:
        super().__init__("operation cancelled: actual cost limit exceeded")


def no_such_overload(*about: str) -> EvaluationError:
    """No function of that name takes such arguments."""
    return EvaluationError(": ".join(("no such overload", *about)))


def no_such_key(key: Native) -> EvaluationError:
    """A map or object has no such entry."""
    if type(key) is bool:
        key = "true" if key else "false"
    elif type(key) is Uint or (type(key) is float and key.is_integer()):
        key = int(key)
    return EvaluationError(f"no such key: {key}")


class Opaque:
    """A value of a library: it has functions and equality, but no structure."""

    __slots__ = ()

    type_name = ""

    def equals(self, other: Native) -> bool:
        """CEL's equality; an error where the other value is of another kind."""
        raise NotImplementedError


class Timestamp:
    """An instant in nanoseconds since 1970, and the offset of the zone it was written in, which only texts show."""

    __slots__ = ("nanoseconds", "offset")

    def __init__(self, nanoseconds: int, offset: int = 0) -> None:
        self.nanoseconds = nanoseconds
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        return type(other) is Timestamp and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)

    def __repr__(self) -> str:
        return f"Timestamp({self.nanoseconds}, {self.offset})"


class TypeValue:
    """A type as a value, known by its name alone."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return type(other) is TypeValue and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"TypeValue({self.name!r})"


class Optional:
    """A value or nothing; `value` is `ABSENT` in the one that holds nothing."""

    __slots__ = ("value",)

    def __init__(self, value: Native = ABSENT) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Optional()" if self.value is ABSENT else f"Optional({self.value!r})"


NONE: Final = Optional()


class SetList(list[Native]):
    """A list in which order does not count."""

    __slots__ = ()


class MapList(list[Native]):
    """A list whose elements are known by some of their fields; `keys` are those, in the schema's spelling."""

    __slots__ = ("keys",)

    def __init__(self, elements: Iterator[Native] | list[Native], keys: tuple[str, ...]) -> None:
        super().__init__(elements)
        self.keys = keys


class ObjectView:
    """An object with declared properties: `raw` is the JSON, `type` says what is declared of it.

    `fields` keeps what was read, so that reading a long list again and again costs no more than reading it once.
    """

    __slots__ = ("fields", "raw", "type")

    def __init__(self, raw: dict[str, Any], type_: Type) -> None:
        self.raw = raw
        self.type = type_
        self.fields: dict[str, Native] = {}

    def __repr__(self) -> str:
        return f"ObjectView({self.raw!r})"


_NAMES: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    list: "list",
    SetList: "list",
    MapList: "list",
    dict: "map",
    ObjectView: "map",
    type(None): "null_type",
    Timestamp: "google.protobuf.Timestamp",
    Duration: "google.protobuf.Duration",
    TypeValue: "type",
    Optional: "optional_type",
}


def type_name(value: Native) -> str:
    """The name of a value's type."""
    name = _NAMES.get(type(value))
    return value.type_name if name is None else name
