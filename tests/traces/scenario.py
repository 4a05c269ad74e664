"""What a scenario is, and how one is played on whichever cluster: alike for the real controllers and for ours."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from kubewright.client import Client

__all__ = ["DELAYS", "Document", "Play", "Scenario"]

Document = dict[str, Any]

#: How long pods take, as annotations of their template: at once, all alike, and each in its own time.
DELAYS: Final[dict[str, dict[str, str]]] = {
    "quick": {},
    "slow": {"start-after": "100ms", "ready-after": "200ms", "stop-after": "300ms"},
    "uneven": {"start-after": "50ms", "ready-after": "150ms", "stop-after": "50ms", "jitter": "2"},
}
_GROUPS: Final = {
    "deployments": "/apis/apps/v1",
    "replicasets": "/apis/apps/v1",
    "jobs": "/apis/batch/v1",
    "endpointslices": "/apis/discovery.k8s.io/v1",
}
_LABELS: Final = {"app": "web"}


class Play:
    """One run of a scenario: objects named `web`, and their pods, in a namespace of their own."""

    def __init__(self, client: Client, namespace: str, delays: dict[str, str]) -> None:
        self.client = client
        self.namespace = namespace
        self._delays = delays

    def path(self, plural: str, name: str = "") -> str:
        path = f"{_GROUPS.get(plural, '/api/v1')}/namespaces/{self.namespace}/{plural}"
        return f"{path}/{name}" if name else path

    def template(self, labels: dict[str, str] | None = None, **settings: str) -> Document:
        """A pod that takes its time, and fares as it is said beside that."""
        stages = {
            f"kubewright.dev/{name.replace('_', '-')}": text for name, text in {**self._delays, **settings}.items()
        }
        containers = [{"name": "c", "image": "web:1"}]
        return {"metadata": {"labels": labels or _LABELS, "annotations": stages}, "spec": {"containers": containers}}

    async def make(self, plural: str, name: str = "web", **document: Any) -> None:
        """Make an object."""
        metadata = {"name": name, **document.pop("metadata", {})}
        await self.client.create(self.path(plural), {"metadata": metadata, **document})

    async def make_replicas(self, plural: str, replicas: int, **spec: Any) -> None:
        """Make a Deployment or a ReplicaSet."""
        wanted = {"replicas": replicas, "selector": {"matchLabels": _LABELS}, "template": self.template(), **spec}
        await self.make(plural, spec=wanted)

    async def make_pod(self, name: str, labels: dict[str, str] | None = None, **settings: str) -> None:
        """Make a pod that is nobody's."""
        await self.make("pods", name, **self.template(labels, **settings))

    async def until_ready(self, *names: str) -> None:
        """Wait until these pods are ready."""
        await self.until_all(
            "pods", lambda pods: {each["metadata"]["name"] for each in pods if _is_ready(each)} >= {*names}
        )

    async def change(self, plural: str, name: str = "web", **document: Any) -> None:
        """Change an object."""
        await self.client.patch(self.path(plural, name), "strategic", document)

    async def all(self, plural: str, **query: str) -> list[Document]:
        """All objects of a kind."""
        items: list[Document] = (await self.client.get(self.path(plural), **query))["items"]
        return items

    async def until(self, plural: str, reached: Callable[[Document], Any], name: str = "web") -> None:
        """Wait until an object is there and as it should be."""
        await self.until_all(plural, lambda all_of: any(map(reached, all_of)), fieldSelector=f"metadata.name={name}")

    async def until_gone(self, plural: str, name: str = "web") -> None:
        """Wait until an object is not there any more."""
        await self.until_all(plural, lambda all_of: not all_of, fieldSelector=f"metadata.name={name}")

    async def until_all(self, plural: str, reached: Callable[[list[Document]], Any], **query: str) -> None:
        """Wait until the objects of a kind are as they should be."""
        async with asyncio.timeout(60):
            while not reached(await self.all(plural, **query)):  # noqa: ASYNC110 - as kubectl waits
                await asyncio.sleep(0.05)


def _is_ready(pod: Document) -> bool:
    conditions = (pod.get("status") or {}).get("conditions", [])
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


class Scenario(NamedTuple):
    """A story, the kinds that are followed in it, and what must be seen of the first of these, in this order."""

    story: Callable[[Play], Awaitable[None]]
    kinds: tuple[str, ...]
    milestones: tuple[str, ...]
