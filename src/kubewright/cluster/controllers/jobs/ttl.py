"""The TTL controller: a Job that is over and says for how long it is of interest is deleted after that."""

from datetime import datetime

from kubewright import clock
from kubewright.cache import Change
from kubewright.client.errors import NotFound
from kubewright.cluster.controllers.jobs.conditions import finish_time
from kubewright.controller.context import Context
from kubewright.controller.declaration import controller
from kubewright.controller.outcome import Requeue
from kubewright.k8s.batch.v1 import Job

__all__ = ["time_left", "ttl_after_finished_controller"]


def time_left(job: Job, now: datetime) -> float | None:
    """Seconds until a Job is to be deleted, 0 or less if that is now; None if it is not."""
    ttl = job.spec.ttl_seconds_after_finished if job.spec is not None else None
    ended = finish_time(job)
    if ttl is None or ended is None or job.metadata.deletion_timestamp is not None:
        return None
    return ttl - (now - ended).total_seconds()


def _ends(change: Change) -> bool:
    """Whether a Job is over that is to be deleted some time."""
    return change.new is not None and time_left(change.new.object(Job), clock.now()) is not None


@controller(Job, predicates=[_ends], status=False, name="ttl-after-finished-controller")
async def ttl_after_finished_controller(job: Job, ctx: Context) -> Requeue | None:
    """Delete a Job when its time is over, and not before its pods are gone."""
    left = time_left(job, clock.now())
    if left is not None and left <= 0:
        # Somebody may have given it more time a moment ago.
        try:
            live = await ctx.live.get(Job, ctx.name, ctx.namespace)
            left = time_left(live, clock.now()) if live.metadata.uid == job.metadata.uid else None
            if left is not None and left <= 0:
                await ctx.live.delete(Job, ctx.name, ctx.namespace, uid=live.metadata.uid, propagation="Foreground")
                return None
        except NotFound:
            return None
    return Requeue(after=left) if left is not None else None
