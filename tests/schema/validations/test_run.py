"""Beyond what the referee's scripts of rules show: pairs, nulls, budgets, and values of another schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.validations import compile_validations
from kubewright.schema.validations.run import Validations

INTEGER = {"type": "integer"}


def compiled(spec: dict[str, Any]) -> Validations:
    found = compile_validations({"type": "object", "properties": {"spec": spec}})
    assert found is not None
    return found


def ruled(properties: dict[str, Any], *rules: str, **keywords: Any) -> dict[str, Any]:
    documents = [{"rule": rule} for rule in rules]
    return {"type": "object", "properties": properties, "x-kubernetes-validations": documents, **keywords}


def test_a_schema_without_rules_compiles_to_nothing() -> None:
    assert compile_validations({"type": "object", "properties": {"a": INTEGER}}) is None


def test_nulls_are_not_looked_at() -> None:
    rules = compiled(
        {"type": "object", "properties": {"a": {**INTEGER, "x-kubernetes-validations": [{"rule": "false"}]}}}
    )
    assert rules.run({"spec": {"a": None}}).errors == []
    assert len(rules.run({"spec": {"a": 1}}).errors) == 1


def test_elements_of_a_list_without_keys_have_no_past() -> None:
    item = {**INTEGER, "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]}
    plain = compiled({"type": "object", "properties": {"l": {"type": "array", "items": item}}})
    assert plain.run({"spec": {"l": [1]}}, {"spec": {"l": [5]}}).errors == []


def test_elements_of_a_map_are_found_by_their_keys_wherever_they_stand() -> None:
    item = ruled({"k": {"type": "string"}, "v": INTEGER}, "self.v >= oldSelf.v")
    keyed = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    rules = compiled({"type": "object", "properties": {"l": {"type": "array", "items": item, **keyed}}})
    old = {"spec": {"l": [{"k": "a", "v": 5}, {"k": "b", "v": 1}]}}
    new = {"spec": {"l": [{"k": "b", "v": 1}, {"k": "a", "v": 4}, {"k": "c", "v": 0}]}}
    assert [error.field for error in rules.run(new, old).errors] == ["spec.l[1]"]


def test_what_did_not_change_is_told_as_a_warning_and_what_did_as_an_error() -> None:
    rules = compiled(ruled({"o": ruled({"x": INTEGER}, "self.x < 5"), "n": INTEGER}, "self.n < 5"))
    verdict = rules.run({"spec": {"o": {"x": 9}, "n": 9}}, {"spec": {"o": {"x": 9}, "n": 1}})
    assert [error.field for error in verdict.errors] == ["spec"]
    assert verdict.warnings == ["spec.o: Invalid value: failed rule: self.x < 5"]


def worded(message: str, *rules: Any) -> Any:
    """The rules of a spec, of which the first has an expression for its message."""
    first = {"rule": "self.n < 5", "message": "plain", "messageExpression": message}
    spec = ruled({"n": INTEGER, "a": {"type": "string"}})
    return compiled({**spec, "x-kubernetes-validations": [first, *rules]})


def test_a_message_sees_the_value_before_only_beside_a_rule_that_looks_at_it() -> None:
    new, old = {"spec": {"n": 9, "a": "x"}}, {"spec": {"n": 1, "a": "y"}}
    alone = worded("'was ' + oldSelf.a")
    assert [error.message for error in alone.run(new, old).errors] == ["Invalid value: plain"]
    beside = worded("'was ' + oldSelf.a", {"rule": "oldSelf.n < 5"})
    assert [error.message for error in beside.run(new, old).errors] == ["Invalid value: was y"]
    assert [error.message for error in beside.run(new).errors] == ["Invalid value: plain"]


def test_a_message_that_needs_not_look_at_the_value_before_is_told() -> None:
    alone = worded("true ? 'lazy' : oldSelf.a")
    assert [error.message for error in alone.run({"spec": {"n": 9}}).errors] == ["Invalid value: lazy"]


def test_a_run_ends_when_all_rules_together_cost_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubewright.schema.validations.run.OBJECT_LIMIT", 5_000)
    walk = "self.l.all(x, x >= 0)"
    rules = compiled(ruled({"l": {"type": "array", "maxItems": 400, "items": INTEGER}}, *[walk] * 20))
    (error,) = rules.run({"spec": {"l": [*range(100)]}}).errors
    assert "running out of cost budget, no further validation rules will be run" in error.message
    assert rules.run({"spec": {"l": [*range(10)]}}).errors == []


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("ablkv"), inner),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_no_value_whatever_makes_a_run_stumble(value: Any, old: Any) -> None:
    item = ruled({"k": {"type": "string"}, "v": INTEGER}, "self.v >= oldSelf.v")
    keyed = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    rules = compiled(ruled({"l": {"type": "array", "items": item, **keyed}, "a": {"type": "string"}}, "self.a != 'x'"))
    rules.run({"spec": value}, {"spec": old})
