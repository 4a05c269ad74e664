"""Pods that are tracked for a Job which is gone or over: they are let go, or nobody could delete them."""

from kubewright.cache import Cached, Change
from kubewright.client.errors import NotFound
from kubewright.cluster.controllers.jobs.claim import RELEASE
from kubewright.cluster.controllers.jobs.conditions import is_finished
from kubewright.cluster.controllers.jobs.facts import TRACKING, is_tracked
from kubewright.cluster.controllers.pods import controller_of
from kubewright.controller.context import Context
from kubewright.controller.declaration import controller
from kubewright.controller.reader import Reader
from kubewright.controller.source import watch
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod

__all__ = ["is_orphan", "job_orphan_pods"]


def is_orphan(pod: Pod, job: Job | None) -> bool:
    """Whether a pod is tracked for nobody; `job` is the one of the name that its controller has, if there is one."""
    if not is_tracked(pod):
        return False
    owner = controller_of(pod.metadata)
    if owner is None:
        return True
    if owner.kind != "Job" or owner.api_version != "batch/v1":
        return False
    if job is None or job.metadata.uid != owner.uid:
        return True
    managed_by = job.spec.managed_by if job.spec is not None else None
    return is_finished(job) and managed_by in (None, "", "kubernetes.io/job-controller")


def _is_tracked(change: Change) -> bool:
    return change.new is not None and TRACKING in (change.new.metadata.finalizers or ())


def _is_over(change: Change) -> bool:
    return change.new is None or _finished(change.new)


def _finished(cached: Cached) -> bool:
    return is_finished(cached.object(Job))


def _pods_of(job: Job, reader: Reader) -> list[str]:
    return [pod.metadata.name for pod in reader.list(Pod, owner=job)]


@controller(
    Pod,
    reads=[Job],
    watches=[watch(Job, map=_pods_of, predicates=[_is_over])],
    predicates=[_is_tracked],
    deleting=True,
    status=False,
    name="job-orphan-pods",
)
async def job_orphan_pods(pod: Pod, ctx: Context) -> None:
    """Let a pod go that is tracked for nobody."""
    owner = controller_of(pod.metadata)
    if not is_orphan(pod, ctx.get(Job, owner.name) if owner is not None else None):
        return
    try:
        await ctx.live.patch(Pod, ctx.name, RELEASE, ctx.namespace, strategy="strategic")
    except NotFound:
        ctx.log.debug("Pod %s is gone already.", ctx.name)
