"""Merge patch, against recorded answers of Go and the laws of RFC 7386."""

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.patches.kinds import answer, same, table

from kubewright.cluster.patches import merge
from kubewright.cluster.patches.errors import BadPatch, PatchError
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import marshal

SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from([1.5, "", "a"])
KEYS = st.sampled_from("abcd")
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
#: Without lists, in which the server drops nulls and the RFC does not.
PLAIN = st.dictionaries(
    KEYS, st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=4), max_leaves=10), max_size=4
)


def rfc(target: Any, patch: Any) -> Any:
    """The algorithm of RFC 7386, section 2."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = rfc(result.get(name), value)
    return result


def has_null(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and any(map(has_null, value.values())))


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The patch that leads from one object to another, which has no nulls."""
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        if key not in before or marshal(before[key]) != marshal(value):
            both = key in before and isinstance(before[key], dict) and isinstance(value, dict)
            patch[key] = difference(before[key], value) if both else value
    return patch


def test_every_patch_is_applied_or_refused_as_by_go() -> None:
    for case in table("merge"):
        try:
            ours = {"result": merge.apply(case["document"], case["patch"])}
        except PatchError as error:
            ours = answer(error)
        assert same(ours, case["answers"]), (case.get("name"), case["document"], case["patch"], ours)


@given(PLAIN, PLAIN)
def test_without_lists_it_is_the_algorithm_of_the_rfc(document: Any, patch: Any) -> None:
    assert marshal(merge.apply(document, patch)) == marshal(rfc(document, patch))


@given(PLAIN, PLAIN)
def test_a_patch_applied_twice_does_no_more_than_once(document: Any, patch: Any) -> None:
    once = merge.apply(document, patch)
    assert marshal(merge.apply(once, patch)) == marshal(once)


@given(OBJECTS)
def test_an_empty_patch_changes_nothing(document: Any) -> None:
    assert merge.apply(document, {}) == document


def test_members_come_out_in_order_where_the_patch_led_through() -> None:
    document = {"z": {"y": 1, "x": {"b": 1, "a": 2}}, "a": {"d": 1, "c": 2}}
    merged = merge.apply(document, {"z": {}, "n": {"q": 1, "p": 2}})
    assert json.dumps(merged) == '{"a": {"d": 1, "c": 2}, "n": {"p": 2, "q": 1}, "z": {"x": {"b": 1, "a": 2}, "y": 1}}'


@given(PLAIN, PLAIN.filter(lambda value: not has_null(value)))
def test_the_difference_of_two_objects_leads_from_one_to_the_other(before: Any, after: Any) -> None:
    assert marshal(merge.apply(before, difference(before, after))) == marshal(after)


@given(VALUES, VALUES)
def test_nothing_but_a_patch_error_is_raised_and_nothing_given_is_changed(document: Any, patch: Any) -> None:
    kept = copy.deepcopy((document, patch))
    with contextlib.suppress(PatchError):
        merge.apply(document, patch)
    assert (document, patch) == kept


def test_what_is_not_touched_is_shared() -> None:
    document: dict[str, Any] = {"a": {"b": 1}, "c": {"d": [1]}}
    changed: Any = merge.apply(document, {"a": {"x": 2}})
    assert changed["c"] is document["c"]


@pytest.mark.parametrize("document", [{}, {"a": {}}, None])
def test_values_nested_too_deep_are_our_error(document: Any) -> None:
    deep: dict[str, Any] = {}
    for _ in range(10_000):
        deep = {"a": deep}
    with pytest.raises(BadPatch, match="nested more than 400 levels deep"):
        merge.apply(deep if document is None else document, deep)


def test_four_hundred_levels_are_not_too_deep() -> None:
    deep: dict[str, Any] = {}
    for _ in range(399):
        deep = {"a": deep}
    assert merge.apply({}, deep) is not None
    assert merge.apply(deep, deep) is not None


@given(OBJECTS, OBJECTS, st.integers(1, 6))
def test_a_large_patch_in_steps_gives_the_same(document: dict[str, Any], patch: dict[str, Any], most: int) -> None:
    before = copy.deepcopy(document)
    made = finish(merge.apply_in_steps(document, patch, most))
    assert json.dumps(made) == json.dumps(merge.apply(before, patch))
    assert document == before
