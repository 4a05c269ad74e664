"""A schema as it is written: the dictionary of a CRD, read as the server's decoder reads it.

Null is absent, a null property is the empty schema. `misshapen` finds keywords of the wrong JSON type, so that all who
come after may trust the rest; `in_go` shows a schema as the server prints one in a message.

What is asked about a whole schema comes in steps, too (`model.steps`): there are some with thousands of properties.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, Final

from kubewright.model.steps import finish, gathered
from kubewright.schema.walk.errors import FieldError, forbidden, type_invalid
from kubewright.schema.walk.golang import marshal

__all__ = [
    "EMPTY",
    "KEYWORDS",
    "Schema",
    "children",
    "has",
    "has_anywhere",
    "has_rules",
    "has_rules_pausing",
    "in_go",
    "in_go_rule",
    "inside",
    "items_of",
    "join",
    "misshapen",
    "misshapen_in_steps",
    "properties",
    "several",
    "unstructurable",
    "unstructurable_pausing",
    "values_of",
]

_MAX_DEPTH: Final = 200  # schema levels; walks recurse once a level
_GLANCES: Final = 10  # after so many schemas that are looked at in passing there is a pause

Schema = Mapping[str, Any]
EMPTY: Final[Schema] = {}


def join(path: str, name: str) -> str:
    """The path of what stands below."""
    return f"{path}.{name}" if path else name


def properties(schema: Schema) -> list[tuple[str, Schema]]:
    """The named fields, sorted."""
    return [(name, child or EMPTY) for name, child in sorted((schema.get("properties") or {}).items())]


def several(schema: Schema, junctor: str) -> list[Schema]:
    """The schemas under `allOf` or its kin."""
    return [child or EMPTY for child in schema.get(junctor) or ()]


def items_of(schema: Schema) -> Schema | None:
    """The schema of a list's items."""
    items = schema.get("items")
    return items if isinstance(items, Mapping) else None


def values_of(schema: Schema) -> Schema | None:
    """The schema of a map's values."""
    values = schema.get("additionalProperties")
    return values if isinstance(values, Mapping) else None


def has(schema: Schema, keyword: str) -> bool:
    """Whether a keyword that may be any value, zero too, is there."""
    return schema.get(keyword) is not None


def has_rules(schema: Schema) -> bool:
    """Whether a schema has rules in CEL where they are run."""
    return finish(has_rules_pausing(schema))


def has_rules_pausing(schema: Schema) -> Generator[None, None, bool]:
    """The same, with pauses."""
    return has_anywhere(schema, lambda each: bool(each.get("x-kubernetes-validations")))


def has_anywhere(
    schema: Schema, test: Callable[[Schema], bool], inner: Callable[[Schema], Iterable[object]] | None = None
) -> Generator[None, None, bool]:
    """Whether something is true of a schema, or of one inside it; with pauses. `inner` are those directly within."""
    pending: list[object] = [schema]
    count = 0
    while pending:
        each = pending.pop()
        if not isinstance(each, Mapping):
            continue
        if test(each):
            return True
        pending += (inner or _structural)(each)
        count += 1
        if count % _GLANCES == 0:
            yield
    return False


def _structural(schema: Schema) -> Iterable[object]:
    """The schemas directly within that make the structure."""
    values, items = schema.get("additionalProperties"), schema.get("items")
    fields = schema.get("properties")
    return (*fields.values(), values, items) if fields else (values, items)


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("id", "$schema", "$ref", "description", "type", "format", "title", "pattern"), (str,)),
    **dict.fromkeys(("x-kubernetes-list-type", "x-kubernetes-map-type"), (str,)),
    **dict.fromkeys(("nullable", "exclusiveMaximum", "exclusiveMinimum", "uniqueItems"), (bool,)),
    **dict.fromkeys(("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"), (bool,)),
    **dict.fromkeys(("x-kubernetes-int-or-string",), (bool,)),
    **dict.fromkeys(("maximum", "minimum", "multipleOf"), (int, float)),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"), (int,)),
    **dict.fromkeys(("enum", "required", "allOf", "anyOf", "oneOf"), (list,)),
    **dict.fromkeys(("x-kubernetes-list-map-keys", "x-kubernetes-validations"), (list,)),
    **dict.fromkeys(("properties", "patternProperties", "definitions", "dependencies", "externalDocs"), (dict,)),
    **dict.fromkeys(("not",), (dict,)),
    **dict.fromkeys(("items",), (dict, list)),
    **dict.fromkeys(("additionalProperties", "additionalItems"), (dict, bool)),
}
_NAMES: Final = {str: "a string", bool: "true or false", int: "an integer", float: "a number", dict: "an object"}
_STRINGS: Final = ("required", "x-kubernetes-list-map-keys")
_RULE_TEXTS: Final = ("rule", "message", "messageExpression", "reason", "fieldPath")


