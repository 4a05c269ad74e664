"""What of a status is written."""

from typing import Annotated, Any

import msgspec
import pytest

import kubewright as kw
from kubewright.cache import Cached, Key, Managed
from kubewright.client.endpoint import endpoint_of
from kubewright.controller.status import (
    StatusError,
    is_observed,
    observes_generation,
    read_status,
    renew_patch,
    status_patch,
)
from kubewright.k8s.apps.v1 import Deployment

US = "op/web"


class Part(kw.Model):
    """Merged by its name."""

    name: str
    size: int = 0


class PartsStatus(kw.Status):
    """All sorts of fields."""

    phase: str | None = None
    parts: Annotated[list[Part], kw.ListMap("name")] = kw.field(default_factory=list)
    whole: list[Part] = kw.field(default_factory=list)
    counts: dict[str, int] = kw.field(default_factory=dict)


class Thing(kw.Resource, group="example.com", version="v1"):
    """Something with a status."""

    status: PartsStatus = kw.field(default_factory=PartsStatus)


def cached(owned: dict[str, Any] | None = None, generation: int = 3) -> Cached:
    managed: tuple[Managed, ...] = ()
    if owned is not None:
        managed = (Managed(US, "Apply", "example.com/v1", msgspec.json.encode({"f:status": owned}), "status"),)
    return Cached(Key("default", "x"), "u", 7, generation, False, (), managed, b"{}", None)  # type: ignore[arg-type]


def patch(
    before: dict[str, Any], after: dict[str, Any], owned: dict[str, Any] | None = None, *, generation: bool = False
) -> Any:
    made = status_patch(endpoint_of(Thing), cached(owned), before, after, US, generation=generation)
    return None if made is None else made["status"]


def test_what_is_the_same_is_not_written() -> None:
    assert patch({"phase": "Up"}, {"phase": "Up"}) is None
    assert patch({"phase": "Up", "observedGeneration": 3}, {"phase": "Up"}, generation=True) is None


def test_what_was_changed_is_written_and_what_is_others_is_not() -> None:
    assert patch({"phase": "Up", "counts": {"a": 1}}, {"phase": "Down", "counts": {"a": 1}}) == {"phase": "Down"}


def test_what_we_own_is_said_again_or_it_would_be_taken_away() -> None:
    owned: dict[str, Any] = {"f:phase": {}, "f:counts": {"f:b": {}}}
    before = {"phase": "Up", "counts": {"a": 1, "b": 2}}
    assert patch(before, {"phase": "Up", "counts": {"a": 5, "b": 2}}, owned) == {
        "phase": "Up",
        "counts": {"a": 5, "b": 2},
    }


def test_what_we_own_and_have_left_out_goes() -> None:
    owned: dict[str, Any] = {"f:phase": {}, "f:counts": {"f:b": {}}}
    assert patch({"phase": "Up", "counts": {"b": 2}}, {"counts": {"b": 2}}, owned) == {"counts": {"b": 2}}


def test_what_others_own_stays_when_it_is_left_out_and_so_nothing_is_written() -> None:
    owned: dict[str, Any] = {"f:phase": {}, "f:parts": {'k:{"name":"a"}': {".": {}, "f:name": {}, "f:size": {}}}}
    ours = {"phase": "Up", "parts": [{"name": "a", "size": 1}]}
    before = {**ours, "parts": [{"name": "b", "size": 2}, {"name": "a", "size": 1}], "counts": {"a": 1}}
    assert patch(before, ours, owned) is None
    assert patch(before, {**ours, "counts": {}}, owned) == {**ours, "counts": {}}
    assert patch({"counts": {"a": 1}}, {}) is None


def test_items_that_are_merged_by_key_are_ours_one_by_one() -> None:
    theirs, ours = {"name": "a", "size": 1}, {"name": "b", "size": 1}
    owned: dict[str, Any] = {"f:parts": {'k:{"name":"b"}': {".": {}, "f:name": {}, "f:size": {}}}}
    new = {"name": "c", "size": 1}
    assert patch({"parts": [theirs, ours]}, {"parts": [theirs, ours, new]}, owned) == {"parts": [ours, new]}


