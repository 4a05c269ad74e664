"""Equal in meaning."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.wire.reading import EmptyMap

JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("empty", [[], EmptyMap(), None])
def test_what_is_empty_is_none_all_the_way_down(empty: Any) -> None:
    assert same({"a": [{"b": empty, "c": 1}]}, {"a": [{"c": 1}]})
    assert same({"c": 1}, {"b": empty, "c": 1})


def test_a_struct_without_members_is_something() -> None:
    assert not same({"a": {}}, {})


def test_empty_maps_are_equal_to_no_others() -> None:
    assert not same(EmptyMap(), {"a": "b"})


@pytest.mark.parametrize(("one", "other"), [([1], []), ([1, 2], [2, 1]), ({"a": 1}, {"a": 2}), ("", None), (0, None)])
def test_what_differs_differs(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert not same({"a": one}, {"a": other})


@given(JSON)
def test_all_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)
