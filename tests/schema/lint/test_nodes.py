from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.lint.nodes import NODE_RULES, lint_nodes

WORDS = {"description": "What it is."}
STRING = {**WORDS, "type": "string"}


def obj(**fields: Any) -> dict[str, Any]:
    return {**WORDS, "type": "object", "properties": fields}


def found(schema: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(finding.code, finding.severity, finding.path) for finding in lint_nodes(schema, "s")]


def field(**schema: Any) -> dict[str, Any]:
    return obj(a={**WORDS, **schema})


def test_a_schema_without_fault_has_no_findings() -> None:
    conditions = {
        **WORDS,
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": obj(type=STRING, status=STRING),
    }
    labels = {**WORDS, "type": "object", "additionalProperties": {"type": "string"}}
    size = {**WORDS, "type": "integer", "format": "int32", "minimum": 0, "maximum": 9, "default": 1}
    assert found(obj(spec=obj(size=size, labels=labels), status=obj(conditions=conditions))) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (obj(a={"type": "string"}), ("missing-description", "warning", "s.a")),
        (obj(my_field=STRING), ("field-name", "warning", "s.my_field")),
        (obj(Field=STRING), ("field-name", "warning", "s.Field")),
        (field(type="number"), ("float", "warning", "s.a")),
        (field(type="integer"), ("integer-format", "info", "s.a")),
        (field(type="string", enum=["Yes", "No"]), ("boolean-enum", "info", "s.a")),
        (field(type="object"), ("empty-object", "warning", "s.a")),
        (field(type="array", items=obj(b=STRING)), ("list-type", "warning", "s.a")),
        (field(type="array", items={"type": "string"}), ("list-type", "info", "s.a")),
        (field(type="string", minLength=5, maxLength=4), ("impossible-bounds", "error", "s.a")),
        (field(type="integer", format="int32", minimum=2, maximum=1), ("impossible-bounds", "error", "s.a")),
        ({**obj(a=STRING), "required": ["b"]}, ("required-unknown", "error", "s")),
        ({**obj(a={**STRING, "default": "x"}), "required": ["a"]}, ("required-default", "info", "s.a")),
        (field(type="string", default=5), ("default-invalid", "error", "s.a")),
        (field(type="string", enum=["x", "y"], default="z"), ("default-invalid", "error", "s.a")),
        (obj(a={**obj(b=STRING), "default": {"c": 1}}), ("default-invalid", "error", "s.a")),
        (
            obj(
                conditions={
                    **WORDS,
                    "type": "array",
                    "items": obj(type=STRING, status=STRING),
                    "x-kubernetes-list-type": "atomic",
                }
            ),
            ("conditions-map", "warning", "s.conditions"),
        ),
    ],
)
def test_each_mistake_has_its_code(schema: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert found(schema) == [expected]


def test_a_better_name_is_proposed() -> None:
    (finding,) = lint_nodes(obj(**{"my-odd_field": STRING}), "s")
    assert finding.message == "'my-odd_field' is not in camelCase: call it myOddField"


def test_the_servers_own_fields_need_no_words() -> None:
    assert found(obj(apiVersion={"type": "string"}, kind={"type": "string"}, metadata={"type": "object"})) == []


def test_a_preserved_object_may_be_empty_and_require_what_it_does_not_name() -> None:
    assert found(field(type="object", required=["x"], **{"x-kubernetes-preserve-unknown-fields": True})) == []


def test_levels_are_asked_from_the_top_down_in_order_of_name() -> None:
    schema = obj(b=obj(d={}, c={}), a={})
    paths = [path for code, _, path in found(schema) if code == "missing-description"]
    assert paths == ["s.a", "s.b.c", "s.b.d"]


def test_a_deep_schema_is_no_problem() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(150):
        schema = {"type": "object", "properties": {"a": schema}}
    assert len(found(schema)) == 150


def test_the_table_has_each_rule_once() -> None:
    assert len(set(NODE_RULES)) == len(NODE_RULES)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "number", "object", "array"]),
            "default": st.none() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2),
            "enum": st.lists(st.text(max_size=3) | st.integers(), max_size=3),
            "minimum": st.integers(0, 5),
            "maximum": st.integers(0, 5),
            "required": st.lists(st.sampled_from(["a", "b"]), max_size=2),
            "x-kubernetes-validations": st.lists(
                st.fixed_dictionaries({"rule": st.text("self.ab()", max_size=9)}), max_size=2
            ),
        },
    )
)
def test_any_level_is_judged_without_failing(schema: dict[str, Any]) -> None:
    for finding in lint_nodes(obj(a=schema), "s"):
        assert finding.path.startswith("s")
        assert finding.problem
        assert finding.remedy
