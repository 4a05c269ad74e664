"""What is done to a Service and its pods."""

from typing import Any, Final

from tests.traces.scenario import Document, Play, Scenario

__all__ = ["SCENARIOS"]

_PORTS: Final = [{"name": "http", "port": 80, "targetPort": 8080}]


async def _make(play: Play, **spec: Any) -> None:
    await play.make("services", spec={"selector": {"app": "web"}, "ports": _PORTS, **spec})


async def _until_served(play: Play, count: int, *names: str) -> None:
    """Wait until so many pods are told, all ready (of those names, if any are given), as slices and as Endpoints."""

    def in_slices(slices: list[Document]) -> bool:
        endpoints = [one for each in slices for one in each["endpoints"] or ()]
        ready = all(one["conditions"]["ready"] for one in endpoints)
        return bool(slices) and ready and agree(one["targetRef"]["name"] for one in endpoints)

    def in_subsets(web: Document) -> bool:
        subsets = web.get("subsets") or []
        ready = not any("notReadyAddresses" in each for each in subsets)
        return ready and agree(one["targetRef"]["name"] for each in subsets for one in each["addresses"])

    def agree(found: Any) -> bool:
        told = sorted(found)
        return len(told) == count and (not names or told == sorted(names))

    await play.until_all("endpointslices", in_slices)
    await play.until("endpoints", in_subsets)


async def _scale(play: Play) -> None:
    await _make(play)
    await _until_served(play, 0)
    await play.make_replicas("replicasets", 2)
    await _until_served(play, 2)
    await play.change("replicasets", spec={"replicas": 3})
    await _until_served(play, 3)
    await play.change("replicasets", spec={"replicas": 0})
    await _until_served(play, 0)


async def _select(play: Play) -> None:
    await play.make_pod("a")
    await play.make_pod("b")
    await play.make_pod("c", {"app": "other"})
    await play.until_ready("a", "b", "c")
    await _make(play)
    await _until_served(play, 2, "a", "b")
    await play.change("services", spec={"selector": {"app": "other"}})
    await _until_served(play, 1, "c")
    await play.change("pods", "a", metadata={"labels": {"app": "other"}})
    await _until_served(play, 2, "a", "c")
    await play.change("services", metadata={"labels": {"tier": "gold"}}, spec={"selector": {"app": "none"}})
    await _until_served(play, 0)


async def _publish(play: Play) -> None:
    await play.make_pod("a", stage="never-ready")
    await _make(play, publishNotReadyAddresses=True)
    await _until_served(play, 1)
    await play.change("services", spec={"publishNotReadyAddresses": False})
    await play.until("endpoints", lambda web: "addresses" not in web["subsets"][0])


async def _delete(play: Play) -> None:
    await _make(play)
    await play.make_replicas("replicasets", 2)
    await _until_served(play, 2)
    await play.client.delete(play.path("services", "web"))
    await play.until_all("endpointslices", lambda slices: not slices)
    await play.until_gone("endpoints")


_KINDS: Final = ("endpointslices", "endpoints")
SCENARIOS: Final = {
    "service-scale": Scenario(_scale, _KINDS, ("ready=0", "ready=2", "ready=3", "ready=0")),
    "service-select": Scenario(_select, _KINDS, ("ready=2", "ready=1", "ready=2", "ready=0")),
    "service-publish": Scenario(_publish, _KINDS, ("ready=1", "ready=0")),
    "service-delete": Scenario(_delete, _KINDS, ("ready=2",)),
}
