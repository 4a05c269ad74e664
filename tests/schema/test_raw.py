import json
from typing import Any

import pytest

from kubewright.schema.raw import KEYWORDS, in_go, join, misshapen, properties, unstructurable


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": 5}, "type: Invalid value: 5: must be a string"),
        ({"type": "object", "properties": []}, "properties: Invalid value: []: must be an object"),
        ({"type": "object", "nullable": "yes"}, 'nullable: Invalid value: "yes": must be true or false'),
        (
            {"properties": {"a": {"maxLength": True}}},
            "properties[a].maxLength: Invalid value: true: must be an integer",
        ),
        ({"properties": {"a": "x"}}, 'properties[a]: Invalid value: "x": must be an object'),
        ({"required": [1]}, "required: Invalid value: [1]: must be a list of strings"),
        ({"items": 1}, "items: Invalid value: 1: must be an object or a list"),
        ({"x-kubernetes-validations": [1]}, "x-kubernetes-validations[0]: Invalid value: 1: must be an object"),
        (
            {"x-kubernetes-validations": [{"rule": 1}]},
            "x-kubernetes-validations[0].rule: Invalid value: 1: must be a string",
        ),
    ],
)
def test_a_keyword_of_the_wrong_type_is_found(schema: dict[str, Any], told: str) -> None:
    assert list(map(str, misshapen(schema, ""))) == [told]


@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_null_is_absent_for_every_keyword(keyword: str) -> None:
    assert misshapen({keyword: None}, "") == []
    assert not unstructurable({keyword: None})


def test_a_null_property_is_the_empty_schema() -> None:
    assert properties({"properties": {"b": None, "a": {"type": "string"}}}) == [("a", {"type": "string"}), ("b", {})]


def test_what_stands_below_is_joined_with_a_dot() -> None:
    assert (join("", "a"), join("a", "b")) == ("a", "a.b")


@pytest.mark.parametrize("keyword", ["$ref", "$schema", "id", "definitions", "dependencies", "patternProperties"])
def test_no_structure_is_made_of_unsupported_keywords_at_any_depth(keyword: str) -> None:
    schema = {"type": "object", "properties": {"a": {"anyOf": [{keyword: {"x": {}}}]}}}
    assert unstructurable(schema)


def test_a_schema_is_shown_with_every_field_of_the_servers_own_form() -> None:
    shown = json.loads(in_go({"type": "object", "properties": {"a": {"nullable": True}}, "additionalProperties": True}))
    assert len(shown) == len(KEYWORDS)
    assert (shown["Type"], shown["Properties"]["a"]["Nullable"]) == ("object", True)
    assert shown["AdditionalProperties"] == {"Allows": True, "Schema": None}
    assert list(shown)[:3] == ["ID", "Schema", "Ref"]


def test_a_dependency_that_is_no_schema_is_told() -> None:
    (found,) = misshapen({"dependencies": {"a": 1, "b": ["c"], "d": None}}, "s")
    assert str(found).startswith("s.dependencies[a]: Invalid value: ")
