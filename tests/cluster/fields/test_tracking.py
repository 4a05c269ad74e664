"""What requests do to managed fields, in the server's order."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from tests.cluster.fields.shapes import configs, thing

from kubewright.cluster.fields.ownership import Conflicts
from kubewright.cluster.fields.pathset import recursive_difference
from kubewright.cluster.fields.tracking import LAST_APPLIED, MOST_UPDATERS, Refused, Tracking
from kubewright.model.documents import MAX_DEPTH

Document = dict[str, Any]

HEAD: Document = {"apiVersion": "x/v1", "kind": "Thing"}
TRACKING = Tracking(
    version="x/v1",
    subresource="",
    shape=thing(),
    convert=lambda typed, version: typed,
    keep=lambda fields, version: recursive_difference(fields, {"f:status": {}}),
    zero=lambda: {**HEAD, "metadata": {}},
    sort=True,
)


def _thing(**spec: Any) -> Document:
    return {**HEAD, "metadata": {"name": "t", "namespace": "n"}, "spec": spec}


def _created(manager: str = "one", **spec: Any) -> Document:
    obj = _thing(**spec)
    TRACKING.track(None, obj, manager, "T1")
    obj["metadata"]["uid"] = "u"
    return obj


def _owners(obj: Document) -> dict[str, Any]:
    return {entry["manager"]: entry["fieldsV1"] for entry in obj["metadata"].get("managedFields") or ()}


def _applied(live: Document | None, config: Document, manager: str = "a", *, force: bool = False) -> Document:
    outcome = TRACKING.apply(live, config, manager, "T2", force=force)
    meta = {**outcome.value["metadata"], "managedFields": outcome.entries}
    return {**outcome.value, "metadata": meta}


def test_what_the_server_writes_belongs_to_nobody() -> None:
    assert _owners(_created(text="1")) == {"one": {"f:spec": {".": {}, "f:text": {}}}}


def test_a_writer_without_a_name_is_unknown() -> None:
    assert {*_owners(_created("", text="1"))} == {"unknown"}


def test_an_update_by_the_same_manager_adds_to_its_entry() -> None:
    live, new = _created(text="1"), _thing(text="1", number=1)
    TRACKING.track(live, new, "one", "T2")
    [entry] = new["metadata"]["managedFields"]
    assert entry["fieldsV1"] == {"f:spec": {".": {}, "f:text": {}, "f:number": {}}}
    assert entry["time"] == "T2"


def test_an_update_that_changes_nothing_leaves_the_time() -> None:
    live, new = _created(text="1"), _thing(text="1")
    TRACKING.track(live, new, "two", "T2")
    assert new["metadata"]["managedFields"] == live["metadata"]["managedFields"]


def test_an_object_without_entries_is_not_tracked() -> None:
    live = _created(text="1")
    del live["metadata"]["managedFields"]
    new = _thing(text="2")
    TRACKING.track(live, new, "two", "T2")
    assert "managedFields" not in new["metadata"]


@pytest.mark.parametrize("reset", [[], [{}]])
def test_a_reset_forgets_all(reset: list[Document]) -> None:
    live, new = _created(text="1"), _thing(text="2")
    new["metadata"]["managedFields"] = reset
    TRACKING.track(live, new, "two", "T2")
    assert "managedFields" not in new["metadata"]


@pytest.mark.parametrize("given", ["x", [1], [{"operation": "x"}], [{"operation": "Apply", "apiVersion": "v1"}]])
def test_entries_that_cannot_be_read_are_not_taken(given: object) -> None:
    live, new = _created(text="1"), _thing(text="1")
    new["metadata"]["managedFields"] = given
    TRACKING.track(live, new, "two", "T2")
    assert new["metadata"]["managedFields"] == live["metadata"]["managedFields"]


def test_what_cannot_be_told_is_forgotten() -> None:
    obj = _thing(keyed=[{"value": "no key"}])
    TRACKING.track(None, obj, "one", "T1")
    assert "managedFields" not in obj["metadata"]


def test_the_oldest_updaters_become_one() -> None:
    live = _created("m00", map={})
    for number in range(1, MOST_UPDATERS + 3):
        new = _thing(map={f"k{each:02}": "1" for each in range(1, number + 1)})
        TRACKING.track(live, new, f"m{number:02}", f"T{number:02}")
        new["metadata"]["uid"] = "u"
        live = new
    owners = _owners(live)
    assert len(owners) == MOST_UPDATERS
    assert {"f:k01", "f:k02"} <= {*owners["ancient-changes"]["f:spec"]["f:map"]}


def test_an_apply_makes_an_object() -> None:
    made = _applied(None, _thing(text="1"))
    assert made["spec"] == {"text": "1"}
    assert _owners(made) == {"a": {"f:spec": {"f:text": {}}}}


def test_an_apply_that_changes_nothing_has_no_time_of_its_own() -> None:
    outcome = TRACKING.apply(_created(text="1"), _thing(text="1"), "a", "T2", force=False)
    assert not outcome.changed
    assert [entry.get("time") for entry in outcome.entries] == [None, "T1"]


def test_what_was_there_before_the_first_apply_is_owned() -> None:
    live = _created(text="1", number=1)
    del live["metadata"]["managedFields"]
    with pytest.raises(Conflicts):
        TRACKING.apply(live, _thing(text="2"), "a", "T2", force=False)
    owners = _owners(_applied(live, _thing(text="2"), force=True))
    assert owners == {"a": {"f:spec": {"f:text": {}}}, "before-first-apply": {"f:spec": {".": {}, "f:number": {}}}}


def test_a_configuration_that_does_not_fit_is_refused() -> None:
    why = r"failed to create typed patch object \(n/t; x/v1, Kind=Thing\): .spec.zz: field not declared in schema"
    with pytest.raises(Refused, match=why):
        TRACKING.apply(None, _thing(zz=1), "a", "T", force=False)


def _client_side(**spec: Any) -> Document:
    """An object that kubectl applied on the client's side."""
    live = _thing(**spec)
    text = '{"apiVersion":"x/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"text":"1","number":1}}'
    live["metadata"]["annotations"] = {LAST_APPLIED: text}
    TRACKING.track(None, live, "kubectl-client-side-apply", "T1")
    live["metadata"]["uid"] = "u"
    return live


