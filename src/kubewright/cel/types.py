"""The types of CEL, how messages spell them, and when one stands for another.

A `Type` is a kind, a name and parameters. Two types are the same when these agree; what else a type carries (fields of
an object, how a list from a schema is to be compared, how large a value may get) is knowledge about values and takes no
part in it.

Type parameters are resolved by unification. `Substitution` holds what is known of them; `assignable` extends it, and
takes back whatever it had assumed when the answer is no, so a long expression never copies it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kubewright.errors import KubewrightError

__all__ = [
    "ANY",
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "DYN",
    "ERROR",
    "INT",
    "NULL",
    "OBJECT",
    "PATCH",
    "STRING",
    "TIMESTAMP",
    "TYPE",
    "UINT",
    "Field",
    "Kind",
    "Substitution",
    "Type",
    "TypeTooLarge",
    "list_of",
    "made_type",
    "map_of",
    "most_general",
    "object_type",
    "opaque",
    "optional_of",
    "parameter",
    "type_of",
    "wrapper",
]

Kind: TypeAlias = Literal[
    "any",
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "error",
    "int",
    "list",
    "map",
    "null",
    "opaque",
    "parameter",
    "string",
    "struct",
    "timestamp",
    "type",
    "uint",
]


# A chain of map literals doubles its type with every link; nobody reads a type as long as this.
_MOST = 20_000


class TypeTooLarge(KubewrightError):
    """A type grew beyond what any expression needs."""

    def __init__(self) -> None:
        super().__init__("the type of the expression is nested too deeply to be checked")


class Type:
    """One type. `text` is its spelling in messages; `fields` is None unless the type is an object's."""

    __slots__ = (
        "fields",
        "key",
        "kind",
        "list_type",
        "map_keys",
        "max_elements",
        "min_size",
        "name",
        "nullable",
        "params",
        "text",
        "variable",
    )

    def __init__(
        self,
        kind: Kind,
        name: str,
        params: tuple["Type", ...] = (),
        *,
        spelling: str = "",
        nullable: bool = False,
        fields: "Mapping[str, Field] | None" = None,
        list_type: str = "",
        map_keys: tuple[str, ...] = (),
        max_elements: int = 0,
        min_size: int = 0,
    ) -> None:
        self.kind: Kind = kind
        self.name = name
        self.params = params
        self.nullable = nullable
        self.fields = fields
        # `set` and `map` as x-kubernetes-list-type says it: such lists compare and add without regard to order.
        self.list_type = list_type
        self.map_keys = map_keys
        # Of a type that comes from a schema: the most elements, characters or bytes that a valid value has, and the
        # bytes of the smallest in JSON. Scalars have no elements.
        self.max_elements = max_elements
        self.min_size = min_size
        # Whether a type parameter occurs in it: if not, there is nothing to substitute.
        self.variable: bool = kind == "parameter"
        if not params:
            self.key: str = f"{kind} {name}"
            self.text: str = f"wrapper({name})" if nullable else spelling or name
        elif len(params) == 1:
            (inner,) = params
            self.variable = inner.variable
            self.key = f"{kind} {name}({inner.key})"
            self.text = f"{name}({inner.text})"
        else:
            self.variable = any(param.variable for param in params)
            self.key = f"{kind} {name}({','.join([param.key for param in params])})"
            self.text = f"{name}({', '.join([param.text for param in params])})"
        if len(self.key) > _MOST:
            raise TypeTooLarge

    def __repr__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.key == other.key and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object type: `name` is the key in the object, which the expression may spell escaped."""

    name: str
    type: Type


ANY = Type("any", "google.protobuf.Any", spelling="any")
BOOL = Type("bool", "bool")
BYTES = Type("bytes", "bytes")
DOUBLE = Type("double", "double")
DURATION = Type("duration", "google.protobuf.Duration", spelling="duration")
DYN = Type("dyn", "dyn")
ERROR = Type("error", "error", spelling="!error!")
INT = Type("int", "int")
NULL = Type("null", "null_type", spelling="null")
STRING = Type("string", "string")
TIMESTAMP = Type("timestamp", "google.protobuf.Timestamp", spelling="timestamp")
TYPE = Type("type", "type")
UINT = Type("uint", "uint")


def list_of(element: Type) -> Type:
    """`list(element)`."""
    return Type("list", "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """`map(key, value)`."""
    return Type("map", "map", (key, value))


def optional_of(value: Type) -> Type:
    """A value that may be absent."""
    return Type("opaque", "optional_type", (value,))


def type_of(value: Type) -> Type:
    """The type of `value` itself, as `type(x)` gives it."""
    return Type("type", "type", (value,))


def opaque(name: str, *params: Type) -> Type:
    """An abstract type: values of it have functions, but no fields."""
    return Type("opaque", name, params)


def object_type(name: str, fields: Mapping[str, Field]) -> Type:
    """An object with known fields, by the names under which expressions select them."""
    return Type("struct", name, fields=fields)


class _Open(dict[str, Field]):
    """Fields of which some are known, and any other is anything."""

    def get(self, name: str, default: object = None) -> Field:
        return super().get(name) or Field(name, DYN)


#: What a policy makes of an object, and each change that it makes in one.
OBJECT = object_type("Object", _Open())
PATCH = object_type(
    "JSONPatch",
    _Open({name: Field(name, DYN if name == "value" else STRING) for name in ("op", "from", "path", "value")}),
)


def made_type(name: str) -> Type | None:
    """What a policy makes by that name: an object, a part of one, or a patch."""
    if name == PATCH.name:
        return PATCH
    return object_type(name, _Open()) if name == OBJECT.name or name.startswith(f"{OBJECT.name}.") else None


def parameter(name: str) -> Type:
    """A type yet to be found."""
    return Type("parameter", name)


def wrapper(value: Type) -> Type:
    """`value` or null."""
    return Type(value.kind, value.name, value.params, nullable=True, fields=value.fields)


_SCALARS = frozenset(
    ("bool", "bytes", "double", "int", "string", "uint", "any", "duration", "timestamp", "struct")
)  # kinds that agree by name alone
_NULLABLE = frozenset(("opaque", "struct", "any", "duration", "timestamp"))  # null may always stand for these
_COMPOUND = frozenset(("opaque", "list", "map", "type"))


class Substitution:
    """What is known so far of the type parameters of an expression."""

    __slots__ = ("_known", "_trail")

    def __init__(self) -> None:
        self._known: dict[str, Type] = {}
        # What was overwritten, newest last: undoing to a mark forgets everything since.
        self._trail: list[tuple[str, Type | None]] = []

    def bind(self, variable: Type, to: Type) -> None:
        name = variable.name
        self._trail.append((name, self._known.get(name)))
        self._known[name] = to

    def assignable(self, value: Type, to: Type) -> bool:
        """Whether `value` may stand where `to` is asked for; what that implies is kept only when it may."""
        if not value.variable and not to.variable:
            return self._assignable(value, to)
        mark = len(self._trail)
        return self._assignable(value, to) or self._undo(mark)

    def all_assignable(self, values: Sequence[Type], to: Sequence[Type]) -> bool:
        """`assignable` for each pair, all or none."""
        if len(values) != len(to):
            return False
        mark = len(self._trail)
        for value, wanted in zip(values, to, strict=True):
            if value is not wanted and not self._assignable(value, wanted):
                return self._undo(mark)
        return True

    def resolve(self, given: Type, *, free_as_dyn: bool = False) -> Type:
        """`given` with every known parameter replaced; those that stay free become dyn on request."""
        if not given.variable:
            return given
        if given.kind == "parameter":
            known = self._known.get(given.name)
            if known is not None:
                return self.resolve(known, free_as_dyn=free_as_dyn)
            return DYN if free_as_dyn else given
        return Type(given.kind, given.name, tuple([self.resolve(p, free_as_dyn=free_as_dyn) for p in given.params]))

    def _undo(self, mark: int) -> Literal[False]:
        trail, known = self._trail, self._known
        while len(trail) > mark:
            name, before = trail.pop()
            if before is None:
                del known[name]
            else:
                known[name] = before
        return False

    def _assignable(self, value: Type, to: Type) -> bool:
        kind, wanted = value.kind, to.kind
        if wanted == "parameter":
            valid, had = self._substitutes(value, to)
            if valid:
                return True
            if had:
                return False
        if kind == "parameter":
            return self._substitutes(to, value)[0]
        if kind == "dyn" or wanted == "dyn" or kind in ("any", "error") or wanted in ("any", "error"):
            return True
        if kind == "null":
            return wanted in _NULLABLE or wanted == "null" or to.nullable
        if wanted == "null":
            return kind in _NULLABLE or value.nullable
        if kind in _SCALARS:
            return kind == wanted and value.name == to.name
        if kind == "type":
            return wanted == "type"
        if kind != wanted or value.name != to.name or len(value.params) != len(to.params):
            return False
        for mine, theirs in zip(value.params, to.params, strict=True):  # noqa: SIM110 - a generator costs twice as much
            if not self._assignable(mine, theirs):
                return False
        return True

    def _substitutes(self, value: Type, variable: Type) -> tuple[bool, bool]:
        """Whether `value` may stand for `variable`, and whether something was known of it."""
        if value.key == variable.key:
            return True, True
        known = self._known.get(variable.name)
        if known is not None:
            if value.key == known.key:
                return True, True
            if not self._assignable(value, known):
                return False, True
            wider = most_general(value, known)
            if not self._occurs(variable, wider):
                self.bind(variable, wider)
            return True, True
        if self._occurs(variable, value):
            return False, False
        self.bind(variable, value)
        return True, False

    def _occurs(self, variable: Type, within: Type) -> bool:
        if variable.key == within.key:
            return True
        if not within.variable:
            return False
        if within.kind == "parameter":
            known = self._known.get(within.name)
            return known is not None and self._occurs(variable, known)
        return any(self._occurs(variable, param) for param in within.params)


def most_general(one: Type, other: Type) -> Type:
    """Of two types that unify, the one that says less."""
    return one if _says_no_more(one, other) else other


def _says_no_more(one: Type, other: Type) -> bool:
    if one.kind in ("dyn", "any", "parameter"):
        return True
    if other.kind in ("dyn", "any", "parameter") or one.kind != other.kind:
        return False
    if one.kind == "type":
        return True
    if one.kind in _COMPOUND:
        return (
            one.name == other.name
            and len(one.params) == len(other.params)
            and all(_says_no_more(mine, theirs) for mine, theirs in zip(one.params, other.params, strict=True))
        )
    return one.key == other.key
