"""The vocabulary with which a type says more than Python's annotations can.

A marker stands in `Annotated[...]`, on a field or anywhere inside its type, or in a class's `markers=[...]`:

    image: Annotated[str, kw.MinLength(1)]
    ports: Annotated[list[Annotated[int, kw.Range(1, 65535)]], kw.MaxItems(16), kw.ListSet()]

    class Source(kw.Model, markers=[kw.ExactlyOneOf("git", "http")]): ...

Each marker is one keyword (or a few) of the structural schema: `fragment` says which, `on` says on which sorts of type
it makes sense, `fault` what is impossible about its own values.
"""

from typing import ClassVar, Literal

import msgspec

__all__ = [
    "CEL",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Atomic",
    "Default",
    "Description",
    "EmbeddedResource",
    "ExactlyOneOf",
    "Example",
    "ExternalDocs",
    "FieldGroup",
    "Format",
    "Fragment",
    "Granular",
    "Immutable",
    "ListMap",
    "ListSet",
    "Marker",
    "MaxItems",
    "MaxLength",
    "MaxProperties",
    "Maximum",
    "MinItems",
    "MinLength",
    "MinProperties",
    "Minimum",
    "MultipleOf",
    "Nullable",
    "Pattern",
    "PreserveUnknown",
    "Range",
    "RuleReason",
    "SchemaType",
    "Schemaless",
    "Title",
]


RuleReason = Literal["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]

_ANY = frozenset({"string", "integer", "number", "boolean", "list", "map", "struct", "int-or-string", "any"})


class Marker:
    """What every marker is: a value that adds a fragment to a schema."""

    __slots__ = ()
    on: ClassVar[frozenset[str]] = _ANY

    def fragment(self) -> dict[str, object]:
        """The schema keywords this marker stands for."""
        return {}

    def fault(self) -> str | None:
        """What is impossible about this marker whatever it stands on, in words that finish the sentence "… is"."""
        return None


class _Value(Marker, msgspec.Struct, frozen=True):
    """A marker with named parts."""


class _Json(_Value, frozen=True, eq=False):
    """A marker that carries JSON.

    Typing keeps one of equal annotations, by hash and equality: so there is a hash, and `true` is not 1.
    """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and repr(other) == repr(self)

    def __hash__(self) -> int:
        return hash(type(self))


class _Names(Marker):
    """A marker that is a row of field names."""

    __slots__ = ("names",)
    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        self.names = names

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, _Names) and other.names == self.names

    def __hash__(self) -> int:
        return hash((type(self), self.names))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.names))})"


class _Count(_Value, frozen=True):
    """A bound on a size: never negative."""

    n: int
    keyword: ClassVar[str]

    def fragment(self) -> dict[str, object]:
        return {self.keyword: self.n}

    def fault(self) -> str | None:
        wrong = not isinstance(self.n, int) or self.n < 0
        return f"{type(self).__name__}({self.n!r}): a size is a whole number, never negative" if wrong else None


class MinLength(_Count, frozen=True):
    """At least `n` characters."""

    on: ClassVar = frozenset({"string"})
    keyword: ClassVar = "minLength"


class MaxLength(_Count, frozen=True):
    """At most `n` characters."""

    on: ClassVar = frozenset({"string"})
    keyword: ClassVar = "maxLength"


class MinItems(_Count, frozen=True):
    """At least `n` items."""

    on: ClassVar = frozenset({"list"})
    keyword: ClassVar = "minItems"


class MaxItems(_Count, frozen=True):
    """At most `n` items."""

    on: ClassVar = frozenset({"list"})
    keyword: ClassVar = "maxItems"


class MinProperties(_Count, frozen=True):
    """At least `n` keys."""

    on: ClassVar = frozenset({"map", "struct"})
    keyword: ClassVar = "minProperties"


class MaxProperties(_Count, frozen=True):
    """At most `n` keys."""

    on: ClassVar = frozenset({"map", "struct"})
    keyword: ClassVar = "maxProperties"


_NUMERIC = frozenset({"integer", "number"})


class Minimum(_Value, frozen=True):
    """Not less than `value`; with `exclusive`, more than it."""

    on: ClassVar = _NUMERIC
    value: int | float
    exclusive: bool = False

    def fragment(self) -> dict[str, object]:
        return {"minimum": self.value, **({"exclusiveMinimum": True} if self.exclusive else {})}


class Maximum(_Value, frozen=True):
    """Not more than `value`; with `exclusive`, less than it."""

    on: ClassVar = _NUMERIC
    value: int | float
    exclusive: bool = False

    def fragment(self) -> dict[str, object]:
        return {"maximum": self.value, **({"exclusiveMaximum": True} if self.exclusive else {})}


class Range(_Value, frozen=True):
    """From `minimum` to `maximum`, both included."""

    on: ClassVar = _NUMERIC
    minimum: int | float
    maximum: int | float

    def fragment(self) -> dict[str, object]:
        return {"minimum": self.minimum, "maximum": self.maximum}

    def fault(self) -> str | None:
        empty = self.minimum > self.maximum
        return f"Range({self.minimum}, {self.maximum}): no number lies in it" if empty else None


class MultipleOf(_Value, frozen=True):
    """A multiple of `value`."""

    on: ClassVar = _NUMERIC
    value: int | float

    def fragment(self) -> dict[str, object]:
        return {"multipleOf": self.value}

    def fault(self) -> str | None:
        return f"MultipleOf({self.value}): the divisor must be more than 0" if self.value <= 0 else None


