"""A large object is worked on in slices, and nobody can tell."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cluster.fields.shapes import configs, thing

from kubewright.cluster.fields.ownership import Conflicts
from kubewright.cluster.fields.pathset import recursive_difference
from kubewright.cluster.fields.tracking import Outcome, Refused, Tracking
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


def updated(live: Document | None, new: Document, manager: str, now: str) -> Document:
    whole, in_slices = copy.deepcopy(new), copy.deepcopy(new)
    WHOLE.track(live, whole, manager, now)
    if live is not None and live["spec"] == new["spec"]:
        in_slices["spec"] = live["spec"]  # as patches leave what they do not touch
    counted(SLICED.track_in_steps(live, in_slices, manager, now))
    assert in_slices == whole
    return whole


def applied(live: Document | None, config: Document, manager: str, now: str, *, force: bool) -> Document | None:
    found: list[Any] = []
    works: list[Callable[[], Outcome]] = [
        lambda: WHOLE.apply(live, config, manager, now, force=force),
        lambda: counted(SLICED.apply_in_steps(live, config, manager, now, force=force))[0],
    ]
    for work in works:
        try:
            found.append(work())
        except Conflicts as conflicts:
            found.append(conflicts.fields)
        except Refused as refused:
            found.append(str(refused))
    whole, in_slices = found
    assert in_slices == whole
    if not isinstance(whole, Outcome):
        return None
    meta = {**whole.value["metadata"], "managedFields": whole.entries}
    return {**whole.value, "metadata": meta}


writes = st.tuples(st.sampled_from(["update", "apply", "force"]), st.sampled_from(["m", "n", "kubectl"]), configs)


@settings(max_examples=300)
@given(st.lists(writes, min_size=2, max_size=5))
def test_slices_come_to_what_the_whole_comes_to(story: list[tuple[str, str, Document]]) -> None:
    live: Document | None = None
    for number, (verb, manager, document) in enumerate(story):
        now = f"T{number}"
        if verb == "update":
            live = updated(live, document, manager, now)
        else:
            live = applied(live, document, manager, now, force=verb == "force") or live


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
