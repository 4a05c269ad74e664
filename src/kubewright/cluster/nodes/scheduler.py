"""The scheduler: gives each pod a node, or says why none will do.

It decides by itself (`fit`) on what it has heard (`census`), and binds. Among nodes that will do it takes the one with
the fewest pods. A pod that fits nowhere is looked at again when a node comes or changes, or when a pod goes.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import kubewright as kw
from kubewright import clock
from kubewright.cache import Change
from kubewright.client import Client
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import Conflict, NotFound
from kubewright.cluster.nodes.census import Census
from kubewright.cluster.nodes.fit import Misfit, demand_of, explain, misfit
from kubewright.cluster.nodes.moments import spell_moment
from kubewright.cluster.nodes.script import Script
from kubewright.cluster.nodes.settings import Settings
from kubewright.controller.declaration import Controller

__all__ = ["NODES", "PODS", "Scheduler"]

Document = dict[str, Any]

NODES: Final[Endpoint[Document]] = Endpoint("", "v1", "nodes", "Node", False)
PODS: Final[Endpoint[Document]] = Endpoint("", "v1", "pods", "Pod", True)
#: Whose pods these are, and who is told to have bound them.
NAME: Final = "default-scheduler"
_MANAGER: Final = "kube-scheduler"
_STAGED: Final = Misfit(("Insufficient cpu",), False)


class Scheduler:
    """What scheduling keeps in mind, and the controller that does it."""

    def __init__(self, client: Client, census: Census, script: Script) -> None:
        # Not the reconciler's own: a binding is answered without the pod, so that the pod's state would be unknown to
        # the cache until the server has been asked again, for each pod.
        self._client = client
        self._census = census
        self._script = script
        self._waiting: dict[kw.Key, None] = {}
        self._seen: dict[str, float] = {}
        self._freed = asyncio.Event()
        census.freed = self._retry

    @property
    def controller(self) -> Controller[Any, Any]:
        """The declaration."""
        declare = kw.controller(PODS, reads=[NODES], watches=[kw.stream(self._retries)], status=False, name=NAME)
        return declare(self.schedule)

    async def schedule(self, pod: Document, ctx: kw.Context) -> kw.Requeue | None:
        """Give a pod its node."""
        spec, meta = pod["spec"], pod["metadata"]
        key = kw.Key(meta["namespace"], meta["name"])
        self._waiting.pop(key, None)
        if spec.get("nodeName") or spec.get("schedulingGates") or spec.get("schedulerName", NAME) != NAME:
            return None
        if self._census.lives(meta["uid"]):
            return None  # bound by us; the cache has not heard of it yet
        settings = self._script.of(pod, lambda why: ctx.event("InvalidSetting", why, type="Warning"))
        wait = self._seen.setdefault(meta["uid"], clock.monotonic()) + settings.schedule_after - clock.monotonic()
        if wait > 0:
            return kw.Requeue(wait)
        demand = demand_of(spec)
        node, misfits = self._choose(spec, demand, settings)
        if node is None:
            self._waiting[key] = None
            await self._refuse(pod, explain(misfits), ctx)
            return None
        self._seen.pop(meta["uid"], None)
        await self._bind(pod, node, demand, ctx)
        return None

    def _choose(self, spec: Document, demand: dict[str, int], settings: Settings) -> tuple[str | None, list[Misfit]]:
        census, best, fewest = self._census, None, -1
        misfits: list[Misfit] = []
        for name, node in census.candidates.items():
            used = census.used.get(name, {})
            why = misfit(spec, demand, node, used) if settings.stage != "unschedulable" else _STAGED
            if why is not None:
                misfits.append(why)
            elif best is None or used.get("pods", 0) < fewest:
                best, fewest = name, used.get("pods", 0)
        return best, misfits

    async def _bind(self, pod: Document, node: str, demand: dict[str, int], ctx: kw.Context) -> None:
        meta = pod["metadata"]
        namespace, name, uid = meta["namespace"], meta["name"], meta["uid"]
        target = {"apiVersion": "v1", "kind": "Node", "name": node}
        binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name, "uid": uid}, "target": target}
        self._census.assume(uid, node, demand)
        try:
            await self._client.create(PODS.path(namespace, name, "binding"), binding, fieldManager=_MANAGER)
        except (Conflict, NotFound) as error:
            # It is gone, or another has bound it: then the cache will tell. Until then nothing of it counts.
            self._census.forget(uid)
            ctx.log.debug("not bound: %s", error)
            return
        except BaseException:
            # Also where nobody knows whether it was done: what was is refused the next time, what was not is done then.
            self._census.forget(uid)
            raise
        ctx.event("Scheduled", f"Successfully assigned {namespace}/{name} to {node}", action="Binding")

    async def _refuse(self, pod: Document, why: str, ctx: kw.Context) -> None:
        """Say why a pod is nowhere, unless that has been said."""
        meta = pod["metadata"]
        ctx.event("FailedScheduling", why, type="Warning", action="Scheduling")
        told = {each["type"]: each for each in pod["status"].get("conditions") or ()}.get("PodScheduled")
        said = {
            "type": "PodScheduled",
            "status": "False",
            "reason": "Unschedulable",
            "message": why,
            "observedGeneration": meta.get("generation", 1),
        }
        if told is not None and said.items() <= told.items():
            return
        changed = told["lastTransitionTime"] if told is not None and told["status"] == "False" else None
        said |= {"lastProbeTime": None, "lastTransitionTime": changed or spell_moment(clock.now().timestamp())}
        patch = {"metadata": {"uid": meta["uid"]}, "status": {"conditions": [said]}}
        try:
            await ctx.live.patch(
                PODS,
                meta["name"],
                patch,
                meta["namespace"],
                strategy="strategic",
                subresource="status",
                field_manager=_MANAGER,
            )
        except NotFound:
            ctx.log.debug("it is gone.")

    def forget(self, change: Change) -> None:
        """Keep nothing in mind of a pod that is gone."""
        if change.new is None and change.old is not None:
            self._waiting.pop(change.key, None)
            self._seen.pop(change.old.uid, None)

    # Trying again.

    def _retry(self) -> None:
        if self._waiting:
            self._freed.set()

    async def _retries(self) -> AsyncIterator[kw.Key]:
        while True:
            await self._freed.wait()
            self._freed.clear()
            for key in tuple(self._waiting):
                yield key
