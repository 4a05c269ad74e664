"""What the Job controller asks of a Job's pods. Pure.

A pod is *tracked* while it has the finalizer: until then it cannot disappear uncounted. A Job that replaces only failed
pods waits for a pod that is being deleted to end; any other counts it as failed at once.
"""

from datetime import datetime, timedelta
from typing import Final

from kubewright.cluster.controllers.pods import find_condition, phase_of, statuses_of
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import ContainerStatus, Pod

__all__ = [
    "FAILURES",
    "IGNORED_FAILURES",
    "INDEX",
    "TRACKING",
    "UNKNOWN",
    "completion_index",
    "failures_before",
    "finish_time",
    "has_valid_index",
    "ignored_before",
    "is_failed",
    "is_indexed",
    "is_suspended",
    "is_tracked",
    "limits_each_index",
    "replaces_failed_only",
]

TRACKING: Final = "batch.kubernetes.io/job-tracking"
INDEX: Final = "batch.kubernetes.io/job-completion-index"
FAILURES: Final = "batch.kubernetes.io/job-index-failure-count"
IGNORED_FAILURES: Final = "batch.kubernetes.io/job-index-ignored-failure-count"
#: The index of a pod that has none.
UNKNOWN: Final = -1


def is_indexed(job: Job) -> bool:
    """Whether each completion has a number of its own."""
    return job.spec is not None and job.spec.completion_mode == "Indexed"


def is_suspended(job: Job) -> bool:
    """Whether it shall have no pods."""
    return job.spec is not None and bool(job.spec.suspend)


def limits_each_index(job: Job) -> bool:
    """Whether each index has a back-off limit of its own."""
    return job.spec is not None and job.spec.backoff_limit_per_index is not None


def replaces_failed_only(job: Job) -> bool:
    """Whether a pod is replaced when it has ended, and not already when it is being deleted."""
    return job.spec is not None and (
        job.spec.pod_replacement_policy == "Failed" or job.spec.pod_failure_policy is not None
    )


def is_tracked(pod: Pod) -> bool:
    """Whether it has not been counted for good."""
    return TRACKING in pod.metadata.finalizers


def is_failed(pod: Pod, job: Job) -> bool:
    """Whether it counts as failed."""
    phase = phase_of(pod)
    if phase == "Failed":
        return True
    return not replaces_failed_only(job) and pod.metadata.deletion_timestamp is not None and phase != "Succeeded"


def completion_index(pod: Pod) -> int:
    """The number of the completion that a pod is for."""
    text = pod.metadata.annotations.get(INDEX, "")
    return int(text) if text.isdigit() else UNKNOWN


def has_valid_index(pod: Pod, job: Job) -> bool:
    """Whether it is for a completion that the Job has; any pod is if completions have no numbers."""
    if not is_indexed(job):
        return True
    return UNKNOWN < completion_index(pod) < ((job.spec.completions or 0) if job.spec is not None else 0)


def failures_before(pod: Pod) -> int:
    """How many pods of its index had failed before it, and counted."""
    return _count(pod, FAILURES)


def ignored_before(pod: Pod) -> int:
    """How many had failed and did not count."""
    return _count(pod, IGNORED_FAILURES)


def _count(pod: Pod, annotation: str) -> int:
    text = pod.metadata.annotations.get(annotation, "")
    return int(text) if text.isdigit() and int(text) < 2**31 else 0


def finish_time(pod: Pod) -> datetime | None:
    """When it ended: when its last container did, or it was ready no more, or deleted; at worst, when it was made."""
    ended = [
        status.state.terminated.finished_at
        if status.state is not None and status.state.terminated is not None
        else None
        for status in (*statuses_of(pod), *_sidecars(pod))
    ]
    known = [moment for moment in ended if moment is not None]
    if known and len(known) == len(ended):
        return max(known)
    ready = find_condition(pod, "Ready")
    if ready is not None and ready.status == "False" and ready.last_transition_time is not None:
        return ready.last_transition_time
    meta = pod.metadata
    if meta.deletion_timestamp is not None:
        return meta.deletion_timestamp - timedelta(seconds=meta.deletion_grace_period_seconds or 0)
    return meta.creation_timestamp


def _sidecars(pod: Pod) -> list[ContainerStatus]:
    """The statuses of containers of initialization that go on beside the others."""
    spec, status = pod.spec, pod.status
    if spec is None or status is None:
        return []
    names = {each.name for each in spec.init_containers if each.restart_policy == "Always"}
    return [each for each in status.init_container_statuses if each.name in names]
