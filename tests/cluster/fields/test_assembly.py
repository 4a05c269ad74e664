"""Slices are put together again."""

import pytest
from tests.cluster.fields.shapes import thing

from kubewright.cluster.fields.assembly import Torn, assembled, united_all
from kubewright.cluster.fields.pathset import PathSet
from kubewright.model.steps import finish


def test_the_sets_of_slices_are_united() -> None:
    parts: list[PathSet] = [{"f:spec": {"f:a": {}}}, {}, {"f:spec": {".": {}, "f:b": {}}}]
    assert finish(united_all(parts)) == {"f:spec": {".": {}, "f:a": {}, "f:b": {}}}


def test_of_no_slices_the_set_is_empty() -> None:
    assert finish(united_all([])) == {}


def test_a_map_that_was_cut_has_the_members_of_all_its_slices() -> None:
    slices = [{"spec": {"map": {"a": "1"}}}, {"spec": {"map": {"b": "2"}}}, {"kind": "Thing"}]
    assert finish(assembled(slices, thing())) == {"spec": {"map": {"a": "1", "b": "2"}}, "kind": "Thing"}


def test_an_item_that_was_cut_is_one_again_in_its_place() -> None:
    items = [
        [{"name": "m"}],
        [{"name": "n", "inner": {"a": "1"}}],
        [{"name": "n", "inner": {"b": "2"}}],
        [{"name": "o"}],
    ]
    made = finish(assembled([{"spec": {"keyed": each}} for each in items], thing()))
    assert made["spec"]["keyed"] == [{"name": "m"}, {"name": "n", "inner": {"a": "1", "b": "2"}}, {"name": "o"}]


def test_what_is_a_container_in_one_slice_and_none_in_another_is_torn() -> None:
    with pytest.raises(Torn):
        finish(assembled([{"spec": {"map": {"a": "1"}}}, {"spec": {"map": None}}], thing()))