def test_a_list_that_is_one_value_is_written_whole() -> None:
    one, two = {"name": "a"}, {"name": "b"}
    assert patch({"whole": [one]}, {"whole": [one, two]}) == {"whole": [one, two]}


def test_the_observed_generation_is_that_of_the_object_and_never_decreases() -> None:
    assert patch({}, {"phase": "Up"}, generation=True) == {"phase": "Up", "observedGeneration": 3}
    ours: dict[str, Any] = {"f:observedGeneration": {}}
    assert patch({"observedGeneration": 5}, {"phase": "Up"}, ours, generation=True)["observedGeneration"] == 5
    assert "observedGeneration" not in patch({}, {"phase": "Up"})


def test_a_patch_that_came_too_late_is_renewed_for_the_same_object_alone() -> None:
    made = status_patch(endpoint_of(Thing), cached(), {}, {"phase": "Up"}, US, generation=True)
    assert made is not None
    live = {"metadata": {"uid": "u", "resourceVersion": "9"}, "status": {"observedGeneration": 4}}
    assert made["metadata"]["resourceVersion"] == "7"
    assert renew_patch(made, msgspec.json.encode(live), "u")
    assert (made["metadata"]["resourceVersion"], made["status"]["observedGeneration"]) == ("9", 4)
    assert not renew_patch(made, msgspec.json.encode(live), "another")
    with pytest.raises(StatusError, match="what is answered for it is no object"):
        renew_patch(made, b"<html>log in</html>", "u")


def test_a_status_of_ours_tells_its_generation_unless_a_failure_left_it_alone() -> None:
    class Ours(kw.Resource, group="example.com", version="v1"):
        status: kw.Status = kw.field(default_factory=kw.Status)

    assert observes_generation(Ours(), changed=False, untold=False)
    assert observes_generation(Ours(), changed=True, untold=True)
    assert not observes_generation(Ours(), changed=False, untold=True)
    assert not is_observed(Ours(), 3)
    assert is_observed(Ours(status=kw.Status(observed_generation=3)), 3)


def test_a_status_of_ours_that_is_given_as_a_dict_tells_its_generation_too() -> None:
    class Ours(kw.Resource, group="example.com", version="v1"):
        status: kw.Status = kw.field(default_factory=kw.Status)

    ours = Ours()
    ours.status = {"seen": "x"}  # type: ignore[assignment]
    assert observes_generation(ours, changed=True, untold=False)
    assert observes_generation(ours, changed=False, untold=False)


def test_the_status_of_others_tells_its_generation_only_if_it_was_changed() -> None:
    deployment = Deployment()
    assert is_observed(deployment, 3)
    assert observes_generation(deployment, changed=True, untold=False)
    assert not observes_generation(deployment, changed=False, untold=False)


def test_the_status_of_a_document_tells_its_generation_only_where_it_did_so_before() -> None:
    assert is_observed({"status": {}}, 3)
    assert observes_generation({"status": {"observedGeneration": 1}}, changed=True, untold=False)
    assert not observes_generation({"status": {"phase": "Up"}}, changed=True, untold=False)
    assert not observes_generation({}, changed=True, untold=False)


def test_the_status_of_a_document_is_read_as_a_copy() -> None:
    document: dict[str, Any] = {"status": {"a": [1]}}
    before = read_status(document)
    document["status"]["a"].append(2)
    assert before == {"a": [1]}
    assert read_status({}) == {}


def test_a_kind_without_a_status_has_none_to_write() -> None:
    class Bare(kw.Resource, group="example.com", version="v1"):
        """Only metadata."""

    assert read_status(Bare()) is None
    thing = Thing()
    assert read_status(thing) == {}


@pytest.mark.parametrize("name", ["conditions"])
def test_conditions_of_a_kind_without_a_class_are_merged_by_type(name: str) -> None:
    theirs, ours = {"type": "A", "status": "True"}, {"type": "B", "status": "True"}
    from dataclasses import replace

    untyped = replace(endpoint_of(Thing), model=None)
    made = status_patch(untyped, cached(), {name: [theirs]}, {name: [theirs, ours]}, US, generation=False)
    assert made is not None
    assert made["status"] == {name: [ours]}
