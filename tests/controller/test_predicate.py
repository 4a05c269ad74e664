"""Which changes count."""

from typing import Any

import msgspec
import pytest

from kubewright.cache import Cached, Change, Key
from kubewright.cache.header import Header
from kubewright.controller.predicate import (
    annotations_changed,
    any_of,
    everything,
    generation_changed,
    labels_changed,
    meaningful,
    orphaned,
    selected,
    unfinalized,
)

KEY = Key("default", "shop")


def version(generation: int = 1, uid: str = "u", revision: int = 1, **metadata: Any) -> Cached:
    said = {"name": "shop", "namespace": "default", "uid": uid, "generation": generation, **metadata}
    raw = msgspec.json.encode({"metadata": {**said, "resourceVersion": str(revision)}})
    return Header(None).read(raw)  # type: ignore[arg-type]


def updated(old: Cached, new: Cached) -> Change:
    return Change("updated", KEY, old, new)


def test_a_change_of_the_status_alone_is_not_meaningful() -> None:
    assert not meaningful(updated(version(), version(revision=2)))


@pytest.mark.parametrize(
    "new",
    [
        version(2),
        version(labels={"a": "1"}),
        version(annotations={"a": "1"}),
        version(finalizers=["example.com/x"]),
        version(deletionTimestamp="2000-01-01T00:00:00Z"),
        version(ownerReferences=[{"uid": "o"}]),
        version(uid="other"),
    ],
)
def test_all_else_that_a_reconciler_acts_on_is_meaningful(new: Cached) -> None:
    assert meaningful(updated(version(), new))


def test_that_ones_own_finalizer_is_there_is_no_news_and_that_it_is_gone_is() -> None:
    ours, theirs = "example.com/ours", "example.com/theirs"
    passes = unfinalized(ours)
    for before in ([], [theirs]):
        without, having = version(finalizers=before), version(finalizers=[*before, ours], revision=2)
        assert not passes(updated(without, having))
        assert passes(updated(having, without))
        assert passes(updated(without, version(2, finalizers=[*before, ours])))
    assert passes(updated(version(), version(finalizers=[theirs])))


def test_an_owner_that_becomes_the_controller_is_meaningful() -> None:
    old, new = ({"uid": "o", "controller": controller} for controller in (False, True))
    assert meaningful(updated(version(ownerReferences=[old]), version(ownerReferences=[new])))


def test_kinds_without_a_generation_pass_every_change() -> None:
    assert meaningful(updated(version(0), version(0, revision=2)))


def test_what_comes_or_goes_always_passes() -> None:
    for predicate in (meaningful, everything, generation_changed, labels_changed, annotations_changed):
        assert predicate(Change("added", KEY, None, version()))
        assert predicate(Change("deleted", KEY, version(), None))


def test_single_aspects() -> None:
    assert generation_changed(updated(version(), version(2)))
    assert not generation_changed(updated(version(), version(labels={"a": "1"})))
    assert labels_changed(updated(version(), version(labels={"a": "1"})))
    assert not labels_changed(updated(version(), version(annotations={"a": "1"})))
    assert annotations_changed(updated(version(), version(annotations={"a": "1"})))
    either = any_of(labels_changed, generation_changed)
    assert either(updated(version(), version(2)))
    assert not either(updated(version(), version(annotations={"a": "1"})))


def test_an_object_that_loses_its_labels_is_selected_once_more() -> None:
    gold = selected("tier=gold")
    with_labels, without = version(labels={"tier": "gold"}), version()
    assert gold(updated(with_labels, without))
    assert gold(updated(without, with_labels))
    assert not gold(updated(without, without))


def test_orphans_count_when_they_come_lose_their_controller_or_change_their_labels() -> None:
    ours: dict[str, Any] = {"ownerReferences": [{"uid": "o", "controller": True}]}
    guest: dict[str, Any] = {"ownerReferences": [{"uid": "o"}]}
    assert orphaned(Change("added", KEY, None, version()))
    assert orphaned(Change("added", KEY, None, version(**guest)))
    assert not orphaned(Change("added", KEY, None, version(**ours)))
    assert orphaned(updated(version(**ours), version()))
    assert not orphaned(updated(version(), version(**ours)))
    assert orphaned(updated(version(), version(labels={"a": "b"})))
    assert not orphaned(updated(version(), version(revision=2)))
    assert not orphaned(Change("deleted", KEY, version(), None))
