"""Kinds: what a value in a rule is, on both sides at once.

A kind says what Python knows of a value and what Kubernetes' CEL makes of it: a `datetime` field is a timestamp
there, a `Duration` a string that must be parsed, a `Quantity` an int-or-string, a list with `ListSet` one whose
equality forgets the order. `kind_of` reads a field's shape; what CEL cannot see at all is refused with the reason.
"""

import typing
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal

from kubewright.model.duration import Duration
from kubewright.model.fields import Field
from kubewright.model.markers import (
    EmbeddedResource,
    Format,
    Fragment,
    ListMap,
    ListSet,
    Nullable,
    PreserveUnknown,
    Schemaless,
    SchemaType,
)
from kubewright.model.meta import fields_of, info_of
from kubewright.model.metadata import ObjectMeta
from kubewright.model.quantity import Quantity
from kubewright.model.shape import Choice, IntOrString, ListOf, MapOf, Scalar, Shape, StructOf

__all__ = [
    "BOOL",
    "BYTES",
    "DOUBLE",
    "DURATION",
    "INT",
    "INT_OR_STRING",
    "MATCH",
    "MISSING",
    "NONE",
    "PATTERN",
    "QUANTITY",
    "SPAN",
    "STRING",
    "TIMESTAMP",
    "UNION",
    "ChoiceKind",
    "Kind",
    "ListKind",
    "MapKind",
    "Refusal",
    "SetKind",
    "StructKind",
    "base_of",
    "choice_of",
    "has_server_default",
    "holds_model",
    "item_of",
    "kind_of",
    "unequal",
]


class Refusal(Exception):
    """Why something cannot be expressed; the line is added by whoever knows it."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class Kind:
    """What a value is. `label` is how an error calls it."""

    label: str


@dataclass(frozen=True, slots=True)
class Simple(Kind):
    """A kind without parts."""

    label: str


BOOL = Simple("a bool")
INT = Simple("an int")
DOUBLE = Simple("a float")
STRING = Simple("a string")
BYTES = Simple("bytes")
TIMESTAMP = Simple("a datetime")
#: A `timedelta`, which is what two datetimes differ by.
SPAN = Simple("a timedelta")
DURATION = Simple("a Duration")
QUANTITY = Simple("a Quantity")
INT_OR_STRING = Simple("an int-or-string")
UNION = Simple("a union of models")
NONE = Simple("None")
#: What `re.match` answers; good for its truth alone.
MATCH = Simple("a match")
PATTERN = Simple("a compiled pattern")
#: A required field of an object that does not have it: reading it raises, here and there.
MISSING = Simple("missing")


@dataclass(frozen=True, slots=True)
class ChoiceKind(Kind):
    """A `Literal` or an `Enum`: a string or an int of which the few possible values are known."""

    base: Simple
    values: tuple[str | int, ...]
    enum: type[Enum] | None = None

    @property
    def label(self) -> str:  # type: ignore[override]  # computed
        """As an error calls it."""
        return f"the enum {self.enum.__name__}" if self.enum else f"one of {', '.join(map(repr, self.values))}"


@dataclass(frozen=True, slots=True)
class ListKind(Kind):
    """A list. Items of a field have a `shape`; those of a list that the rule made are of kind `item` as they are."""

    item: Kind | None = None
    shape: Shape | None = None
    #: What Kubernetes knows it as; "unordered" is one made from a map, whose order nobody knows.
    form: Literal["list", "set", "map", "tuple", "unordered"] = "list"
    label = "a list"


@dataclass(frozen=True, slots=True)
class SetKind(Kind):
    """A Python set; in CEL the list, or the map with the keys, that it was made from."""

    of: "ListKind | MapKind"
    label = "a set"


@dataclass(frozen=True, slots=True)
class MapKind(Kind):
    """A dictionary with string keys."""

    item: Kind | None = None
    shape: Shape | None = None
    label = "a dict"


@dataclass(frozen=True, slots=True)
class StructKind(Kind):
    """A Model. Of `metadata` at the root of a resource, and of one embedded, the server shows two fields only."""

    annotation: Any
    role: Literal["plain", "root", "embedded"] = "plain"

    @property
    def label(self) -> str:  # type: ignore[override]  # computed
        """As an error calls it."""
        return typing.cast("str", (typing.get_origin(self.annotation) or self.annotation).__name__)


_SCALARS: dict[Any, Simple] = {
    str: STRING,
    int: INT,
    float: DOUBLE,
    bool: BOOL,
    datetime: TIMESTAMP,
    bytes: BYTES,
    Duration: DURATION,
    Quantity: QUANTITY,
    IntOrString: INT_OR_STRING,
}
#: Formats that make CEL see something else than the string it is in Python.
_OWN_FORMATS: dict[Any, str | None] = {datetime: "date-time", bytes: "byte", Duration: None}
#: Keywords with which a `Fragment` changes what CEL sees.
_TYPE_KEYWORDS = {
    "type",
    "format",
    "nullable",
    "items",
    "additionalProperties",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-type",
}
_PARSED_FORMATS = {"byte": "bytes", "date-time": "datetime", "date": "datetime", "duration": "kw.Duration"}


def kind_of(shape: Shape) -> Kind:
    """What the values of a shape are, or a refusal where CEL does not see them."""
    if _reshaped(shape):
        raise Refusal("its schema is not the one of its Python type, so a rule cannot read it; use kw.CEL")
    if isinstance(shape, Scalar):
        named = shape.marker(Format)
        if shape.python is str and named and named.name in _PARSED_FORMATS:
            better = _PARSED_FORMATS[named.name]
            raise Refusal(f"CEL reads a string of format {named.name!r} as something else; make the field {better}")
        if isinstance(shape.python, typing.Hashable) and shape.python in _SCALARS:
            return _SCALARS[shape.python]
        raise Refusal("the API server knows no type for it, so a rule cannot see it")
    if isinstance(shape, Choice):
        return ChoiceKind(STRING if shape.sort == "string" else INT, shape.values, shape.enum)
    if isinstance(shape, ListOf):
        kind_of(shape.item)
        form: Literal["list", "set", "map"] = "list"
        if shape.marker(ListMap):
            form = "map"
        elif shape.marker(ListSet):
            form = "set"
        return ListKind(shape=shape.item, form=form)
    if isinstance(shape, MapOf):
        kind_of(shape.value)
        return MapKind(shape=shape.value)
    if isinstance(shape, StructOf):
        return StructKind(shape.annotation, "embedded" if shape.marker(EmbeddedResource) else "plain")
    return UNION


def _reshaped(shape: Shape) -> bool:
    """Whether a marker gives the schema another type than the Python one has."""
    if shape.marker(Schemaless) or shape.marker(SchemaType):
        return True
    named = shape.marker(Format)
    if named and isinstance(shape, Scalar) and named.name != _OWN_FORMATS.get(shape.python, named.name):
        return True
    given = shape.marker(Fragment)
    return given is not None and bool(_TYPE_KEYWORDS & given.schema.keys())


def choice_of(enum: type[Enum]) -> ChoiceKind:
    """The kind of an Enum's members."""
    values = tuple(member.value for member in enum)
    return ChoiceKind(INT if isinstance(values[0], int) else STRING, values, enum)


