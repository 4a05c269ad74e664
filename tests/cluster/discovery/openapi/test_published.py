"""OAPI-3: the schema of a CRD, in full for v3 and reduced for v2."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.discovery.definitions import DEFINITIONS, EITHER
from tests.cluster.discovery.served import custom

from kubewright.cluster.discovery.openapi.published import Dialect, published, published_list
from kubewright.model.steps import counted

WIDGET, GADGET = custom(DEFINITIONS[0])[0], custom(DEFINITIONS[1])[0]
Document = dict[str, Any]


def walked(schema: Document, dialect: Dialect) -> tuple[Document, int]:
    """What is published, and how often the walk paused on the way."""
    return counted(published(replace(WIDGET, schema=schema, fields={}), dialect))


def spec(node: Document, dialect: Dialect) -> Any:
    """What becomes of a node."""
    made, _ = walked({"type": "object", "properties": {"spec": node}}, dialect)
    return made["properties"]["spec"]


def test_the_authors_descriptions_are_kept() -> None:
    node = {"type": "string", "description": "What it is."}
    assert spec(node, "v3") == spec(node, "v2") == node


def test_an_object_has_kind_version_and_metadata() -> None:
    made, _ = walked({"type": "object", "properties": {"metadata": {"type": "object"}}}, "v3")
    assert made["properties"] == {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
    }


def test_no_schema_lists_no_fields() -> None:
    """kubectl would refuse every other one."""
    made, _ = walked({}, "v3")
    assert "properties" not in made
    assert made["type"] == "object"


def test_an_open_schema_lists_no_fields_in_v2() -> None:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": {"type": "string"}}}
    assert "properties" not in walked(schema, "v2")[0]
    assert "a" in walked(schema, "v3")[0]["properties"]


@pytest.mark.parametrize(
    ("node", "wanted"),
    [
        ({"x-kubernetes-int-or-string": True}, {"x-kubernetes-int-or-string": True, "anyOf": EITHER}),
        (
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}]},
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}], "allOf": [{"anyOf": EITHER}]},
        ),
        (
            {"x-kubernetes-int-or-string": True, "allOf": [{"minimum": 3}]},
            {"x-kubernetes-int-or-string": True, "allOf": [{"minimum": 3}], "anyOf": EITHER},
        ),
        ({"type": "string", "not": {}}, {"type": "string", "not": {}}),
        ({"type": "string", "nullable": False, "enum": [], "default": None}, {"type": "string"}),
        ({"type": "number", "maximum": 1.5, "minimum": 2.0}, {"type": "number", "maximum": 1.5, "minimum": 2}),
    ],
)
def test_what_v3_is_told(node: Document, wanted: Document) -> None:
    assert spec(node, "v3") == wanted


@pytest.mark.parametrize(
    ("node", "wanted"),
    [
        ({"type": "string", "default": "a"}, {"type": "string"}),
        ({"type": "string", "anyOf": [{"minLength": 1}], "not": {"pattern": "x"}}, {"type": "string"}),
        ({"type": "object", "nullable": True, "properties": {"a": {"type": "string"}}}, {}),
        ({"type": "array"}, {}),
        (
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "nullable": True}}},
            {"type": "object", "properties": {"a": {}}},
        ),
        (
            {"type": "object", "required": ["a"], "additionalProperties": {"type": "string", "nullable": True}},
            {"type": "object", "additionalProperties": {}},
        ),
    ],
)
def test_what_v2_is_told(node: Document, wanted: Document) -> None:
    assert spec(node, "v2") == wanted


def test_an_embedded_object_requires_kind_and_version() -> None:
    node = {"type": "object", "x-kubernetes-embedded-resource": True, "required": ["kind"]}
    assert spec(node, "v3")["required"] == ["kind", "apiVersion"]


def test_a_list_refers_to_its_kind_and_tells_what_may_be_selected() -> None:
    made = published_list(GADGET, "com.example.stable.v1.Gadget", "v2")
    assert made["properties"]["items"]["items"] == {"$ref": "#/definitions/com.example.stable.v1.Gadget"}
    assert made["x-kubernetes-group-version-kind"][0]["kind"] == "GadgetList"
    assert made["x-kubernetes-selectable-fields"] == [{"fieldPath": "spec.color"}]


def test_a_long_walk_pauses() -> None:
    schema = {"type": "object", "properties": {f"f{number}": {"type": "string"} for number in range(2000)}}
    assert walked(schema, "v3")[1] >= 4


def test_a_deep_schema_is_no_matter() -> None:
    schema: Document = {"type": "string"}
    for _ in range(5000):
        schema = {"type": "array", "items": schema}
    assert walked({"type": "object", "properties": {"spec": schema}}, "v3")[0]["properties"]["spec"]["type"] == "array"


NODES = st.recursive(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "integer"])}, optional={"nullable": st.booleans(), "default": st.integers()}
    ),
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), inner)},
            optional={"required": st.lists(st.sampled_from("abc"), unique=True), "allOf": st.lists(inner)},
        ),
    ),
)


def nodes(schema: Any) -> Any:
    yield schema
    for child in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from nodes(child)


@given(NODES, st.sampled_from(["v2", "v3"]))
def test_publishing_leaves_the_crd_as_it_is(schema: Document, dialect: Dialect) -> None:
    before = repr(schema)
    spec(schema, dialect)
    assert repr(schema) == before


@given(NODES)
def test_v2_never_tells_what_it_cannot_say(schema: Document) -> None:
    for node in nodes(spec(schema, "v2")):
        assert not node.keys() & {"nullable", "default", "allOf", "anyOf", "oneOf", "not"}
        assert node.get("type") != "array" or "items" in node
