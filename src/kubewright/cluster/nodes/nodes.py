"""Nodes that take pods: their objects, the scheduler, the kubelets, put together, started and stopped.

    async with Nodes(api, 3):
        ...  # pods are bound, run, and end

All of it is an operator like any other (`operator`), so that it runs beside the embedded server as well as against a
real one.
"""

import asyncio
import contextlib
from types import TracebackType
from typing import Any, Self

import kubewright as kw
from kubewright.cache import Change, Informer
from kubewright.client import Client
from kubewright.client.api import Api
from kubewright.cluster.nodes.census import Census
from kubewright.cluster.nodes.heartbeat import CRDS, Heartbeat
from kubewright.cluster.nodes.kubelet import Kubelet
from kubewright.cluster.nodes.node import MOST_NODES, Shape, host_address, node_name, pod_network
from kubewright.cluster.nodes.register import register
from kubewright.cluster.nodes.scheduler import NODES, PODS, Scheduler
from kubewright.cluster.nodes.script import STAGES, Script
from kubewright.cluster.nodes.server import KubeletServer
from kubewright.controller.news import COUNT
from kubewright.entropy import SYSTEM, Entropy
from kubewright.errors import KubewrightError
from kubewright.operator import Running

__all__ = ["Nodes", "NodesError"]

Document = dict[str, Any]


class NodesError(KubewrightError):
    """There cannot be such nodes."""


class Nodes:
    """`count` nodes on an API, from the begin of the block to its end; they stay in the API, unready.

    - `shape`: what each has; more than anybody asks for, by default.
    - `entropy`: of addresses, jitter and the names of Events.
    - `serve`: whether kubelets listen on this machine, for an API server in another process; one in this process is
      given `handler` and the `names` of the nodes.
    """

    def __init__(
        self,
        api: Api | Client,
        count: int = 1,
        *,
        shape: Shape | None = None,
        entropy: Entropy = SYSTEM,
        serve: bool = False,
    ) -> None:
        if type(count) is not int or not 0 <= count <= MOST_NODES:
            raise NodesError(f"{count!r} is no number of nodes: give one from 0 to {MOST_NODES}.")
        self._api = api if isinstance(api, Api) else Api(api)
        self._count = count
        self._shape = shape or Shape()
        self._entropy = entropy
        self._serves = serve
        self._port = 0
        self._census = Census()
        self._script = Script(entropy)
        self._stack = contextlib.AsyncExitStack()
        hosts = {node_name(index): (host_address(index), pod_network(index)) for index in range(count)}
        #: Of the nodes.
        self.names = tuple(hosts)
        self._pods: Informer | None = None
        #: Answers what the API server asks of kubelets.
        self.handler = KubeletServer(self._script, lambda: self._pods)
        self._scheduler = Scheduler(self._api.raw, self._census, self._script)
        self._kubelet = Kubelet(self._census, self._script, hosts)
        self.operator = kw.Operator(
            "kubewright-nodes",
            [
                self._scheduler.controller,
                self._kubelet.controller,
                Heartbeat(frozenset(hosts)).controller,
            ],
            grace=2.0,
            field_manager="kubelet",
            events=COUNT,
            watchdog=False,
        )
        self._running: Running | None = None
        self._stages: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Register the nodes, and begin to take pods."""
        if self._serves:
            # Loaded when it is wanted: making certificates takes longer to load than everything else here.
            from kubewright.cluster.nodes.listen import listen

            server, self._port = await listen(self.handler, self.names, self._entropy)
            self._stack.push_async_callback(server.stop, 1.0)
        await register(self._api.raw, self._count, self._shape, self._port)
        running = self.operator.running(self._api, identity="nodes", entropy=self._entropy)
        self._running = await self._stack.enter_async_context(running)
        for informer in running.informers:
            if informer.endpoint == PODS:
                self._pods = informer
                self._stack.callback(informer.subscribe(self._census.hear_pod).cancel)
                self._stack.callback(informer.subscribe(self._scheduler.forget).cancel)
                self._stack.callback(informer.subscribe(self._kubelet.forget).cancel)
            elif informer.endpoint == NODES:
                self._stack.callback(informer.subscribe(self._census.hear_node).cancel)
            elif informer.endpoint == CRDS:
                self._stack.callback(informer.subscribe(self._hear_crd).cancel)
        self._stack.callback(self._end_stages)

    def _hear_crd(self, change: Change) -> None:
        """Stages can be made, or no longer."""
        if change.key.name != STAGES:
            return
        if change.new is None:
            self._end_stages()
        elif self._stages is None:
            # Loaded when it is wanted: most clusters have no Stages.
            from kubewright.cluster.nodes.stage import run_stages

            coming = run_stages(self._api, self._script, self._restage, self._entropy)
            self._stages = asyncio.create_task(coming, name="stages")

    def _end_stages(self) -> None:
        if self._stages is not None:
            self._stages.cancel()
            self._stages = None
            self._script.stages.clear()

    def _restage(self) -> None:
        """What a Stage says has changed: all pods are looked at again."""
        pods = self._pods
        if pods is not None:
            self._kubelet.look_again(lambda: [cached.key for cached in pods.everything()])
            self._census.freed()

    async def stop(self) -> None:
        """Take no more pods, and let those be that there are."""
        self._running = None
        await self._stack.aclose()

    async def wait(self) -> None:
        """Wait until it ends, which it does only if something is wrong; raises that."""
        if self._running is None:
            raise NodesError("the nodes are not running; use them inside `async with`.")
        await self._running.wait()

    async def idle(self) -> None:
        """Wait until nothing is to be done at this moment."""
        if self._running is None:
            raise NodesError("the nodes are not running; use them inside `async with`.")
        await self._running.idle()