def misshapen(schema: Any, path: str) -> list[FieldError]:
    """Keywords that are not what the decoder expects."""
    return finish(misshapen_in_steps(schema, path))


def misshapen_in_steps(schema: Any, path: str) -> Generator[None, None, list[FieldError]]:
    """The same in steps."""
    return gathered(_misshapen(schema, path, 0))


def _misshapen(schema: Any, path: str, depth: int) -> Iterator[FieldError | None]:
    if depth > _MAX_DEPTH:
        yield forbidden(path[:60] + "…", f"schemas may be nested {_MAX_DEPTH} levels deep")
        return
    if not isinstance(schema, Mapping):
        yield type_invalid(path, schema, "must be an object")
        return
    yield None
    found: list[FieldError] = []
    for keyword, value in schema.items():
        wanted = _TYPES.get(keyword)
        if wanted is None or value is None:
            continue
        if not _is(value, wanted):
            names = " or ".join(_NAMES.get(kind, "a list") for kind in wanted)
            found.append(type_invalid(join(path, keyword), value, f"must be {names}"))
        elif keyword in _STRINGS and not all(isinstance(member, str) for member in value):
            found.append(type_invalid(join(path, keyword), value, "must be a list of strings"))
        elif keyword == "x-kubernetes-validations":
            found += _misshapen_rules(value, join(path, keyword))
    yield from found
    if not found:
        for place, child in children(schema, path):
            yield from _misshapen(child, place, depth + 1)


def _is(value: object, wanted: tuple[type, ...]) -> bool:
    """isinstance, but true and false are no numbers."""
    return isinstance(value, wanted) and (bool in wanted or not isinstance(value, bool))


def _misshapen_rules(rules: list[object], path: str) -> Iterator[FieldError]:
    for index, rule in enumerate(rules):
        if not isinstance(rule, Mapping):
            yield type_invalid(f"{path}[{index}]", rule, "must be an object")
            continue
        for keyword in _RULE_TEXTS:
            if not isinstance(rule.get(keyword) or "", str):
                yield type_invalid(f"{path}[{index}].{keyword}", rule[keyword], "must be a string")


def children(schema: Schema, path: str) -> Iterator[tuple[str, object]]:
    """Every schema directly within, of all keywords, allowed or not."""
    for keyword in ("properties", "patternProperties", "definitions"):
        for name, child in (schema.get(keyword) or {}).items():
            if child is not None:
                yield f"{join(path, keyword)}[{name}]", child
    for name, child in (schema.get("dependencies") or {}).items():
        if child is not None and not isinstance(child, list):  # a list names properties
            yield f"{join(path, 'dependencies')}[{name}]", child
    for keyword in ("allOf", "anyOf", "oneOf", "items"):
        if isinstance(members := schema.get(keyword), list):
            for index, child in enumerate(members):
                if child is not None:
                    yield f"{join(path, keyword)}[{index}]", child
    for keyword in ("not", "items", "additionalProperties", "additionalItems"):
        if isinstance(child := schema.get(keyword), Mapping):
            yield join(path, keyword), child


_NAMED: Final = frozenset(("properties", "patternProperties", "definitions", "dependencies"))
_UNNAMED: Final = frozenset(("allOf", "anyOf", "oneOf", "not", "items", "additionalProperties", "additionalItems"))


def inside(schema: Schema) -> list[object]:
    """The same in any order and without places, sooner; what is no schema may be among them."""
    found: list[object] = []
    for keyword, value in schema.items():
        if not value:
            continue
        if keyword in _NAMED:
            found += value.values()
        elif keyword in _UNNAMED:
            found += value if isinstance(value, list) else (value,)
    return found


def unstructurable(schema: Schema) -> bool:
    """Whether there is something of which no structure can be made."""
    return finish(unstructurable_pausing(schema))


def unstructurable_pausing(schema: Schema) -> Generator[None, None, bool]:
    """The same, with pauses."""
    return has_anywhere(schema, _is_odd, inside)


def _is_odd(schema: Schema) -> bool:
    return (
        any(map(schema.get, ("id", "$schema", "$ref", "patternProperties", "dependencies", "definitions")))
        or has(schema, "additionalItems")
        or schema.get("x-kubernetes-preserve-unknown-fields") is False
        or (isinstance(schema.get("items"), list) and schema["items"] != [])
    )


