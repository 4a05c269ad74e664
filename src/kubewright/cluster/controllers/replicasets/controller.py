"""The controller of ReplicaSets: as many pods as the spec says, made from its template.

One look at a ReplicaSet: settle whose pods are whose, make or delete as many as are wrong, and tell in the status how
it was before that. What was made shows in the next look, which its own pods bring about; what this one wrote is in the
caches by then, so nothing is counted twice and no expectations are kept.

Pods are made in batches of 1, 2, 4 …, as long as all of a batch succeed: where a quota refuses the first, hundreds more
would be refused for nothing. No more than 500 are made or deleted in one look.
"""

import asyncio
from collections.abc import Iterable, Iterator

import msgspec

import kubewright as kw
from kubewright import clock
from kubewright.client.errors import ApiError, Conflict, NotFound
from kubewright.cluster.controllers.claims import claim, reference
from kubewright.cluster.controllers.replicasets.rank import choose
from kubewright.cluster.controllers.replicasets.status import compute_status, next_look
from kubewright.cluster.controllers.views import (
    PODS,
    REPLICA_SETS,
    Meta,
    Parts,
    Pod,
    ReplicaSet,
    controller_of,
    read_parts,
    read_replica_set,
    selector_of,
)
from kubewright.cluster.controllers.writes import create, put, remove
from kubewright.controller.predicate import orphaned
from kubewright.controller.reader import Reader

__all__ = ["BURST", "batches", "replicaset_controller"]

#: So many pods at most are made or deleted in one look.
BURST = 500


def batches(count: int) -> Iterator[int]:
    """The sizes in which so many pods are made: 1, 2, 4 …, and what is left."""
    size = 1
    while count > 0:
        size = min(size, count)
        yield size
        count -= size
        size *= 2


def selecting(pod: Pod, reader: Reader) -> list[str]:
    """The ReplicaSets that would have an orphan."""
    return [
        each.metadata.name
        for each in map(read_replica_set, reader.list(REPLICA_SETS))
        if selector_of(each.spec.selector).matches(pod.metadata.labels)
    ]


@kw.controller(
    REPLICA_SETS,
    owns=[PODS],
    watches=[kw.watch(PODS, map=selecting, predicates=[orphaned])],
    deleting=True,
    status=False,
    concurrency=5,
    name="replicaset-controller",
)
async def replicaset_controller(parts: Parts, ctx: kw.Context) -> kw.Requeue | None:
    """Have as many pods as the spec says."""
    replica_set = read_replica_set(parts)
    selector = selector_of(replica_set.spec.selector)
    pods = ctx.list(PODS, owned=True) + ctx.list(PODS, orphans=True)
    candidates = [pod for pod in pods if pod.active]
    active = await claim(ctx, REPLICA_SETS, replica_set.metadata, selector, candidates, PODS, _metadata)
    uid = replica_set.metadata.uid
    terminating = [
        pod for pod in pods if pod.terminating and _is_controlled(pod, uid) and selector.matches(pod.metadata.labels)
    ]
    problem: ApiError | None = None
    if replica_set.metadata.deletion_timestamp is None:
        problem = await _manage(ctx, replica_set, active)
    now = clock.now()
    status = compute_status(replica_set, active, len(terminating), str(problem or ""), now)
    if status is not None:
        await _put_status(ctx, replica_set, status)
    if problem is not None:
        raise problem
    seconds = replica_set.spec.min_ready_seconds
    return _later(active, seconds) if seconds > 0 else None


def _metadata(pod: Pod) -> Meta:
    return pod.metadata


def _is_controlled(pod: Pod, uid: str) -> bool:
    owner = controller_of(pod.metadata)
    return owner is not None and owner.uid == uid


def _later(active: list[Pod], seconds: int) -> kw.Requeue | None:
    after = next_look(active, seconds, clock.now())
    return None if after is None else kw.Requeue(after=after)


async def _manage(ctx: kw.Context, replica_set: ReplicaSet, active: list[Pod]) -> ApiError | None:
    """Make or delete what is wrong; what went wrong with that."""
    excess = len(active) - replica_set.spec.replicas
    if excess < 0:
        return await _make(ctx, replica_set, min(-excess, BURST))
    if excess > 0:
        excess = min(excess, BURST)
        family = _family(ctx, replica_set) if excess < len(active) else ()
        chosen = choose(active, family, excess, clock.now())
        return _first(await asyncio.gather(*(_delete(ctx, pod.metadata.name) for pod in chosen)))
    return None


def _family(ctx: kw.Context, replica_set: ReplicaSet) -> Iterator[Pod]:
    """The pods of all ReplicaSets with the same owner."""
    owner = controller_of(replica_set.metadata)
    if owner is not None:
        for each in map(read_replica_set, ctx.list(REPLICA_SETS, owner=owner.uid)):
            yield from ctx.list(PODS, owner=each.metadata.uid)


async def _make(ctx: kw.Context, replica_set: ReplicaSet, count: int) -> ApiError | None:
    template = replica_set.spec.template
    metadata: dict[str, object] = {
        "generateName": f"{replica_set.metadata.name}-",
        "labels": template.metadata.labels,
        "ownerReferences": [reference(REPLICA_SETS, replica_set.metadata)],
    }
    if template.metadata.annotations:
        metadata["annotations"] = template.metadata.annotations
    if template.metadata.finalizers:
        metadata["finalizers"] = template.metadata.finalizers
    for size in batches(count):
        problem = _first(await asyncio.gather(*(_create(ctx, metadata, template.spec) for _ in range(size))))
        if problem is not None:
            return problem
    return None


async def _create(ctx: kw.Context, metadata: dict[str, object], spec: msgspec.Raw) -> ApiError | None:
    try:
        made = msgspec.json.decode(await create(ctx, PODS, metadata, spec), type=_Named)
    except ApiError as error:
        if error.caused_by("NamespaceTerminating"):
            return None  # whatever would be made there would go at once
        ctx.event("FailedCreate", f"Error creating: {error}", type="Warning")
        return error
    ctx.event("SuccessfulCreate", f"Created pod: {made.metadata.name}")
    return None


async def _delete(ctx: kw.Context, name: str) -> ApiError | None:
    try:
        await remove(ctx, PODS, name)
    except NotFound:
        return None
    except ApiError as error:
        ctx.event("FailedDelete", f"Error deleting: {error}", type="Warning")
        return type(error)(f"unable to delete pods: {error}", error.status)
    ctx.event("SuccessfulDelete", f"Deleted pod: {name}")
    return None


def _first(problems: Iterable[ApiError | None]) -> ApiError | None:
    return next((each for each in problems if each is not None), None)


async def _put_status(ctx: kw.Context, replica_set: ReplicaSet, status: dict[str, object]) -> None:
    """Write the status; once more on the object as it is now, if that is another version."""
    name = replica_set.metadata.name
    try:
        await put(ctx, REPLICA_SETS, name, replica_set.parts, status=status)
    except Conflict:
        path = REPLICA_SETS.path(ctx.namespace, name)
        await put(ctx, REPLICA_SETS, name, read_parts(await ctx.live.raw.ask("GET", path)), status=status)


class _Name(msgspec.Struct):
    name: str


class _Named(msgspec.Struct):
    metadata: _Name
