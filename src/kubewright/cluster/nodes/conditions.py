"""The conditions of a pod that a kubelet owns, in its order and with its words. Pure.

Others' conditions stay as they are; those that a pod's readiness gates name decide with the containers whether it is
ready. Each carries the generation of the pod that was looked at.
"""

from typing import Any, Final

from kubewright.cluster.nodes.containers import Container, has_sandbox
from kubewright.cluster.nodes.moments import spell_moment

__all__ = ["OWNED", "set_conditions"]

Document = dict[str, Any]
#: What a condition says: its status, reason and message.
Said = tuple[str, str, str]

OWNED: Final = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
_TRUE: Final[Said] = ("True", "", "")


def set_conditions(
    pod: Document,
    status: Document,
    containers: list[Container],
    now: float,
    *,
    disruption: tuple[str, str] | None = None,
) -> None:
    """Put into `status` what follows from its phase and from the containers."""
    old = {each["type"]: each for each in pod["status"].get("conditions") or ()}
    others = [each for each in old.values() if each["type"] not in OWNED]
    phase = status["phase"]
    alive = phase in ("Pending", "Running")
    ready = _containers_ready(containers, phase)
    says: dict[str, Said] = {} if disruption is None else {"DisruptionTarget": ("True", *disruption)}
    says |= {
        "PodReadyToStartContainers": _TRUE if alive and has_sandbox(containers) else ("False", "", ""),
        "Initialized": _initialized(containers, phase),
        "Ready": _ready(pod["spec"], others, ready),
        "ContainersReady": ready,
        "PodScheduled": _TRUE,
    }
    generation = pod["metadata"].get("generation", 1)
    status["conditions"] = [each for each in others if each["type"] not in says] + [
        _condition(kind, said, old.get(kind), generation, now) for kind, said in says.items()
    ]


def _condition(kind: str, said: Said, old: Document | None, generation: int, now: float) -> Document:
    status, reason, message = said
    changed = old["lastTransitionTime"] if old is not None and old["status"] == status else spell_moment(now)
    condition: Document = {
        "type": kind,
        "observedGeneration": generation,
        "status": status,
        "lastProbeTime": None,
        "lastTransitionTime": changed,
    }
    if reason:
        condition["reason"] = reason
    if message:
        condition["message"] = message
    return condition


def _containers_ready(containers: list[Container], phase: str) -> Said:
    if phase == "Succeeded":
        return "False", "PodCompleted", ""
    if phase == "Failed":
        return "False", "PodFailed", ""
    unready = [each.name for each in containers if each.sort in ("sidecar", "main") and not each.status["ready"]]
    if unready:
        return "False", "ContainersNotReady", f"containers with unready status: [{' '.join(unready)}]"
    return _TRUE


def _ready(spec: Document, others: list[Document], containers: Said) -> Said:
    if containers != _TRUE:
        return containers
    told = {each["type"]: each["status"] for each in others}
    unready = []
    for gate in spec.get("readinessGates") or ():
        kind = gate["conditionType"]
        if kind not in told:
            unready.append(f'corresponding condition of pod readiness gate "{kind}" does not exist.')
        elif told[kind] != "True":
            unready.append(f'the status of pod readiness gate "{kind}" is not "True", but {told[kind]}')
    return ("False", "ReadinessGatesNotReady", ", ".join(unready)) if unready else _TRUE


def _initialized(containers: list[Container], phase: str) -> Said:
    if phase == "Succeeded":
        return "True", "PodCompleted", ""
    if any(each.sort == "main" and "containerID" in each.status for each in containers):
        return _TRUE
    incomplete = [
        each.name
        for each in containers
        if (each.sort == "init" and not each.status["ready"]) or (each.sort == "sidecar" and not each.status["started"])
    ]
    if incomplete:
        return "False", "ContainersNotInitialized", f"containers with incomplete status: [{' '.join(incomplete)}]"
    return _TRUE
