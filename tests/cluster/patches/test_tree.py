"""A document in work."""

import json
from typing import Any

import pytest

from kubewright.cluster.patches.errors import InapplicablePatch, PanickingPatch
from kubewright.cluster.patches.tree import COPIED_NULL, NULL, Text, Tree, equal, size
from kubewright.model.steps import finish


def test_a_text_is_walked_into_one_level_at_a_time() -> None:
    tree = Tree({})
    container, key = tree.find("/a")
    container[key] = Text(b'{"b":{"c":[1]}}')
    inner, key = tree.find("/a/b/c")
    assert isinstance(inner[key], Text)
    assert finish(tree.done()) == {"a": {"b": {"c": [1]}}}


def test_members_come_out_in_order_where_a_path_led_through() -> None:
    tree = Tree({"z": {"y": 1, "x": {"b": 1, "a": 2}}, "a": {"d": 1, "c": 2}})
    tree.find("/z/y")
    assert json.dumps(finish(tree.done())) == '{"a": {"d": 1, "c": 2}, "z": {"x": {"b": 1, "a": 2}, "y": 1}}'


def test_what_no_path_led_through_is_shared() -> None:
    document = {"z": {"y": 1}, "a": {"d": 1}}
    tree = Tree(document)
    tree.find("/z/y")
    changed: Any = finish(tree.done())
    assert changed["a"] is document["a"]
    assert changed["z"] is not document["z"]


@pytest.mark.parametrize("path", ["", "a", "/a/b/c", "/l/x/y", "/l/5/y", "/s/x"])
def test_a_path_to_nowhere_finds_nothing(path: str) -> None:
    assert Tree({"l": [{}], "s": "text"}).find(path) == (None, "")


def test_the_three_nulls_differ() -> None:
    assert equal(NULL, NULL)
    assert equal(COPIED_NULL, Text(b"{}"))
    assert not equal(COPIED_NULL, NULL)
    with pytest.raises(PanickingPatch):
        equal(None, NULL)


def test_the_size_of_a_copy_is_that_of_go_s_writing() -> None:
    assert size({"a": ["<", 1, None]}) == len(b'{"a":["\\u003c",1,null]}')
    assert size(Text(b'{ "a" : [ 1 ] }')) == len(b'{"a":[1]}')
    assert size([NULL, Text(b"1.0")]) == len(b"[null,1.0]")
    assert size(None) == 0


def test_a_value_nested_too_deep_to_be_written_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InapplicablePatch, match="nested more than 400 levels deep"):
        size(deep)
