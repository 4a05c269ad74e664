"""The status of a Deployment: what its ReplicaSets say together, whether that is enough, and whether it gets on. Pure.

| condition      |         | reasons                                                                            |
|----------------|---------|------------------------------------------------------------------------------------|
| Available      | true    | MinimumReplicasAvailable                                                           |
|                | false   | MinimumReplicasUnavailable                                                         |
| Progressing    | true    | NewReplicaSetCreated, FoundNewReplicaSet, ReplicaSetUpdated; NewReplicaSetAvailable |
|                | unknown | DeploymentPaused, DeploymentResumed                                                |
|                | false   | ProgressDeadlineExceeded, ReplicaSetCreateError                                    |
| ReplicaFailure | true    | what a ReplicaSet says                                                             |

Progress is more new pods, fewer old ones, or more that are ready or available than the last status said. The deadline
counts from the last progress.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from kubewright.cluster.controllers.deployments.sizes import bounds
from kubewright.cluster.controllers.deployments.views import Condition, Deployment, Status
from kubewright.cluster.controllers.views import ReplicaSet

__all__ = ["compute_status", "has_timed_out", "is_complete", "make_condition", "next_check", "progress", "spelled"]

AVAILABLE = "NewReplicaSetAvailable"
TIMED_OUT = "ProgressDeadlineExceeded"
_FAILURE = "ReplicaFailure"


def spelled(moment: datetime) -> str:
    """A moment as objects have it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def make_condition(kind: str, status: str, reason: str, message: str, now: datetime) -> Condition:
    """A condition that begins now."""
    return Condition(kind, status, spelled(now), spelled(now), reason, message)


def compute_status(deployment: Deployment, new: ReplicaSet | None, old: Sequence[ReplicaSet], now: datetime) -> Status:
    """What the ReplicaSets say together, and whether that is enough."""
    everyone = [*old, new] if new is not None else list(old)
    wanted = deployment.spec.replicas
    available = sum(each.status.available_replicas for each in everyone)
    status = Status(
        observed_generation=deployment.metadata.generation,
        replicas=sum(each.status.replicas for each in everyone),
        updated_replicas=new.status.replicas if new is not None else 0,
        ready_replicas=sum(each.status.ready_replicas for each in everyone),
        available_replicas=available,
        unavailable_replicas=max(0, sum(each.spec.replicas for each in everyone) - available),
        terminating_replicas=_terminating(everyone),
        conditions=list(deployment.status.conditions),
        collision_count=deployment.status.collision_count,
    )
    if available >= wanted - bounds(deployment.spec.strategy, wanted).unavailable:
        text = "Deployment has minimum availability."
        status.set(make_condition("Available", "True", "MinimumReplicasAvailable", text, now))
    else:
        text = "Deployment does not have minimum availability."
        status.set(make_condition("Available", "False", "MinimumReplicasUnavailable", text, now))
    return status


def _terminating(replica_sets: Sequence[ReplicaSet]) -> int | None:
    """How many pods are on their way out; None if a ReplicaSet that has been looked at does not say."""
    total = 0
    for each in replica_sets:
        if each.status.terminating_replicas is not None:
            total += each.status.terminating_replicas
        elif each.status.observed_generation:
            return None
    return total


def is_complete(deployment: Deployment, status: Status) -> bool:
    """Whether all pods are new and available, and no others are left."""
    wanted = deployment.spec.replicas
    return (
        status.updated_replicas == status.replicas == status.available_replicas == wanted
        and status.observed_generation >= deployment.metadata.generation
    )


def _has_moved(before: Status, after: Status) -> bool:
    return (
        after.updated_replicas > before.updated_replicas
        or after.replicas - after.updated_replicas < before.replicas - before.updated_replicas
        or after.ready_replicas > before.ready_replicas
        or after.available_replicas > before.available_replicas
    )


def has_timed_out(deployment: Deployment, status: Status, now: datetime) -> bool:
    """Whether the last progress is longer ago than the deadline allows."""
    condition, deadline = status.condition("Progressing"), deployment.deadline
    if condition is None or deadline is None or condition.reason == AVAILABLE:
        return False
    return condition.reason == TIMED_OUT or _moment(condition) + timedelta(seconds=deadline) < now


def progress(
    deployment: Deployment, status: Status, new: ReplicaSet | None, old: Sequence[ReplicaSet], now: datetime
) -> None:
    """Tell in a status how the roll-out gets on, and what keeps pods from being made."""
    if deployment.deadline is None:
        status.drop("Progressing")
    current = deployment.status.condition("Progressing")
    done = status.replicas == status.updated_replicas and current is not None and current.reason == AVAILABLE
    if deployment.deadline is not None and not done:
        who = f'Deployment "{deployment.metadata.name}"' if new is None else f'ReplicaSet "{new.metadata.name}"'
        if is_complete(deployment, status):
            text = f"{who} has successfully progressed."
            status.set(make_condition("Progressing", "True", AVAILABLE, text, now))
        elif _has_moved(deployment.status, status):
            told = make_condition("Progressing", "True", "ReplicaSetUpdated", f"{who} is progressing.", now)
            if current is not None:
                # The same reason again is news: from now on the deadline counts anew.
                if current.status == "True":
                    told.last_transition_time = current.last_transition_time
                status.drop("Progressing")
            status.set(told)
        elif has_timed_out(deployment, status, now):
            text = f"{who} has timed out progressing."
            status.set(make_condition("Progressing", "False", TIMED_OUT, text, now))
    failure = _failure(new, old)
    if failure is not None:
        status.set(failure)
    else:
        status.drop(_FAILURE)


def _failure(new: ReplicaSet | None, old: Sequence[ReplicaSet]) -> Condition | None:
    """What keeps pods from being made, as the new ReplicaSet says it, or else an old one."""
    for each in (*((new,) if new is not None else ()), *old):
        if any(condition.type == _FAILURE for condition in each.status.conditions):
            for condition in msgspec.json.decode(each.parts.status, type=Status).conditions:
                if condition.type == _FAILURE:
                    condition.last_update_time = condition.last_transition_time
                    return condition
    return None


def next_check(deployment: Deployment, status: Status, now: datetime) -> float | None:
    """After how many seconds to see whether the deadline has passed; None if there is nothing to wait for."""
    condition, deadline = status.condition("Progressing"), deployment.deadline
    if condition is None or deadline is None or condition.reason == TIMED_OUT or is_complete(deployment, status):
        return None
    # Times are told in whole seconds: one more is surely past it.
    left = (_moment(condition) + timedelta(seconds=deadline) - now).total_seconds()
    return max(left, 0.0) + 1.0


def _moment(condition: Condition) -> datetime:
    if condition.last_update_time is None:
        return datetime.min.replace(tzinfo=UTC)
    return datetime.strptime(condition.last_update_time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
