"""What is done to a ReplicaSet that is nobody's, and to pods around it."""

from typing import Final

from tests.traces.scenario import Document, Play, Scenario

__all__ = ["SCENARIOS"]

_COST: Final = "controller.kubernetes.io/pod-deletion-cost"


async def _until_ready(play: Play, ready: int) -> None:
    """Wait until as many pods as are wanted are there, so many of them ready, and none are going."""

    def reached(web: Document) -> bool:
        status = web.get("status") or {}
        seen = status.get("observedGeneration") == web["metadata"]["generation"]
        counts = [status.get(name, 0) for name in ("replicas", "readyReplicas", "terminatingReplicas")]
        return seen and counts == [web["spec"]["replicas"], ready, 0]

    await play.until("replicasets", reached)


async def _adopt(play: Play) -> None:
    await play.make_pod("alone")
    await play.make_pod("other", {"app": "other"})
    await play.until_ready("alone", "other")
    await play.make_replicas("replicasets", 2)
    await _until_ready(play, 2)
    # One too many, and the one whose end costs least.
    await play.change("pods", "other", metadata={"labels": {"app": "web"}, "annotations": {_COST: "-5"}})
    await play.until_gone("pods", "other")
    await _until_ready(play, 2)


async def _release(play: Play) -> None:
    await play.make_pod("alone")
    await play.until_ready("alone")
    await play.make_replicas("replicasets", 2)
    await _until_ready(play, 2)
    await play.change("pods", "alone", metadata={"labels": {"app": "other"}})
    await play.until("pods", lambda pod: "ownerReferences" not in pod["metadata"], "alone")
    await play.until_all("pods", lambda pods: len(pods) == 3)
    await _until_ready(play, 2)


async def _heal(play: Play) -> None:
    await play.make_pod("alone")
    await play.until_ready("alone")
    await play.make_replicas("replicasets", 2)
    await _until_ready(play, 2)
    await play.client.delete(play.path("pods", "alone"))
    await play.until_gone("pods", "alone")
    await _until_ready(play, 2)


async def _inherit(play: Play) -> None:
    """One that goes leaves its pods to the next."""
    await play.make_replicas("replicasets", 2)
    await _until_ready(play, 2)
    await play.client.delete(play.path("replicasets", "web"), {"propagationPolicy": "Orphan"})
    await play.until_gone("replicasets")
    await play.make_replicas("replicasets", 2)
    await _until_ready(play, 2)


async def _mature(play: Play) -> None:
    await play.make_replicas("replicasets", 2, minReadySeconds=2)
    await play.until("replicasets", lambda web: (web.get("status") or {}).get("availableReplicas") == 2)


async def _shrink(play: Play) -> None:
    """Who is not ready goes first, whatever it costs, then who costs less."""
    for name, cost in (("unready", "9"), ("cheap", "-5"), ("dear", "5")):
        await play.make_pod(name, None, **({"stage": "never-ready"} if name == "unready" else {}))
        await play.change("pods", name, metadata={"annotations": {_COST: cost}})
    await play.until("pods", lambda pod: (pod.get("status") or {}).get("phase") == "Running", "unready")
    await play.until_ready("cheap", "dear")
    await play.make_replicas("replicasets", 3)
    await _until_ready(play, 2)
    for replicas in (2, 1):
        await play.change("replicasets", spec={"replicas": replicas})
        await _until_ready(play, replicas)


_KINDS: Final = ("replicasets", "pods")
SCENARIOS: Final = {
    "replicas-adopt": Scenario(_adopt, _KINDS, ("ready=2",)),
    "replicas-release": Scenario(_release, _KINDS, ("ready=2", "ready=1", "ready=2")),
    "replicas-heal": Scenario(_heal, _KINDS, ("ready=2", "ready=1", "ready=2")),
    "replicas-inherit": Scenario(_inherit, _KINDS, ("ready=2", "ready=2")),
    "replicas-mature": Scenario(_mature, _KINDS, ("ready=2",)),
    "replicas-shrink": Scenario(_shrink, _KINDS, ("ready=2", "ready=1")),
}
