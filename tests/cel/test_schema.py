from typing import Any

import pytest

from kubewright.cel.schema import cardinality, schema_type
from kubewright.cel.types import Type

REQUEST = 3 * 1024 * 1024


def typed(schema: dict[str, Any], *, root: bool = False) -> Type:
    found = schema_type(schema, root=root)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "double"),
        ({"type": "boolean"}, "bool"),
        ({"type": "string"}, "string"),
        ({"type": "string", "nullable": True}, "string"),
        ({"type": "string", "format": "date"}, "timestamp"),
        ({"type": "string", "format": "date-time"}, "timestamp"),
        ({"type": "string", "format": "duration"}, "duration"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "format": "uuid"}, "string"),
        ({"x-kubernetes-int-or-string": True}, "dyn"),
        ({"type": "array", "items": {"type": "integer"}}, "list(int)"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "map(string, int)"),
        ({"type": "object", "properties": {}}, "selfType"),
        ({"type": "array", "items": {"type": "object"}}, "list(selfType.@idx)"),
    ],
)
def test_a_schema_has_a_type(schema: dict[str, Any], text: str) -> None:
    assert typed(schema).text == text


@pytest.mark.parametrize(
    "schema",
    [
        {"x-kubernetes-preserve-unknown-fields": True},
        {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
        {"type": "object", "additionalProperties": {}},
        {"type": "array"},
    ],
)
def test_data_without_a_schema_is_out_of_reach(schema: dict[str, Any]) -> None:
    assert schema_type(schema, root=False) is None


def test_only_properties_that_can_be_seen_and_spelled_are_fields() -> None:
    found = typed({"type": "object", "properties": {"a-b": {"type": "string"}, "c": {}, "é": {"type": "string"}}})
    assert {name: field.name for name, field in (found.fields or {}).items()} == {"a__dash__b": "a-b"}


def test_a_reserved_word_may_also_stand_plainly() -> None:
    assert list(typed({"type": "object", "properties": {"if": {"type": "string"}}}).fields or {}) == ["if", "__if__"]


def test_the_root_of_a_resource_has_its_identity() -> None:
    fields = typed({"type": "object", "properties": {"metadata": {"type": "object"}}}, root=True).fields or {}
    assert set(fields) == {"apiVersion", "kind", "metadata"}
    assert set(fields["metadata"].type.fields or {}) == {"name", "generateName"}


def test_an_embedded_resource_has_its_identity_too() -> None:
    embedded = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "string"}}}
    fields = typed({"type": "object", "properties": {"pod": embedded}}).fields or {}
    assert set(fields["pod"].type.fields or {}) == {"apiVersion", "kind", "metadata", "spec"}


def test_a_schema_that_declares_the_identity_itself_keeps_its_own() -> None:
    text = {"type": "string"}
    metadata = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 5}, "generateName": text}}
    schema = {"type": "object", "properties": {"kind": text, "apiVersion": text, "metadata": metadata}}
    name = (typed(schema, root=True).fields or {})["metadata"].type.fields or {}
    assert name["name"].type.max_elements == 20


def test_lists_remember_how_they_compare() -> None:
    found = typed(
        {
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["a", "b"],
            "items": {"type": "object"},
        }
    )
    assert (found.list_type, found.map_keys) == ("map", ("a", "b"))


@pytest.mark.parametrize(
    ("schema", "most"),
    [
        ({"type": "string", "maxLength": 10}, 40),
        ({"type": "string", "maxLength": -1}, 0),
        ({"type": "string"}, REQUEST - 2),
        ({"type": "string", "enum": ["a", "éé"]}, 4),
        ({"type": "string", "format": "byte", "maxLength": 10}, 10),
        ({"type": "string", "format": "date", "maxLength": 10}, 12),
        ({"x-kubernetes-int-or-string": True, "maxLength": 3}, 12),
        ({"type": "array", "maxItems": 7, "items": {"type": "integer"}}, 7),
        ({"type": "array", "items": {"type": "integer"}}, (REQUEST - 2) // 2),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, (REQUEST - 2) // 10),
        ({"type": "object", "maxProperties": 3, "additionalProperties": {"type": "boolean"}}, 3),
        ({"type": "integer"}, 0),
    ],
)
def test_the_largest_value_is_what_the_schema_or_the_request_allows(schema: dict[str, Any], most: int) -> None:
    assert typed(schema).max_elements == most


def test_the_smallest_object_has_what_is_required_and_not_defaulted() -> None:
    properties = {"a": {"type": "boolean"}, "bc": {"type": "string", "default": ""}, "d": {"type": "string"}}
    found = typed({"type": "object", "required": ["a", "bc"], "properties": properties})
    assert found.min_size == 2 + (1 + 4 + 4)
    assert cardinality(found) == REQUEST // 12
