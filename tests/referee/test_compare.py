"""Differences are found where they are."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.referee.compare import differences

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
)


def found(expected: Any, got: Any) -> list[str]:
    return [str(difference) for difference in differences([{"body": expected}], [{"body": got}])]


def test_each_place_is_told_once() -> None:
    assert found({"a": [1, {"b": "x"}], "c": 1}, {"a": [1, {"b": "y"}, 3], "d": 1}) == [
        'step 1 .body.a[1].b: expected "x", got "y"',
        "step 1 .body.a[2]: expected nothing, got 3",
        "step 1 .body.c: expected 1, got nothing",
        "step 1 .body.d: expected nothing, got 1",
    ]


def test_types_count() -> None:
    assert found(1, 1.0) == ["step 1 .body: expected 1, got 1.0"]
    assert found(1, True) == ["step 1 .body: expected 1, got true"]


def test_of_long_texts_the_place_that_differs_is_shown() -> None:
    (told,) = found("a" * 500 + "x", "a" * 500 + "y")
    assert told.endswith(f'expected "…{"a" * 40}x", got "…{"a" * 40}y"')


def test_a_step_that_is_missing_is_a_difference() -> None:
    (difference,) = differences([{"a": 1}, {"a": 2}], [{"a": 1}])
    assert difference.step == 2


@given(VALUES)
def test_a_value_is_equal_to_itself(value: Any) -> None:
    assert found(value, value) == []
