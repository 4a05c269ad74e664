"""Jobs and pods for tests of what is pure."""

from datetime import UTC, datetime, timedelta
from typing import Any

from kubewright.cluster.controllers.jobs.facts import INDEX, TRACKING
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import from_dict

__all__ = ["NOW", "at", "make_job", "make_pod"]

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(seconds: float) -> str:
    """So many seconds after noon."""
    return (NOW + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_job(status: dict[str, Any] | None = None, metadata: dict[str, Any] | None = None, **spec: Any) -> Job:
    """A Job as the server has it."""
    labels = {"batch.kubernetes.io/controller-uid": "j", "batch.kubernetes.io/job-name": "one"}
    template = {
        "metadata": {"labels": labels},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "i"}]},
    }
    whole = {"parallelism": 1, "backoffLimit": 6, "template": template, "selector": {"matchLabels": labels}, **spec}
    meta = {"name": "one", "namespace": "default", "uid": "j", **(metadata or {})}
    document: dict[str, Any] = {"metadata": meta, "spec": whole}
    if status is not None:
        document["status"] = status
    return from_dict(document, Job)


def make_pod(
    uid: str,
    phase: str = "Running",
    *,
    index: int | None = None,
    code: int = 1,
    ended: float = 0.0,
    ready: bool = False,
    deleted: bool = False,
    tracked: bool = True,
    annotations: dict[str, str] | None = None,
    **status: Any,
) -> Pod:
    """A pod of that Job."""
    numbers = {INDEX: str(index)} if index is not None else {}
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "one", "uid": "j", "controller": True}
    meta: dict[str, Any] = {
        "name": f"one-{uid}",
        "namespace": "default",
        "uid": uid,
        "labels": {"batch.kubernetes.io/controller-uid": "j", "batch.kubernetes.io/job-name": "one"},
        "annotations": numbers | (annotations or {}),
        "finalizers": [TRACKING] if tracked else [],
        "ownerReferences": [owner],
        "creationTimestamp": at(-100),
    }
    if deleted:
        meta["deletionTimestamp"] = at(ended)
        meta["deletionGracePeriodSeconds"] = 0
    container: dict[str, Any] = {"name": "main", "image": "i", "imageID": "", "ready": ready, "restartCount": 0}
    if phase in ("Succeeded", "Failed"):
        exit_code = code if phase == "Failed" else 0
        container["state"] = {"terminated": {"exitCode": exit_code, "finishedAt": at(ended)}}
    conditions = [{"type": "Ready", "status": "True" if ready else "False"}]
    document = {
        "metadata": meta,
        "spec": {"containers": [{"name": "main"}], "nodeName": "n1"},
        "status": {"phase": phase, "containerStatuses": [container], "conditions": conditions, **status},
    }
    return from_dict(document, Pod)
