"""Python and CEL give the same verdict: True, False, or an error on both sides."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.schema.rules.expressions import Subject, defined, functions, rule_of
from tests.schema.rules.gallery import Gallery, Messages, Thing, Times, Units
from tests.schema.rules.oracle import admitted, answer, documents, outcome

import kubewright as kw
from kubewright.schema.rules import Rule, RuleError, compile_rules


def rules_of(model: Any) -> dict[str, tuple[Rule, dict[str, Any]]]:
    """Every rule of a class beside its entry."""
    rules = [value for value in vars(model).values() if isinstance(value, Rule)]
    return {each.name: (each, entry) for each, entry in zip(rules, compile_rules(model), strict=True)}


@pytest.mark.parametrize("model", [Gallery, Units, Times, Thing])
def test_a_rule_says_in_python_what_it_says_in_cel(model: Any) -> None:
    rules = rules_of(model)

    @given(documents(model), documents(model))
    @settings(max_examples=max(200, settings().max_examples))
    def same(document: dict[str, Any], old: dict[str, Any]) -> None:
        for each in (document, old):
            each["metadata"] = {"name": "x"}
        after, before = kw.from_dict(document, model), kw.from_dict(old, model)
        shown, shown_old = admitted(document, model), admitted(old, model)
        for name, (rule, entry) in rules.items():
            says = outcome(rule, after, before)
            assert answer(entry["rule"], model, shown, shown_old) == says, f"{name}: {entry['rule']}"

    same()


@given(documents(Messages))
def test_a_message_reads_in_python_as_it_reads_in_cel(document: dict[str, Any]) -> None:
    obj = kw.from_dict(document, Messages)
    for rule, entry in rules_of(Messages).values():
        assert answer(entry["messageExpression"], Messages, admitted(document, Messages)) == rule.explain(obj)


def possible(body: str) -> Any:
    """The class with a random rule, or None where chance has written a constant that no rule can have."""
    try:
        return defined(body)
    except RuleError as error:
        if re.search("always fails|does not fit the 64 bits|cannot be computed", str(error)):
            return None
        raise


@given(functions(), st.lists(documents(Subject), min_size=3, max_size=3))
def test_a_random_rule_says_in_python_what_it_says_in_cel(body: str, given: list[dict[str, Any]]) -> None:
    model = possible(body)
    if model is None:
        return
    rule, (entry,) = rule_of(model), compile_rules(model)
    for document in given:
        says = outcome(rule, kw.from_dict(document, model))
        assert answer(entry["rule"], Subject, admitted(document, Subject)) == says, entry["rule"]
