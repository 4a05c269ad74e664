"""What the status of a Deployment says."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from kubewright.cluster.controllers.deployments.status import (
    compute_status,
    has_timed_out,
    is_complete,
    make_condition,
    next_check,
    progress,
)
from kubewright.cluster.controllers.deployments.views import Deployment, Status, read_deployment
from kubewright.cluster.controllers.views import ReplicaSet, read_parts, read_replica_set

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def deployment(replicas: int = 2, status: dict[str, Any] | None = None, **spec: Any) -> Deployment:
    rolling = {"maxSurge": 1, "maxUnavailable": 0}
    given = {"replicas": replicas, "strategy": {"rollingUpdate": rolling}, "progressDeadlineSeconds": 600, **spec}
    document = {"metadata": {"name": "web", "generation": 1}, "spec": given, "status": status or {}}
    return read_deployment(read_parts(msgspec.json.encode(document)))


def replica_set(name: str, wanted: int, **status: Any) -> ReplicaSet:
    document = {"metadata": {"name": name}, "spec": {"replicas": wanted}, "status": status}
    return read_replica_set(read_parts(msgspec.json.encode(document)))


def full(name: str, replicas: int) -> ReplicaSet:
    counts = dict.fromkeys(("replicas", "readyReplicas", "availableReplicas"), replicas)
    return replica_set(name, replicas, terminatingReplicas=0, observedGeneration=1, **counts)


def told(status: Status) -> dict[str, tuple[str, str]]:
    return {each.type: (each.status, each.reason) for each in status.conditions}


def test_the_replica_sets_are_added_up() -> None:
    status = compute_status(deployment(), full("new", 1), [full("old", 2), replica_set("fresh", 1)], NOW)
    assert (status.replicas, status.updated_replicas, status.ready_replicas) == (3, 1, 3)
    assert (status.available_replicas, status.unavailable_replicas, status.terminating_replicas) == (3, 1, 0)
    assert told(status) == {"Available": ("True", "MinimumReplicasAvailable")}


def test_too_few_are_not_available() -> None:
    status = compute_status(deployment(), full("new", 1), [], NOW)
    assert told(status) == {"Available": ("False", "MinimumReplicasUnavailable")}


def test_who_does_not_say_how_many_pods_terminate_leaves_it_open() -> None:
    silent = replica_set("old", 1, observedGeneration=1)
    assert compute_status(deployment(), full("new", 1), [silent], NOW).terminating_replicas is None


def test_complete_is_when_all_are_new_and_available() -> None:
    one = deployment()
    assert is_complete(one, compute_status(one, full("new", 2), [], NOW))
    assert not is_complete(one, compute_status(one, full("new", 2), [full("old", 1)], NOW))
    assert not is_complete(one, compute_status(one, full("new", 1), [], NOW))


@pytest.mark.parametrize(
    ("before", "new", "seconds", "expected"),
    [
        ({}, full("new", 2), 0, ("True", "NewReplicaSetAvailable")),
        ({}, full("new", 1), 0, ("True", "ReplicaSetUpdated")),
        ({"replicas": 1, "updatedReplicas": 1, "readyReplicas": 1, "availableReplicas": 1}, full("new", 1), 601, None),
    ],
    ids=["complete", "gets on", "stands still"],
)
def test_progress_is_told(
    before: dict[str, Any], new: ReplicaSet, seconds: int, expected: tuple[str, str] | None
) -> None:
    created = make_condition("Progressing", "True", "NewReplicaSetCreated", "", NOW)
    one = deployment(status={**before, "conditions": [msgspec.to_builtins(created)]})
    now = NOW + timedelta(seconds=seconds)
    status = compute_status(one, new, [], now)
    progress(one, status, new, [], now)
    assert told(status)["Progressing"] == (expected or ("False", "ProgressDeadlineExceeded"))


def test_the_deadline_counts_from_the_last_progress() -> None:
    updated = make_condition("Progressing", "True", "ReplicaSetUpdated", "", NOW)
    status = Status(conditions=[updated])
    assert not has_timed_out(deployment(), status, NOW + timedelta(seconds=600))
    assert has_timed_out(deployment(), status, NOW + timedelta(seconds=601))
    assert next_check(deployment(), status, NOW + timedelta(seconds=200)) == 401.0


def test_a_condition_that_somebody_wrote_without_times_is_as_old_as_can_be() -> None:
    timeless = {"lastUpdateTime": None, "lastTransitionTime": None}
    conditions = [{"type": kind, "status": "True", **timeless} for kind in ("Progressing", "Custom")]
    web = deployment(status={"conditions": conditions})
    assert has_timed_out(web, web.status, NOW)
    assert next_check(web, web.status, NOW) == 1.0
    progress(web, web.status, full("new", 1), [], NOW)
    assert told(web.status) == {"Custom": ("True", ""), "Progressing": ("False", "ProgressDeadlineExceeded")}
    assert msgspec.json.decode(msgspec.json.encode(web.status))["conditions"][0] == {"type": "Custom", "status": "True"}


def test_without_a_deadline_nothing_is_said_of_progress() -> None:
    endless = deployment(progressDeadlineSeconds=2**31 - 1)
    status = Status(conditions=[make_condition("Progressing", "True", "ReplicaSetUpdated", "", NOW)])
    progress(endless, status, None, [], NOW)
    assert status.conditions == []
    assert next_check(endless, status, NOW) is None


def test_what_keeps_pods_from_being_made_is_passed_on_and_goes() -> None:
    failure = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "no room"}
    old = replica_set("old", 1, conditions=[{**failure, "lastTransitionTime": "2026-01-01T00:00:00Z"}])
    status = Status()
    progress(deployment(), status, None, [old], NOW)
    assert told(status)["ReplicaFailure"] == ("True", "FailedCreate")
    progress(deployment(), status, None, [], NOW)
    assert "ReplicaFailure" not in told(status)
