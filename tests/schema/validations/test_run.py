"""Beyond what the referee's scripts of rules show: pairs, nulls, budgets, and values of another schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.steps import counted, finish
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


ITEM = ruled({"k": {"type": "string"}, "v": INTEGER}, "self.v < 4", "self.v >= oldSelf.v")
KEYED = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "type": "array", "items": ITEM}
WIDE = ruled(
    {"list": {"type": "array", "items": ITEM}, "map": KEYED, "table": {"type": "object", "additionalProperties": ITEM}},
    "!has(self.list) || self.list.all(e, e.v < 5)",
    allOf=[{"properties": {"table": {"x-kubernetes-validations": [{"rule": "size(self) < 3"}]}}}],
)
ITEMS = st.lists(st.builds(lambda v, k: {"k": k, "v": v}, st.integers(0, 6), st.sampled_from("abcdef")), max_size=6)
SPECS = st.fixed_dictionaries(
    {},
    optional={
        "list": ITEMS,
        "map": ITEMS,
        "table": st.dictionaries(st.sampled_from("abcdef"), st.builds(lambda v: {"v": v}, st.integers(0, 6))),
    },
)


@given(SPECS, st.none() | SPECS, st.integers(1, 8))
def test_rules_run_in_steps_come_to_the_same(spec: Any, old: Any, most: int) -> None:
    rules = compiled(WIDE)
    given = {"spec": spec}, {"spec": old} if old is not None else None
    assert finish(rules.run_in_steps(*given, most)) == rules.run(*given)


def test_the_rules_of_many_values_take_many_steps() -> None:
    rules = compiled({"type": "object", "properties": {"list": {"type": "array", "items": ITEM}}})
    verdict, steps = counted(rules.run_in_steps({"spec": {"list": [{"v": number % 6} for number in range(5000)]}}))
    assert len(verdict.errors) == sum(number % 6 >= 4 for number in range(5000))
    assert steps >= 10


def test_rules_that_cost_too_much_are_given_up_in_steps_too() -> None:
    item = {"type": "string", "x-kubernetes-validations": [{"rule": f"self.matches('{'a*b*c*' * 30}')"}]}
    rules = compiled({"type": "object", "properties": {"list": {"type": "array", "items": item}}})
    obj = {"spec": {"list": ["abc" * 400] * 3000}}
    verdict = rules.run(obj)
    assert finish(rules.run_in_steps(obj)) == verdict
    assert verdict.errors
