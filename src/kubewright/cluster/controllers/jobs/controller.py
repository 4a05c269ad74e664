"""The Job controller: runs pods until so many have succeeded, or too many failed.

What is done is decided elsewhere (`decide`, `track`, `claim`); here it is carried out, in the order that makes it safe:
pods are made or deleted, the status says which have ended and how the Job will end, pods are let go, the status counts
them and ends the Job. Whatever fails on the way, the next look begins anew with what is there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from kubewright import clock
from kubewright.cache import Key
from kubewright.client.errors import ApiError, Conflict, NotFound
from kubewright.cluster.controllers.jobs import track
from kubewright.cluster.controllers.jobs.backoff import Record
from kubewright.cluster.controllers.jobs.claim import RELEASE, adoption, claim, release
from kubewright.cluster.controllers.jobs.conditions import is_finished
from kubewright.cluster.controllers.jobs.decide import News, Plan, View, conclude, observe, plan
from kubewright.cluster.controllers.jobs.facts import is_tracked
from kubewright.cluster.controllers.pods import is_ready
from kubewright.controller.context import Context
from kubewright.controller.declaration import Controller, controller
from kubewright.controller.outcome import Requeue
from kubewright.controller.predicate import orphaned
from kubewright.controller.reader import Reader
from kubewright.controller.source import watch
from kubewright.k8s.batch.v1 import Job
from kubewright.k8s.core.v1 import Pod
from kubewright.model.codec import from_dict, to_dict
from kubewright.model.selectors import LabelSelector

__all__ = ["job_controller"]

#: Seconds for which changes of pods are gathered: many pods of a Job end at about the same time.
_GATHER: Final = 1.0
#: Which controller a Job has that names none.
_OURS: Final = (None, "", "kubernetes.io/job-controller")


def job_controller() -> Controller[Any, Any]:
    """A Job controller; it remembers how often pods failed, so each run of one has its own."""
    records: dict[Key, tuple[str, Record]] = {}

    @controller(
        Job,
        owns=[Pod],
        watches=[watch(Pod, map=_jobs_of, predicates=[orphaned])],
        deleting=True,
        gather=_GATHER,
        status=False,
        name="job-controller",
    )
    async def reconcile(job: Job, ctx: Context) -> Requeue | None:
        key = Key(ctx.namespace, ctx.name)
        if job.spec is None or job.spec.managed_by not in _OURS:
            return None
        if is_finished(job):
            records.pop(key, None)
            return None
        uid, record = records.get(key, ("", Record()))
        view = observe(job, await _claim(job, ctx), record if uid == job.metadata.uid else Record(), clock.now())
        return await _sync(view, ctx, lambda: records.__setitem__(key, (job.metadata.uid, view.record)))

    @reconcile.absent
    async def forget(key: Key, ctx: Context) -> None:
        records.pop(key, None)

    return reconcile


def _jobs_of(pod: Pod, reader: Reader) -> list[str]:
    """The Jobs that would take a pod that nobody controls."""
    return [job.metadata.name for job in reader.list(Job) if _selector(job).matches(pod.metadata.labels)]


def _selector(job: Job) -> LabelSelector:
    selector = job.spec.selector if job.spec is not None else None
    return LabelSelector.from_json(to_dict(selector) if selector is not None else None)


async def _claim(job: Job, ctx: Context) -> list[Pod]:
    """The pods of a Job, after those are taken and let go that have to be."""
    selector = _selector(job)
    claims = claim(job, selector, ctx.list(Pod, owned=True), ctx.list(Pod, labels=selector, orphans=True))
    if claims.adopt:
        # What is in memory may be older than a deletion: a Job that is going takes no pods with it.
        live = await ctx.live.get(Job, ctx.name, ctx.namespace)
        if live.metadata.uid == job.metadata.uid and live.metadata.deletion_timestamp is None:
            claims.ours.extend([await _patch(ctx, pod, adoption(job, pod)) for pod in claims.adopt])
    for pod in claims.release:
        try:
            await _patch(ctx, pod, release(job, pod))
        except NotFound:
            ctx.log.debug("Pod %s is gone already.", pod.metadata.name)
    return claims.ours


async def _sync(view: View, ctx: Context, remember: Callable[[], None]) -> Requeue | None:
    todo = plan(view)
    deleted, created, problem = await _carry_out(todo, ctx)
    if view.target is not None and len(deleted) < len(view.active):
        view.target = None  # pods are left that would not be counted: it cannot end yet
    view.terminating += len(deleted)
    view.ready -= sum(map(is_ready, deleted))
    changed, news = conclude(view, len(view.active) - len(deleted) + created, managed=todo.managed)
    tracking = track.count(view, changed)
    if tracking.changed:
        await _write(view, ctx)
        remember()
    _tell(ctx, news)
    let_go, failure = await _all(_release(ctx, pod) for pod in tracking.release)
    gone = {pod.metadata.uid for pod in let_go}
    counted = track.settle(view, tracking.tracked - gone)
    end = track.end(view) if failure is None and not tracking.more else None
    if counted or end is not None:
        await _write(view, ctx)
        _tell(ctx, end or ())
    if error := failure or problem:
        raise error
    waits = [after for after in (todo.after, view.deadline) if after is not None]
    return Requeue(after=max(0.0, min(waits))) if waits and end is None else None


async def _write(view: View, ctx: Context) -> None:
    view.job = await ctx.live.update(view.job, subresource="status")


def _tell(ctx: Context, news: Iterable[News]) -> None:
    for each in news:
        ctx.event(each.reason, each.note, type="Warning" if each.warning else "Normal")


async def _carry_out(todo: Plan, ctx: Context) -> tuple[list[Pod], int, Exception | None]:
    """Delete and make pods: those that were deleted, how many were made, and what went wrong."""
    if todo.delete:
        deleted, problem = await _all(_delete(ctx, pod, untrack=todo.untrack) for pod in todo.delete)
        return deleted, 0, problem
    made, size, problem = 0, 1, None
    # Twice as many at once each time: a quota that allows none is not asked five hundred times.
    while made < len(todo.create) and problem is None:
        batch = todo.create[made : made + size]
        some, problem = await _all(_create(ctx, pod) for pod in batch)
        made += len(some)
        size *= 2
    return [], made, problem


async def _all(work: Iterable[Awaitable[Pod]]) -> tuple[list[Pod], Exception | None]:
    """All at once: the pods of those that went well, and the first thing that went wrong."""
    ended = await asyncio.gather(*work, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException) and not isinstance(each, Exception):
            raise each
    problem = next((each for each in ended if isinstance(each, Exception)), None)
    return [each for each in ended if isinstance(each, Pod)], problem


async def _create(ctx: Context, document: dict[str, Any]) -> Pod:
    try:
        made = await ctx.live.create(from_dict(document, Pod))
    except ApiError as error:
        if not error.caused_by("NamespaceTerminating"):
            ctx.event("FailedCreate", f"Error creating: {error}", type="Warning")
        raise
    ctx.event("SuccessfulCreate", f"Created pod: {made.metadata.name}")
    return made


async def _delete(ctx: Context, pod: Pod, *, untrack: bool) -> Pod:
    meta = pod.metadata
    try:
        if untrack and is_tracked(pod):
            await _patch(ctx, pod, RELEASE)
        await ctx.live.delete(Pod, meta.name, meta.namespace, uid=meta.uid)
    except (NotFound, Conflict):  # or another has its name now
        return pod
    except ApiError as error:
        ctx.event("FailedDelete", f"Error deleting: {error}", type="Warning")
        raise
    ctx.event("SuccessfulDelete", f"Deleted pod: {meta.name}")
    return pod


async def _release(ctx: Context, pod: Pod) -> Pod:
    try:
        await _patch(ctx, pod, RELEASE)
    except NotFound:
        ctx.log.debug("Pod %s is gone already.", pod.metadata.name)
    return pod


async def _patch(ctx: Context, pod: Pod, patch: dict[str, Any]) -> Pod:
    meta = pod.metadata
    return await ctx.live.patch(Pod, meta.name, patch, meta.namespace, strategy="strategic")
