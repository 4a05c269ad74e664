"""Which pods are a Job's: those it controls and selects; and how one that is alone is taken, or one let go. Pure.

Nothing is taken or let go while the Job or the pod is being deleted: whoever deletes it sees to that.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from kubewright.cluster.controllers.jobs.facts import TRACKING
from kubewright.cluster.controllers.pods import controller_of
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod
from kubewright.model.selectors import LabelSelector

__all__ = ["RELEASE", "Claims", "adoption", "claim", "release"]

#: The patch after which a pod is tracked no more.
RELEASE: Final = {"metadata": {"$deleteFromPrimitiveList/finalizers": [TRACKING]}}


class Claims(NamedTuple):
    """Pods that are the Job's, that shall become so, and that shall not be any more."""

    ours: list[Pod]
    adopt: list[Pod]
    release: list[Pod]


def claim(job: Job, selector: LabelSelector, owned: Iterable[Pod], orphans: Iterable[Pod]) -> Claims:
    """Whose pods these are: some name the Job as an owner, some nobody controls."""
    claims = Claims([], [], [])
    going = job.metadata.deletion_timestamp is not None
    for pod in owned:
        owner = controller_of(pod.metadata)
        if owner is None or owner.uid != job.metadata.uid:
            continue
        if selector.matches(pod.metadata.labels):
            claims.ours.append(pod)
        elif not going and pod.metadata.deletion_timestamp is None:
            claims.release.append(pod)
    for pod in () if going else orphans:
        if pod.metadata.deletion_timestamp is None and selector.matches(pod.metadata.labels):
            claims.adopt.append(pod)
    return claims


def adoption(job: Job, pod: Pod) -> dict[str, Any]:
    """The patch by which a pod becomes a Job's, and tracked."""
    owner = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": job.metadata.name,
        "uid": job.metadata.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {"metadata": {"ownerReferences": [owner], "uid": pod.metadata.uid, "finalizers": [TRACKING]}}


def release(job: Job, pod: Pod) -> dict[str, Any]:
    """The patch by which a pod is nobody's, and not tracked."""
    owners = [{"$patch": "delete", "uid": job.metadata.uid}]
    return {"metadata": {"uid": pod.metadata.uid, "ownerReferences": owners, **RELEASE["metadata"]}}
