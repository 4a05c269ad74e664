from typing import Any

from kubewright.schema.lint.rules import lint_rules


def ruled(rule: str, **keywords: Any) -> dict[str, Any]:
    """A schema with one list of texts and a rule about it."""
    items = {"type": "string", "maxLength": 20}
    return {
        "type": "object",
        "properties": {"a": {"type": "array", "items": items, **keywords}},
        "x-kubernetes-validations": [{"rule": rule}],
    }


def test_a_rule_that_does_not_compile_is_an_error() -> None:
    (finding,) = lint_rules(ruled("self.b == 1", maxItems=3), "s")
    assert (finding.code, finding.severity, finding.path) == ("rule", "error", "s.x-kubernetes-validations[0].rule")
    assert "undefined field 'b'" in finding.problem


def test_a_rule_beyond_its_budget_is_an_error_and_told_once() -> None:
    found = [*lint_rules(ruled("self.a.all(x, self.a.all(y, x == y))"), "s")]
    assert {finding.code for finding in found} == {"rule"}
    assert "exceeds budget by factor of more than 100x" in found[0].problem


def test_a_rule_that_comes_near_its_budget_is_a_warning_with_the_estimate() -> None:
    (finding,) = lint_rules(ruled("self.a.all(x, self.a.all(y, x == y))", maxItems=700), "s")
    assert (finding.code, finding.severity) == ("rule-cost", "warning")
    assert "of the 10,000,000 units that a server allows" in finding.problem


def test_a_rule_with_bounds_is_left_alone() -> None:
    assert [*lint_rules(ruled("self.a.all(x, x != '')", maxItems=10), "s")] == []


def test_a_schema_without_rules_has_none_to_judge() -> None:
    assert [*lint_rules({"type": "object"}, "s")] == []
