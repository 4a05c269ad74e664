"""A structural schema, read once.

`read` turns the OpenAPI dictionary of a CRD into a tree of `Node`s, so that everything compiled from it works on typed
values, and a malformed schema is refused here, in one sentence with the place, and never later while an object is
walked. Keywords that Kubernetes forbids in a CRD (`$ref`, `definitions`, `patternProperties`, `dependencies`,
`uniqueItems`, a list of `items`) are refused too; annotations such as descriptions are passed over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from kubewright.errors import KubewrightError
from kubewright.schema.formats import known_format
from kubewright.schema.walk.golang import as_float
from kubewright.schema.walk.values import stored

__all__ = ["MAX_DEPTH", "Node", "SchemaError", "read"]

# Walks recurse up to five frames a level (`anyOf` in `anyOf`); this keeps the deepest of them well within Python's
# default stack of 1000.
MAX_DEPTH = 100

_REFUSED = ("$ref", "definitions", "dependencies", "patternProperties", "additionalItems", "id", "$schema")


class SchemaError(KubewrightError):
    """The schema itself is malformed."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One level of a structural schema. `format` is empty where the server ignores the one that was given."""

    types: tuple[str, ...]
    format: str
    nullable: bool
    default: object
    enum: tuple[object, ...]
    properties: dict[str, "Node"]
    additional: "Node | bool | None"
    items: "Node | None"
    required: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    exclusive_minimum: bool
    exclusive_maximum: bool
    multiple_of: float | None
    min_length: int | None
    max_length: int | None
    pattern: str
    min_items: int | None
    max_items: int | None
    min_properties: int | None
    max_properties: int | None
    all_of: tuple["Node", ...]
    any_of: tuple["Node", ...]
    one_of: tuple["Node", ...]
    negated: "Node | None"
    embedded: bool
    preserve: bool
    list_type: str
    list_keys: tuple[str, ...]


def read(schema: Mapping[str, object], *, path: str = "", depth: int = 0) -> Node:
    """Read one schema; `path` is where it stands, for the error."""
    if depth > MAX_DEPTH:
        raise SchemaError(f"the schema is nested more than {MAX_DEPTH} levels deep at {_short(path)}: flatten it")
    take = _Taker(schema, path)
    for keyword in _REFUSED:
        if schema.get(keyword):
            take.refuse(keyword, "is not allowed in a structural schema")
    if take.boolean("uniqueItems"):
        take.refuse("uniqueItems", "may not be true: use x-kubernetes-list-type: set")

    def child(value: object, *where: str) -> Node:
        place = ".".join(filter(None, (path, *where)))
        if not isinstance(value, Mapping):
            raise SchemaError(f"the schema at {_short(place)} must be an object, not {_kind(value)}")
        return read(value, path=place, depth=depth + 1)

    def several(keyword: str) -> tuple[Node, ...]:
        nodes = take.sequence(keyword)
        return tuple(child(node, f"{keyword}[{index}]") for index, node in enumerate(nodes))

    additional = schema.get("additionalProperties")
    items, negated = schema.get("items"), schema.get("not")
    declared = take.string("type")
    types = ("integer", "string") if take.boolean("x-kubernetes-int-or-string") else (declared,) if declared else ()
    return Node(
        types=types,
        format=known_format(take.string("format"), types[0] if len(types) == 1 else ""),
        nullable=take.boolean("nullable"),
        default=stored(schema.get("default")),
        enum=tuple(map(stored, take.sequence("enum"))),
        properties={name: child(value, "properties", name) for name, value in take.mapping("properties").items()},
        additional=additional
        if additional is None or isinstance(additional, bool)
        else child(additional, "additionalProperties"),
        items=None if items is None else child(items, "items"),
        required=tuple(take.strings("required")),
        minimum=take.number("minimum"),
        maximum=take.number("maximum"),
        exclusive_minimum=take.boolean("exclusiveMinimum"),
        exclusive_maximum=take.boolean("exclusiveMaximum"),
        multiple_of=take.number("multipleOf"),
        min_length=take.integer("minLength"),
        max_length=take.integer("maxLength"),
        pattern=take.string("pattern"),
        min_items=take.integer("minItems"),
        max_items=take.integer("maxItems"),
        min_properties=take.integer("minProperties"),
        max_properties=take.integer("maxProperties"),
        all_of=several("allOf"),
        any_of=several("anyOf"),
        one_of=several("oneOf"),
        negated=None if negated is None else child(negated, "not"),
        embedded=take.boolean("x-kubernetes-embedded-resource"),
        preserve=take.boolean("x-kubernetes-preserve-unknown-fields"),
        list_type=take.string("x-kubernetes-list-type"),
        list_keys=tuple(take.strings("x-kubernetes-list-map-keys")),
    )


class _Taker:
    """Takes keywords out of one schema, each with the type it must have; null counts as absent."""

    def __init__(self, schema: Mapping[str, object], path: str) -> None:
        self.schema = schema
        self.path = path

    def refuse(self, keyword: str, why: str) -> NoReturn:
        raise SchemaError(f"{keyword} at {_short(self.path)} {why}")

    def _expect(self, keyword: str, wanted: str) -> NoReturn:
        self.refuse(keyword, f"must be {wanted}, not {_kind(self.schema[keyword])}")

    def string(self, keyword: str) -> str:
        value = self.schema.get(keyword)
        if value is None:
            return ""
        return value if isinstance(value, str) else self._expect(keyword, "a string")

    def boolean(self, keyword: str) -> bool:
        value = self.schema.get(keyword)
        if value is None:
            return False
        return value if isinstance(value, bool) else self._expect(keyword, "true or false")

    def integer(self, keyword: str) -> int | None:
        value = self.schema.get(keyword)
        if value is None:
            return None
        return value if isinstance(value, int) and not isinstance(value, bool) else self._expect(keyword, "an integer")

    def number(self, keyword: str) -> float | None:
        value = self.schema.get(keyword)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return as_float(value)
        return self._expect(keyword, "a number")

    def sequence(self, keyword: str) -> list[object]:
        value = self.schema.get(keyword)
        if value is None:
            return []
        return value if isinstance(value, list) else self._expect(keyword, "a list")

    def strings(self, keyword: str) -> list[str]:
        values = self.sequence(keyword)
        texts = [value for value in values if isinstance(value, str)]
        return texts if len(texts) == len(values) else self.refuse(keyword, "must be a list of strings")

    def mapping(self, keyword: str) -> Mapping[str, object]:
        value = self.schema.get(keyword)
        if value is None:
            return {}
        return value if isinstance(value, Mapping) else self._expect(keyword, "an object")


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null" if value is None else type(value).__name__)


def _short(path: str) -> str:
    """The place of a schema, short enough to be read: the root has no name, a deep one shows both its ends."""
    if not path:
        return "the root"
    return path if len(path) <= 200 else f"{path[:90]} … {path[-90:]}"
