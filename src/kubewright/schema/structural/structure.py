"""Is a schema structural? The rules by which kube-apiserver takes or refuses the schema of a CRD version.

A structural schema says the type of every field outside of `allOf`, `anyOf`, `oneOf` and `not`; only then can the
server prune, default and merge. `check_structural` applies what the server applies on create, in its words and with its
field paths, so that a CRD can be refused before it is sent. There are two walks, as in the server:

1. *structure*: types everywhere, nothing but value validation under the junctors, `metadata` left alone, patterns that
   compile; and every property named under a junctor of the root exists in the structure;
2. *keywords* (`keywords`): what is supported at all, list and map types and their keys, where
   defaults may stand, and the parts of `x-kubernetes-validations` that can be judged without compiling CEL.

A keyword of the wrong JSON type (`type: 5`) would not even be decoded by the server; such findings come alone, in our
words. Whether defaults fit their schema, and what CEL rules mean and cost, is judged elsewhere.

The server visits properties in no order; here they come sorted.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Final, NamedTuple

import re2

from kubewright.cel.escapes import takes_bytes
from kubewright.model.steps import finish, gathered, thinned
from kubewright.schema.raw import (
    KEYWORDS,
    Schema,
    has,
    in_go,
    items_of,
    join,
    misshapen_in_steps,
    properties,
    several,
    unstructurable_pausing,
    values_of,
)
from kubewright.schema.structural.keywords import check_keywords_in_steps
from kubewright.schema.walk.errors import INVALID, FieldError, forbidden, invalid, required

__all__ = ["check_structural", "check_structural_in_steps"]


def check_structural(schema: Schema, path: str = "", *, status_subresource: bool = False) -> list[FieldError]:
    """Everything for which kube-apiserver would refuse the schema, an empty list where it would not.

    `path` is where the schema stands, such as `spec.versions[0].schema.openAPIV3Schema`; fields are told below it.
    With a status subresource the root may hold fewer keywords.
    """
    return finish(check_structural_in_steps(schema, path, status_subresource=status_subresource))


def check_structural_in_steps(
    schema: Schema, path: str, *, status_subresource: bool
) -> Generator[None, None, list[FieldError]]:
    """The same in steps, for a large schema."""
    if malformed := (yield from misshapen_in_steps(schema, path)):
        return malformed
    found = list(_root(schema, path, status_subresource))
    unsupported = yield from thinned(unstructurable_pausing(schema))
    if not unsupported:
        structure = yield from gathered(_structure(schema, path, _ROOT))
        structure += _completeness(schema, schema, path, path)
        found += sorted(structure, key=str)
    found += yield from check_keywords_in_steps(schema, path)
    if unsupported and not found:
        # Everything else of which no structure can be made was found among the keywords.
        found.append(invalid(path, "", "OpenAPIV3Schema 'schema' is not supported"))
    return found


# -- the root

_ROOT_KEYWORDS: Final = (
    *("enum", "maxProperties", "minProperties", "allOf", "oneOf", "anyOf", "not", "default", "additionalProperties"),
    *("patternProperties", "dependencies", "additionalItems", "definitions"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type"),
)
_ROOT_FLAGS: Final = ("nullable", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string")
_ROOT_ALLOWED: Final = (
    "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern "
    "MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
    "XValidations"
)
_ROOT_ONLY: Final = (
    f"only [{_ROOT_ALLOWED}] fields are allowed at the root of the schema if the status subresource is enabled"
)


def _root(schema: Schema, path: str, status_subresource: bool) -> Iterator[FieldError]:
    kind = schema.get("type") or ""
    if status_subresource:
        # In the order of the server's own fields: what comes before the type, the type, the rest.
        refused = bool(schema.get("id") or schema.get("$schema") or has(schema, "$ref"))
        if not refused and kind not in ("", "object"):
            detail = (
                'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
            )
            yield invalid(join(path, "type"), kind, detail)
        elif refused or any(map(schema.get, _ROOT_FLAGS)) or any(has(schema, keyword) for keyword in _ROOT_KEYWORDS):
            yield FieldError(INVALID, path, f"Invalid value: {in_go(schema)}: {_ROOT_ONLY}")
    if schema.get("nullable"):
        yield forbidden(join(path, "nullable"), "nullable cannot be true at the root")


# -- structure


class _Level(NamedTuple):
    """What it is called where a type is missing."""

    type_missing: str


_ROOT: Final = _Level("must not be empty at the root")
_ITEM: Final = _Level("must not be empty for specified array items")
_FIELD: Final = _Level("must not be empty for specified object fields")

_INT_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]


def _structure(schema: Schema, path: str, level: _Level) -> Iterator[FieldError | None]:
    yield None
    kind = schema.get("type") or ""
    items, values = items_of(schema), values_of(schema)
    embedded = bool(schema.get("x-kubernetes-embedded-resource"))
    preserving = bool(schema.get("x-kubernetes-preserve-unknown-fields"))
    int_or_string = bool(schema.get("x-kubernetes-int-or-string"))

    if kind == "array" and items is None:
        yield required(join(path, "items"), "must be specified")
    if items is not None:
        yield from _structure(items, join(path, "items"), _ITEM)
    for name, child in properties(schema):
        yield from _structure(child, f"{join(path, 'properties')}[{name}]", _FIELD)
    if has(schema, "additionalProperties") and level is _ROOT:
        yield forbidden(join(path, "additionalProperties"), "must not be used at the root")
    if values is not None:
        yield from _structure(values, join(path, "additionalProperties"), _FIELD)

    for keyword, set_too in (("preserve-unknown-fields", preserving), ("embedded-resource", embedded)):
        if int_or_string and set_too:
            detail = "must be false if x-kubernetes-int-or-string is true"
            yield invalid(join(path, f"x-kubernetes-{keyword}"), True, detail)

    yield from _junctors(schema, path, skip_any_of=_is_int_or_string(schema), skip_first=True)

    if embedded and kind != "object":
        detail = "must be object if x-kubernetes-embedded-resource is true"
        yield invalid(join(path, "type"), kind, detail) if kind else required(join(path, "type"), detail)
    elif not kind and not int_or_string and not preserving:
        yield required(join(path, "type"), level.type_missing)
    if embedded and has(schema, "additionalProperties"):
        detail = "must not be used if x-kubernetes-embedded-resource is set"
        yield forbidden(join(path, "additionalProperties"), detail)
    if level is _ROOT and kind not in ("", "object"):
        yield invalid(join(path, "type"), kind, "must be object at the root")
    yield from _meta_fields(schema, path, level, embedded)
    if embedded and not preserving and not schema.get("properties"):
        detail = (
            "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"
        )
        yield required(join(path, "properties"), detail)


def _meta_fields(schema: Schema, path: str, level: _Level, embedded: bool) -> Iterator[FieldError]:
    """`kind`, `apiVersion` and `metadata` belong to the server; little may be said of them."""
    fields = dict(properties(schema))
    if level is _ROOT or embedded:
        for name, kind in (("kind", "string"), ("apiVersion", "string"), ("metadata", "object")):
            if name in fields and (given := fields[name].get("type") or "") != kind:
                yield invalid(f"{join(path, 'properties')}[{name}].type", given, f"must be {kind}")
    if level is _ROOT and "metadata" in fields and not _restricts_names_only(fields["metadata"]):
        detail = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        yield forbidden(f"{join(path, 'properties')}[metadata]", detail)


def _restricts_names_only(metadata: Schema) -> bool:
    if (metadata.get("properties") or {}).keys() - {"name", "generateName"}:
        return False
    # What is neither type, default nor properties must be the zero value; an empty list is one only where the server
    # builds the list anew.
    rest = {name: value for name, value in metadata.items() if name not in ("type", "default", "properties")}
    anew = ("enum", "allOf", "anyOf", "oneOf", "items")
    return all(
        value is None or value in ("", False) or (name in anew and not value)
        for name, value in rest.items()
        if name in KEYWORDS
    )


def _is_int_or_string(schema: Schema) -> bool:
    """Whether `anyOf` is the one form in which types may stand under a junctor."""
    alternatives = [{key: value for key, value in each.items() if value} for each in several(schema, "anyOf")]
    return alternatives == _INT_OR_STRING


def _junctors(schema: Schema, path: str, *, skip_any_of: bool, skip_first: bool) -> Iterator[FieldError]:
    if not skip_any_of:
        for index, child in enumerate(several(schema, "anyOf")):
            yield from _nested(child, f"{join(path, 'anyOf')}[{index}]")
    for index, child in enumerate(several(schema, "allOf")):
        skip = skip_first and index == 0 and _is_int_or_string(child)
        yield from _nested(child, f"{join(path, 'allOf')}[{index}]", skip_any_of=skip)
    for index, child in enumerate(several(schema, "oneOf")):
        yield from _nested(child, f"{join(path, 'oneOf')}[{index}]")
    if has(schema, "not"):
        yield from _nested(schema["not"], join(path, "not"))
    if (pattern := schema.get("pattern")) and (problem := _pattern_problem(pattern)):
        detail = f"must be a valid regular expression, but isn't: error parsing regexp: {problem}"
        yield invalid(join(path, "pattern"), pattern, detail)


_FORBIDDEN_NESTED: Final[tuple[tuple[str, str, Callable[[Schema, str], object]], ...]] = (
    ("type", "must be empty to be structural", Mapping.get),
    (
        "additionalProperties",
        "must be undefined to be structural",
        lambda schema, keyword: schema.get(keyword) not in (None, False),
    ),
    ("default", "must be undefined to be structural", has),
    ("title", "must be empty to be structural", Mapping.get),
    ("description", "must be empty to be structural", Mapping.get),
    ("nullable", "must be false to be structural", Mapping.get),
    ("x-kubernetes-preserve-unknown-fields", "must be false to be structural", Mapping.get),
    ("x-kubernetes-embedded-resource", "must be false to be structural", Mapping.get),
    ("x-kubernetes-int-or-string", "must be false to be structural", Mapping.get),
    ("x-kubernetes-list-map-keys", "must be empty to be structural", Mapping.get),
    ("x-kubernetes-list-type", "must be undefined to be structural", has),
    ("x-kubernetes-map-type", "must be undefined to be structural", has),
    ("x-kubernetes-validations", "must be empty to be structural", Mapping.get),
)


def _nested(schema: Schema, path: str, *, skip_any_of: bool = False) -> Iterator[FieldError]:
    """Under a junctor only value validation may stand."""
    yield from _junctors(schema, path, skip_any_of=skip_any_of, skip_first=False)
    if (items := items_of(schema)) is not None:
        yield from _nested(items, join(path, "items"))
    for name, child in properties(schema):
        yield from _nested(child, f"{join(path, 'properties')}[{name}]")
    for keyword, detail, is_set in _FORBIDDEN_NESTED:
        if is_set(schema, keyword):
            yield forbidden(join(path, keyword), detail)
    if "metadata" in (schema.get("properties") or {}):
        yield forbidden(f"{join(path, 'properties')}[metadata]", "must not be specified in a nested context")


_GO_REASONS: Final = {
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "bad repetition operator": "invalid nested repetition operator",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "trailing \\": "trailing backslash at end of expression",
    "invalid named capture group": "invalid named capture",
}


def _pattern_problem(pattern: str) -> str | None:
    """What Go says of a pattern it cannot read. RE2 is the same engine with other words."""
    if takes_bytes(pattern):
        return "invalid escape sequence: `\\C`"
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error as error:
        said = error.args[0]
        reason, _, fragment = (said.decode(errors="replace") if isinstance(said, bytes) else str(said)).partition(": ")
        return f"{_GO_REASONS.get(reason, reason)}: `{fragment}`"
    return None


def _completeness(validation: Schema, structure: Schema, path: str, place: str) -> Iterator[FieldError]:
    """Every field validated under the root's junctors must be in the structure."""
    if has(validation, "not"):
        yield from _alternative(validation["not"], structure, path, join(place, "not"))
    for junctor in ("allOf", "anyOf", "oneOf"):
        for index, child in enumerate(several(validation, junctor)):
            yield from _alternative(child, structure, path, f"{join(place, junctor)}[{index}]")


def _alternative(validation: Schema, structure: Schema | None, path: str, place: str) -> Iterator[FieldError]:
    if structure is None:
        yield required(path, f"because it is defined in {place}")
        return
    yield from _completeness(validation, structure, path, place)
    if (items := items_of(validation)) is not None:
        yield from _alternative(items, items_of(structure), join(path, "items"), join(place, "items"))
    fields = dict(properties(structure))
    for name, child in properties(validation):
        below = f"properties[{name}]"
        yield from _alternative(child, fields.get(name), join(path, below), join(place, below))