def test_kubectl_takes_over_what_it_applied_on_the_clients_side() -> None:
    live = _client_side(text="1", number=1)
    with pytest.raises(Conflicts):
        TRACKING.apply(live, _thing(text="2", number=1), "other", "T2", force=False)
    made = _applied(live, _thing(text="2", number=1), "kubectl")
    assert made["spec"]["text"] == "2"
    assert '"text":"2"' in made["metadata"]["annotations"][LAST_APPLIED]


def test_kubectl_does_not_take_what_another_changed_since() -> None:
    with pytest.raises(Conflicts) as found:
        TRACKING.apply(_client_side(text="1", number=2), _thing(text="2", number=3), "kubectl", "T2", force=False)
    assert [*found.value.fields.values()] == [{"f:spec": {"f:number": {}}}]


OUTGROWN = replace(TRACKING, older=lambda _: True)


def test_who_owned_what_is_forgotten_where_the_object_fits_its_shape_no_more() -> None:
    live = _created(number=1)
    new, live["spec"]["number"] = _thing(number=2), "one"
    OUTGROWN.track(live, new, "two", "T2")
    assert not _owners(new)


def test_it_is_not_applied_to_an_object_that_fits_its_shape_no_more() -> None:
    live = _created(number=1)
    live["spec"]["number"] = "one"
    with pytest.raises(Refused, match=r"failed to create typed live object \(n/t; x/v1, Kind=Thing\): .spec.number: "):
        OUTGROWN.apply(live, _thing(text="1"), "a", "T2", force=True)


def test_members_that_are_dropped_have_to_fit_all_the_same() -> None:
    tracking = Tracking(
        "x/v1", "", thing(), lambda typed, _: typed, lambda fields, _: fields, TRACKING.zero, False, dropped=("spec",)
    )
    obj = _thing(text=1)
    tracking.track(None, obj, "a", "T")
    assert "managedFields" not in obj["metadata"]


@given(configs)
def test_creating_is_updating_an_empty_object(config: Document) -> None:
    slowly, quickly = copy.deepcopy(config), copy.deepcopy(config)
    TRACKING.track(None, slowly, "a", "T")
    replace(TRACKING, bare=True).track(None, quickly, "a", "T")
    assert slowly == quickly


def test_what_is_nested_too_deep_is_no_traceback() -> None:
    deep: Any = "x"
    for _ in range(2000):
        deep = {"a": deep}
    obj = _thing(free=deep)
    TRACKING.track(None, obj, "a", "T")
    assert "managedFields" not in obj["metadata"]
    with pytest.raises(Refused):
        TRACKING.apply(None, _thing(free=deep), "a", "T", force=False)


@pytest.mark.parametrize(("opening", "closing"), [('{"a":', "}"), ("[", "]")])
def test_what_is_as_deep_as_may_be_is_tracked_and_applied(opening: str, closing: str) -> None:
    def thing(leaf: int) -> Any:
        # The object itself, its spec and what is free in it are three levels more.
        return _thing(free={"a": json.loads(opening * (MAX_DEPTH - 3) + str(leaf) + closing * (MAX_DEPTH - 3))})

    made, changed = thing(1), thing(2)
    TRACKING.track(None, made, "a", "T")
    TRACKING.track(made, changed, "b", "T")
    managers = [entry["manager"] for entry in changed["metadata"]["managedFields"]]
    outcome = TRACKING.apply(changed, thing(3), "c", "T", force=True)
    assert "b" in managers
    assert "c" in [entry["manager"] for entry in outcome.entries]
    assert "b" not in [entry["manager"] for entry in outcome.entries]
