"""A namespace with a small kubelet of the test's own, on any cluster, in any time: what stories of controllers play on.

The same story is told on the embedded server in simulated time, on a real server with our controllers, and on a real
server with kube-controller-manager; what comes of it, names and times masked, can be compared.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import kubewright as kw
from kubewright import clock
from kubewright.client import Client, load_kubeconfig
from kubewright.client.errors import Conflict, NotFound
from kubewright.cluster import Cluster
from kubewright.controller.declaration import Controller
from kubewright.controller.news import COUNT
from kubewright.entropy import SYSTEM
from kubewright.http import HttpError
from kubewright.operator import Running
from kubewright.trials.loop import run

__all__ = ["Ground", "Story", "manager", "masked", "play", "play_real"]

Value = TypeVar("Value")
#: Seconds of the story's time.
LIMIT = 600.0
SUFFIX = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])")
#: What a pod's end is: an exit code, None while it runs.
Ending = Callable[[dict[str, Any]], int | None]


class Ground:
    """A namespace, and who looks after its pods."""

    def __init__(self, client: Client, namespace: str, step: float) -> None:
        self.client, self.namespace, self.step = client, namespace, step
        #: Seconds that a container runs.
        self.runs = 0.0
        self.ending: Ending = lambda pod: None
        #: Whether pods are started by themselves, and whether those that are to go run on.
        self.starts, self.holds = True, False
        self._kubelet: asyncio.Task[None] | None = None

    def path(self, plural: str, name: str = "") -> str:
        group = {
            "jobs": "/apis/batch/v1",
            "endpointslices": "/apis/discovery.k8s.io/v1",
        }.get(plural, "/api/v1")
        return f"{group}/namespaces/{self.namespace}/{plural}" + (f"/{name}" if name else "")

    async def create(self, plural: str, name: str, **document: Any) -> Any:
        document["metadata"] = {"name": name, **document.get("metadata", {})}
        return await self.client.create(self.path(plural), document)

    async def get(self, plural: str, name: str) -> Any:
        return await self.client.get(self.path(plural, name))

    async def all(self, plural: str, **query: Any) -> list[dict[str, Any]]:
        found = (await self.client.get(self.path(plural), **query))["items"]
        return sorted(found, key=lambda each: (each["metadata"]["creationTimestamp"], each["metadata"]["name"]))

    async def patch(self, plural: str, name: str, patch: dict[str, Any], view: str = "") -> Any:
        path = self.path(plural, name) + (f"/{view}" if view else "")
        return await self.client.patch(path, "merge", patch)

    async def delete(self, plural: str, name: str, **options: Any) -> None:
        await self.client.delete(self.path(plural, name), options or None)

    async def until(self, holds: Callable[[], Awaitable[Any]]) -> Any:
        """Wait until it is so; what it found."""
        async with asyncio.timeout(LIMIT):
            while True:
                with contextlib.suppress(NotFound):
                    if found := await holds():
                        return found
                if self._kubelet is not None and self._kubelet.done():
                    self._kubelet.result()  # it ends only if something is wrong
                await asyncio.sleep(self.step)

    async def gone(self, plural: str, name: str) -> None:
        async def is_gone() -> bool:
            try:
                await self.get(plural, name)
            except NotFound:
                return True
            return False

        await self.until(is_gone)

    async def events(self, name: str) -> list[tuple[str, ...]]:
        """What was told of an object, each with how often."""
        found = await self.all("events", fieldSelector=f"involvedObject.name={name}")
        return sorted(
            (
                each["type"],
                each["reason"],
                SUFFIX.sub("-*", each["message"].replace(self.namespace, "*")),
                str(each.get("count")),
                (each.get("source") or {}).get("component", ""),
                each.get("reportingComponent", ""),
            )
            for each in found
        )

    # The kubelet.

    @contextlib.asynccontextmanager
    async def kubelet(self) -> AsyncIterator[None]:
        """Run pods while the block lasts."""
        self._kubelet = task = asyncio.create_task(self._look_after_pods())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _look_after_pods(self) -> None:
        while True:
            with contextlib.suppress(HttpError):  # as any kubelet, it tries again
                for pod in await self.all("pods"):
                    with contextlib.suppress(NotFound, Conflict):
                        await self._look_after(pod)
            await asyncio.sleep(self.step)

    async def _look_after(self, pod: dict[str, Any]) -> None:
        meta, status = pod["metadata"], pod.get("status") or {}
        phase = status.get("phase", "Pending")
        if phase in ("Succeeded", "Failed"):
            if "deletionTimestamp" in meta:
                await self.client.delete(self.path("pods", meta["name"]), {"gracePeriodSeconds": 0})
            return
        if "deletionTimestamp" in meta:
            if not self.holds:
                await self.end(meta["name"], 137)
        elif phase != "Running":
            if self.starts:
                await self.start(meta["name"])
        else:
            began = status["containerStatuses"][0]["state"]["running"]["startedAt"]
            code = self.ending(pod)
            if code is not None and _spelled(-self.runs) >= began:
                await self.end(meta["name"], code)

    async def start(self, name: str, ip: str = "", ready: bool = True) -> None:
        """Have a pod run."""
        now = _spelled()
        state = {"running": {"startedAt": now}}
        status = {
            "phase": "Running",
            "startTime": now,
            "conditions": _conditions(ready, now),
            "containerStatuses": [_container(state, ready)],
        }
        if ip:
            status |= {"podIP": ip, "podIPs": [{"ip": ip}], "hostIP": "10.1.0.1", "hostIPs": [{"ip": "10.1.0.1"}]}
        await self.patch("pods", name, {"status": status}, "status")

    async def end(self, name: str, code: int) -> None:
        """Have a pod end."""
        now = _spelled()
        state = {"terminated": {"exitCode": code, "startedAt": now, "finishedAt": now, "reason": "Error"}}
        status = {
            "phase": "Failed" if code else "Succeeded",
            "conditions": _conditions(False, now),
            "containerStatuses": [_container(state, False)],
        }
        await self.patch("pods", name, {"status": status}, "status")


Story = Callable[[Ground], Awaitable[Value]]


def _conditions(ready: bool, now: str) -> list[dict[str, Any]]:
    return [{"type": "Ready", "status": "True" if ready else "False", "lastTransitionTime": now}]


def _container(state: dict[str, Any], ready: bool) -> dict[str, Any]:
    return {"name": "main", "image": "i", "imageID": "i", "ready": ready, "restartCount": 0, "state": state}


def _spelled(seconds: float = 0.0) -> str:
    moment = clock.now().timestamp() + seconds
    return type(clock.now()).fromtimestamp(moment, clock.now().tzinfo).strftime("%Y-%m-%dT%H:%M:%SZ")


def masked(value: Any, *names: str) -> Any:
    """A document without what differs from run to run, and without these names."""
    if isinstance(value, dict):
        return {
            key: "*" if key.endswith(("Time", "uid")) and isinstance(each, str) else masked(each, *names)
            for key, each in value.items()
            if key not in ("managedFields", "creationTimestamp", "resourceVersion")
        }
    if isinstance(value, list):
        return [masked(each, *names) for each in value]
    if not isinstance(value, str):
        return value
    for name in names:
        value = value.replace(name, "*")
    return SUFFIX.sub("-*", value)


#: Put around a story: what notes its steps.
Around = Callable[[Ground], contextlib.AbstractAsyncContextManager[None]]


def _nothing(ground: Ground) -> contextlib.AbstractAsyncContextManager[None]:
    return contextlib.nullcontext()


def play(
    story: Story[Value], *controllers: Controller[Any, Any], step: float = 0.1, around: Around = _nothing
) -> Value:
    """Tell a story on the embedded server, in simulated time, with these controllers."""

    async def staged() -> Value:
        async with Cluster(port=None, controllers=["garbage-collector-controller"], seed=1) as cluster:
            client = cluster.client()
            await _make_nodes(client)
            async with contextlib.AsyncExitStack() as stack:
                if controllers:
                    await (await stack.enter_async_context(manager(client, controllers))).synced()
                return await _tell(story, Ground(client, "story", step), around, accounts=False)

    return run(staged())


def play_real(
    stories: dict[str, Story[Any]],
    kubeconfig: Path,
    controllers: Sequence[Controller[Any, Any]],
    step: float = 0.1,
    arounds: dict[str, Around] | None = None,
) -> dict[str, Any]:
    """Tell stories on a real server, all at once, with these controllers, or with its own if there are none."""

    async def staged() -> dict[str, Any]:
        async with Client.connect(load_kubeconfig(kubeconfig)) as client, contextlib.AsyncExitStack() as stack:
            await _make_nodes(client)
            if controllers:
                await (await stack.enter_async_context(manager(client, controllers))).synced()
            told = []
            for name, story in stories.items():
                ground = Ground(client, f"{name}-{SYSTEM.suffix()}", step)
                around = (arounds or {}).get(name, _nothing)
                told.append(_tell(story, ground, around, accounts=not controllers))
            return dict(zip(stories, await asyncio.gather(*told), strict=True))

    return asyncio.run(staged())


def manager(client: Client, controllers: Sequence[Controller[Any, Any]]) -> Running:
    """These controllers, in place of kube-controller-manager."""
    name = "kube-controller-manager"
    return kw.Operator(name, list(controllers), field_manager=name, events=COUNT).running(client)


async def _make_nodes(client: Client) -> None:
    """Nodes that nobody looks after are soon found missing, so there are new ones each time."""
    for name, zone in (("n1", "east"), ("n2", "west")):
        with contextlib.suppress(NotFound):
            await client.delete(f"/api/v1/nodes/{name}")
        meta = {"name": name, "labels": {"topology.kubernetes.io/zone": zone}}
        await client.create("/api/v1/nodes", {"metadata": meta})


async def _tell(story: Story[Value], ground: Ground, around: Around, *, accounts: bool) -> Value:
    """Tell a story in a namespace of its own; whether somebody else makes its accounts."""
    await ground.client.create("/api/v1/namespaces", {"metadata": {"name": ground.namespace}})
    if accounts:
        await ground.until(lambda: ground.get("serviceaccounts", "default"))
    else:
        await ground.create("serviceaccounts", "default")
    async with around(ground), ground.kubelet():
        return await story(ground)
