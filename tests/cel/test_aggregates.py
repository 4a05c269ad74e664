import pytest

from kubewright.cel.aggregates import fill_list, fill_map
from kubewright.cel.values import NONE, EvaluationError, Optional


def test_an_optional_part_without_a_value_is_left_out() -> None:
    assert fill_list([(lambda _: 1, False), (lambda _: NONE, True), (lambda _: Optional(3), True)])([]) == [1, 3]
    assert fill_map([(lambda _: "a", lambda _: NONE, True), (lambda _: "b", lambda _: Optional(2), True)])([]) == {
        "b": 2
    }


def test_what_is_no_optional_cannot_be_an_optional_part() -> None:
    with pytest.raises(EvaluationError, match="cannot initialize optional list element from non-optional value 1"):
        fill_list([(lambda _: 1, True)])([])
    with pytest.raises(EvaluationError, match="cannot initialize optional entry 'a' from non-optional value 1"):
        fill_map([(lambda _: "a", lambda _: 1, True)])([])


def test_a_list_is_no_key() -> None:
    with pytest.raises(EvaluationError, match="unsupported key type: list"):
        fill_map([(lambda _: [], lambda _: 1, False)])([])
