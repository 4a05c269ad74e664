"""The order of merged lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.patches.errors import FailedPatch, PanickingPatch
from kubewright.cluster.patches.order import Places, arranged, partitioned
from kubewright.model.steps import counted, finish


def test_values_of_different_types_are_different() -> None:
    places = Places([1, True, 1.0, "1", None], None)
    assert [places.find(value) for value in (1, True, 1.0, "1", None)] == [0, 1, 2, 3, 4]


def test_objects_are_not_compared() -> None:
    with pytest.raises(PanickingPatch):
        Places([{}], None).find({})
    assert Places([1], None).find({}) is None


def test_items_are_parted_by_their_key() -> None:
    items = [{"k": "a"}, {"k": "b"}, {"k": "c"}]
    assert finish(partitioned(items, [{"k": "b"}], "k")) == ([{"k": "b"}], [{"k": "a"}, {"k": "c"}])


def test_a_stray_item_matters_only_where_it_is_reached() -> None:
    assert finish(partitioned([{"k": "a"}], [{"k": "a"}, 5], "k")) == ([{"k": "a"}], [])
    with pytest.raises(FailedPatch, match=r"^value for key 1 is not a map$"):
        finish(partitioned([{"k": "b"}], [{"k": "a"}, 5], "k"))


def test_the_object_s_order_decides_where_both_are_known() -> None:
    assert finish(arranged(["b"], ["a", "c"], ["b"], ["a", "b", "c"], None)) == ["a", "b", "c"]


def test_what_the_object_does_not_know_comes_first() -> None:
    assert finish(arranged(["z"], ["a", "c"], ["z"], ["a", "c"], None)) == ["z", "a", "c"]


def test_items_in_no_order_come_out_as_go_s_sort_leaves_them() -> None:
    assert finish(arranged([], ["a", "b", "x", "y"], [], ["a", "b"], None)) == ["y", "x", "a", "b"]


@given(st.lists(st.sampled_from("abcde"), max_size=40))
def test_a_value_is_found_where_it_stands_first(values: list[str]) -> None:
    for places in (Places(values, None), Places([{"name": value} for value in values], "name")):
        assert {value: places.find(value) for value in values} == {value: values.index(value) for value in values}
        assert places.find("f") is None


def test_a_long_list_is_put_in_order_in_steps() -> None:
    items = [{"k": f"{number}"} for number in range(1000)]
    assert counted(partitioned(items, items[500:], "k")) == ((items[500:], items[:500]), 1)
    made, steps = counted(arranged(items[500:], items[:500], items[500:], items, "k"))
    assert made == items
    assert steps == 10