def base_of(kind: Kind) -> Kind:
    """What a kind behaves as: a Literal, and an Enum that is a str or an int, are these; a plain Enum is itself."""
    if isinstance(kind, ChoiceKind) and (kind.enum is None or issubclass(kind.enum, str | int)):
        return kind.base
    return kind


def item_of(kind: ListKind | MapKind) -> Kind | None:
    """The kind of the items or values; None for an empty literal."""
    return kind_of(kind.shape) if kind.shape else kind.item


def has_server_default(field: Field) -> bool:
    """Whether the CRD has a default for the field, so that rules always find it there."""
    declared = field.declaration
    return declared.has_default and declared.default_factory is None and declared.default is not None


def holds_model(kind: Kind) -> bool:
    """Whether a kind is a model or made of some."""
    if isinstance(kind, ListKind | MapKind):
        item = item_of(kind)
        return item is not None and holds_model(item)
    return isinstance(kind, StructKind)


def unequal(kind: Kind) -> str | None:
    """Why CEL's `==` on a kind is not Python's; None where it is."""
    if kind is BYTES:
        return "bytes are not always decoded there"
    if kind in (QUANTITY, DURATION):
        return f"{kind.label} is compared there by its spelling"
    if isinstance(kind, ListKind):
        if kind.form in ("set", "map"):
            return f"a list with kw.List{kind.form.capitalize()} is compared there without its order"
        if kind.form == "tuple":
            return "a tuple never equals a list in Python"
        if kind.form == "unordered":
            return "a list made from a dict has another order there"
        return _unequal_parts(kind)
    if isinstance(kind, MapKind):
        return _unequal_parts(kind)
    if isinstance(kind, StructKind):
        return _unequal_struct(kind)
    return f"{kind.label} cannot be compared" if kind in (UNION, MATCH, PATTERN) else None


def _unequal_parts(kind: ListKind | MapKind) -> str | None:
    if kind.shape and kind.shape.optional:
        return "it may hold None"
    item = item_of(kind)
    # Items the rule computed are durations and quantities already, no longer their spelling.
    return unequal(item) if item and (kind.shape or item not in (QUANTITY, DURATION)) else None


def _unequal_struct(kind: StructKind) -> str | None:
    if kind.annotation is ObjectMeta or kind.role == "embedded":
        return "metadata is not seen whole there"
    if any(isinstance(marker, PreserveUnknown | Fragment) for marker in info_of(kind.annotation).markers):
        return "fields without a type are compared there too"
    for field in fields_of(kind.annotation):
        where = f"{kind.label}.{field.name}"
        if field.declaration.default_factory is not None:
            return f"{where} has a default_factory: absent and empty are not equal there"
        if field.shape.marker(Nullable):
            return f"{where} may be null, which is not absent there"
        try:
            why = unequal(kind_of(field.shape))
        except Refusal as refusal:
            why = refusal.reason
        if why:
            return f"{where}: {why}"
    return None
