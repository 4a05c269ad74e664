"""From a structural schema to the type that rules see.

What a rule can name follows from the schema: properties under escaped names, the elements of lists, the values of maps.
Data without a schema is out of reach, and so are unknown fields of an object that preserves them. At the root of a
resource, and of a resource embedded in another, `apiVersion`, `kind` and the name in `metadata` are always there.

How large a value may get decides what a rule on it may cost, so every type carries the most elements it can have: what
the schema allows, else what fits into the largest request. How small it may be decides how often it can be repeated
there, and so how often the rule can run.
"""

from collections.abc import Generator, Mapping
from typing import Any, TypeAlias

from kubewright.cel.names import KEYWORDS, RESERVED, escape
from kubewright.cel.types import STRING, Field, Kind, Type
from kubewright.model.steps import finish

__all__ = ["Schema", "cardinality", "schema_type", "schema_type_pausing"]

Schema: TypeAlias = Mapping[str, Any]

# The largest request: 3 MiB.
_LARGEST_REQUEST = 3 * 1024 * 1024
# Room for the quotes, brackets or braces around a value.
_AROUND = 2
# The sizes in JSON of the shortest value of each sort.
_LEAST_STRING = 2
_LEAST_BOOL = 4
_LEAST_NUMBER = 1
_LEAST_DYN = 1
_LEAST_DURATION = 3
_LEAST_DATE = 12
_LEAST_DATE_TIME = 21

_BOOL = Type("bool", "bool", min_size=_LEAST_BOOL)
_DOUBLE = Type("double", "double", min_size=_LEAST_NUMBER)
_INT = Type("int", "int", min_size=_LEAST_NUMBER)


def _timed(kind: Kind, name: str, most: int, least: int) -> Type:
    return Type(kind, f"google.protobuf.{name}", spelling=kind, max_elements=most, min_size=least)


_FORMATS = {
    "duration": _timed("duration", "Duration", 32, _LEAST_DURATION),
    "date": _timed("timestamp", "Timestamp", 12, _LEAST_DATE),
    "date-time": _timed("timestamp", "Timestamp", 32, _LEAST_DATE_TIME),
}


def cardinality(of: Type) -> int:
    """How often values of a type can occur in one request, when nothing but the request's size bounds them."""
    return _LARGEST_REQUEST // (of.min_size + 1)  # with a comma


def schema_type(schema: Schema, *, root: bool, name: str = "selfType") -> Type | None:
    """The type of values of a schema; None when rules cannot see them.

    `root` says that the schema is that of a whole resource. `name` is what messages call the type of an object.
    """
    return finish(schema_type_pausing(schema, root=root, name=name))


def schema_type_pausing(schema: Schema, *, root: bool, name: str = "selfType") -> Generator[None, None, Type | None]:
    """The same for a large schema, with pauses."""
    yield
    if schema.get("x-kubernetes-int-or-string"):
        most = _from_length(schema)
        size = _LARGEST_REQUEST - _AROUND if most is None else most
        return Type("dyn", "dyn", max_elements=size, min_size=_LEAST_DYN)
    match schema.get("type"):
        case "array":
            return (yield from _array(schema, name))
        case "object":
            return (yield from _object(schema, name, root=root))
        case "string":
            return _string(schema)
        case "boolean":
            return _BOOL
        case "number":
            return _DOUBLE
        case "integer":
            return _INT
    return None


def _bound(schema: Schema, keyword: str) -> int | None:
    most = schema.get(keyword)
    return None if most is None else max(most, 0)


def _from_length(schema: Schema) -> int | None:
    """`maxLength` counts characters, sizes are of bytes: up to four each."""
    most = _bound(schema, "maxLength")
    return None if most is None else most * 4


def _inner(schema: Schema, name: str) -> Generator[None, None, Type | None]:
    return schema_type_pausing(schema, root=bool(schema.get("x-kubernetes-embedded-resource")), name=name)


def _array(schema: Schema, name: str) -> Generator[None, None, Type | None]:
    items = schema.get("items")
    element = None if items is None else (yield from _inner(items, f"{name}.@idx"))
    if element is None:
        return None
    most = _bound(schema, "maxItems")
    if most is None:
        # A comma after each element.
        most = (_LARGEST_REQUEST - _AROUND) // (element.min_size + 1)
    list_type = schema.get("x-kubernetes-list-type", "")
    keys = tuple(schema.get("x-kubernetes-list-map-keys") or ())
    return Type(
        "list",
        "list",
        (element,),
        list_type=list_type if list_type in ("set", "map") else "",
        map_keys=keys if list_type == "map" else (),
        max_elements=most,
        min_size=_AROUND,
    )


def _object(schema: Schema, name: str, *, root: bool) -> Generator[None, None, Type | None]:
    values = schema.get("additionalProperties")
    if isinstance(values, Mapping):
        value = yield from _inner(values, f"{name}.@elem")
        if value is None:
            return None
        most = _bound(schema, "maxProperties")
        if most is None:
            # An entry is a key of two characters, its quotes, a colon, the value and a comma.
            most = (_LARGEST_REQUEST - _AROUND) // (value.min_size + 6)
        return Type("map", "map", (STRING, value), max_elements=most, min_size=_AROUND)
    properties: Schema = schema.get("properties") or {}
    if root:
        properties = _with_identity(properties)
    required = frozenset(schema.get("required") or ())
    fields: dict[str, Field] = {}
    size = _AROUND
    for key, property_schema in properties.items():
        spelling = escape(key)
        found = yield from _inner(property_schema, f"{name}.{spelling}")
        if found is None:
            continue
        if key in RESERVED or key in KEYWORDS:
            # As a field a reserved word may also stand plainly. The escaped spelling comes last: it is the proper one.
            fields[key] = Field(key, found)
        if spelling is not None:
            fields[spelling] = Field(key, found)
        # Defaults are filled in by the server, so a request need not carry them.
        if key in required and property_schema.get("default") is None:
            size += len(key.encode(errors="surrogatepass")) + found.min_size + 4
    return Type("struct", name, fields=fields, min_size=size)


_TEXT: Schema = {"type": "string"}
_IDENTITY: Schema = {"type": "object", "properties": {"name": _TEXT, "generateName": _TEXT}}


def _with_identity(properties: Schema) -> Schema:
    """With what every resource has, unless the schema declares all of it itself."""
    metadata = properties.get("metadata", {})
    named = metadata.get("properties") or {}
    if (
        properties.get("kind", {}).get("type") == "string"
        and properties.get("apiVersion", {}).get("type") == "string"
        and metadata.get("type") == "object"
        and named.get("name", {}).get("type") == "string"
        and named.get("generateName", {}).get("type") == "string"
    ):
        return properties
    return {**properties, "kind": _TEXT, "apiVersion": _TEXT, "metadata": _IDENTITY}


def _string(schema: Schema) -> Type:
    form = schema.get("format", "")
    if form in _FORMATS:
        return _FORMATS[form]
    if form == "byte":
        most = _bound(schema, "maxLength")
        size = _LARGEST_REQUEST - _AROUND if most is None else most
        return Type("bytes", "bytes", max_elements=size, min_size=_LEAST_STRING)
    most = _from_length(schema)
    if most is None:
        most = _LARGEST_REQUEST - _AROUND
        if allowed := schema.get("enum"):
            most = max((len(one.encode(errors="surrogatepass")) for one in allowed if isinstance(one, str)), default=0)
    return Type("string", "string", max_elements=most, min_size=_LEAST_STRING)
