"""What controllers ask of a pod. Pure.

A pod is *terminal* when it has ended, *terminating* when somebody deleted it and it has not ended yet, and *active*
when it is neither. It is *ready* by its condition alone, whatever else holds.
"""

from datetime import datetime
from typing import Final

from kubewright.k8s.core.v1 import ContainerStatus, Pod, PodCondition
from kubewright.model.metadata import ObjectMeta, OwnerReference

__all__ = [
    "controller_of",
    "find_condition",
    "is_active",
    "is_ready",
    "is_terminal",
    "is_terminating",
    "phase_of",
    "ready_since",
    "removal_order",
    "statuses_of",
]

_STAGES: Final = {"Pending": 0, "Unknown": 1, "Running": 2}


def phase_of(pod: Pod) -> str:
    """The phase, empty before there is one."""
    return (pod.status.phase or "") if pod.status is not None else ""


def find_condition(pod: Pod, kind: str) -> PodCondition | None:
    """A condition of the pod."""
    for condition in pod.status.conditions if pod.status is not None else ():
        if condition.type == kind:
            return condition
    return None


def statuses_of(pod: Pod) -> list[ContainerStatus]:
    """The statuses of its containers, without those of initialization."""
    return pod.status.container_statuses if pod.status is not None else []


def is_ready(pod: Pod) -> bool:
    """Whether its condition Ready is true."""
    condition = find_condition(pod, "Ready")
    return condition is not None and condition.status == "True"


def ready_since(pod: Pod) -> datetime | None:
    """Since when it is ready."""
    condition = find_condition(pod, "Ready")
    return condition.last_transition_time if condition is not None and condition.status == "True" else None


def is_terminal(pod: Pod) -> bool:
    """Whether it has ended, well or not."""
    return phase_of(pod) in ("Succeeded", "Failed")


def is_active(pod: Pod) -> bool:
    """Whether it has not ended and nobody deleted it."""
    return not is_terminal(pod) and pod.metadata.deletion_timestamp is None


def is_terminating(pod: Pod) -> bool:
    """Whether somebody deleted it and it has not ended yet."""
    return not is_terminal(pod) and pod.metadata.deletion_timestamp is not None


def controller_of(metadata: ObjectMeta) -> OwnerReference | None:
    """The owner that controls an object."""
    return next((owner for owner in metadata.owner_references if owner.controller), None)


def removal_order(pod: Pod) -> tuple[object, ...]:
    """Sorts pods so that the first to go come first: those that have come least far, then the younger ones.

    Not scheduled before scheduled; pending, unknown, running; not ready before ready; ready for a shorter time first;
    more restarts first; younger first.
    """
    since, made = ready_since(pod), pod.metadata.creation_timestamp
    return (
        bool(pod.spec is not None and pod.spec.node_name),
        _STAGES.get(phase_of(pod), 0),
        is_ready(pod),
        -since.timestamp() if since is not None else float("-inf"),
        -max((status.restart_count for status in statuses_of(pod)), default=0),
        -made.timestamp() if made is not None else float("-inf"),
    )
