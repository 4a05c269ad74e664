"""A structural schema, read once.

`read` turns the OpenAPI dictionary of a CRD into a tree of `Node`s, so that everything compiled from it works on typed
values, and a malformed schema is refused here, in one sentence with the place, and never later while an object is
walked. Keywords that Kubernetes forbids in a CRD (`$ref`, `definitions`, `patternProperties`, `dependencies`,
`uniqueItems`, a list of `items`) are refused too; annotations such as descriptions are passed over.

The schemas of some kinds have thousands of properties, and an object has a few of them. Who knows that a schema is well
formed has it read `lazily`: what a large schema says of a property is read when it is first asked for (`Unread`), and
what is compiled of it then, too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from kubewright.errors import KubewrightError
from kubewright.schema.formats import known_format
from kubewright.schema.walk.golang import as_float
from kubewright.schema.walk.values import stored

__all__ = ["MAX_DEPTH", "Node", "SchemaError", "Unread", "is_large", "is_shared", "read"]

# Walks recurse up to five frames a level (`anyOf` in `anyOf`); this keeps the deepest of them well within Python's
# default stack of 1000.
MAX_DEPTH = 100

#: A schema with more schemas in it than that is large: to read and compile so many takes some milliseconds.
_LARGE: Final = 150
#: What is in a large one is read and compiled at once if it is not larger than that.
_UNIT: Final = 30

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
    properties: Mapping[str, "Node"]
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

    @property
    def hollow(self) -> bool:
        """Whether nothing is said of what is in a value."""
        return not self.properties and self.items is None and self.additional is None


class Unread(Mapping[str, Node]):
    """The properties of a large schema, each read when it is first asked for."""

    __slots__ = ("_child", "_read", "raw")

    def __init__(self, raw: Mapping[str, Any], child: Callable[[object, str, str], Node]) -> None:
        #: The schemas as they are written.
        self.raw = raw
        self._child = child
        self._read: dict[str, Node] = {}

    def __getitem__(self, name: str) -> Node:
        found = self._read.get(name)
        if found is None:
            found = self._read[name] = self._child(self.raw[name], "properties", name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self.raw

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def containers(self) -> Iterator[str]:
        """Those in which there can be more than a scalar."""
        return (name for name, schema in self.raw.items() if not _SCALAR.issuperset(schema))


#: Keywords of schemas whose values hold no others that the schema says something of.
_SCALAR: Final = frozenset(
    ("type", "format", "description", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "default")
)


def is_large(schema: Mapping[str, Any]) -> bool:
    """Whether a schema has so much in it that it is not compiled at once."""
    return _is_larger(schema, _LARGE)


def _is_larger(schema: Mapping[str, Any], most: int) -> bool:
    """Whether there are more schemas in a schema than so many."""
    left = most
    pending: list[Any] = [schema]
    while pending:
        each = pending.pop()
        if not isinstance(each, dict):
            continue
        left -= 1
        if left >= 0 and _SCALAR.issuperset(each):
            continue
        properties = each.get("properties")
        if left < 0 or (isinstance(properties, dict) and len(properties) > left):
            return True
        if properties:
            pending += properties.values()
        pending += (each.get("items"), each.get("additionalProperties"), each.get("not"))
        for junctor in ("allOf", "anyOf", "oneOf"):
            pending += each.get(junctor) or ()
    return False


def read(schema: Mapping[str, object], *, path: str = "", depth: int = 0, lazily: bool = False) -> Node:
    """Read one schema; `path` is where it stands, for the error.

    `lazily`: it is known to be well formed, and where it is large, its properties are read as they are asked for.
    """
    if depth > MAX_DEPTH:
        raise SchemaError(f"the schema is nested more than {MAX_DEPTH} levels deep at {_short(path)}: flatten it")
    take = _Taker(schema, path)
    for keyword in _REFUSED:
        if schema.get(keyword):
            take.refuse(keyword, "is not allowed in a structural schema")
    if take.boolean("uniqueItems"):
        take.refuse("uniqueItems", "may not be true: use x-kubernetes-list-type: set")

    # Whatever is in a small one is small.
    large = lazily and (_is_larger(schema, _UNIT) if depth else is_large(schema))

    def child(value: object, *where: str) -> Node:
        place = ".".join(filter(None, (path, *where)))
        if not isinstance(value, Mapping):
            raise SchemaError(f"the schema at {_short(place)} must be an object, not {_kind(value)}")
        if depth < MAX_DEPTH and _BARE.issuperset(value) and (plain := _plain(value.get("type"))) is not None:
            return plain
        return read(value, path=place, depth=depth + 1, lazily=large)

    def several(keyword: str) -> tuple[Node, ...]:
        nodes = take.sequence(keyword)
        return tuple(child(node, f"{keyword}[{index}]") for index, node in enumerate(nodes))

    additional = schema.get("additionalProperties")
    items, negated = schema.get("items"), schema.get("not")
    named = take.mapping("properties")
    declared = take.string("type")
    types = ("integer", "string") if take.boolean("x-kubernetes-int-or-string") else (declared,) if declared else ()
    return Node(
        types=types,
        format=known_format(take.string("format"), types[0] if len(types) == 1 else ""),
        nullable=take.boolean("nullable"),
        default=stored(schema.get("default")),
        enum=tuple(map(stored, take.sequence("enum"))),
        properties=Unread(named, child)
        if large and named
        else {name: child(value, "properties", name) for name, value in named.items()},
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


#: Most schemas of a scalar say no more than its type, and share their nodes.
_BARE: Final = frozenset(("type", "description"))
_nodes: Final[dict[str, Node]] = {}


def _plain(kind: object) -> Node | None:
    """The node of a type about which nothing else is said."""
    if kind not in ("string", "integer", "boolean", "number"):
        return None
    assert isinstance(kind, str)
    if kind not in _nodes:
        _nodes[kind] = read({"type": kind})
    return _nodes[kind]


def is_shared(node: Node) -> bool:
    """Whether a node is one of the few that many schemas have."""
    return _nodes.get("".join(node.types)) is node


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
