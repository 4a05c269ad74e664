from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("optional.of(1).hasValue() && !optional.none().hasValue()", True),
        ("optional.of(1).value()", 1),
        ("optional.none().orValue(3)", 3),
        ("optional.of(1).or(optional.of(2)).value()", 1),
        ("optional.of(1).orValue(1 / 0)", 1),
        ("optional.ofNonZeroValue([]).hasValue()", False),
        ("optional.ofNonZeroValue(duration('1s')).hasValue()", True),
        ("optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue()", False),
        ("{'a': 1}.?b.orValue(3)", 3),
        ("{'a': {'b': 1}}.?a.b.value()", 1),
        ("[1, 2][?1].value()", 2),
        ("[1][?3].hasValue()", False),
        ("optional.of([1])[5].hasValue()", False),
        ("[?optional.none(), ?optional.of(2), 1]", [2, 1]),
        ("{?'a': optional.none(), 'b': 2}", {"b": 2}),
        ("[1, 2].first().value() + [1, 2].last().value()", 3),
        ("optional.of(3).optMap(x, x + 1).value()", 4),
        ("optional.of(3).optFlatMap(x, optional.of(x)).value()", 3),
        ("optional.unwrap([optional.of(1), optional.none()])", [1]),
        ("[optional.of(1)].unwrapOpt()", [1]),
        ("optional.of(1) == optional.of(1) && optional.none() == optional.none()", True),
        ("dyn(1).orValue(2)", 1),
    ],
)
def test_what_optionals_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


def test_nothing_has_no_value() -> None:
    assert error("optional.none().value()") == "optional.none() dereference"


def test_what_is_no_optional_cannot_be_unwrapped() -> None:
    assert error("[dyn(1)].unwrapOpt()") == "no such overload: unwrapOpt(list)"
    assert error("optional.unwrap([dyn(1)])") == "no such overload: optional.unwrap(list)"
    assert error("[dyn(optional.of(1)), dyn('a')].unwrapOpt()") == "value a is not optional"
