"""Strategic merge patch, against recorded answers of Go and by law."""

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.patches.kinds import answer, kind, same, table

from kubewright.cluster.patches import strategic
from kubewright.cluster.patches.errors import BadPatch, FailedPatch, PanickingPatch, PatchError
from kubewright.cluster.patches.lookup import PatchField
from kubewright.model.steps import counted

POD = kind("Pod")

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([1.0, 2.5, "a", "b", "delete", "replace"])
FIELDS = st.sampled_from(
    ["metadata", "spec", "containers", "env", "finalizers", "name", "labels", "tolerations", "volumes", "zz"]
)
DIRECTIVES = st.sampled_from(
    [
        "$patch",
        "$retainKeys",
        "$setElementOrder/containers",
        "$setElementOrder/finalizers",
        "$setElementOrder",
        "$deleteFromPrimitiveList/finalizers",
        "$deleteFromPrimitiveList",
    ]
)
NAMES = FIELDS | DIRECTIVES
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)
ITEMS = st.lists(st.fixed_dictionaries({"name": st.sampled_from("abcd")}, optional={"image": SCALARS}), max_size=5)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


def names(document: dict[str, Any]) -> list[str]:
    return [item["name"] for item in document["spec"]["containers"]]


def pod(*containers: str) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": name, "image": "old"} for name in containers]}}


def patched(document: dict[str, Any], *containers: dict[str, Any], **more: object) -> dict[str, Any]:
    return strategic.apply(document, {"spec": {"containers": list(containers), **more}}, POD)


def test_every_patch_is_applied_or_refused_as_by_go() -> None:
    for case in table("strategic"):
        try:
            ours = {"result": strategic.apply(case["document"], case["patch"], kind(case["kind"]))}
        except PatchError as error:
            ours = answer(error)
        assert same(ours, case["answers"]), (case.get("name"), case["document"], case["patch"], ours, case["answers"])


@given(OBJECTS)
def test_an_empty_patch_gives_the_document_itself(document: dict[str, Any]) -> None:
    assert strategic.apply(document, {}, POD) is document


@given(OBJECTS, OBJECTS)
def test_nothing_but_a_patch_error_is_raised_and_nothing_given_is_changed(
    document: dict[str, Any], patch: dict[str, Any]
) -> None:
    kept = copy.deepcopy((document, patch))
    with contextlib.suppress(PatchError):
        strategic.apply(document, patch, POD)
    assert (document, patch) == kept


@given(ITEMS, ITEMS)
def test_merged_items_are_those_of_both_and_each_side_keeps_its_order(
    live: list[dict[str, Any]], given_: list[dict[str, Any]]
) -> None:
    live = list({item["name"]: item for item in live}.values())
    given_ = list({item["name"]: item for item in given_}.values())
    merged = names(patched({"spec": {"containers": live}}, *given_))
    named = [item["name"] for item in given_]
    assert [name for name in merged if name in named] == named
    assert [name for name in merged if name not in named] == [
        item["name"] for item in live if item["name"] not in named
    ]


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_directive_gives_the_order(order: list[str]) -> None:
    patch = {"spec": {"$setElementOrder/containers": [{"name": name} for name in order]}}
    assert names(strategic.apply(pod("a", "b", "c", "d"), patch, POD)) == order


def test_a_new_item_comes_before_those_the_patch_does_not_name() -> None:
    assert names(patched(pod("a", "b"), {"name": "new"})) == ["new", "a", "b"]


def test_what_is_not_touched_is_shared() -> None:
    document = {"metadata": {"labels": {"a": "b"}}, **pod("a", "b")}
    changed = patched(document, {"name": "a", "image": "new"})
    assert changed["metadata"] is document["metadata"]
    assert changed["spec"]["containers"][1] is document["spec"]["containers"][1]
    assert document["spec"]["containers"][0]["image"] == "old"


def test_an_item_without_its_key_is_told_as_go_prints_it() -> None:
    with pytest.raises(FailedPatch, match=r"^map: map\[image:x\] does not contain declared merge key: name$"):
        patched(pod("a"), {"image": "x"})


def test_a_field_that_is_not_there_is_told_with_the_struct() -> None:
    document = {"spec": {"zz": {"a": 1}}}
    with pytest.raises(FailedPatch, match=r'^unable to find api field in struct PodSpec for the json field "zz"$'):
        strategic.apply(document, {"spec": {"zz": {"b": 1}}}, POD)


def test_where_go_panics_it_says_so() -> None:
    with pytest.raises(PanickingPatch):
        strategic.apply({"spec": {"containers": []}}, {"spec": {"containers": [None]}}, POD)


def test_scalars_of_many_doubles_are_made_distinct_in_time() -> None:
    document = {"metadata": {"finalizers": [str(number % 5_000) for number in range(10_000)]}}
    patch = {"metadata": {"finalizers": [str(number % 7_000) for number in range(20_000)]}}
    merged = strategic.apply(document, patch, POD)["metadata"]["finalizers"]
    assert sorted(merged) == sorted(map(str, range(7_000)))


@pytest.mark.parametrize("document", [{}, {"spec": {}}, {"spec": {"zz": 1}}])
def test_values_nested_too_deep_are_our_error(document: dict[str, Any]) -> None:
    deep: dict[str, Any] = {}
    for _ in range(10_000):
        deep = {"zz": [deep]}
    with pytest.raises(BadPatch, match="nested more than 400 levels deep"):
        strategic.apply(document, {"spec": deep}, POD)


def test_an_object_of_itself_nested_too_deep_is_our_error() -> None:
    class Endless:
        kind = "struct"
        struct = "Endless"

        def field(self, name: str) -> Any:
            return PatchField(self, self, ("merge",), "name")

    deep: dict[str, Any] = {"name": "x"}
    for level in range(10_000):
        deep = {"name": "x", "a": [deep] if level % 2 else deep}
    with pytest.raises(BadPatch, match="nested more than 400 levels deep"):
        strategic.apply(deep, deep, Endless())


def test_there_is_a_step_for_every_few_items() -> None:
    def with_variables(value: str) -> dict[str, Any]:
        env = [{"name": f"V{number}", "value": value} for number in range(3000)]
        return {"spec": {"containers": [{"name": "c", "image": "i", "env": env}]}}

    made, steps = counted(strategic.apply_in_steps(with_variables("old"), with_variables("new"), POD))
    assert made == with_variables("new")
    assert steps >= 12


def test_there_is_a_step_for_every_few_members() -> None:
    labels = {f"l{number}": "v" for number in range(3000)}
    made, steps = counted(strategic.apply_in_steps({}, {"metadata": {"labels": labels}}, POD))
    assert made == {"metadata": {"labels": labels}}
    assert steps == 0
    _, steps = counted(strategic.apply_in_steps(made, {"metadata": {"labels": labels | {"l7": "w"}}}, POD))
    assert steps == 6
