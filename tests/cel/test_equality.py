from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.ast import Uint
from kubewright.cel.equality import compare, contains, equal, lookup
from kubewright.cel.types import DYN
from kubewright.cel.values import (
    ABSENT,
    NONE,
    Duration,
    EvaluationError,
    MapList,
    ObjectView,
    Optional,
    SetList,
    Timestamp,
)

NAN = float("nan")

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(0, 3).map(Uint),
    st.sampled_from([0.0, 1.0, 2.5]),
    st.text(max_size=1),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=1), inner, max_size=2)),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 1.0),
        (1, Uint(1)),
        (Uint(1), 1.0),
        (2**53 + 1, float(2**53)),
        ([1, {"a": 2}], [1.0, {"a": Uint(2)}]),
        ({1: 2}, {1.0: 2}),
        (Timestamp(5, 3600), Timestamp(5)),
        (Duration("60s"), Duration("1m")),
        (Optional(1), Optional(1.0)),
        (NONE, Optional()),
        (SetList(["a", "b"]), ["b", "a"]),
        (MapList([{"k": 1, "v": 2}, {"k": 2}], ("k",)), [{"k": 2}, {"k": 1, "v": 2}]),
    ],
)
def test_what_is_equal(a: Any, b: Any) -> None:
    assert equal(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (True, 1),
        (False, 0.0),
        ([True], [1]),
        ({True: 1}, {1: 1}),
        (NAN, NAN),
        ("1", 1),
        (None, False),
        ([1], 1),
        ({"a": None}, {"b": None}),
        (Optional(1), NONE),
        (["a", "b"], SetList(["b", "a"])),
        (b"a", "a"),
    ],
)
def test_what_is_not(a: Any, b: Any) -> None:
    assert not equal(a, b)


@given(_VALUES, _VALUES)
def test_equality_is_symmetric_and_everything_equals_itself(a: Any, b: Any) -> None:
    assert equal(a, b) == equal(b, a)
    assert equal(a, a)


def test_numbers_are_ordered_across_types() -> None:
    assert compare(1, 1.5) < 0 < compare(Uint(2), 1)
    assert compare(2.0, Uint(2)) == 0


@pytest.mark.parametrize(("a", "b"), [(1, "a"), (True, 1), (None, None), ([1], [2])])
def test_what_has_no_order(a: Any, b: Any) -> None:
    with pytest.raises(EvaluationError, match="no such overload"):
        compare(a, b)


def test_nan_cannot_be_ordered() -> None:
    with pytest.raises(EvaluationError, match="NaN values cannot be ordered"):
        compare(1, NAN)


def test_a_key_is_found_across_numbers_but_a_bool_is_none() -> None:
    assert lookup({1: "a"}, 1.0) == "a"
    assert lookup({1: "a"}, True) is ABSENT
    assert lookup({True: "a"}, 1) is ABSENT
    assert lookup({True: "a"}, True) == "a"
    assert lookup({"a": 1}, None) is ABSENT


def test_an_element_is_found_by_cel_s_equality() -> None:
    assert contains([1, "a"], 1.0)
    assert not contains([1, "a"], True)


@pytest.mark.parametrize("a", [SetList([1]), MapList([], ()), ObjectView({}, DYN)])
def test_what_a_schema_describes_is_not_compared_to_what_is_no_container(a: Any) -> None:
    with pytest.raises(EvaluationError, match="no such overload"):
        equal(a, 1)
    assert not equal(1, a)
    assert not equal(a, None)


def test_null_is_a_key() -> None:
    assert lookup({None: 1}, None) == 1
    assert lookup({"a": 1}, None) is ABSENT
