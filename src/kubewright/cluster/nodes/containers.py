"""Containers of a pod, and their statuses as a kubelet writes them. Pure.

A `Container` is what the spec says of one and the status it has; `begin`, `end` and `wait` change the status, and only
that. Which phase of the pod follows from all of them is `phase_of`.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Final, Literal

from kubewright.cluster.nodes.moments import spell_moment

__all__ = [
    "Container",
    "begin",
    "containers_of",
    "end",
    "has_sandbox",
    "is_running",
    "phase_of",
    "restarts",
    "statuses_of",
    "wait",
]

Document = dict[str, Any]
#: A sidecar is an init container that goes on running.
Sort = Literal["init", "sidecar", "main", "ephemeral"]

_FIELDS: Final = {
    "initContainers": "initContainerStatuses",
    "containers": "containerStatuses",
    "ephemeralContainers": "ephemeralContainerStatuses",
}
_KEPT: Final = "lastState"
#: A container that waits for another reason has something to run in.
_UNBORN: Final = ("ContainerCreating", "PodInitializing")


@dataclass(slots=True)
class Container:
    """One container, in the step that is being taken."""

    name: str
    sort: Sort
    spec: Document
    #: Ours to change.
    status: Document
    #: Whether it has begun or ended in this step: that is told before anything else happens to it.
    fresh: bool = False


def containers_of(pod: Document) -> list[Container]:
    """All containers, in the order in which they begin."""
    spec, status = pod["spec"], pod["status"]
    reason = "PodInitializing" if spec.get("initContainers") else "ContainerCreating"
    found = []
    for kind, told in _FIELDS.items():
        known = {each["name"]: each for each in status.get(told) or ()}
        for container in spec.get(kind) or ():
            name = container["name"]
            now = {**known[name]} if name in known else _waiting(kind, container, reason)
            now.setdefault(_KEPT, {})
            now.setdefault("state", {"waiting": {"reason": reason}})
            found.append(Container(name, _sort(kind, container), container, now))
    return found


def _sort(kind: str, container: Document) -> Sort:
    if kind == "initContainers":
        return "sidecar" if container.get("restartPolicy") == "Always" else "init"
    return "main" if kind == "containers" else "ephemeral"


def _waiting(kind: str, container: Document, reason: str) -> Document:
    status: Document = {
        "name": container["name"],
        "image": container.get("image", ""),
        "imageID": "",
        "lastState": {},
        "ready": False,
        "restartCount": 0,
        "state": {"waiting": {"reason": reason}},
    }
    if kind != "ephemeralContainers":
        status["started"] = False
    return status


def statuses_of(containers: list[Container]) -> Document:
    """The lists of statuses, by their names in the status of the pod."""
    lists: Document = {}
    for container in containers:
        name = "containerStatuses"
        if container.sort != "main":
            name = "ephemeralContainerStatuses" if container.sort == "ephemeral" else "initContainerStatuses"
        lists.setdefault(name, []).append(container.status)
    return lists


def is_running(container: Container) -> bool:
    """Whether it runs."""
    return "running" in container.status["state"]


def has_sandbox(containers: list[Container]) -> bool:
    """Whether there is something to run containers in, with an address."""
    return any(
        "containerID" in each.status or each.status["state"].get("waiting", {}).get("reason", "") not in _UNBORN
        for each in containers
    )


def begin(container: Container, uid: str, now: float) -> None:
    """Let it run; the second time it has been begun anew. `uid` is the pod's."""
    status = container.status
    last = status["state"].get("terminated") or status[_KEPT].get("terminated")
    if last is not None:
        status[_KEPT] = {"terminated": last}
        status["restartCount"] += 1
    image = container.spec.get("image", "")
    status["image"] = image
    status["imageID"] = f"{_repository(image)}@sha256:{_digest(image)}"
    number = status["restartCount"]
    status["containerID"] = f"containerd://{_digest(f'{uid}/{container.name}/{number}')}"
    status["state"] = {"running": {"startedAt": spell_moment(now)}}
    resources = container.spec.get("resources")
    if container.sort != "ephemeral" and resources is not None:
        status["resources"] = resources
        if requests := resources.get("requests"):
            status["allocatedResources"] = requests
    container.fresh = True


def end(container: Container, code: int, now: float, *, reason: str = "", message: str = "") -> None:
    """Let it have ended."""
    status = container.status
    began = status["state"].get("running")
    ended: Document = {"exitCode": code, "reason": reason or ("Error" if code else "Completed")}
    if message:
        ended["message"] = message
    # Of one that never ran there are no times; they are written all the same.
    ended["startedAt"] = began["startedAt"] if began is not None else None
    ended["finishedAt"] = spell_moment(now) if began is not None else None
    if "containerID" in status:
        ended["containerID"] = status["containerID"]
    status["state"] = {"terminated": ended}
    container.fresh = True


def wait(container: Container, reason: str, message: str) -> None:
    """Let it wait; how it ended before is kept."""
    status = container.status
    ended = status["state"].get("terminated")
    if ended is not None:
        status[_KEPT] = {"terminated": ended}
    status["state"] = {"waiting": {"reason": reason, "message": message}}


def restarts(spec: Document, container: Container) -> bool:
    """Whether a container that has ended, or had when it was last begun, is begun anew."""
    if container.sort == "ephemeral":
        return False
    state = container.status["state"]
    ended = state.get("terminated") or container.status[_KEPT].get("terminated") or {}
    failed = bool(ended.get("exitCode", 0))
    policy: str = container.spec.get("restartPolicy") or spec.get("restartPolicy", "Always")
    if container.sort == "init" and policy == "Always":
        return failed
    return policy == "Always" or (policy == "OnFailure" and failed)


def phase_of(spec: Document, containers: list[Container]) -> str:
    """The phase of a pod that is not being deleted."""
    running = waiting = stopped = succeeded = final = 0
    for container in containers:
        state = container.status["state"]
        ended = state.get("terminated")
        last = ended or container.status[_KEPT].get("terminated")
        if container.sort == "init":
            if ended is not None and ended["exitCode"] == 0:
                continue
            if last is not None and last["exitCode"] and not restarts(spec, container):
                return "Failed"
            return "Pending"
        if container.sort == "ephemeral":
            continue
        if "running" in state:
            running += 1
        elif container.sort == "sidecar":
            waiting += last is None
        elif last is not None:
            stopped += 1
            succeeded += ended is not None and ended["exitCode"] == 0
            final += not restarts(spec, container)
        else:
            waiting += 1
    if waiting:
        return "Pending"
    if running or stopped != final:
        return "Running"
    return "Succeeded" if stopped == succeeded else "Failed"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _repository(image: str) -> str:
    """An image without its tag, with the registry that is meant where none is said."""
    name = image.partition("@")[0]
    head, _, tag = name.rpartition(":")
    if head and "/" not in tag:
        name = head
    first, slash, _ = name.partition("/")
    if not slash:
        return f"docker.io/library/{name}"
    return name if "." in first or ":" in first or first == "localhost" else f"docker.io/{name}"
