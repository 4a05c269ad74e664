"""Workloads at a glance."""

import msgspec
import pytest

from kubewright.cluster.controllers.views import Pod, controller_of, read_parts, read_replica_set, selector_of


@pytest.mark.parametrize(
    ("phase", "deleted", "expected"),
    [
        ("", False, "active"),
        ("Running", False, "active"),
        ("Running", True, "terminating"),
        ("Succeeded", False, "terminal"),
        ("Failed", True, "terminal"),
    ],
)
def test_a_pod_is_active_or_terminating_or_terminal(phase: str, deleted: bool, expected: str) -> None:
    moment = "2026-01-01T00:00:00Z" if deleted else None
    document = {"metadata": {"name": "p", "deletionTimestamp": moment}, "status": {"phase": phase}}
    pod = msgspec.convert(document, Pod)
    assert [each for each in ("active", "terminating", "terminal") if getattr(pod, each)] == [expected]


def test_the_parts_of_an_object_stay_as_they_came() -> None:
    body = (
        b'{"kind":"ReplicaSet","metadata":{"name":"web","x":1},"spec":{"replicas":3,"y":[2]},"status":{"replicas":1}}'
    )
    seen = read_replica_set(read_parts(body))
    assert (seen.metadata.name, seen.spec.replicas, seen.status.replicas) == ("web", 3, 1)
    assert bytes(seen.parts.metadata) == b'{"name":"web","x":1}'
    assert bytes(seen.parts.spec) == b'{"replicas":3,"y":[2]}'


def test_one_owner_controls() -> None:
    owners = [
        {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1"},
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "r", "uid": "2", "controller": True},
    ]
    pod = msgspec.convert({"metadata": {"name": "p", "ownerReferences": owners}}, Pod)
    controller = controller_of(pod.metadata)
    assert controller is not None
    assert controller.uid == "2"
    assert controller_of(msgspec.convert({"metadata": {"name": "p"}}, Pod).metadata) is None


def test_equal_selectors_are_read_once() -> None:
    text = b'{"matchLabels":{"app":"web"}}'
    assert selector_of(msgspec.Raw(text)) is selector_of(msgspec.Raw(bytes(bytearray(text))))
    assert selector_of(msgspec.Raw(text)).matches({"app": "web"})
