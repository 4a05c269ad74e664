"""Documents become objects of Go types: one function for each type, made of those of its parts.

A reader does what Go's decoder and encoder do one after the other: it takes a JSON value and gives the one that the
server writes for it. Fields that nobody knows go; null is the zero value, or nothing behind a pointer; zeros vanish
where the field says so, and what is always written appears.

Go tells an empty list or map from none until it writes the object, and rules and messages do, too: so these stay, and
the reader notes that the object is *hollow*, that is, holds something which is not written. Maps that are empty have a
class of their own, since a struct without members is another thing.

Functions are made when a document first needs them. Most members of most documents are texts in the place of texts:
`plain` is the Python type for which a value is right as it is, so that these cost no call.
"""

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any, Final, NamedTuple

from kubewright.cluster.wire import base64
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import APART, Findings, Path, Step
from kubewright.cluster.wire.special import READERS, number
from kubewright.cluster.wire.types import Field, Table, Type, table
from kubewright.schema.walk.golang import as_float

__all__ = ["ALWAYS", "EMPTY", "NIL", "EmptyMap", "Readers", "omission", "readers"]

Read = Callable[[Any, Path, Findings], Any]

#: When a field is left out: never, if it is null, if what it holds is empty.
ALWAYS, NIL, EMPTY = 0, 1, 2

