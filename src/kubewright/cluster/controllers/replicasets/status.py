"""The status of a ReplicaSet: how many pods there are, and how far they have come. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from kubewright.cluster.controllers.views import Pod, ReplicaSet

__all__ = ["compute_status", "is_available", "next_look"]

_FAILURE = "ReplicaFailure"


def is_available(pod: Pod, min_ready_seconds: int, now: datetime) -> bool:
    """Whether it has been ready for so many seconds."""
    ready = pod.ready
    if ready is None:
        return False
    since = ready.last_transition_time
    return min_ready_seconds <= 0 or (since is not None and since + timedelta(seconds=min_ready_seconds) <= now)


def next_look(pods: Sequence[Pod], min_ready_seconds: int, now: datetime) -> float | None:
    """After how many seconds the next of the pods that are ready will be available; None if all are."""
    waiting = [
        (pod.ready.last_transition_time + timedelta(seconds=min_ready_seconds) - now).total_seconds()
        for pod in pods
        if pod.ready is not None and pod.ready.last_transition_time is not None
    ]
    return min((each for each in waiting if each > 0), default=None)


def compute_status(
    replica_set: ReplicaSet, active: Sequence[Pod], terminating: int, failure: str, now: datetime
) -> dict[str, Any] | None:
    """The status to write; None if it is written already. `failure` is what kept pods from being made or deleted."""
    old = replica_set.status
    labels = replica_set.spec.template.metadata.labels.items()
    counts = {
        "replicas": len(active),
        "fullyLabeledReplicas": sum(labels <= pod.metadata.labels.items() for pod in active),
        "readyReplicas": sum(pod.ready is not None for pod in active),
        "availableReplicas": sum(is_available(pod, replica_set.spec.min_ready_seconds, now) for pod in active),
        "terminatingReplicas": terminating,
    }
    had = any(condition.type == _FAILURE for condition in old.conditions)
    before = {
        "replicas": old.replicas,
        "fullyLabeledReplicas": old.fully_labeled_replicas,
        "readyReplicas": old.ready_replicas,
        "availableReplicas": old.available_replicas,
        "terminatingReplicas": old.terminating_replicas,
    }
    generation = replica_set.metadata.generation
    # A failure that is told already keeps its first words.
    if counts == before and generation == old.observed_generation and bool(failure) == had:
        return None
    conditions = _conditions(replica_set, failure, had, len(active), now)
    status: dict[str, Any] = {**counts, "observedGeneration": generation}
    return {**status, "conditions": conditions} if conditions else status


def _conditions(replica_set: ReplicaSet, failure: str, had: bool, active: int, now: datetime) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = msgspec.json.decode(replica_set.parts.status).get("conditions") or []
    if bool(failure) == had:
        return read
    others = [each for each in read if each.get("type") != _FAILURE]
    if not failure:
        return others
    difference = active - replica_set.spec.replicas
    reason = "FailedCreate" if difference < 0 else "FailedDelete" if difference > 0 else ""
    told = {
        "type": _FAILURE,
        "status": "True",
        "lastTransitionTime": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "reason": reason,
        "message": failure,
    }
    return [*others, told]
