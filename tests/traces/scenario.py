"""What is done to a Deployment, on whichever cluster: the same stories for the real controllers and for ours."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from kubewright.client import Client

__all__ = ["DELAYS", "SCENARIOS", "Play", "Scenario"]

Document = dict[str, Any]

#: How long pods take, as annotations of their template: at once, all alike, and each in its own time.
DELAYS: dict[str, dict[str, str]] = {
    "quick": {},
    "slow": {"start-after": "100ms", "ready-after": "200ms", "stop-after": "300ms"},
    "uneven": {"start-after": "50ms", "ready-after": "150ms", "stop-after": "50ms", "jitter": "2"},
}


class Play:
    """One run of a scenario: the Deployment `web` in a namespace of its own."""

    def __init__(self, client: Client, namespace: str, delays: dict[str, str]) -> None:
        self.client = client
        self.namespace = namespace
        self._annotations = {f"kubewright.dev/{name}": text for name, text in delays.items()}

    def path(self, plural: str) -> str:
        prefix = "/api/v1" if plural in ("pods", "events") else "/apis/apps/v1"
        return f"{prefix}/namespaces/{self.namespace}/{plural}"

    async def make(self, replicas: int = 3, annotations: dict[str, str] | None = None, **spec: Any) -> None:
        """Make the Deployment."""
        labels = {"app": "web"}
        metadata: Document = {"labels": labels, "annotations": {**self._annotations, **(annotations or {})}}
        template = {"metadata": metadata, "spec": {"containers": [{"name": "c", "image": "web:1"}]}}
        wanted = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template, **spec}
        await self.client.create(self.path("deployments"), {"metadata": {"name": "web"}, "spec": wanted})

    async def change(self, **spec: Any) -> None:
        """Change its spec."""
        await self.client.patch(f"{self.path('deployments')}/web", "strategic", {"spec": spec})

    async def set_image(self, image: str) -> None:
        """Change its template."""
        await self.change(template={"spec": {"containers": [{"name": "c", "image": image}]}})

    async def until(self, reached: Callable[[Document], bool]) -> None:
        """Wait until the Deployment is as it should be."""
        async with asyncio.timeout(60):
            while not reached(await self.client.get(f"{self.path('deployments')}/web")):  # noqa: ASYNC110 - as kubectl waits
                await asyncio.sleep(0.02)

    async def until_done(self) -> None:
        """Wait until all pods are new and available, and none are left that are going."""
        await self.until(_is_done)


def _is_done(web: Document) -> bool:
    status, wanted = web.get("status") or {}, web["spec"]["replicas"]
    counts = [status.get(name, 0) for name in ("replicas", "updatedReplicas", "availableReplicas")]
    seen = status.get("observedGeneration") == web["metadata"]["generation"]
    return seen and counts == [wanted] * 3 and not status.get("terminatingReplicas") and _reasons(web) >= _FINAL


def _reasons(web: Document) -> set[str]:
    return {each["reason"] for each in (web.get("status") or {}).get("conditions", [])}


_FINAL = {"MinimumReplicasAvailable", "NewReplicaSetAvailable"}


class Scenario(NamedTuple):
    """A story, and what must come to be seen of the Deployment's conditions, in this order."""

    story: Callable[[Play], Awaitable[None]]
    milestones: tuple[str, ...]


async def _create(play: Play) -> None:
    await play.make()
    await play.until_done()


async def _scale(play: Play) -> None:
    await play.make(2)
    await play.until_done()
    await play.change(replicas=4)
    await play.until_done()
    await play.change(replicas=1)
    await play.until_done()
    await play.change(replicas=0)
    await play.until(lambda web: web["status"].get("observedGeneration") == 4 and not web["status"].get("replicas"))


async def _roll(play: Play) -> None:
    await play.make(2)
    await play.until_done()
    await play.set_image("web:2")
    await play.until_done()


async def _roll_back(play: Play) -> None:
    await _roll(play)
    await play.set_image("web:1")
    await play.until_done()


async def _pause(play: Play) -> None:
    await play.make(2)
    await play.until_done()
    await play.change(paused=True)
    await play.until(lambda web: "DeploymentPaused" in _reasons(web) and web["status"]["observedGeneration"] == 2)
    await play.set_image("web:2")
    await play.until(lambda web: web["status"]["observedGeneration"] == 3)
    await play.change(paused=False)
    await play.until_done()


async def _recreate(play: Play) -> None:
    await play.make(2, strategy={"type": "Recreate"})
    await play.until_done()
    await play.set_image("web:2")
    await play.until_done()


async def _stall(play: Play) -> None:
    await play.make(1, {"kubewright.dev/stage": "never-ready"}, progressDeadlineSeconds=2)
    await play.until(lambda web: "ProgressDeadlineExceeded" in _reasons(web))


_MADE = ("Progressing=True/NewReplicaSetCreated", "Available=False/MinimumReplicasUnavailable")
_DONE = ("Progressing=True/NewReplicaSetAvailable",)
_ROLLED = ("Progressing=True/ReplicaSetUpdated", *_DONE)
SCENARIOS: dict[str, Scenario] = {
    "create": Scenario(_create, (*_MADE, *_DONE)),
    "scale": Scenario(_scale, (*_MADE, *_DONE)),
    "roll": Scenario(_roll, (*_MADE, *_DONE, _MADE[0], *_ROLLED)),
    "roll-back": Scenario(_roll_back, (*_MADE, *_DONE, _MADE[0], *_ROLLED, *_ROLLED)),
    "pause": Scenario(
        _pause,
        (*_MADE, *_DONE, "Progressing=Unknown/DeploymentPaused", "Progressing=Unknown/DeploymentResumed", *_ROLLED),
    ),
    "recreate": Scenario(_recreate, (*_MADE, *_DONE, *_ROLLED)),
    "stall": Scenario(_stall, (*_MADE, "Progressing=False/ProgressDeadlineExceeded")),
}
