"""The kubelet of all our nodes: takes each of their pods through its life (`life`) and writes down how it is.

A status is patched as a kubelet does, under its name, and only what differs. What nobody has to be told is not written:
a pod that starts at once is running and ready with one write.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec

import kubewright as kw
from kubewright import clock
from kubewright.cache import Cached, Change
from kubewright.client.errors import NotFound
from kubewright.cluster.nodes.census import Census
from kubewright.cluster.nodes.conditions import OWNED
from kubewright.cluster.nodes.fit import demand_of
from kubewright.cluster.nodes.life import Past, Place, advance
from kubewright.cluster.nodes.scheduler import PODS
from kubewright.cluster.nodes.script import Script
from kubewright.controller.declaration import Controller
from kubewright.controller.predicate import meaningful

__all__ = ["Kubelet"]

Document = dict[str, Any]

_NAME: Final = "kubelet"


class _Condition(msgspec.Struct, gc=False):
    type: str = ""
    status: str = ""


class _Spec(msgspec.Struct, rename="camel", gc=False):
    node_name: str = ""


class _Status(msgspec.Struct, gc=False):
    phase: str = ""
    conditions: list[_Condition] = []


class _Pod(msgspec.Struct, gc=False):
    spec: _Spec
    status: _Status


_pod = msgspec.json.Decoder(_Pod).decode


class Kubelet:
    """What the kubelets keep in mind, and the controller that does their work."""

    def __init__(self, census: Census, script: Script, hosts: dict[str, tuple[str, str]]) -> None:
        """`hosts`: the address of each of our nodes, and the network of its pods, by the node's name."""
        self._census = census
        self._script = script
        self._hosts = hosts
        self._pasts: dict[str, Past] = {}
        self._keys: Callable[[], list[kw.Key]] = list
        self._changed = asyncio.Event()

    @property
    def controller(self) -> Controller[Any, Any]:
        """The declaration."""
        again = kw.stream(self._again)
        declare = kw.controller(PODS, predicates=[concerns], watches=[again], status=False, deleting=True, name=_NAME)
        return declare(self.run)

    async def run(self, pod: Document, ctx: kw.Context) -> kw.Requeue | None:
        """Take a pod one step on."""
        spec, meta = pod["spec"], pod["metadata"]
        host = self._hosts.get(spec.get("nodeName", ""))
        if host is None:
            return None
        uid, name, namespace = meta["uid"], meta["name"], meta["namespace"]
        place = self._place(pod, *host)
        now = clock.now().timestamp()
        settings = self._script.of(pod, lambda why: ctx.event("InvalidSetting", why, type="Warning"))
        step = advance(pod, settings, self._pasts.get(uid), place, now, self._script.chance(uid))
        try:
            if step.status is not None:
                patch = {"metadata": {"uid": uid}, "status": _difference(pod["status"], step.status)}
                await ctx.live.patch(
                    PODS,
                    name,
                    patch,
                    namespace,
                    strategy="strategic",
                    subresource="status",
                )
            for told in step.events:
                ctx.event(told.reason, told.message, type="Warning" if told.warning else "Normal")
            if step.gone:
                await ctx.live.delete(PODS, name, namespace, uid=uid, grace=0)
        except NotFound as error:
            # A Conflict is tried again: whoever wrote at the same moment may be one of whom `concerns` hears nothing.
            ctx.log.debug("%s", error)
            self._pasts.pop(uid, None)
            return None
        # Only what was written has happened.
        if step.past is None:
            self._pasts.pop(uid, None)
        else:
            self._pasts[uid] = step.past
        return None if step.after is None else kw.Requeue(step.after)

    def _place(self, pod: Document, host: str, network: str) -> Place:
        spec, uid = pod["spec"], pod["metadata"]["uid"]
        if spec.get("hostNetwork"):
            return Place(host, host)
        if not self._census.lives(uid):
            self._census.assume(uid, spec["nodeName"], demand_of(spec))
        return Place(host, self._census.address(uid, network))

    def look_again(self, keys: Callable[[], list[kw.Key]]) -> None:
        """Look at these pods again: their settings may be others."""
        self._keys = keys
        self._changed.set()

    async def _again(self) -> AsyncIterator[kw.Key]:
        while True:
            await self._changed.wait()
            self._changed.clear()
            for key in self._keys():
                yield key

    def forget(self, change: Change) -> None:
        """Keep nothing in mind of a pod that is gone."""
        if change.new is None and change.old is not None:
            self._pasts.pop(change.old.uid, None)


def concerns(change: Change) -> bool:
    """Whether a kubelet has to look: all but what it wrote itself.

    Binding a pod changes its spec and not its generation; conditions of others are what readiness gates wait for.
    """
    if change.new is None:
        return True
    seen = _seen(change.new)
    if not seen[0]:
        return False  # it is the scheduler's yet
    return meaningful(change) or change.old is None or _seen(change.old) != seen


def _seen(cached: Cached) -> tuple[str, list[tuple[str, str]]]:
    pod = _pod(cached.raw)
    return pod.spec.node_name, [(c.type, c.status) for c in pod.status.conditions if c.type not in OWNED]


def _difference(old: Document, new: Document) -> Document:
    """What of a status is to be patched; conditions one by one, as they are merged, everything else as a whole."""
    changed = {name: value for name, value in new.items() if old.get(name) != value}
    if "conditions" in changed:
        known = {each["type"]: each for each in old.get("conditions") or ()}
        changed["conditions"] = [each for each in new["conditions"] if known.get(each["type"]) != each]
    return changed