class Pattern(_Value, frozen=True):
    """Contains a match of this RE2 expression; anchor it (`^…$`) to mean the whole string."""

    on: ClassVar = frozenset({"string"})
    regex: str

    def fragment(self) -> dict[str, object]:
        return {"pattern": self.regex}


class Format(_Value, frozen=True):
    """An OpenAPI format. The server checks those it knows (`ipv4`, `uri`, `date-time`, …) and ignores others.

    `Format("")` takes away the one a Python type brings.
    """

    on: ClassVar = frozenset({"string", "integer", "number"})
    name: str

    def fragment(self) -> dict[str, object]:
        return {"format": self.name}


class SchemaType(_Value, frozen=True):
    """Say another OpenAPI type than the Python one implies."""

    name: Literal["string", "integer", "number", "boolean", "array", "object"]

    def fragment(self) -> dict[str, object]:
        return {"type": self.name}


class ListMap(_Names):
    """A list that is a map: items are told apart by these fields (Python names), and merged one by one on apply."""

    __slots__ = ()
    on: ClassVar = frozenset({"list"})

    def fault(self) -> str | None:
        return None if self.names else 'ListMap(): name at least one key field, as in ListMap("name")'


class ListSet(_Value, frozen=True):
    """A list without repetition, whose items are owned one by one on apply."""

    on: ClassVar = frozenset({"list"})

    def fragment(self) -> dict[str, object]:
        return {"x-kubernetes-list-type": "set"}


class Atomic(_Value, frozen=True):
    """A list, map or struct that is replaced as a whole on apply."""

    on: ClassVar = frozenset({"list", "map", "struct"})


class Granular(_Value, frozen=True):
    """A map or struct whose fields are owned one by one on apply (the default, said aloud)."""

    on: ClassVar = frozenset({"map", "struct"})

    def fragment(self) -> dict[str, object]:
        return {"x-kubernetes-map-type": "granular"}


class Nullable(_Value, frozen=True):
    """`null` is a value of its own here: it is kept by the server, and `None` is sent as `null`."""

    def fragment(self) -> dict[str, object]:
        return {"nullable": True}


class EmbeddedResource(_Value, frozen=True):
    """The value is a whole Kubernetes object: it has apiVersion, kind and metadata."""

    on: ClassVar = frozenset({"map", "struct", "any"})

    def fragment(self) -> dict[str, object]:
        return {"x-kubernetes-embedded-resource": True}


class PreserveUnknown(_Value, frozen=True):
    """The server keeps fields the schema does not name, from here down."""

    on: ClassVar = frozenset({"map", "struct", "any"})

    def fragment(self) -> dict[str, object]:
        return {"x-kubernetes-preserve-unknown-fields": True}


class Schemaless(_Value, frozen=True):
    """Leave the Python type out of the schema: only the other markers of this field count."""


class Fragment(_Json, frozen=True):
    """A piece of schema as it stands: the escape hatch for what has no spelling of its own, such as `oneOf` and `not`.

    On a class, `properties` and `required` add to those of its fields.
    """

    schema: dict[str, object]

    def fragment(self) -> dict[str, object]:
        return dict(self.schema)


class Title(_Value, frozen=True):
    """A short name for people."""

    text: str

    def fragment(self) -> dict[str, object]:
        return {"title": self.text}


class Description(_Value, frozen=True):
    """What the field means; wins over the docstring."""

    text: str

    def fragment(self) -> dict[str, object]:
        return {"description": self.text}


class Example(_Json, frozen=True):
    """A value as an example, in JSON form."""

    value: object

    def fragment(self) -> dict[str, object]:
        return {"example": self.value}


class ExternalDocs(_Value, frozen=True):
    """Where to read more."""

    url: str
    description: str = ""

    def fragment(self) -> dict[str, object]:
        described = {"description": self.description} if self.description else {}
        return {"externalDocs": {**described, "url": self.url}}


class CEL(_Value, frozen=True):
    """A validation rule in CEL as it stands; `kw.rule` writes them in Python."""

    rule: str
    message: str = ""
    message_expression: str = ""
    reason: RuleReason | None = None
    field_path: str = ""
    optional_old_self: bool = False

    def fragment(self) -> dict[str, object]:
        rule: dict[str, object] = {"rule": self.rule}
        if self.message:
            rule["message"] = self.message
        if self.message_expression:
            rule["messageExpression"] = self.message_expression
        if self.reason:
            rule["reason"] = self.reason
        if self.field_path:
            rule["fieldPath"] = self.field_path
        if self.optional_old_self:
            rule["optionalOldSelf"] = True
        return {"x-kubernetes-validations": [rule]}


class Default(_Json, frozen=True):
    """A default for the server alone, in JSON form: in Python an absent field reads as the class says."""

    value: object

    def fragment(self) -> dict[str, object]:
        return {"default": self.value}


class Immutable(_Value, frozen=True):
    """Once written, the value stays."""

    def fragment(self) -> dict[str, object]:
        return CEL("self == oldSelf", message="field is immutable").fragment()


class FieldGroup(_Names):
    """A rule on how many of some optional fields of a class are set. Fields by their Python names."""

    __slots__ = ()
    on: ClassVar = frozenset({"struct"})

    def fault(self) -> str | None:
        return f"{self!r}: name at least two fields" if len(set(self.names)) < 2 else None


class ExactlyOneOf(FieldGroup):
    """Exactly one of these fields is set."""

    __slots__ = ()


class AtMostOneOf(FieldGroup):
    """At most one of these fields is set."""

    __slots__ = ()


class AtLeastOneOf(FieldGroup):
    """At least one of these fields is set."""

    __slots__ = ()