_GO_FIELDS: Final[tuple[tuple[str, str, object], ...]] = (
    *(("ID", "id", ""), ("Schema", "$schema", ""), ("Ref", "$ref", None), ("Description", "description", "")),
    *(("Type", "type", ""), ("Nullable", "nullable", False), ("Format", "format", ""), ("Title", "title", "")),
    *(("Default", "default", None), ("Maximum", "maximum", None), ("ExclusiveMaximum", "exclusiveMaximum", False)),
    *(("Minimum", "minimum", None), ("ExclusiveMinimum", "exclusiveMinimum", False), ("MaxLength", "maxLength", None)),
    *(("MinLength", "minLength", None), ("Pattern", "pattern", ""), ("MaxItems", "maxItems", None)),
    *(("MinItems", "minItems", None), ("UniqueItems", "uniqueItems", False), ("MultipleOf", "multipleOf", None)),
    *(("Enum", "enum", None), ("MaxProperties", "maxProperties", None), ("MinProperties", "minProperties", None)),
    *(("Required", "required", None), ("Items", "items", None), ("AllOf", "allOf", None), ("OneOf", "oneOf", None)),
    *(("AnyOf", "anyOf", None), ("Not", "not", None), ("Properties", "properties", None)),
    *(("AdditionalProperties", "additionalProperties", None), ("PatternProperties", "patternProperties", None)),
    *(("Dependencies", "dependencies", None), ("AdditionalItems", "additionalItems", None)),
    *(("Definitions", "definitions", None), ("ExternalDocs", "externalDocs", None), ("Example", "example", None)),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", None),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", False),
    ("XIntOrString", "x-kubernetes-int-or-string", False),
    ("XListMapKeys", "x-kubernetes-list-map-keys", None),
    ("XListType", "x-kubernetes-list-type", None),
    ("XMapType", "x-kubernetes-map-type", None),
    ("XValidations", "x-kubernetes-validations", None),
)
#: Every keyword there is; others are passed over.
KEYWORDS: Final = frozenset(keyword for _, keyword, _ in _GO_FIELDS)
_GO_RULE: Final = (
    *(("Rule", "rule", ""), ("Message", "message", ""), ("MessageExpression", "messageExpression", "")),
    *(("Reason", "reason", None), ("FieldPath", "fieldPath", ""), ("OptionalOldSelf", "optionalOldSelf", None)),
)


def in_go(schema: Schema) -> str:
    """The schema, or its list of `items`, as the server prints its own form of one: every field, set or not."""
    return marshal(_go_struct(schema) if isinstance(schema, Mapping) else _go_value("items", schema), sort=False)


def in_go_rule(rule: Mapping[str, Any]) -> str:
    """A rule in CEL, printed the same way."""
    return marshal(_go_rule(rule), sort=False)


def _go_rule(rule: Mapping[str, Any]) -> dict[str, object]:
    return {name: zero if rule.get(key) is None else rule[key] for name, key, zero in _GO_RULE}


def _go_struct(schema: Schema) -> dict[str, object]:
    return {
        name: zero if schema.get(keyword) is None else _go_value(keyword, schema[keyword])
        for name, keyword, zero in _GO_FIELDS
    }


def _go_value(keyword: str, value: Any) -> object:
    match keyword:
        case "not":
            return _go_struct(value)
        case "allOf" | "anyOf" | "oneOf":
            return [_go_struct(each or EMPTY) for each in value]
        case "properties" | "patternProperties" | "definitions":
            return {name: _go_struct(each or EMPTY) for name, each in sorted(value.items())}
        case "items" if isinstance(value, list):
            return {"Schema": None, "JSONSchemas": [_go_struct(each or EMPTY) for each in value]}
        case "items":
            return {"Schema": _go_struct(value), "JSONSchemas": None}
        case "additionalProperties" | "additionalItems":
            return {"Allows": value is not False, "Schema": None if isinstance(value, bool) else _go_struct(value)}
        case "dependencies":
            return {
                name: {"Schema": None, "Property": each}
                if isinstance(each, list)
                else {"Schema": _go_struct(each or EMPTY), "Property": None}
                for name, each in sorted(value.items())
            }
        case "externalDocs":
            return {"Description": value.get("description") or "", "URL": value.get("url") or ""}
        case "x-kubernetes-validations":
            return [_go_rule(rule) for rule in value]
        case _:
            return json.loads(marshal(value))  # any JSON, its keys sorted
