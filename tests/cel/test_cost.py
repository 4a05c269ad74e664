"""Exact numbers are in the recorded cases; here is what they are made of."""

from typing import Any

import pytest

from kubewright.cel.checker import check
from kubewright.cel.cost import Cost, estimate
from kubewright.cel.environment import rule_environment
from kubewright.cel.parser import parse
from kubewright.cel.ranges import LARGEST
from kubewright.cel.schema import schema_type

ITEM = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 10}, "port": {"type": "integer"}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "name": {"type": "string", "maxLength": 25},
        "text": {"type": "string"},
        "items": {"type": "array", "maxItems": 7, "items": ITEM},
        "many": {"type": "array", "items": ITEM},
        "labels": {"type": "object", "maxProperties": 3, "additionalProperties": {"type": "string", "maxLength": 5}},
    },
}


def cost(rule: str) -> Cost:
    root = schema_type(SCHEMA, root=False)
    assert root is not None
    return estimate(check(parse(rule), rule_environment(root)), root)


@pytest.mark.parametrize(
    ("rule", "least", "most"),
    [
        ("true", 0, 0),
        ("1 + 1 == 2", 2, 2),
        ("self.n > 1", 3, 3),
        ("has(self.n)", 1, 1),
        ("self.n > 1 && self.n > 2", 3, 6),
        ("self.n > 1 ? true : self.n > 2", 3, 6),
        ("[1, 2] == []", 20, 20),
        ("{} == {}", 60, 60),
    ],
)
def test_steps_add_up(rule: str, least: int, most: int) -> None:
    assert cost(rule) == Cost(least, most)


def test_a_loop_costs_its_body_for_every_element_there_may_be() -> None:
    assert cost("self.items.all(x, x.port > 0)").max == 2 + 1 + 7 * (2 + 4)
    assert cost("self.items.all(x, self.items.all(y, x.port == y.port))").max > 7 * 7 * 4


def test_a_loop_may_be_empty() -> None:
    assert cost("self.items.all(x, x.port > 0)").min == 3


def test_a_string_costs_by_the_bytes_it_may_have() -> None:
    assert cost("self.name.startsWith(self.name)").max == 2 + 2 + 10
    assert cost("self.name.contains('abcdefghijk')").max == 2 + 10 * 2


def test_elements_are_bounded_where_they_come_from() -> None:
    assert cost("self.items.all(x, x.name == x.name)").max == 3 + 7 * (2 + 1 + 4 + 4)
    assert cost("self.items[0].name.matches('abcd')").max == 4 + 5 * 1
    assert cost("self.labels['a'] == self.labels['b']").max == 2 * 3 + 2


def test_what_has_no_bound_is_bounded_by_the_request() -> None:
    assert cost("self.many.all(x, x.port > 0)").max > 1_000_000
    assert cost("self.text.contains(self.text)").max > 10**10


def test_a_result_is_as_large_as_its_parts() -> None:
    assert cost("(self.name + self.name) == 'a'").max - cost("self.name == 'a'").max == 2 + 20


def test_costs_stop_at_the_largest_number() -> None:
    assert cost("lists.range(self.n).all(x, lists.range(self.n).all(y, x < y))").max == LARGEST


def test_an_optional_is_bound_once() -> None:
    assert cost("self.?name.optMap(x, x.size() > 1).orValue(true)").max < 50


@pytest.mark.parametrize("text", ["[" * 249 + "]" * 249 + " == []", "self.n" + "+1" * 248 + " > 0"])
def test_deep_expressions_have_a_cost(text: str) -> None:
    assert cost(text).max >= 250
