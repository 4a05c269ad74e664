"""Random expressions against another's implementation: cel-expr-python, which is Google's own in C++.

Both engines compute the same value, or both fail; the words of a failure are the Go implementation's here and are
tested elsewhere. Beside that the two ways to run a program have to agree with each other, in their errors too, and no
evaluation may cost more than was proven to be the most.
"""

import json
import math
from typing import Any

import pytest
from cel_expr_python import cel
from cel_expr_python.ext import ext_strings
from hypothesis import given, reject
from hypothesis import strategies as st
from tests.cel.expressions import KINDS, VARIABLES, expressions, values

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.errors import ConstantError
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.values import EvaluationError

_ENVIRONMENT = Environment({name: KINDS[kind] for name, kind in VARIABLES.items()})
_THEIR_TYPES = {
    "int": cel.Type.INT,
    "bool": cel.Type.BOOL,
    "string": cel.Type.STRING,
    "double": cel.Type.DOUBLE,
    "ints": cel.Type.List(cel.Type.INT),
    "strings": cel.Type.List(cel.Type.STRING),
    "counts": cel.Type.Map(cel.Type.STRING, cel.Type.INT),
}


@pytest.fixture(scope="module")
def oracle() -> Any:
    variables = {name: _THEIR_TYPES[kind] for name, kind in VARIABLES.items()}
    return cel.NewEnv(variables=variables, extensions=[ext_strings.ExtStrings(2)])


def inputs_of(given_values: dict[str, Any]) -> list[Any]:
    return [given_values[name] for name in VARIABLES]


def ours(program: Program, given_values: dict[str, Any]) -> Any:
    try:
        return program.run(inputs_of(given_values), 0)
    except EvaluationError as error:
        if "NaN" in str(error):  # what is no number cannot be ordered, says cel-go, on which Kubernetes stands
            reject()
        return "error"


def theirs(oracle: Any, text: str, given_values: dict[str, Any]) -> Any:
    # Its checker refuses a comparison of an int with a double, which Kubernetes allows.
    result = oracle.compile(text, disable_check=True).eval(data=given_values)
    return "error" if result.type() == cel.Type.ERROR else result.plain_value()


def same(one: Any, other: Any) -> bool:
    """Equal, and of equal types all the way down."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


_ANY = st.sampled_from(sorted(KINDS)).flatmap(expressions)


def compiled(text: str) -> Program:
    """A program; chance also writes constants that no program can have, as `int('x')`."""
    try:
        return Program(check(parse(text), _ENVIRONMENT), _ENVIRONMENT)
    except ConstantError:
        reject()


@given(_ANY, values())
def test_both_engines_agree(oracle: Any, text: str, given_values: dict[str, Any]) -> None:
    program = compiled(text)
    mine, other = ours(program, given_values), theirs(oracle, text, given_values)
    assert same(mine, other) or unordered(text, mine, other), f"{text}: {mine!r}, not {other!r}"


def unordered(text: str, one: Any, other: Any) -> bool:
    """The order of a map's keys is nobody's promise."""
    keys_are_listed = "m.filter" in text or "}.filter" in text or ").filter" in text
    return keys_are_listed and isinstance(one, list) and isinstance(other, list) and sorted(one) == sorted(other)


@given(_ANY, values())
def test_counting_changes_nothing(text: str, given_values: dict[str, Any]) -> None:
    program = compiled(text)
    inputs = inputs_of(given_values)
    measured = program.measure(inputs)
    assert same(str(measured.error) if measured.error else measured.value, fast(program, inputs))


def fast(program: Program, inputs: list[Any]) -> Any:
    try:
        return program.run(inputs, 0)
    except EvaluationError as error:
        return str(error)


@given(_ANY, values())
def test_no_evaluation_costs_more_than_was_proven(text: str, given_values: dict[str, Any]) -> None:
    program = compiled(text)
    size = len(json.dumps(list(given_values.values()), ensure_ascii=False).encode())
    assert program.measure(inputs_of(given_values)).cost <= program.most(size)
