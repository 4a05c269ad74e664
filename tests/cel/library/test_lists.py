from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate

from kubewright.cel.library.lists import RANGE_LIMIT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 2].isSorted()", True),
        ("['b', 'a'].isSorted()", False),
        ("[1.5, double('NaN'), 1.0].isSorted()", True),
        ("[1, 2, 3].sum()", 6),
        ("[1.5, 2.0].sum()", 3.5),
        ("[duration('1s'), duration('2s')].sum() == duration('3s')", True),
        ("[3, 1, 2].min()", 1),
        ("['b', 'a'].max()", "b"),
        ("[dyn(1), dyn('a')].max()", 1),
        ("[1, 2, 1].indexOf(1)", 0),
        ("[1, 2, 1].lastIndexOf(1)", 2),
        ("[1, 2].indexOf(3)", -1),
        ("[1, 2, 3, 4].slice(1, 3)", [2, 3]),
        ("[[1], [2, 3]].flatten()", [1, 2, 3]),
        ("[[[1]], [[2], [3]]].flatten(2)", [1, 2, 3]),
        ("[3, 1, 2].sort()", [1, 2, 3]),
        ("[1.5, -1.0].sort()", [-1.0, 1.5]),
        ("['bb', 'a'].sortBy(x, x.size())", ["a", "bb"]),
        ("[1, 2, 2, 1].distinct()", [1, 2]),
        ("[dyn(1), dyn(1.0), dyn('a')].distinct()", [1, "a"]),
        ("[1, 2].reverse()", [2, 1]),
        ("lists.range(3)", [0, 1, 2]),
        ("lists.range(-1)", []),
    ],
)
def test_what_functions_of_lists_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1].filter(x, false).min()", "min called on empty list"),
        ("[1].filter(x, false).max()", "max called on empty list"),
        ("[9223372036854775807, 1].sum()", "integer overflow"),
        ("[1, 2].slice(1, 5)", "cannot slice(1, 5), list is length 2"),
        ("[1, 2].slice(-1, 1)", "cannot slice(-1, 1), negative indexes not supported"),
        ("[1, 2].slice(2, 1)", "cannot slice(2, 1), start index must be less than or equal to end index"),
        ("[1].flatten(-1)", "level must be non-negative"),
        ("[dyn(1), dyn('a')].sort()", "list elements must have the same type"),
        ("[dyn(1), dyn('a')].sum()", "no such overload"),
        ("dyn(1).sort()", "no such overload: sort"),
        ("dyn([null]).sum()", "no such overload"),
    ],
)
def test_in_which_words_they_fail(text: str, words: str) -> None:
    assert error(text) == words


def test_a_range_longer_than_any_budget_is_not_made() -> None:
    assert str(RANGE_LIMIT) in error("lists.range(9223372036854775807)")
