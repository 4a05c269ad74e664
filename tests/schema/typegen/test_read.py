"""Each node of a schema, and the line it becomes. That the way back gives the node again is `test_roundtrip`'s."""

from typing import Any

import pytest

import kubewright as kw
from kubewright.schema.typegen import types_from_crd
from kubewright.schema.types import QUANTITY_PATTERN, schema_of

INT_OR_STRING = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
STRUCT = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "podIP": {"type": "string"}},
    "required": ["name"],
}


def source_of(schema: dict[str, Any]) -> str:
    """The module of a kind whose root has that schema."""
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "test.example.com",
            "names": {"kind": "Thing", "plural": "things"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }
    return types_from_crd(crd)["v1"]


def lines_of(wire: str, node: dict[str, Any]) -> list[str]:
    """The lines a required property becomes, by the last class: the kind's own."""
    source = source_of({"type": "object", "properties": {wire: node}, "required": [wire]})
    body = source[source.rindex("\nclass ") :]
    return [line.strip() for line in body.splitlines()[2:]]


@pytest.mark.parametrize(
    ("node", "annotation"),
    [
        ({"type": "string"}, "str"),
        ({"type": "string", "minLength": 1, "maxLength": 9}, "Annotated[str, kw.MinLength(1), kw.MaxLength(9)]"),
        ({"type": "string", "pattern": r"^\d$"}, r'Annotated[str, kw.Pattern(r"^\d$")]'),
        ({"type": "string", "format": "ipv4"}, 'Annotated[str, kw.Format("ipv4")]'),
        ({"type": "string", "format": "date-time"}, "kw.Time"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "enum": ["a", "b"]}, 'Literal["a", "b"]'),
        ({"type": "integer", "format": "int64"}, "int"),
        ({"type": "integer", "format": "int32"}, "kw.Int32"),
        ({"type": "integer"}, 'Annotated[int, kw.Format("")]'),
        ({"type": "integer", "enum": [1, 2]}, "Literal[1, 2]"),
        ({"type": "integer", "format": "int64", "minimum": 1, "maximum": 9}, "Annotated[int, kw.Range(1, 9)]"),
        (
            {"type": "integer", "format": "int64", "minimum": 1, "exclusiveMinimum": True},
            "Annotated[int, kw.Minimum(1, exclusive=True)]",
        ),
        ({"type": "integer", "format": "int32", "multipleOf": 2}, "Annotated[kw.Int32, kw.MultipleOf(2)]"),
        ({"type": "number"}, "kw.Number"),
        ({"type": "boolean"}, "bool"),
        ({"type": "boolean", "enum": [True]}, 'Annotated[bool, kw.Fragment({"enum": [True]})]'),
        (INT_OR_STRING, "kw.IntOrString"),
        ({**INT_OR_STRING, "pattern": QUANTITY_PATTERN}, "kw.Quantity"),
        (
            {"x-kubernetes-int-or-string": True},
            'Annotated[kw.IntOrString, kw.Schemaless(), kw.Fragment({"x-kubernetes-int-or-string": True})]',
        ),
        ({"x-kubernetes-preserve-unknown-fields": True}, "Any"),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "dict[str, Any]"),
        (
            {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-embedded-resource": True},
            "Annotated[dict[str, Any], kw.EmbeddedResource()]",
        ),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "dict[str, str]"),
        (
            {"type": "object", "additionalProperties": {"x-kubernetes-preserve-unknown-fields": True}},
            "dict[str, Annotated[Any, kw.PreserveUnknown()]]",
        ),
        ({"type": "array", "items": {"type": "string"}}, "list[str]"),
        (
            {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "Annotated[list[str], kw.ListSet()]",
        ),
        (
            {"type": "array", "items": {"type": "string", "maxLength": 3}, "x-kubernetes-list-type": "atomic"},
            "Annotated[list[Annotated[str, kw.MaxLength(3)]], kw.Atomic()]",
        ),
        (
            {
                "type": "array",
                "items": STRUCT,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name", "podIP"],
            },
            'Annotated[list[ThingPart], kw.ListMap("name", "pod_ip")]',
        ),
        (STRUCT, "ThingParts"),
        ({"type": "object"}, "ThingParts"),
        (schema_of(kw.Condition), "kw.Condition"),
        ({"type": "string", "nullable": True}, "Annotated[str | None, kw.Nullable()]"),
        ({"type": "string", "title": "A"}, 'Annotated[str, kw.Title("A")]'),
        ({"type": "string", "example": {"a": [1]}}, 'Annotated[str, kw.Example({"a": [1]})]'),
        (
            {"type": "string", "externalDocs": {"url": "https://a.example.com", "description": "More"}},
            'Annotated[str, kw.ExternalDocs("https://a.example.com", description="More")]',
        ),
        (
            {"type": "string", "x-kubernetes-validations": [{"rule": "self > 'a'", "message": "m"}]},
            'Annotated[str, kw.CEL("self > \'a\'", message="m")]',
        ),
        (
            {"type": "string", "anyOf": [{"minLength": 1}], "not": {"enum": ["x"]}},
            'Annotated[str, kw.Fragment({"anyOf": [{"minLength": 1}], "not": {"enum": ["x"]}})]',
        ),
    ],
)
def test_a_node_becomes_a_type(node: dict[str, Any], annotation: str) -> None:
    assert lines_of("parts", node)[0] == f"parts: {annotation}"


