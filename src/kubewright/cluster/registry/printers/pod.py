"""The row of a pod: how many of its containers are ready, and in one word how it is.

The word is the worst news there is: of the first init container that is not done, else of the containers, the first one
counting most; else the phase. What is being deleted is terminating, whatever it does.
"""

from datetime import datetime
from typing import Any, Final, NamedTuple

from kubewright.cluster.registry.age import age
from kubewright.cluster.registry.columns import Document
from kubewright.cluster.registry.printers.lookup import at, created, is_true

__all__ = ["pod", "pod_conditions"]

_COMPLETED: Final = {
    "Succeeded": "The pod has completed successfully.",
    "Failed": "The pod failed.",
}


def pod_conditions(obj: Document) -> list[Document]:
    """That a pod has ended is also told of its row."""
    phase = at(obj, "status", "phase", default="")
    if phase not in _COMPLETED:
        return []
    return [{"type": "Completed", "status": "True", "reason": phase, "message": _COMPLETED[phase]}]


class _Progress(NamedTuple):
    """What a number of containers tell together."""

    reason: str
    ready: int
    restarts: int
    #: When the last of those that restarted had ended; empty if none did, or nobody knows.
    ended: str


def pod(obj: Document, now: datetime) -> list[Any]:
    """The cells behind the name."""
    spec, status = at(obj, "spec", default={}), at(obj, "status", default={})
    sidecars = {each.get("name") for each in spec.get("initContainers") or () if each.get("restartPolicy") == "Always"}
    phase = status.get("phase", "")
    reason = status.get("reason") or phase
    for condition in status.get("conditions") or ():
        if condition.get("type") == "PodScheduled" and condition.get("reason") == "SchedulingGated":
            reason = "SchedulingGated"
    initial, initializing, restarted = _initial(spec, status, sidecars, reason)
    progress = initial
    if not initializing or is_true(status.get("conditions"), "Initialized"):
        progress = _running(status, restarted._replace(reason=initial.reason, ready=initial.ready))
    reason = progress.reason
    if at(obj, "metadata", "deletionTimestamp"):
        if status.get("reason") == "NodeLost":
            reason = "Unknown"
        elif phase not in ("Failed", "Succeeded"):
            reason = "Terminating"
    restarts = str(progress.restarts)
    if progress.restarts and progress.ended:
        restarts += f" ({age(progress.ended, now)} ago)"
    total = len(spec.get("containers") or ()) + len(sidecars)
    return [
        f"{progress.ready}/{total}",
        reason,
        restarts,
        created(obj, now),
        next((each.get("ip") for each in status.get("podIPs") or () if each.get("ip")), "<none>"),
        spec.get("nodeName") or "<none>",
        status.get("nominatedNodeName") or "<none>",
        _gates(spec, status),
    ]


def _initial(spec: Document, status: Document, sidecars: set[Any], reason: str) -> tuple[_Progress, bool, _Progress]:
    """How far initialization is, whether it still goes on, and what the sidecars alone tell."""
    ready = restarts = sidecar_restarts = 0
    ended = sidecar_ended = ""
    initializing = False
    for index, container in enumerate(status.get("initContainerStatuses") or ()):
        is_sidecar = container.get("name") in sidecars
        count, finished = container.get("restartCount", 0), _ended(container)
        restarts, ended = restarts + count, max(ended, finished)
        if is_sidecar:
            sidecar_restarts, sidecar_ended = sidecar_restarts + count, max(sidecar_ended, finished)
        state = container.get("state") or {}
        terminated, waiting = state.get("terminated"), at(state, "waiting", "reason", default="")
        if terminated is not None and not terminated.get("exitCode"):
            continue
        if is_sidecar and container.get("started"):
            ready += bool(container.get("ready"))
            continue
        initializing = True
        if terminated is not None:
            reason = f"Init:{_end(terminated)}"
        elif waiting and waiting != "PodInitializing":
            reason = f"Init:{waiting}"
        else:
            reason = f"Init:{index}/{len(spec.get('initContainers') or ())}"
        break
    whole = _Progress(reason, ready, restarts, ended)
    return whole, initializing, _Progress(reason, ready, sidecar_restarts, sidecar_ended)


def _running(status: Document, progress: _Progress) -> _Progress:
    reason, ready, restarts, ended = progress
    running, error = False, ""
    for container in reversed(status.get("containerStatuses") or ()):
        restarts += container.get("restartCount", 0)
        ended = max(ended, _ended(container))
        state = container.get("state") or {}
        if waiting := at(state, "waiting", "reason"):
            reason = waiting
        elif (terminated := state.get("terminated")) is not None:
            reason = _end(terminated)
            if terminated.get("exitCode"):
                error = reason
        elif container.get("ready") and state.get("running") is not None:
            running = True
            ready += 1
    if reason == "Completed":
        if running and is_true(status.get("conditions"), "Ready"):
            reason = "Running"
        elif error:
            reason = error
        elif running:
            reason = "NotReady"
    return _Progress(reason, ready, restarts, ended)


def _end(terminated: Document) -> str:
    """Why a container ended."""
    if reason := terminated.get("reason"):
        return str(reason)
    if signal := terminated.get("signal"):
        return f"Signal:{signal}"
    return f"ExitCode:{terminated.get('exitCode', 0)}"


def _ended(container: Document) -> str:
    """When a container had ended before it was started again. Times of one form sort as texts do."""
    ended: str = at(container, "lastState", "terminated", "finishedAt", default="")
    return ended


def _gates(spec: Document, status: Document) -> str:
    gates = spec.get("readinessGates") or ()
    if not gates:
        return "<none>"
    conditions = status.get("conditions")
    return f"{sum(is_true(conditions, gate.get('conditionType', '')) for gate in gates)}/{len(gates)}"
