"""What is done to a Deployment."""

from collections.abc import Callable
from typing import Final

from tests.traces.scenario import Document, Play, Scenario

__all__ = ["SCENARIOS"]

_FINAL: Final = {"MinimumReplicasAvailable", "NewReplicaSetAvailable"}


def _is_done(web: Document) -> bool:
    """Whether all pods are new and available, and none are left that are going."""
    status, wanted = web.get("status") or {}, web["spec"]["replicas"]
    counts = [status.get(name, 0) for name in ("replicas", "updatedReplicas", "availableReplicas")]
    seen = status.get("observedGeneration") == web["metadata"]["generation"]
    return seen and counts == [wanted] * 3 and not status.get("terminatingReplicas") and _reasons(web) >= _FINAL


def _reasons(web: Document) -> set[str]:
    return {each["reason"] for each in (web.get("status") or {}).get("conditions", [])}


async def _until(play: Play, reached: Callable[[Document], bool] = _is_done) -> None:
    await play.until("deployments", reached)


async def _set_image(play: Play, image: str) -> None:
    await play.change("deployments", spec={"template": {"spec": {"containers": [{"name": "c", "image": image}]}}})


async def _create(play: Play) -> None:
    await play.make_replicas("deployments", 3)
    await _until(play)


async def _scale(play: Play) -> None:
    await play.make_replicas("deployments", 2)
    await _until(play)
    await play.change("deployments", spec={"replicas": 4})
    await _until(play)
    await play.change("deployments", spec={"replicas": 1})
    await _until(play)
    await play.change("deployments", spec={"replicas": 0})
    await _until(play, lambda web: web["status"].get("observedGeneration") == 4 and not web["status"].get("replicas"))


async def _roll(play: Play) -> None:
    await play.make_replicas("deployments", 2)
    await _until(play)
    await _set_image(play, "web:2")
    await _until(play)


async def _roll_back(play: Play) -> None:
    await _roll(play)
    await _set_image(play, "web:1")
    await _until(play)


async def _pause(play: Play) -> None:
    await play.make_replicas("deployments", 2)
    await _until(play)
    await play.change("deployments", spec={"paused": True})
    await _until(play, lambda web: "DeploymentPaused" in _reasons(web) and web["status"]["observedGeneration"] == 2)
    await _set_image(play, "web:2")
    await _until(play, lambda web: web["status"]["observedGeneration"] == 3)
    await play.change("deployments", spec={"paused": False})
    await _until(play)


async def _recreate(play: Play) -> None:
    await play.make_replicas("deployments", 2, strategy={"type": "Recreate"})
    await _until(play)
    await _set_image(play, "web:2")
    await _until(play)


async def _stall(play: Play) -> None:
    template = play.template(stage="never-ready")
    await play.make_replicas("deployments", 1, template=template, progressDeadlineSeconds=2)
    await _until(play, lambda web: "ProgressDeadlineExceeded" in _reasons(web))


_KINDS: Final = ("deployments", "replicasets")
_MADE: Final = ("Progressing=True/NewReplicaSetCreated", "Available=False/MinimumReplicasUnavailable")
_DONE: Final = ("Progressing=True/NewReplicaSetAvailable",)
_ROLLED: Final = ("Progressing=True/ReplicaSetUpdated", *_DONE)
#: If it loses a race, kube-controller-manager does not say that there is a new ReplicaSet.
_REPLACED: Final = ("Available=False/MinimumReplicasUnavailable", "Available=True/MinimumReplicasAvailable")
_PAUSED: Final = ("Progressing=Unknown/DeploymentPaused", "Progressing=Unknown/DeploymentResumed")
SCENARIOS: Final = {
    "create": Scenario(_create, _KINDS, (*_MADE, *_DONE)),
    "scale": Scenario(_scale, _KINDS, (*_MADE, *_DONE)),
    "roll": Scenario(_roll, _KINDS, (*_MADE, *_DONE, _MADE[0], *_ROLLED)),
    "roll-back": Scenario(_roll_back, _KINDS, (*_MADE, *_DONE, _MADE[0], *_ROLLED, *_ROLLED)),
    "pause": Scenario(_pause, _KINDS, (*_MADE, *_DONE, *_PAUSED, *_ROLLED)),
    "recreate": Scenario(_recreate, _KINDS, (*_MADE, *_DONE, *_REPLACED)),
    "stall": Scenario(_stall, _KINDS, (*_MADE, "Progressing=False/ProgressDeadlineExceeded")),
}
