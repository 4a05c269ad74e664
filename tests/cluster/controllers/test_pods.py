"""What is asked of pods."""

from typing import Any

import pytest

from kubewright.cluster.controllers.pods import (
    controller_of,
    is_active,
    is_ready,
    is_terminal,
    is_terminating,
    ready_since,
    removal_order,
)
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import from_dict


def pod(name: str = "p", status: dict[str, Any] | None = None, node: str = "", **metadata: Any) -> Pod:
    document: dict[str, Any] = {"metadata": {"name": name, **metadata}}
    if node:
        document["spec"] = {"containers": [{"name": "c"}], "nodeName": node}
    if status is not None:
        document["status"] = status
    return from_dict(document, Pod)


def ready(since: str = "2026-01-01T00:00:00Z", restarts: int = 0, **rest: Any) -> dict[str, Any]:
    condition = {"type": "Ready", "status": "True", "lastTransitionTime": since}
    container = {"name": "c", "image": "i", "imageID": "", "ready": True, "restartCount": restarts}
    return {"phase": "Running", "conditions": [condition], "containerStatuses": [container], **rest}


@pytest.mark.parametrize(
    ("phase", "deleted", "expected"),
    [
        ("", False, "active"),
        ("Pending", False, "active"),
        ("Running", False, "active"),
        ("Running", True, "terminating"),
        ("Succeeded", False, "terminal"),
        ("Failed", True, "terminal"),
    ],
)
def test_a_pod_is_active_or_terminating_or_terminal(phase: str, deleted: bool, expected: str) -> None:
    metadata = {"deletionTimestamp": "2026-01-01T00:00:00Z"} if deleted else {}
    one = pod(status={"phase": phase} if phase else None, **metadata)
    found = {"active": is_active(one), "terminating": is_terminating(one), "terminal": is_terminal(one)}
    assert [name for name, holds in found.items() if holds] == [expected]


def test_a_pod_is_ready_by_its_condition_alone() -> None:
    assert is_ready(pod(status=ready(), deletionTimestamp="2026-01-01T00:00:00Z"))
    assert not is_ready(pod(status={"conditions": [{"type": "Ready", "status": "False"}]}))
    assert not is_ready(pod())
    assert ready_since(pod()) is None


def test_an_object_has_one_controller_among_its_owners() -> None:
    owners = [
        {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1"},
        {"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "2", "controller": True},
    ]
    found = controller_of(pod(ownerReferences=owners).metadata)
    assert found is not None
    assert found.name == "j"
    assert controller_of(pod(ownerReferences=owners[:1]).metadata) is None


def test_pods_that_have_come_least_far_go_first() -> None:
    old, young = "2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"
    order = [
        pod("not-scheduled"),
        pod("pending", {"phase": "Pending"}, "n"),
        pod("unknown", {"phase": "Unknown"}, "n"),
        pod("younger", {"phase": "Running"}, "n", creationTimestamp=young),
        pod("older", {"phase": "Running"}, "n", creationTimestamp=old),
        pod("ready-for-less", ready(young), "n"),
        pod("restarted", ready(old, 3), "n", creationTimestamp=old),
        pod("steady", ready(old), "n", creationTimestamp=old),
    ]
    mixed = [order[number] for number in (3, 7, 0, 5, 2, 6, 1, 4)]
    assert [each.metadata.name for each in sorted(mixed, key=removal_order)] == [each.metadata.name for each in order]