_RANGES: Final = {
    "int": (-(2**63), 2**63 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint8": (0, 255),
}


class EmptyMap(dict[str, Any]):
    """A map that was given and held nothing when it was read."""

    __slots__ = ()

    def copy(self) -> "EmptyMap":
        """It stays what it is."""
        return EmptyMap(self)


def omission(field: Field) -> int:
    """When a field is left out of what is written."""
    if field.type.kind == "struct":
        # Go takes no struct for empty. The one that may be left out as zero is a time, which is none then.
        return EMPTY if field.omitzero else ALWAYS
    if not field.omitempty:
        return ALWAYS
    return NIL if field.type.kind == "ptr" else EMPTY


class Reader(NamedTuple):
    """How one type is read."""

    read: Read
    plain: type | None = None


class Readers:
    """The readers of all types, made as they are needed."""

    def __init__(self, types: Table) -> None:
        self._types = types
        self._made: dict[str, Reader] = {}

    def of(self, target: Type) -> Reader:
        """The reader of a type."""
        if not target.name:
            return self._make(target)
        if target.name not in self._made:
            self._made[target.name] = self._make(target)
        return self._made[target.name]

    def _make(self, target: Type) -> Reader:
        if target.special:
            return Reader(self._special(target))
        match target.kind:
            case "struct":
                return Reader(self._struct(target))
            case "ptr":
                return self._pointer(target)
            case "slice":
                return Reader(self._bytes(target) if target.go == "[]uint8" else self._list(target))
            case "map":
                return Reader(self._map(target))
            case "string":
                return Reader(_scalar(target, ""), str)
            case "bool":
                return Reader(_scalar(target, False), bool)
            case "float64":
                return Reader(_float(target))
            case "interface":
                return Reader(lambda value, path, found: value)
            case _:
                return Reader(_integer(target))

    def _struct(self, target: Type) -> Read:
        members: dict[str, tuple[type | None, int, Read, Step]] = {}
        always: list[tuple[str, Read]] = []

        def prepare() -> None:
            name = target.go.rpartition(".")[2]
            for field in self._types.fields(target.name).values():
                reader, omit = self.of(field.type), omission(field)
                step = Step(name, field.name, field.within)
                members[field.name] = (reader.plain, omit, reader.read, step)
                if omit == ALWAYS:
                    always.append((field.name, reader.read))

        def read(value: Any, path: Path, found: Findings) -> dict[str, Any]:
            if not members:
                prepare()
            result: dict[str, Any] = {}
            if value.__class__ is dict:
                for name, item in value.items():
                    member = members.get(name)
                    if member is None:
                        found.unknown(path, name)
                        continue
                    if found.duplicates:
                        found.repeated(path, name)
                    plain, omit, inner, step = member
                    own = item if item.__class__ is plain else inner(item, (path, step), found)
                    # A pointer may point to what is written as null, such as the time zero.
                    if own or omit == ALWAYS or (omit == NIL and item is not None):
                        result[name] = own
                    elif own.__class__ is list or own.__class__ is EmptyMap:
                        result[name] = own
                        found.hollow = True
            elif value is not None:
                found.misfit(path, value, target.go)
            for name, zero in always:
                if name not in result:
                    result[name] = zero(None, None, found)
            return result

        return read

    def _pointer(self, target: Type) -> Reader:
        assert target.item is not None
        inner, plain = self.of(target.item)

        def read(value: Any, path: Path, found: Findings) -> Any:
            return None if value is None else inner(value, path, found)

        return Reader(read, plain)

    def _list(self, target: Type) -> Read:
        assert target.item is not None
        inner, plain = self.of(target.item)

        def read(value: Any, path: Path, found: Findings) -> list[Any] | None:
            if value.__class__ is list:
                return [
                    item if item.__class__ is plain else inner(item, (path, index), found)
                    for index, item in enumerate(value)
                ]
            if value is not None:
                found.misfit(path, value, target.go)
            return None

        return read

    def _map(self, target: Type) -> Read:
        assert target.item is not None
        inner, plain = self.of(target.item)
        # In protobuf a value of a map is never missing: bytes that are none are empty.
        none = "" if target.item.go == "[]uint8" else None

        def read(value: Any, path: Path, found: Findings) -> dict[str, Any] | None:
            if value.__class__ is dict:
                items = {}
                for name, item in value.items():
                    if found.duplicates:
                        found.repeated(path, name)
                    own = item if item.__class__ is plain else inner(item, (path, name), found)
                    items[name] = none if own is None else own
                return items or EmptyMap()
            if value is not None:
                found.misfit(path, value, target.go)
            return None

        return read

    def _bytes(self, target: Type) -> Read:
        numbers = self._list(target)

        def read(value: Any, path: Path, found: Findings) -> str | None:
            if isinstance(value, str):
                try:
                    return base64.normalise(value)
                except base64.Base64Error as error:
                    found.broken(str(error))
                    return None
            items = numbers(value, path, found)
            return None if items is None else base64.encode(items)

        return read

    def _special(self, target: Type) -> Read:
        if (reader := READERS.get(target.name)) is not None:
            return reader
        schema = self._types.type("apiextensions/v1.JSONSchemaProps")
        either = {
            "apiextensions/v1.JSONSchemaPropsOrBool": (schema, None),
            "apiextensions/v1.JSONSchemaPropsOrArray": (schema, self._types.type("[]apiextensions/v1.JSONSchemaProps")),
            "apiextensions/v1.JSONSchemaPropsOrStringArray": (schema, self._types.type("[]string")),
        }
        one, many = either[target.name]
        return _either(self.of(one).read, None if many is None else self.of(many).read)


def _scalar(target: Type, zero: object) -> Read:
    def read(value: Any, path: Path, found: Findings) -> Any:
        if value is not None:
            found.misfit(path, value, target.go)
        return zero

    return read


def _integer(target: Type) -> Read:
    low, high = _RANGES[target.kind]

    def read(value: Any, path: Path, found: Findings) -> Any:
        if value.__class__ is int and low <= value <= high:
            return value
        if value is not None:
            found.misfit(path, value, target.go, exact=isinstance(value, (int, float)) and value.__class__ is not bool)
        return 0

    return read


def _float(target: Type) -> Read:
    def read(value: Any, path: Path, found: Findings) -> int | float:
        numeric = isinstance(value, (int, float)) and value.__class__ is not bool
        if numeric and isfinite(as_float(value)):
            return number(as_float(value))
        if value is not None:
            found.misfit(path, value, target.go, exact=numeric)
        return 0

    return read


def _either(one: Read, many: Read | None) -> Read:
    """A schema, or else a list; or, without `many`, a boolean. Go reads them apart, and without complaints."""

    def read(value: Any, path: Path, found: Findings) -> Any:
        apart = Findings()
        result = None
        if isinstance(value, dict):
            result = one(value, (path, APART), apart)
        elif many is None:
            if not isinstance(value, bool):
                raise Undecodable("boolean or JSON schema expected")
            return value
        elif isinstance(value, list):
            result = many(value, (path, APART), apart) or None
        if apart.error is not None:
            raise Undecodable(apart.error)
        return result

    return read


@cache
def readers() -> Readers:
    """The readers of the table's types."""
    return Readers(table())
