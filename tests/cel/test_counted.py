"""What evaluations cost; the numbers are those of the API server."""

from typing import Any

import pytest
from tests.cel.evaluation import cost, program
from tests.cel.test_compiler import OLD, SCHEMA, SELF

from kubewright.cel.checker import check
from kubewright.cel.environment import Environment
from kubewright.cel.parser import parse
from kubewright.cel.program import Program
from kubewright.cel.types import DYN
from kubewright.cel.values import BudgetExceeded


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("1 + 2", 1),
        ("'a' in ['a', 'b']", 0),
        ("[1, 2][3]", 2),
        ("type(1) == int", 1),
        ("[1, 2, 3].all(x, x > 0)", 16),
        ("[1, 2, 3].map(x, x + 1)", 43),
        ("['a', 'b'].exists(x, x == 'b')", 13),
        ("[1, 2].map(x, x / 0)", 29),
        ("[1, 2].exists(x, x / 0 > 1)", 15),
        ("has({'a': 1}.b)", 1),
        ("has(optional.none().a)", 1),
        ("has(optional.of({'a': 1}).b)", 1),
        ("has(optional.of({'a': 1}).a)", 2),
        ("{'a': 1}.?b.orValue(3)", 1),
        ("{'a': {'b': 1}}.?a.b", 3),
        ("[?optional.none(), 1]", 11),
        ("{?'a': optional.none(), 'b': 2}", 31),
        ("optional.of(3).optMap(x, x + 1)", 7),
        ("[3, 1, 2].sortBy(x, -x)", 74),
        ("{'a': 1}.transformMap(k, v, v + 1)", 6),
        ("[1, 2].transformList(i, v, i + v)", 31),
        ("lists.range(3)", 14),
        ("[1, 2].slice(1, 5)", 12),
        ("sets.contains(dyn(1), [1])", 2),
        ("'abc'.matches('(' + '')", 2),
        ("quantity('1') == quantity('1000m')", 3),
        ("ip('1.2.3.4') == ip('1.2.3.4')", 3),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", 6),
        ("url('https://[::1]:80/').getHostname()", 3),
        ("format.uuid().validate('foo')", 19),
        ("dyn(1) && true", 0),
    ],
)
def test_an_evaluation_costs_as_much_as_on_the_server(text: str, units: int) -> None:
    assert cost(text) == units


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("self.sub.deep.z", 4),
        ("has(self.sub.deep.z)", 3),
        ("self.on ? self.i : 0", 3),
        ("self.texts[1]", 3),
        ("self.ports == self.ports.filter(p, p.name == 'a') + self.ports.filter(p, p.name == 'b')", 48),
    ],
)
def test_fields_cost_a_unit_each(text: str, units: int) -> None:
    assert cost(text, SCHEMA, SELF, OLD) == units


def test_an_evaluation_ends_when_the_budget_does() -> None:
    measured = program("[1, 2, 3].all(x, x > 0)").measure([], limit=15)
    assert isinstance(measured.error, BudgetExceeded)
    assert str(measured.error) == "operation cancelled: actual cost limit exceeded"


def test_no_operator_absorbs_the_end_of_the_budget() -> None:
    measured = program("[1, 2, 3].all(x, x > 0) || true").measure([], limit=3)
    assert isinstance(measured.error, BudgetExceeded)


def test_work_that_costs_next_to_nothing_ends_too() -> None:
    environment = Environment({"x": DYN})
    text = "x.all(a, (x + x).size() > 0)"
    made = Program(check(parse(text), environment), environment)
    values: list[Any] = [list(range(30_000))]
    measured = made.measure(values)
    assert isinstance(measured.error, BudgetExceeded)
