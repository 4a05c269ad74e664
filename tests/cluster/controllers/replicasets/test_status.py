"""What the status of a ReplicaSet says."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from kubewright.cluster.controllers.replicasets.status import compute_status, is_available, next_look
from kubewright.cluster.controllers.views import Pod, ReplicaSet, read_parts, read_replica_set

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def pod(ready_for: float | None = None, **labels: str) -> Pod:
    conditions = []
    if ready_for is not None:
        since = NOW - timedelta(seconds=ready_for)
        conditions = [{"type": "Ready", "status": "True", "lastTransitionTime": since}]
    document = {"metadata": {"name": "p", "labels": {"app": "web", **labels}}, "status": {"conditions": conditions}}
    return msgspec.convert(document, Pod)


def replica_set(status: dict[str, Any], seconds: int = 0) -> ReplicaSet:
    template = {"metadata": {"labels": {"app": "web", "tier": "gold"}}}
    spec = {"replicas": 2, "minReadySeconds": seconds, "template": template}
    document = {"metadata": {"name": "web", "generation": 3}, "spec": spec, "status": status}
    return read_replica_set(read_parts(msgspec.json.encode(document)))


TOLD = {
    "replicas": 2,
    "fullyLabeledReplicas": 1,
    "readyReplicas": 1,
    "availableReplicas": 1,
    "terminatingReplicas": 4,
    "observedGeneration": 3,
}


def test_pods_are_counted_by_how_far_they_have_come() -> None:
    pods = [pod(1.0, tier="gold"), pod()]
    assert compute_status(replica_set({"replicas": 0}), pods, 4, "", NOW) == TOLD


def test_what_is_told_already_is_not_written() -> None:
    assert compute_status(replica_set(TOLD), [pod(1.0, tier="gold"), pod()], 4, "", NOW) is None


def test_another_generation_is_told_even_if_nothing_else_is_new() -> None:
    before = replica_set({**TOLD, "observedGeneration": 2})
    assert compute_status(before, [pod(1.0, tier="gold"), pod()], 4, "", NOW) == TOLD


def test_a_pod_is_available_when_it_was_ready_for_long_enough() -> None:
    assert is_available(pod(0.0), 0, NOW)
    assert is_available(pod(10.0), 10, NOW)
    assert not is_available(pod(9.0), 10, NOW)
    assert not is_available(pod(), 0, NOW)


def test_the_next_look_is_when_the_next_pod_becomes_available() -> None:
    assert next_look([pod(), pod(4.0), pod(7.0), pod(12.0)], 10, NOW) == 3.0
    assert next_look([pod(), pod(12.0)], 10, NOW) is None


def test_a_failure_keeps_its_first_words_and_goes_when_it_is_over() -> None:
    failed = compute_status(replica_set(TOLD), [pod()], 0, "no room", NOW)
    assert failed is not None
    (condition,) = failed["conditions"]
    assert (condition["reason"], condition["message"], condition["status"]) == ("FailedCreate", "no room", "True")
    assert compute_status(replica_set(failed), [pod()], 0, "still none", NOW) is None
    healed = compute_status(replica_set(failed), [pod()], 0, "", NOW)
    assert healed is not None
    assert "conditions" not in healed


def test_too_many_pods_that_cannot_be_deleted_are_another_failure() -> None:
    failed = compute_status(replica_set(TOLD), [pod(), pod(), pod()], 0, "no", NOW)
    assert failed is not None
    assert failed["conditions"][0]["reason"] == "FailedDelete"
