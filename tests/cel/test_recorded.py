"""From text to cost against Kubernetes' own compiler: the same refusals to the letter, the same costs to the unit."""

from typing import Any

import pytest
from tests.cel.record import questions

from kubewright.cel.checker import check
from kubewright.cel.compiler import compile_expression
from kubewright.cel.cost import estimate
from kubewright.cel.environment import rule_environment
from kubewright.cel.errors import ConstantError, ExpressionError
from kubewright.cel.parser import parse
from kubewright.cel.schema import cardinality, schema_type


def answer(question: dict[str, Any]) -> dict[str, Any]:
    self_type = schema_type(question["schema"], root=question["root"])
    assert self_type is not None
    environment = rule_environment(self_type, optional_old=question["optional"])
    try:
        checked = check(parse(question["rule"]), environment)
    except ExpressionError as error:
        return {"error": f"compilation failed: {error}"}
    if checked.type.kind != "bool":
        return {"error": "cel expression must evaluate to a bool"}
    try:
        compile_expression(checked, environment.variables)
    except ConstantError as error:
        return {"error": f"program instantiation failed: {error}"}
    return {"cost": estimate(checked, self_type).max, "cardinality": cardinality(self_type)}


@pytest.mark.parametrize("question", questions(), ids=lambda question: question["rule"])
def test_a_rule_is_answered_as_kubernetes_answers_it(question: dict[str, Any]) -> None:
    assert answer(question) == question["answer"]
