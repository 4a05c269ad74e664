"""A large object is worked on in slices, and nobody can tell."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cluster.fields.shapes import SCHEMA, configs, thing

from kubewright.cluster.fields.check import check, look, look_in_steps, same, same_in_steps
from kubewright.cluster.fields.openapi import custom_shape
from kubewright.cluster.fields.ownership import Conflicts, NoSuchVersion, Typed, Unconvertible
from kubewright.cluster.fields.pathset import recursive_difference
from kubewright.cluster.fields.slices import ABSENT, cut
from kubewright.cluster.fields.tracking import LAST_APPLIED, Outcome, Refused, Tracking
from kubewright.cluster.registry.tracking import builtin_shapes
from kubewright.model.parts import MOST
from kubewright.model.steps import counted

T = TypeVar("T")
Document = dict[str, Any]

WHOLE = Tracking(
    version="x/v1",
    subresource="",
    shape=thing(),
    convert=lambda typed, version: typed,
    keep=lambda fields, version: recursive_difference(fields, {"f:status": {}}),
    zero=lambda: {"apiVersion": "x/v1", "kind": "Thing", "metadata": {}},
    sort=True,
)
#: Slices of next to nothing, so that small objects have many.
SLICED = replace(WHOLE, slice=24, known={})
#: What a value is in JSON: to Python 1 and true are the same.
said = msgspec.json.Encoder(order="deterministic").encode


def updated(
    live: Document | None,
    new: Document,
    manager: str,
    now: str,
    *,
    at_once: Tracking = WHOLE,
    sliced: Tracking = SLICED,
) -> Document:
    whole, in_slices = copy.deepcopy(new), copy.deepcopy(new)
    at_once.track(live, whole, manager, now)
    if live is not None and said(live.get("spec")) == said(new["spec"]):
        in_slices["spec"] = live["spec"]  # as patches leave what they do not touch
    counted(sliced.track_in_steps(live, in_slices, manager, now))
    assert said(in_slices) == said(whole)
    return whole


def applied(
    live: Document | None,
    config: Document,
    manager: str,
    now: str,
    *,
    force: bool,
    at_once: Tracking = WHOLE,
    sliced: Tracking = SLICED,
) -> Document | None:
    found: list[Any] = []
    works: list[Callable[[], Outcome]] = [
        lambda: at_once.apply(live, config, manager, now, force=force),
        lambda: counted(sliced.apply_in_steps(live, config, manager, now, force=force))[0],
    ]
    for work in works:
        try:
            found.append(work())
        except Conflicts as conflicts:
            found.append(sorted(conflicts.fields.items()))
        except Refused as refused:
            found.append(str(refused))
    whole, in_slices = found
    assert said(in_slices) == said(whole)
    if not isinstance(whole, Outcome):
        return None
    meta = {**whole.value["metadata"], "managedFields": whole.entries}
    return {**whole.value, "metadata": meta}


writes = st.tuples(st.sampled_from(["update", "apply", "force"]), st.sampled_from(["m", "n", "kubectl"]), configs)


@settings(max_examples=300)
@given(st.lists(writes, min_size=2, max_size=5))
def test_slices_come_to_what_the_whole_comes_to(story: list[tuple[str, str, Document]]) -> None:
    tell(story)


def tell(story: list[tuple[str, str, Document]]) -> None:
    """Write one document after the other, in slices and as a whole."""
    live: Document | None = None
    for number, (verb, manager, document) in enumerate(story):
        now = f"T{number}"
        if verb == "update":
            live = updated(live, document, manager, now)
        else:
            live = applied(live, document, manager, now, force=verb == "force") or live


@settings(max_examples=300)
@given(configs, configs, configs, st.sampled_from(["", "x/v2", "x/v1", "x/v1"]))
def test_what_was_applied_on_the_clients_side_is_taken_over_in_slices_too(
    live: Document, last: Document, config: Document, version: str
) -> None:
    text = json.dumps(last | {"apiVersion": version} if version else [])
    there = live | {"metadata": {"name": "t", "annotations": {LAST_APPLIED: text}}}
    # Some of it is as it was applied, so that it may be taken over.
    there["spec"] = {**last["spec"], **live["spec"]} if len(live["spec"]) < 4 else live["spec"]
    applied(updated(None, there, "m", "T1"), config, "kubectl", "T2", force=False)


def test_what_was_applied_on_the_clients_side_is_taken_over_in_steps() -> None:
    there = large("a") | {"metadata": {"name": "t", "annotations": {LAST_APPLIED: json.dumps(large("a"))}}}
    there = updated(None, there, "m", "T1")
    made = applied(there, large("b"), "kubectl", "T2", force=False)
    assert made is not None
    assert json.loads(made["metadata"]["annotations"][LAST_APPLIED]) == large("b")
    mine, other = (
        counted(SLICED.apply_in_steps(there, large("b"), "kubectl", "T2", force=f))[1] for f in (False, True)
    )
    assert mine > other + 9


def versions(*schemas: Document) -> list[tuple[Tracking, Tracking]]:
    """Trackings of versions that differ by their schemas, of the whole and in slices."""
    shapes = {
        f"x/v{number}": custom_shape({"type": "object", "properties": {"spec": schema}}, builtin_shapes())
        for number, schema in enumerate(schemas, 1)
    }

    def convert(typed: Typed, version: str) -> Typed:
        if typed.value["apiVersion"] == version:
            return typed
        if version not in shapes:
            raise NoSuchVersion
        made = typed.value | {"apiVersion": version}
        if errors := check(made, shapes[version]):
            raise Unconvertible(" ".join(map(str, errors)))
        return Typed(made, shapes[version])

    made = []
    for version, shape in shapes.items():
        zero = {"apiVersion": version, "kind": "Thing", "metadata": {}}
        whole = replace(WHOLE, version=version, shape=shape, convert=convert, zero=partial(dict, zero), known={})
        gone = replace(whole, alike=shapes.get, is_gone=lambda version: version not in shapes)
        made.append((whole, replace(gone, slice=24, known={})))
    return made


def properties(**changed: Any) -> Document:
    found = {name: schema for name, schema in (SCHEMA["properties"] | changed).items() if schema is not None}
    return {"type": "object", "properties": found}


ATOMIC: Document = {"type": "array", "x-kubernetes-list-type": "atomic"}
ITEMS = SCHEMA["properties"]["keyed"]
OTHERS = st.fixed_dictionaries(
    {},
    optional={
        "keyed": st.sampled_from(
            [ITEMS | ATOMIC, ITEMS | {"x-kubernetes-list-map-keys": ["value"]}, SCHEMA["properties"]["twice"]]
        ),
        "map": st.just(SCHEMA["properties"]["whole"]),
        "whole": st.just(SCHEMA["properties"]["map"]),
        "set": st.just(SCHEMA["properties"]["list"]),
        "list": st.just(SCHEMA["properties"]["set"]),
        "struct": st.sampled_from([SCHEMA["properties"]["map"], SCHEMA["properties"]["free"]]),
        "free": st.just(SCHEMA["properties"]["whole"]),
        "number": st.sampled_from([None, {"type": "string"}]),
    },
)


@settings(max_examples=400)
@given(
    OTHERS,
    OTHERS,
    st.lists(st.tuples(st.integers(0, 2), writes, st.booleans()), min_size=2, max_size=6),
)
def test_managers_of_several_versions_come_to_the_same_in_slices(
    two: Document, three: Document, story: list[tuple[int, tuple[str, str, Document], bool]]
) -> None:
    trackings = versions(SCHEMA, properties(**two), properties(**three))
    live: Document | None = None
    for number, ((place, (verb, manager, document), as_before)) in enumerate(story):
        (whole, sliced), now = trackings[place], f"T{number}"
        version = {"apiVersion": whole.version}
        if live is not None:
            live |= version
        new = document | version
        if as_before and live is not None:
            new |= {
                "spec": copy.deepcopy(live.get("spec") or {}),
                "metadata": {"name": "t", "labels": {"a": str(number)}},
            }
        if any(check(each, whole.shape, duplicates=True) for each in (live, new) if each is not None):
            continue  # it would have been pruned, or refused
        if verb == "update":
            live = updated(live, new, manager, now, at_once=whole, sliced=sliced)
        else:
            force = verb == "force"
            live = applied(live, new, manager, now, force=force, at_once=whole, sliced=sliced) or live


def test_managers_of_several_versions_do_not_make_it_one_step() -> None:
    [(whole, _), (other, sliced)] = versions(SCHEMA, properties(number=None, more={"type": "string"}))
    for odd in ({"apiVersion": "x/v1"}, {"apiVersion": "y/v1"}):
        live = updated(None, large("a"), "m", "T1", at_once=whole, sliced=whole)
        live["metadata"]["managedFields"].append(live["metadata"]["managedFields"][0] | {"manager": "n"} | odd)
        live["apiVersion"] = "x/v2"
        new = large("b") | {"apiVersion": "x/v2"}
        assert counted(sliced.track_in_steps(live, copy.deepcopy(new), "m", "T2"))[1] > 9
        assert counted(sliced.apply_in_steps(live, new, "m", "T2", force=True))[1] > 9
        updated(live, new, "m", "T2", at_once=other, sliced=sliced)
        made = applied(live, new, "m", "T2", force=True, at_once=other, sliced=sliced)
        assert made is not None
        # Who wrote in a version that there is no more is forgotten.
        managers = {entry["manager"] for entry in made["metadata"]["managedFields"]}
        assert managers == ({"m", "n"} if odd["apiVersion"] == "x/v1" else {"m"})


def test_a_slice_that_does_not_fit_in_another_version_is_told_though_nobody_owns_it_there() -> None:
    [(whole, sliced), _] = versions(SCHEMA, properties(map=None))
    fields: Document = {"f:metadata": {"f:labels": {"f:a": {}}}}
    entry = {"manager": "n", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": fields, "apiVersion": "x/v2"}
    live = large("a") | {"metadata": {"name": "t", "labels": {"a": "b"}, "managedFields": [entry]}}
    config = large("a") | {"metadata": {"name": "t", "labels": {"b": "c"}}, "spec": {}}
    assert applied(live, config, "m", "T1", force=True, at_once=whole, sliced=sliced) is None
    new = updated(live, large("b"), "m", "T1", at_once=whole, sliced=sliced)
    assert "managedFields" not in new["metadata"]


_names = st.sampled_from(["a", "b", "c"])
_items = st.fixed_dictionaries({"name": _names}, optional={"value": _names, "inner": st.dictionaries(_names, _names)})
_lists = st.fixed_dictionaries(
    {}, optional={"keyed": st.lists(_items), "set": st.lists(_names), "twice": st.lists(_items)}
)
_alike = st.tuples(configs, _lists).map(lambda pair: {**pair[0], "spec": {**pair[0]["spec"], **pair[1]}})


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(["update", "update", "force"]), st.sampled_from("mn"), _alike), max_size=5))
def test_items_that_share_their_keys_come_to_the_same(story: list[tuple[str, str, Document]]) -> None:
    tell(story)


def keyed(*names: str) -> Document:
    return large("a") | {"spec": {"keyed": [{"name": name, "value": "a" * 30} for name in names]}}


def test_a_list_is_merged_in_slices_though_items_share_their_keys_or_change_places() -> None:
    for live, config, expected in (
        ("eaec", "en", "eanc"),  # where an item stood a second time, the next new one comes
        ("eaec", "ac", "eaec"),
        ("eae", "xey", "xeay"),
        ("abcd", "dbca", "dbca"),
        ("abcd", "dxa", "bcdxa"),
    ):
        there = updated(None, keyed(*live), "m", "T1")
        made = applied(there, keyed(*config), "n", "T2", force=True)
        assert made is not None
        assert "".join(item["name"] for item in made["spec"]["keyed"]) == expected
        assert counted(SLICED.apply_in_steps(there, keyed(*config), "n", "T2", force=True))[1] > 9


odd: st.SearchStrategy[Any] = st.sampled_from(
    [None, 1, True, "a", [], {}, ["a", "a"], [{}], {"a": {"b": 1}}, [{"name": "a"}] * 2]
)


@settings(max_examples=300)
@given(
    _alike, st.dictionaries(st.sampled_from(["keyed", "map", "set", "struct", "odd", "list", "text"]), odd, max_size=2)
)
def test_what_is_looked_at_in_steps_is_the_same(config: Document, more: Document) -> None:
    config = {**config, "spec": {**config["spec"], **more}}
    for duplicates in (True, False):
        errors, fields = look(config, WHOLE.shape, duplicates=duplicates)
        for most in (1, 3, 10):
            found, same_fields = counted(look_in_steps(config, WHOLE.shape, duplicates=duplicates, most=most))[0]
            assert [str(error) for error in found] == [str(error) for error in errors]
            assert same_fields == fields


def test_much_that_does_not_fit_is_told_in_steps() -> None:
    config = keyed(*(f"n{number // 2}" for number in range(3 * MOST)))
    steps = SLICED.apply_in_steps(None, config, "m", "T1", force=True)
    for _ in range(9):
        next(steps)
    with pytest.raises(Refused) as refused:
        counted(steps)
    with pytest.raises(Refused) as at_once:
        WHOLE.apply(None, config, "m", "T1", force=True)
    assert str(refused.value) == str(at_once.value)
    assert str(refused.value).count("duplicate entries for key") == 3 * MOST // 2


def test_items_that_share_their_keys_are_in_one_slice() -> None:
    alike = large("a")
    alike["spec"]["keyed"] = [{"name": f"n{number // 2}", "value": "a" * 30} for number in range(18)]
    alike["spec"]["keyed"] += [{"name": "n0"}]
    pieces = [piece for piece in cut(ABSENT, alike, SLICED.shape, (), size=24) if piece is not None]
    found = [piece.after["spec"]["keyed"] for piece in pieces if "keyed" in piece.after.get("spec", ())]
    assert [[item["name"] for item in items] for items in found] == [
        ["n0"] * 3,
        *([f"n{at}"] * 2 for at in range(1, 9)),
    ]


def large(text: str) -> Document:
    spec = {
        "map": {f"k{number}": text for number in range(9)},
        "keyed": [{"name": f"n{number}", "value": text} for number in range(9)],
        "set": [f"{text}{number}" for number in range(9)],
    }
    return {"apiVersion": "x/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": spec}


def test_there_is_a_step_for_every_slice() -> None:
    live = updated(None, large("a"), "m", "T1")
    assert counted(SLICED.track_in_steps(live, large("b"), "m", "T2"))[1] > 9
    assert counted(SLICED.apply_in_steps(live, large("b"), "m", "T2", force=True))[1] > 9


def test_what_stays_the_same_object_stays_owned() -> None:
    live = updated(None, large("a"), "m", "T1")
    made = updated(live, large("a") | {"metadata": {"name": "t", "labels": {"a": "b"}}}, "n", "T2")
    assert [entry["manager"] for entry in made["metadata"]["managedFields"]] == ["m", "n"]
    assert made["metadata"]["managedFields"][0] == live["metadata"]["managedFields"][0]


def test_what_does_not_fit_is_told_as_of_the_whole() -> None:
    config = large("a")
    config["spec"]["map"]["k3"] = config["spec"]["keyed"][5]["value"] = 1
    assert applied(None, config, "m", "T1", force=True) is None


def test_nothing_but_what_an_applier_gave_up_goes() -> None:
    live = applied(None, large("a"), "m", "T1", force=True)
    less = large("a")
    del less["spec"]["map"]["k3"], less["spec"]["keyed"][8], less["spec"]["set"]
    made = applied(live, less, "m", "T2", force=True)
    assert made is not None
    assert made["spec"] == less["spec"]


def test_a_large_item_of_a_list_is_cut_too() -> None:
    def with_item(text: str) -> Document:
        item = {"name": "n", "value": text, "inner": {f"k{number}": text for number in range(9)}}
        return large("a") | {"spec": {"keyed": [{"name": "m"}, item, {"name": "o"}]}}

    live = updated(None, with_item("a"), "m", "T1")
    assert counted(SLICED.track_in_steps(live, with_item("b"), "m", "T2"))[1] > 9
    live = applied(live, with_item("b"), "n", "T2", force=True) or {}
    assert counted(SLICED.apply_in_steps(live, with_item("c"), "n", "T3", force=True))[1] > 9
    made = applied(live, with_item("c"), "n", "T3", force=True)
    assert made is not None
    assert made["spec"] == with_item("c")["spec"]


def test_an_item_of_which_an_applier_says_nothing_more_goes_as_a_whole() -> None:
    item = {"name": "n", "inner": {f"k{number}": "a" for number in range(9)}}
    live = applied(None, large("a") | {"spec": {"keyed": [{"name": "m"}, item]}}, "m", "T1", force=True) or {}
    made = applied(live, large("a") | {"spec": {"keyed": [{"name": "m"}]}}, "m", "T2", force=True)
    assert made is not None
    assert made["spec"]["keyed"] == [{"name": "m"}]


def test_a_container_stays_owned_though_all_in_it_is_as_it_was() -> None:
    live = updated(None, large("a"), "m", "T1")
    new = large("a")
    new["spec"] = {**live["spec"]}
    counted(SLICED.track_in_steps(live, new, "n", "T2"))
    assert new["metadata"]["managedFields"] == live["metadata"]["managedFields"]


def test_what_is_owned_as_a_whole_is_looked_at_in_slices() -> None:
    config = large("a") | {"spec": {"list": [f"x{number}" for number in range(99)]}}
    assert counted(SLICED.apply_in_steps(None, config, "m", "T1", force=True))[1] > 9
    assert applied(None, config, "m", "T1", force=True) is not None
    config["spec"]["list"][77] = 1
    assert applied(None, config, "m", "T1", force=True) is None


def test_what_is_owned_as_a_whole_and_stays_the_same_is_compared_in_steps() -> None:
    def with_items(order: int) -> Document:
        items = [{"a": number, "b": True} for number in range(3 * MOST)]
        return large("a") | {"spec": {"whole": [dict([*item.items()][::order]) for item in items]}}

    items = {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    spec = {"type": "object", "properties": {"whole": items}}
    shape = custom_shape({"type": "object", "properties": {"spec": spec}}, builtin_shapes())
    tracking = replace(WHOLE, shape=shape)
    live, same, other = with_items(1), with_items(-1), with_items(-1)
    tracking.track(None, live, "m", "T1")
    other["spec"]["whole"][-1]["b"] = 1
    for new, owners in ((same, ["m"]), (other, ["m", "n"])):
        whole = copy.deepcopy(new)
        tracking.track(live, whole, "n", "T2")
        assert counted(tracking.track_in_steps(live, new, "n", "T2"))[1] > 6
        assert new == whole
        assert [entry["manager"] for entry in new["metadata"]["managedFields"]] == owners


values = st.recursive(
    st.sampled_from([0, 1, True, False, 1.0, "a", None]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abc"), inner),
)


@given(values, values, st.integers(1, 5))
def test_values_are_the_same_in_steps_as_at_once(one: Any, other: Any, most: int) -> None:
    for left, right in ((one, other), (one, copy.deepcopy(one)), ([one, one, 1], [one, one, True])):
        assert counted(same_in_steps(left, right, most))[0] == same(left, right)


def test_members_that_are_dropped_are_looked_at_in_slices() -> None:
    live = updated(None, large("a"), "m", "T1")
    dropping = replace(SLICED, dropped=("spec",))
    fitting, odd = large("b"), large("b")
    odd["spec"]["map"]["k3"] = 1
    assert counted(dropping.track_in_steps(live, fitting, "m", "T2"))[1] > 18
    counted(dropping.track_in_steps(live, odd, "m", "T2"))
    assert "managedFields" in fitting["metadata"]
    assert "managedFields" not in odd["metadata"]


def test_a_list_that_was_null_is_cut_too() -> None:
    empty = {**WHOLE.zero(), "spec": {"keyed": None, "map": None}}
    whole, in_slices = large("a"), large("a")
    replace(WHOLE, zero=lambda: empty).track(None, whole, "m", "T1")
    _, steps = counted(replace(SLICED, zero=lambda: empty).track_in_steps(None, in_slices, "m", "T1"))
    assert in_slices == whole
    assert steps > 9


def test_the_items_of_a_wide_list_are_told_apart_in_steps() -> None:
    wide = large("a") | {"spec": {"keyed": [{"name": f"n{number}"} for number in range(3 * MOST)]}}
    found = [*cut(ABSENT, wide, SLICED.shape, (), size=50_000)]
    assert found.count(None) >= 2
    items = [item for piece in found if piece is not None for item in piece.after.get("spec", {}).get("keyed", ())]
    assert items == wide["spec"]["keyed"]


def test_light_items_before_a_heavy_one_stay_before_it() -> None:
    named = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
    texts = {"name": {"type": "string"}, "value": {"type": "string"}}
    inner = {**named, "items": {"type": "object", "properties": texts}}
    outer = {**named, "items": {"type": "object", "properties": {"name": {"type": "string"}, "inner": inner}}}
    spec = {"type": "object", "properties": {"outer": outer, "text": {"type": "string"}}}
    shape = custom_shape({"type": "object", "properties": {"spec": spec}}, builtin_shapes())
    whole, sliced = (replace(each, shape=shape, known={}) for each in (WHOLE, SLICED))
    heavy = [{"name": f"v{number}", "value": "x" * 20} for number in range(20)]

    def thing_of(spec: Document) -> Document:
        return {"apiVersion": "x/v1", "kind": "Thing", "metadata": {}, "spec": spec}

    live = thing_of({"outer": [{"name": "light"}, {"name": "heavy", "inner": heavy}, {"name": "last"}]})
    whole.track(None, live, "m", "T1")
    for config in ({"text": "t"}, {"outer": [{"name": "light", "inner": [{"name": "q"}]}]}):
        at_once = whole.apply(live, thing_of(config), "n", "T2", force=True).value
        in_steps = counted(sliced.apply_in_steps(live, thing_of(config), "n", "T2", force=True))[0].value
        assert [each["name"] for each in in_steps["spec"]["outer"]] == ["light", "heavy", "last"]
        assert in_steps == at_once