def test_a_description_becomes_the_string_below_the_field() -> None:
    assert lines_of("x", {"type": "string", "description": "What it is."}) == ["x: str", '"""What it is."""']


def test_a_description_no_docstring_can_hold_becomes_a_marker() -> None:
    assert lines_of("x", {"type": "string", "description": "a\tb"}) == [r'x: Annotated[str, kw.Description("a\tb")]']


def test_metadata_of_an_embedded_object_is_typed_even_if_its_schema_is_bare() -> None:
    source = source_of(
        {
            "type": "object",
            "properties": {"template": {"type": "object", "properties": {"metadata": {"type": "object"}}}},
        }
    )
    assert 'metadata: Annotated[kw.ObjectMeta | None, kw.Schemaless(), kw.SchemaType("object")] = None' in source


def test_rules_and_bounds_of_an_object_stand_on_its_class() -> None:
    node = {
        **STRUCT,
        "minProperties": 1,
        "x-kubernetes-validations": [{"rule": "true"}],
        "oneOf": [{"required": ["name"]}],
    }
    source = source_of({"type": "object", "properties": {"x": node}})
    assert 'markers=[kw.MinProperties(1), kw.CEL("true"), kw.Fragment({"oneOf": [{"required": ["name"]}]})]' in source


def test_the_same_object_in_two_places_is_one_class_named_after_the_shorter_path() -> None:
    deep = {"type": "object", "properties": {"inner": STRUCT}}
    source = source_of({"type": "object", "properties": {"deep": deep, "other": STRUCT}})
    assert "inner: ThingOther | None = None" in source
    assert "other: ThingOther | None = None" in source
    assert source.count("class ThingOther(") == 1


def test_a_status_with_our_two_fields_is_a_status() -> None:
    properties = {**schema_of(kw.Status)["properties"], "set": {"type": "string"}}
    source = source_of({"type": "object", "properties": {"status": {"type": "object", "properties": properties}}})
    assert "class ThingStatus(kw.Status):\n    set_: str | None = None\n" in source
    assert "status: ThingStatus = kw.field(default_factory=ThingStatus)" in source


def test_a_status_whose_conditions_are_others_is_a_plain_model() -> None:
    properties = {"conditions": {"type": "array", "items": STRUCT}, "observedGeneration": {"type": "integer"}}
    source = source_of({"type": "object", "properties": {"status": {"type": "object", "properties": properties}}})
    assert "class ThingStatus(kw.Model):" in source


def test_a_property_no_field_can_be_called_stays_in_the_schema() -> None:
    source = source_of({"type": "object", "properties": {'a"b': {"type": "string"}}, "required": ['a"b']})
    assert "markers=[kw.Fragment({'properties'" in source or 'kw.Fragment({"properties"' in source


def test_what_is_required_but_no_property_stays_required() -> None:
    assert 'kw.Fragment({"required": ["ghost"]})' in source_of({"type": "object", "required": ["ghost"]})
