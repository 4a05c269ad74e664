"""Which keywords a CRD's schema may use, and how: the second of kube-apiserver's two walks over it.

What is supported at all, where defaults may stand, how list and map types go with their items and keys, and the parts
of `x-kubernetes-validations` that can be judged without compiling CEL. `structure` is the first
walk and puts both together.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Final, NamedTuple

from kubewright.model.steps import finish, gathered
from kubewright.schema.places import place
from kubewright.schema.raw import (
    EMPTY,
    Schema,
    has,
    in_go,
    items_of,
    join,
    properties,
    several,
    unstructurable,
)
from kubewright.schema.walk.errors import INVALID, FieldError, forbidden, invalid, not_supported, required

__all__ = ["check_keywords", "check_keywords_in_steps"]

_KINDS: Final = ("array", "boolean", "integer", "number", "object", "string")
_REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_META_FIELDS: Final = frozenset(("metadata", "kind", "apiVersion"))


class _Place(NamedTuple):
    """Where a schema stands: what may be defaulted there, and whether it describes metadata."""

    is_root: bool = False
    inside_meta: bool = False
    no_defaults: str = ""


def check_keywords(schema: Schema, path: str) -> list[FieldError]:
    """What is wrong with the keywords of a whole schema."""
    return finish(check_keywords_in_steps(schema, path))


def check_keywords_in_steps(schema: Schema, path: str) -> Generator[None, None, list[FieldError]]:
    """The same in steps, for a large schema."""
    return gathered(_keywords(schema, path, _Place(is_root=True)))


def _keywords(schema: Schema, path: str, place: _Place) -> Iterator[FieldError | None]:
    yield None
    yield from _supported(schema, path, place)
    below = place._replace(is_root=False)
    if schema.get("uniqueItems"):
        detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield forbidden(join(path, "uniqueItems"), detail)
    values, fields = schema.get("additionalProperties"), properties(schema)
    if values is not None and values is not True and fields:
        detail = "additionalProperties and properties are mutual exclusive"
        yield forbidden(join(path, "additionalProperties"), detail)
    if isinstance(values, Mapping):
        no_defaults = "inside additionalProperties applying to object metadata" if place.inside_meta else ""
        inner = below._replace(no_defaults=no_defaults or place.no_defaults)
        yield from _keywords(values, join(path, "additionalProperties"), inner)
    for name, child in fields:
        inner = below
        if name in _META_FIELDS and (place.is_root or schema.get("x-kubernetes-embedded-resource")):
            no_defaults = f"in top-level {name}" if place.is_root else place.no_defaults
            inner = _Place(inside_meta=True, no_defaults=no_defaults)
        yield from _keywords(child, f"{join(path, 'properties')}[{name}]", inner)
    if has(schema, "not"):
        yield from _keywords(schema["not"], join(path, "not"), below)
    for junctor in ("allOf", "oneOf", "anyOf"):
        for index, child in enumerate(several(schema, junctor)):
            yield from _keywords(child, f"{join(path, junctor)}[{index}]", below)
    for name, child in sorted((schema.get("definitions") or {}).items()):
        yield from _keywords(child or EMPTY, f"{join(path, 'definitions')}[{name}]", below)
    if (items := items_of(schema)) is not None:
        yield from _keywords(items, join(path, "items"), below)
    elif isinstance(schema.get("items"), list):
        for index, child in enumerate(several(schema, "items")):
            yield from _keywords(child, f"{join(path, 'items')}[{index}]", below)
    for name, child in sorted((schema.get("dependencies") or {}).items()):
        if isinstance(child, Mapping):
            yield from _keywords(child, f"{join(path, 'dependencies')}[{name}]", below)
    if schema.get("x-kubernetes-preserve-unknown-fields") is False:
        yield invalid(join(path, "x-kubernetes-preserve-unknown-fields"), False, "must be true or undefined")
    yield from _map_type(schema, path)
    yield from _list_type(schema, path)
    for index, rule in enumerate(schema.get("x-kubernetes-validations") or ()):
        yield from _rule(rule, f"{join(path, 'x-kubernetes-validations')}[{index}]", schema)


def _supported(schema: Schema, path: str, place: _Place) -> Iterator[FieldError]:
    kind = schema.get("type") or ""
    if kind and kind not in _KINDS:
        yield not_supported(join(path, "type"), kind, _KINDS)
    if has(schema, "default") and place.no_defaults:
        yield forbidden(join(path, "default"), f"must not be set {place.no_defaults}")
    if schema.get("id"):
        yield forbidden(join(path, "id"), "id is not supported")
    for keyword in ("additionalItems", "patternProperties", "definitions", "dependencies", "$ref"):
        empty_counts = keyword not in ("patternProperties", "definitions")
        if schema.get(keyword) or (empty_counts and has(schema, keyword)):
            yield forbidden(join(path, keyword), f"{keyword} is not supported")
    if kind == "null":
        yield forbidden(join(path, "type"), "type cannot be set to null, use nullable as an alternative")
    if isinstance(items := schema.get("items"), list) and items:
        yield forbidden(join(path, "items"), "items must be a schema object and not an array")
    if place.inside_meta and schema.get("x-kubernetes-embedded-resource"):
        detail = "must not be used inside of resource meta"
        yield forbidden(join(path, "x-kubernetes-embedded-resource"), detail)


def _of_type(schema: Schema, path: str, wanted: str, keyword: str) -> Iterator[FieldError]:
    kind = schema.get("type") or ""
    if kind != wanted:
        detail = f"must be {wanted} if {keyword} is specified"
        yield invalid(join(path, "type"), kind, detail) if kind else required(join(path, "type"), detail)


def _map_type(schema: Schema, path: str) -> Iterator[FieldError]:
    map_type = schema.get("x-kubernetes-map-type")
    if map_type is None:
        return
    yield from _of_type(schema, path, "object", "x-kubernetes-map-type")
    if map_type not in ("atomic", "granular"):
        yield not_supported(join(path, "x-kubernetes-map-type"), map_type, ("atomic", "granular"))


def _list_type(schema: Schema, path: str) -> Iterator[FieldError]:
    list_type, keys = schema.get("x-kubernetes-list-type"), schema.get("x-kubernetes-list-map-keys") or []
    items = items_of(schema)
    at = join(path, "x-kubernetes-list-type")
    if list_type is not None:
        wrong = list(_of_type(schema, path, "array", "x-kubernetes-list-type"))
        yield from wrong
        if not wrong and list_type == "set" and items is not None:
            yield from _set_items(items, join(path, "items"))
        if list_type not in ("atomic", "set", "map"):
            yield not_supported(at, list_type, ("atomic", "set", "map"))
    if keys and list_type != "map":
        detail = "must be map if x-kubernetes-list-map-keys is non-empty"
        yield required(at, detail) if list_type is None else invalid(at, list_type, detail)
    if list_type == "map":
        yield from _map_items(schema, keys, items, path)
    if list_type in ("set", "map") and items is not None:
        if items.get("nullable"):
            detail = f"cannot be nullable when x-kubernetes-list-type is {list_type}"
            yield forbidden(f"{join(path, 'items')}.nullable", detail)
        if list_type == "map":
            yield from _map_keys(items, keys, join(path, "items.properties"))


def _set_items(items: Schema, path: str) -> Iterator[FieldError]:
    """Members of a set are compared as a whole, so they must be atomic."""
    detail = "must be atomic as item of a list with x-kubernetes-list-type=set"
    kind, list_type = items.get("type"), items.get("x-kubernetes-list-type")
    if kind == "array" and list_type not in (None, "atomic"):
        yield invalid(f"{path}.x-kubernetes-list-type", list_type, detail)
    if kind == "object" and items.get("x-kubernetes-map-type") != "atomic":
        # The server shows the list type here, which an object has not.
        yield invalid(f"{path}.x-kubernetes-map-type", list_type, detail)


def _map_items(schema: Schema, keys: list[str], items: Schema | None, path: str) -> Iterator[FieldError]:
    at = join(path, "x-kubernetes-list-map-keys")
    if not keys:
        yield required(at, "must not be empty if x-kubernetes-list-type is map")
    if not has(schema, "items"):
        yield required(join(path, "items"), "must have a schema if x-kubernetes-list-type is map")
    elif items is None:
        detail = "must only have a single schema if x-kubernetes-list-type is map"
        yield FieldError(INVALID, join(path, "items"), f"Invalid value: {in_go(schema['items'])}: {detail}")
    elif (kind := items.get("type") or "") != "object":
        detail = "must be object if parent array's x-kubernetes-list-type is map"
        yield invalid(join(path, "items.type"), kind, detail)
    else:
        fields = dict(properties(items))
        for index, key in enumerate(keys):
            if key not in fields:
                yield invalid(at, keys, "entries must all be names of item properties")
            elif fields[key].get("type") in ("array", "object"):
                detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
                yield invalid(join(path, f"items.properties[{key}].type"), kind, detail)
            if key in keys[:index]:
                yield invalid(at, keys, "must not contain duplicate entries")


def _map_keys(items: Schema, keys: list[str], path: str) -> Iterator[FieldError]:
    """A key must be there whenever the item is."""
    fields = dict(properties(items))
    for key in keys:
        if key not in fields:
            continue
        why = "this property is in x-kubernetes-list-map-keys, so it "
        if key not in (items.get("required") or ()) and not has(fields[key], "default"):
            yield required(f"{path}[{key}].default", f"{why}must have a default or be a required property")
        if fields[key].get("nullable"):
            yield forbidden(f"{path}[{key}].nullable", f"{why}cannot be nullable")


def _rule(rule: Mapping[str, Any], path: str, schema: Schema) -> Iterator[FieldError]:
    """What can be said of a CEL rule without reading it."""
    expression, message, field_path = (rule.get(key) or "" for key in ("rule", "message", "fieldPath"))
    if not expression.strip():
        yield required(f"{path}.rule", "rule is not specified")
    elif message and not message.strip():
        yield invalid(f"{path}.message", message, "must be non-empty if specified")
    elif _breaks_line(message.strip()):
        yield invalid(f"{path}.message", message, "must not contain line breaks")
    elif _breaks_line(expression.strip()) and not message:
        yield required(f"{path}.message", "message must be specified if rule contains line breaks")
    if (computed := rule.get("messageExpression") or "") and not computed.strip():
        yield required(f"{path}.messageExpression", "messageExpression must be non-empty if specified")
    if (reason := rule.get("reason")) is not None and reason not in _REASONS:
        yield not_supported(f"{path}.reason", reason, _REASONS)
    if field_path:
        if not field_path.strip():
            yield invalid(f"{path}.fieldPath", field_path, "must be non-empty if specified")
        if _breaks_line(field_path):
            yield invalid(f"{path}.fieldPath", field_path, "must not contain line breaks")
        if not unstructurable(schema) and place(field_path, schema) is None:
            yield invalid(f"{path}.fieldPath", field_path, "must be a valid path")


def _breaks_line(text: str) -> bool:
    return "\n" in text or "\r" in text
