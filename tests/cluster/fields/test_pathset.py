"""The algebra of sets, against sets of tuples."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.fields.element import BadElement
from kubewright.cluster.fields.pathset import (
    LEAF,
    PathSet,
    covers,
    difference,
    difference_in_steps,
    intersection,
    joined,
    ordered,
    ordered_in_steps,
    path_text,
    paths,
    read_set,
    read_set_in_steps,
    recursive_difference,
    set_of,
    union,
    united,
)
from kubewright.model.steps import counted, finish

Paths = frozenset[tuple[str, ...]]

_elements = st.sampled_from(["f:a", "f:b", 'k:{"n":"x"}', "v:1", "v:2"])
_paths = st.frozensets(st.lists(_elements, min_size=1, max_size=3).map(tuple), max_size=8)


def _set(found: Paths) -> PathSet:
    return set_of(*sorted(found))


def _paths_of(fields: PathSet) -> Paths:
    found = list(paths(fields))
    assert len(found) == len({*found})
    return frozenset(found)


@given(_paths)
def test_a_set_holds_its_paths(one: Paths) -> None:
    assert _paths_of(_set(one)) == one


@given(_paths, _paths)
def test_union(one: Paths, other: Paths) -> None:
    assert _paths_of(union(_set(one), _set(other))) == one | other


@given(_paths, _paths)
def test_intersection(one: Paths, other: Paths) -> None:
    assert _paths_of(intersection(_set(one), _set(other))) == one & other


@given(_paths, _paths)
def test_a_difference_takes_nothing_below_along(one: Paths, other: Paths) -> None:
    assert _paths_of(difference(_set(one), _set(other))) == one - other


@given(_paths, _paths, st.integers(1, 5))
def test_a_difference_is_the_same_in_steps(one: Paths, other: Paths, most: int) -> None:
    assert finish(difference_in_steps(_set(one), _set(other), most)) == difference(_set(one), _set(other))


def test_large_sets_are_taken_from_each_other_in_many_steps() -> None:
    one: PathSet = {"f:a": {f"f:{number}": {".": {}, "f:b": {}} for number in range(9000)}}
    other: PathSet = {"f:a": {f"f:{number}": {"f:b": {}} for number in range(1, 9000)}}
    made, steps = counted(difference_in_steps(one, other))
    assert made == difference(one, other)
    assert len(made["f:a"]) == 9000
    assert steps > 9


@given(_paths, _paths)
def test_a_recursive_difference_does(one: Paths, other: Paths) -> None:
    left = {path for path in one if not any(path[: len(gone)] == gone for gone in other)}
    assert _paths_of(recursive_difference(_set(one), _set(other))) == left


@given(_paths, _paths)
def test_covers(one: Paths, other: Paths) -> None:
    assert covers(_set(one), _set(other)) == (other <= one)


@given(_paths)
def test_what_is_written_is_read_again(one: Paths) -> None:
    fields = _set(one)
    assert read_set(ordered(fields)) == fields


@given(_paths, _paths)
def test_no_operation_changes_a_set(one: Paths, other: Paths) -> None:
    left, right = _set(one), _set(other)
    union(left, right), intersection(left, right), difference(left, right), recursive_difference(left, right)
    assert (_paths_of(left), _paths_of(right)) == (one, other)


def test_a_path_and_what_is_below_it_are_told_apart() -> None:
    assert set_of(("f:a",)) == {"f:a": {}}
    assert set_of(("f:a", "f:b")) == {"f:a": {"f:b": {}}}
    assert set_of(("f:a",), ("f:a", "f:b")) == {"f:a": {".": {}, "f:b": {}}}


def test_a_part_with_its_own_path() -> None:
    assert joined(None, own=False) is None
    assert joined(None, own=True) == LEAF
    assert joined({"f:a": {}}, own=True) == {".": {}, "f:a": {}}
    assert united(LEAF, {"f:a": {}}) == {".": {}, "f:a": {}}


def test_paths_as_messages_have_them() -> None:
    assert path_text(("f:spec", 'k:{"name":"a"}', "f:image")) == '.spec[name="a"].image'


def test_elements_are_written_in_order_at_every_level() -> None:
    made = ordered({"f:b": {"v:10": {}, "v:9": {}, ".": {}}, "f:a": {}})
    assert list(made) == ["f:a", "f:b"]
    assert list(made["f:b"]) == [".", "v:9", "v:10"]


@given(st.dictionaries(_elements, st.dictionaries(_elements, st.just({}))))
def test_a_large_set_is_put_in_order_in_steps(fields: PathSet) -> None:
    assert json.dumps(finish(ordered_in_steps(fields, most=4))) == json.dumps(ordered(fields))


def test_null_is_a_path_and_unknown_elements_are_passed_over() -> None:
    assert read_set({"f:a": None, "f:b": {"z:x": {}}, "z:y": {}}) == {"f:a": {}, "f:b": {}}


def test_one_element_in_two_spellings_is_one() -> None:
    assert read_set({"v:1": {}, "v:1.0": {"f:a": {}}}) == {"v:1": {".": {}, "f:a": {}}}


@pytest.mark.parametrize("fields", ["x", {"f:a": 1}, {"f:a": ["f:b"]}, {"k:x": {}}])
def test_what_is_no_set_is_refused(fields: object) -> None:
    with pytest.raises(BadElement):
        read_set(fields)


_WRITTEN: st.SearchStrategy[object] = st.recursive(
    st.none() | st.just({}),
    lambda inner: st.dictionaries(
        st.sampled_from([".", "f:a", "f:b", 'k:{"n":"x"}', 'k:{"n": "x"}', "v:1", "v:1.0", "i:0", "z:odd"]), inner
    ),
)


@given(_WRITTEN, st.integers(1, 6))
def test_a_set_is_read_the_same_in_steps(fields: object, most: int) -> None:
    assert finish(read_set_in_steps(fields, most)) == read_set(fields)


def test_a_large_set_is_read_in_many_steps() -> None:
    fields: PathSet = {"f:list": {f'k:{{"name": "{number}"}}': {".": {}, "f:name": {}} for number in range(5000)}}
    found, steps = counted(read_set_in_steps(fields))
    assert found == read_set(fields)
    assert steps >= 5
