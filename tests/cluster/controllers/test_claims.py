"""Whose children are whose."""

import msgspec
import pytest

from kubewright.cluster.controllers.claims import Verdict, judge, reference
from kubewright.cluster.controllers.views import REPLICA_SETS, Meta
from kubewright.model.selectors import LabelSelector

SELECTOR = LabelSelector.parse("app=web")
US = Meta("web", uid="us")


def child(owner: str = "", *, matches: bool = True, deleted: bool = False) -> Meta:
    owners = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": owner, "controller": True}]
    document = {
        "name": "p",
        "labels": {"app": "web" if matches else "other"},
        "ownerReferences": owners if owner else [],
        "deletionTimestamp": "2026-01-01T00:00:00Z" if deleted else None,
    }
    return msgspec.convert(document, Meta)


@pytest.mark.parametrize(
    ("one", "verdict", "when_deleted"),
    [
        (child("us"), "ours", "ours"),
        (child("us", deleted=True), "ours", "ours"),
        (child("us", matches=False), "release", "no"),
        (child("them"), "no", "no"),
        (child(), "adopt", "no"),
        (child(matches=False), "no", "no"),
        (child(deleted=True), "no", "no"),
    ],
)
def test_the_controller_and_the_selector_decide(one: Meta, verdict: Verdict, when_deleted: Verdict) -> None:
    assert judge(one, US, SELECTOR) == verdict
    leaving = msgspec.structs.replace(US, deletion_timestamp=child(deleted=True).deletion_timestamp)
    assert judge(one, leaving, SELECTOR) == when_deleted


def test_a_controller_is_named_with_all_that_the_garbage_collector_wants() -> None:
    assert reference(REPLICA_SETS, US) == {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": "web",
        "uid": "us",
        "controller": True,
        "blockOwnerDeletion": True,
    }
