"""The pod that a Job makes. Pure.

Its labels are those of the template, to which the server has added the Job's name and uid when it took the Job. A pod
of an indexed Job has its number in a label, an annotation, its host name and each container's environment.
"""

from typing import Any, Final

from kubewright.cluster.controllers.jobs.facts import (
    FAILURES,
    IGNORED_FAILURES,
    INDEX,
    TRACKING,
    failures_before,
    ignored_before,
    limits_each_index,
)
from kubewright.cluster.controllers.jobs.policies import judge_failure
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import to_dict

__all__ = ["pod_of"]

_VARIABLE: Final = "JOB_COMPLETION_INDEX"
#: A name of 63 characters less the five that the server adds.
_LONGEST_PREFIX: Final = 58


def pod_of(job: Job, index: int | None = None, replaced: Pod | None = None) -> dict[str, Any]:
    """The document of a new pod; of an index, in place of one that failed."""
    assert job.spec is not None
    template = to_dict(job.spec.template)
    given = template.get("metadata") or {}
    meta: dict[str, Any] = {
        "generateName": f"{job.metadata.name}-",
        "namespace": job.metadata.namespace,
        "labels": dict(given.get("labels") or {}),
        "annotations": dict(given.get("annotations") or {}),
        "finalizers": [*(each for each in given.get("finalizers") or () if each != TRACKING), TRACKING],
        "ownerReferences": [
            {
                "apiVersion": "batch/v1",
                "kind": "Job",
                "name": job.metadata.name,
                "uid": job.metadata.uid,
                "controller": True,
                "blockOwnerDeletion": True,
            }
        ],
    }
    spec = template.get("spec") or {}
    if index is not None:
        _number(job, meta, spec, index)
        if limits_each_index(job):
            meta["annotations"] |= _counts(job, replaced)
    if not meta["annotations"]:
        del meta["annotations"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}


def _number(job: Job, meta: dict[str, Any], spec: dict[str, Any], index: int) -> None:
    number = str(index)
    ending = f"-{number}-"
    meta["generateName"] = job.metadata.name[: _LONGEST_PREFIX - len(ending)] + ending
    meta["labels"][INDEX] = meta["annotations"][INDEX] = number
    spec["hostname"] = f"{job.metadata.name}-{number}"
    source = {"fieldRef": {"fieldPath": f"metadata.labels['{INDEX}']"}}
    for container in (*spec.get("initContainers", ()), *spec.get("containers", ())):
        variables = container.setdefault("env", [])
        if all(each.get("name") != _VARIABLE for each in variables):
            variables.append({"name": _VARIABLE, "valueFrom": source})


def _counts(job: Job, replaced: Pod | None) -> dict[str, str]:
    """How often the index has failed, as its next pod says."""
    if replaced is None:
        return {FAILURES: "0"}
    failures, ignored = failures_before(replaced), ignored_before(replaced)
    if judge_failure(job.spec.pod_failure_policy if job.spec is not None else None, replaced).counts:
        failures += 1
    else:
        ignored += 1
    return {FAILURES: str(failures)} | ({IGNORED_FAILURES: str(ignored)} if ignored else {})
