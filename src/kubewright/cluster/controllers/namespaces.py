"""The namespace controller: empties namespaces that are being deleted, and lets them go.

It begins a moment after a namespace is deleted, so that whoever deletes it sees that it ends; a real one waits five
seconds, for other servers to hear of it. What has finalizers is waited for: the moment the last of it is gone the
namespace goes on (`vigil`), and every few seconds the conditions are brought up to date, as a real one does.
"""

from typing import Any, Final

from kubewright.cache import Change, Key
from kubewright.client.discovery import Discovery, Served
from kubewright.client.endpoint import Document, Endpoint
from kubewright.client.errors import NotFound
from kubewright.cluster.call import timestamp
from kubewright.cluster.controllers.empty import Survey, empty
from kubewright.cluster.controllers.terminate import (
    Remains,
    conditions,
    remaining_finalizers,
    seconds_to_wait,
    undiscovered,
)
from kubewright.cluster.controllers.vigil import Vigil
from kubewright.cluster.controllers.writes import MANAGER
from kubewright.controller.context import Context
from kubewright.controller.declaration import Controller, controller
from kubewright.controller.outcome import Requeue, Retry
from kubewright.controller.source import stream

__all__ = ["namespace_controller"]

_NAMESPACES: Final[Endpoint[Document]] = Endpoint("", "v1", "namespaces", "Namespace", False)
_PODS: Final = ("", "pods")
#: So many seconds after its deletion a namespace is emptied.
_MOMENT: Final = 0.1
#: Seconds between two tries: at first, twice as many after each, and the most.
_SHORTEST: Final = 0.005
_LONGEST: Final = 60.0


def namespace_controller(survey: Survey | None = None) -> Controller[Any, Any]:
    """A namespace controller; each run of one has its own, for it remembers what it waits for.

    `survey` spares questions where somebody knows what is in a namespace. Without, the server is asked for all kinds it
    has, and of each kind to delete what is there.
    """
    vigil = Vigil()
    #: The namespaces that we are at, by name and uid, and how often in a row each could not be emptied.
    begun: dict[tuple[str, str], int] = {}

    @controller(
        _NAMESPACES,
        watches=[stream(vigil.news)],
        predicates=[_ends],
        deleting=True,
        status=False,
        concurrency=10,
        timeout=None,
        name="namespace-controller",
    )
    async def end(namespace: Document, ctx: Context) -> Requeue | None:
        name, own = ctx.name, (ctx.name, namespace["metadata"]["uid"])
        if own not in begun:
            begun[own] = 0
            return Requeue(after=_MOMENT)
        live = await _read(ctx)
        # Not what is in memory decides whether everything goes, but what is true: it may be another by now.
        if live is None or live["metadata"]["uid"] != own[1] or not _is_to_go(live):
            return None
        live = await _say_terminating(ctx, live)
        kinds, unknown = (survey(name), frozenset[str]()) if survey is not None else await _discover(ctx)
        pods = [each for each in kinds if (each.endpoint.group, each.endpoint.plural) == _PODS]
        deleted = live["metadata"]["deletionTimestamp"]
        found, left = await empty(ctx.live, pods, name, deleted, survey)
        shown: list[Remains] = []
        if not left:
            rest = [each for each in kinds if each not in pods]
            others, left = await empty(ctx.live, rest, name, deleted, survey)
            shown = found = found + others
        problems = [problem for each in found if (problem := each.problem(name))]
        new = conditions(live["status"].get("conditions") or [], shown, problems, timestamp(), unknown)
        live = await _tell(ctx, live, new)
        if unknown:
            problems.append(undiscovered(unknown))
        if problems:
            begun[own] += 1
            after = min(_SHORTEST * 2 ** min(begun[own] - 1, 30), _LONGEST)
            raise Retry(f"{name} cannot be emptied: {'; '.join(problems)}", after=after)
        begun[own] = 0
        if wait := seconds_to_wait(found):
            vigil.keep(ctx.live.raw, name, left)
            return Requeue(after=wait)
        vigil.end(name)
        await _finalize(ctx, live)
        return None

    @end.absent
    async def forget(key: Key, ctx: Context) -> None:
        vigil.end(key.name)
        for own in [each for each in begun if each[0] == key.name]:
            del begun[own]

    return end


def _ends(change: Change) -> bool:
    """Whether a namespace begins to end: once we are at it we come back by ourselves."""
    old, new = change.old, change.new
    return new is not None and new.deleting and (old is None or not old.deleting or old.uid != new.uid)


def _is_to_go(namespace: Document) -> bool:
    return "deletionTimestamp" in namespace["metadata"] and bool(namespace["spec"].get("finalizers"))


async def _discover(ctx: Context) -> tuple[list[Served], frozenset[str]]:
    """What a namespace may hold and be rid of, each in the server's preferred version; and of what it cannot tell."""
    discovery = Discovery(ctx.live.raw)
    await discovery.refresh()
    found: dict[tuple[str, str], Served] = {}
    for each in discovery.served:
        if each.endpoint.namespaced and {"delete", "list"} <= each.verbs:
            found.setdefault((each.endpoint.group, each.endpoint.plural), each)
    return list(found.values()), discovery.uncertain


async def _read(ctx: Context) -> Document | None:
    try:
        return await ctx.live.get(_NAMESPACES, ctx.name)
    except NotFound:
        return None


async def _say_terminating(ctx: Context, namespace: Document) -> Document:
    """Say that a namespace ends, if it does not say so itself."""
    if namespace["status"].get("phase") == "Terminating":
        return namespace
    return await _put(ctx, "status", namespace | {"status": namespace["status"] | {"phase": "Terminating"}})


async def _tell(ctx: Context, namespace: Document, conditions: list[Document]) -> Document:
    """Write the conditions, if they are new."""
    if namespace["status"].get("conditions") == conditions:
        return namespace
    return await _put(ctx, "status", namespace | {"status": namespace["status"] | {"conditions": conditions}})


async def _finalize(ctx: Context, namespace: Document) -> None:
    finalizers = remaining_finalizers(namespace["spec"]["finalizers"])
    try:
        await _put(ctx, "finalize", namespace | {"spec": namespace["spec"] | {"finalizers": finalizers}})
    except NotFound:
        ctx.log.debug("%s is gone already.", ctx.name)


async def _put(ctx: Context, subresource: str, namespace: Document) -> Document:
    path = _NAMESPACES.path(None, ctx.name, subresource)
    answer: Document = await ctx.live.raw.update(path, namespace, fieldManager=MANAGER)
    return answer
