import json
from typing import Any

import pytest

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment, rule_environment
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.schema import schema_type
from kubewright.cel.types import INT
from kubewright.cel.values import NONE, BudgetExceeded, Optional

LIST = {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "integer"}}}}


def made(rule: str, *, optional_old: bool = False, **limit: int) -> Program:
    type_ = schema_type(LIST, root=False)
    assert type_ is not None
    environment = rule_environment(type_, optional_old=optional_old)
    return Program(check(parse(rule), environment), environment, **limit)


def sized(value: Any) -> tuple[list[Any], int]:
    return [value, None], len(json.dumps(value))


def test_small_inputs_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    program = made("self.items.all(x, self.items.exists(y, y == x))")
    monkeypatch.setattr(Program, "measure", None)
    assert program.run(*sized({"items": [1, 2, 3]})) is True


def test_inputs_that_could_cost_too_much_are_counted() -> None:
    program = made("self.items.all(x, self.items.exists(y, y == x))")
    with pytest.raises(BudgetExceeded):
        program.run(*sized({"items": list(range(1000))}))


def test_large_inputs_may_still_be_cheap() -> None:
    program = made("self.items.all(x, self.items.exists(y, y == x))")
    assert program.run(*sized({"items": [7] * 1000})) is True


def test_the_limit_is_the_callers() -> None:
    program = made("self.items.all(x, x > 0)", limit=20)
    with pytest.raises(BudgetExceeded):
        program.run(*sized({"items": [1, 2, 3, 4, 5]}))


def test_larger_inputs_may_cost_more() -> None:
    program = made("self.items.all(x, x > 0)")
    assert program.most(100) < program.most(10_000) < program.most(1_000_000)


def test_the_old_object_may_be_optional() -> None:
    program = made("oldSelf.optMap(o, o.items.size()).orValue(0) <= self.items.size()", optional_old=True)
    new = {"items": [1]}
    assert program.run([new, NONE], 20) is True
    assert program.run([new, Optional({"items": [1, 2]})], 40) is False
    assert program.measure([new, Optional({"items": [1, 2]})]).value is False


def test_a_range_of_unknown_length_is_always_counted() -> None:
    program = made("lists.range(self.items[0]).size() > 0")
    assert program.run(*sized({"items": [3]})) is True
    with pytest.raises(BudgetExceeded):
        program.run(*sized({"items": [1_000_000]}))


def test_an_expression_may_nest_as_deep_as_the_language_allows() -> None:
    rule = "(" * 100 + "self.items" + ".map(x, x + 1)" * 40 + ")" * 100 + ".size() == 1"
    program = made(rule)
    values, size = sized({"items": [1]})
    assert program.run(values, size) is True
    assert program.measure(values).value is True


@pytest.mark.parametrize("counted", [False, True])
def test_an_object_is_a_map_of_what_is_said_of_it(counted: bool) -> None:
    environment = Environment({"x": INT}, patches=True)
    made = Program(check(parse("Object{a: x, ?b: optional.none(), c: Object.c{d: 'e'}}"), environment), environment)
    found = made.measure([1]).value if counted else made.run([1], 10)
    assert found == {"a": 1, "c": {"d": "e"}}
