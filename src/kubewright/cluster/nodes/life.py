"""The life of a pod on its node: pod, settings and time in; its next status, and when to look again, out. Pure.

    waiting ──start-after──▶ init containers, one after the other ──init-for──▶ running ──ready-after──▶ ready
       │                                                                         │  ▲
       └─ image-pull-error: ErrImagePull ⇄ ImagePullBackOff             exit-after│  │ restartPolicy, with back-off
                                                                                 ▼  │
          Succeeded / Failed ◀──────────────────────────────────────────────── ended

All of it can be read off the pod's own status, so that whoever begins anew goes on where the last one stopped. What a
status cannot say, because its times are whole seconds and a waiting container has none, is in `Past`; without one it
is guessed from the times there are.

Steps between which no time passes are one status, as if they had been too quick to be told. Only what others wait for
is told by itself in any case: that containers run, and that they have ended.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kubewright.cluster.nodes.conditions import set_conditions
from kubewright.cluster.nodes.containers import (
    Container,
    begin,
    containers_of,
    end,
    has_sandbox,
    is_running,
    phase_of,
    restarts,
    statuses_of,
    wait,
)
from kubewright.cluster.nodes.course import course
from kubewright.cluster.nodes.moments import read_moment, spell_moment
from kubewright.cluster.nodes.settings import Settings

__all__ = ["Past", "Place", "Step", "Told", "advance"]

Document = dict[str, Any]

#: Seconds before a container is begun anew after it ended for the second time; twice as long each time after that.
_BACK_OFF: Final = 10.0
_LONGEST_BACK_OFF: Final = 300.0
#: A container that ran so long has recovered.
_RECOVERED: Final = 600.0
#: So long an end, or a failed pull, is shown before the waiting for the next attempt is.
_SHOWN: Final = 1.0
_EVICTED: Final = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. "
#: Of the moments that are no container's: when the pod was given to us, and when it was to end.
_BOUND: Final = ""
_DELETED: Final = "-"
_OVERDUE: Final = "Pod was active on the node longer than the specified deadline"
_UNLOCATED: Final = "The container could not be located when the pod was terminated"


@dataclass(frozen=True)
class Place:
    """Where a pod runs, and under which address."""

    host: str
    address: str


@dataclass(frozen=True)
class Past:
    """What a status does not tell: since when each container is as it is, and how often its image was pulled."""

    entered: Mapping[str, float] = field(default_factory=dict)
    pulls: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Told:
    """An Event."""

    reason: str
    message: str
    warning: bool = False


@dataclass(frozen=True)
class Step:
    """What is to be done for a pod now."""

    #: Its status from now on; None if that is as it should be.
    status: Document | None = None
    events: tuple[Told, ...] = ()
    #: Whether nothing of it is left, so that it may go.
    gone: bool = False
    #: Seconds until it is to be looked at again.
    after: float | None = None
    past: Past | None = None


_NOTHING: Final = Step()


def advance(
    pod: Document,
    settings: Settings,
    past: Past | None,
    place: Place,
    now: float,
    chance: Callable[[str], float] = lambda what: 0.0,
) -> Step:
    """The next step of a pod that is bound to a node, at `now` (seconds since 1970).

    `chance` gives for the name of a delay a number below 1, always the same for the same pod: how much of the jitter
    it has.
    """
    deleting = "deletionTimestamp" in pod["metadata"]
    if pod["status"].get("phase") in ("Succeeded", "Failed"):
        return Step(gone=True) if deleting and settings.stage != "stuck-terminating" else _NOTHING
    return _Life(pod, settings, past, place, now, chance).go_on(deleting=deleting)


class _Life:
    """One look at a pod."""

    def __init__(
        self,
        pod: Document,
        settings: Settings,
        past: Past | None,
        place: Place,
        now: float,
        chance: Callable[[str], float],
    ) -> None:
        self.pod, self.settings, self.place, self.now, self.chance = pod, settings, place, now, chance
        self.spec: Document = pod["spec"]
        self.old: Document = pod["status"]
        self.entered = dict(past.entered) if past is not None else {}
        self.pulls = dict(past.pulls) if past is not None else {}
        self.events: list[Told] = []
        self.due: float | None = None
        self.containers = containers_of(pod)
        begun = self.old.get("startTime")
        self.begun = read_moment(begun) if begun else now

    # The whole.

    def go_on(self, *, deleting: bool) -> Step:
        """One step of the pod."""
        if deleting:
            return self._stop()
        for when, reason, message in self._deadlines():
            if when <= self.now:
                return self._fail(reason, message)
        while self._move():
            pass
        if self._is_over():
            self._end_others()
        for when, _, _ in self._deadlines():
            self._look(when)
        return self._step(self._status(phase_of(self.spec, self.containers)))

    def _step(self, status: Document | None, *, gone: bool = False) -> Step:
        after = None if self.due is None else max(0.0, self.due - self.now)
        past = Past(self.entered, self.pulls) if after is not None else None
        return Step(status if status != self.old else None, tuple(self.events), gone, after, past)

    def _status(self, phase: str, reason: str = "", message: str = "") -> Document:
        """The status as the containers are now."""
        status: Document = {**self.old, "phase": phase, "observedGeneration": self.pod["metadata"].get("generation", 1)}
        for name, text in (("reason", reason), ("message", message)):
            if text:
                status[name] = text
        status.setdefault("startTime", spell_moment(self.now))
        place = self.place
        status["hostIP"], status["hostIPs"] = place.host, [{"ip": place.host}]
        if has_sandbox(self.containers):
            status.setdefault("podIP", place.address)
            status.setdefault("podIPs", [{"ip": place.address}])
        for container in self.containers:
            container.status["ready"] = self._is_ready(container)
            if container.sort != "ephemeral":
                container.status["started"] = container.sort != "init" and is_running(container)
        status |= statuses_of(self.containers)
        set_conditions(self.pod, status, self.containers, self.now)
        return status

    # Failing as a whole.

    def _deadlines(self) -> Iterator[tuple[float, str, str]]:
        """When the pod is to fail as a whole, and why."""
        limit = self.spec.get("activeDeadlineSeconds")
        if limit is not None:
            yield self.begun + limit, "DeadlineExceeded", _OVERDUE
        settings = self.settings
        main = next(each for each in self.containers if each.sort == "main")
        if settings.stage == "evicted" and is_running(main):
            after = self._delay("exit-after", settings.exit_after or 0.0)
            yield self._since(main.name) + after, "Evicted", settings.message or _EVICTED

    def _fail(self, reason: str, message: str) -> Step:
        self.events.append(Told(reason, message, warning=True))
        self._end_all(137)
        self.due = None
        status = self._status("Failed", reason, message)
        if reason == "Evicted":
            set_conditions(self.pod, status, self.containers, self.now, disruption=("TerminationByKubelet", message))
        return self._step(status)

    def _end_all(self, code: int) -> None:
        for container in self.containers:
            if is_running(container):
                end(container, code, self.now)
            elif "terminated" not in container.status["state"]:
                end(container, 137, self.now, reason="ContainerStatusUnknown", message=_UNLOCATED)

    # Being deleted.

    def _stop(self) -> Step:
        if self.settings.stage == "stuck-terminating":
            return _NOTHING
        grace = self.pod["metadata"].get("deletionGracePeriodSeconds") or 0
        wanted = self._delay("stop-after", self.settings.stop_after)
        if _DELETED not in self.entered:
            self.entered[_DELETED] = self.now
            for container in self.containers:
                if is_running(container):
                    self.events.append(Told("Killing", f"Stopping container {container.name}"))
        since = self.entered[_DELETED]
        if not self._is_due(since + min(wanted, grace)):
            return self._step(None)
        self._end_all(0 if wanted <= grace else 137)
        self.due = None
        phase = "Succeeded" if all(_ended_well(container) for container in self.containers) else "Failed"
        return self._step(self._status(phase), gone=True)

    # Container by container.

    def _move(self) -> bool:
        """Let one container go on; whether others may go on in the same step."""
        self.due = None
        for container in self.containers:
            if container.sort == "main":
                break
            if not self._is_initialized(container):
                return self._move_one(container)
            if container.sort == "sidecar" and self._move_one(container):
                return True
        moved = [self._move_one(each) for each in self.containers if each.sort in ("main", "ephemeral")]
        return any(moved)

    def _is_over(self) -> bool:
        return all(
            "terminated" in container.status["state"] and not restarts(self.spec, container)
            for container in self.containers
            if container.sort == "main"
        )

    def _end_others(self) -> None:
        """Sidecars, and who only came to look, go with those for whom the pod is there."""
        self.due = None
        for container in self.containers:
            if container.sort in ("sidecar", "ephemeral") and is_running(container):
                end(container, 0, self.now)

    def _is_initialized(self, container: Container) -> bool:
        state = container.status["state"]
        if container.sort == "sidecar":
            return "running" in state or container.status["restartCount"] > 0
        return "terminated" in state and state["terminated"]["exitCode"] == 0

    def _move_one(self, container: Container) -> bool:
        state = container.status["state"]
        if "running" in state:
            return self._run(container)
        if "terminated" in state:
            return self._ended(container)
        return self._wait(container, state["waiting"].get("reason", ""))

    def _run(self, container: Container) -> bool:
        """A container that runs, until it ends."""
        settings, name = self.settings, container.name
        since = self._since(name)
        if container.sort == "init" and not self._fails(container):
            if not self._is_due(since + self._delay(f"init-for {name}", settings.init_for)):
                return False
            end(container, 0, self.now)
            self.entered[name] = self.now
            return True
        ending = self._ending(container)
        if ending is not None:
            after, code, reason = ending
            if container.fresh:
                # That it runs is told first.
                self._look(since + after)
            elif self._is_due(since + after):
                end(container, code, self.now, reason=reason, message=settings.message)
                self.entered[name] = self.now
                self._ended(container)
                return False
        ready = since + self._delay("ready-after", settings.ready_after)
        if container.sort != "init" and ready > self.now:
            self._look(ready)
        return False

    def _ending(self, container: Container) -> tuple[float, int, str] | None:
        """After which time a container ends, with which code and for which reason; None if it does not."""
        settings = self.settings
        if container.sort == "sidecar":
            return None
        if settings.exit_after is None or container.sort == "ephemeral":
            spec = container.spec
            known = course([*(spec.get("command") or ()), *(spec.get("args") or ())], spec.get("image") or "")
            if known is not None:
                return None if known.seconds == math.inf else (known.seconds, known.code, "")
            return (0.0, 0, "") if container.sort != "ephemeral" and self._is_of_job() else None
        after = self._delay("exit-after", settings.exit_after)
        if settings.stage == "oom-killed" and self._fails(container):
            return after, 137, "OOMKilled"
        if settings.stage == "crash-loop" and not self._fails(container):
            return None
        if settings.containers and container.name not in settings.containers:
            return after, 0, ""
        return after, settings.exit_code, ""

    def _is_of_job(self) -> bool:
        owners = self.pod["metadata"].get("ownerReferences") or ()
        return any(owner["kind"] == "Job" and owner.get("controller") for owner in owners)

    def _ended(self, container: Container) -> bool:
        """A container that has ended, until it is begun anew."""
        if not restarts(self.spec, container):
            return False
        since = self._since(container.name)
        pause = self._pause(container)
        if container.fresh:
            # That it has ended is told first.
            self._look(since + min(pause, _SHOWN))
        elif self._is_due(since + pause):
            return self._begin(container)
        elif pause > _SHOWN and self._is_due(since + _SHOWN):
            uid = self.pod["metadata"]["uid"]
            where = f"{self.pod['metadata']['name']}_{self.pod['metadata']['namespace']}({uid})"
            text = f"Back-off restarting failed container {container.name} in pod {where}"
            self.events.append(Told("BackOff", text, warning=True))
            long = f"{pause:.0f}s" if pause < 60 else f"{pause // 60:.0f}m{pause % 60:.0f}s"
            why = f"back-off {long} restarting failed container={container.name} pod={where}"
            self.entered[container.name] = since
            wait(container, "CrashLoopBackOff", why)
            self._look(since + pause)
        return False

    def _wait(self, container: Container, reason: str) -> bool:
        """A container that does not run yet, or not again."""
        name = container.name
        since = self._since(name)
        if reason == "CrashLoopBackOff":
            return self._begin(container) if self._is_due(since + self._pause(container)) else False
        fails = self.settings.stage == "image-pull-error" and self._fails(container)
        if reason in ("ErrImagePull", "ImagePullBackOff") and fails:
            return self._pull_again(container, reason, since)
        first = self.containers[0] is container or (container.sort == "main" and not self._follows_init())
        delay = self._delay("start-after", self.settings.start_after) if first else 0.0
        if not self._is_due((self._scheduled() if first else since) + delay):
            return False
        return self._pull(container) if fails else self._begin(container)

    def _follows_init(self) -> bool:
        return self.containers[0].sort != "main"

    def _pull(self, container: Container) -> bool:
        """An image that cannot be had."""
        image, name = container.spec.get("image", ""), container.name
        why = self.settings.message or f'failed to resolve reference "{image}": {image}: not found'
        self.events.append(Told("Pulling", f'Pulling image "{image}"'))
        self.events.append(Told("Failed", f'Failed to pull image "{image}": {why}', warning=True))
        self.events.append(Told("Failed", "Error: ErrImagePull", warning=True))
        wait(container, "ErrImagePull", why)
        self.entered[name] = self.now
        self.pulls[name] = self.pulls.get(name, 0) + 1
        self._look(self.now + _SHOWN)
        return False

    def _pull_again(self, container: Container, reason: str, since: float) -> bool:
        name, image = container.name, container.spec.get("image", "")
        pause = min(_BACK_OFF * 2 ** (self.pulls.get(name, 1) - 1), _LONGEST_BACK_OFF)
        if self._is_due(since + pause):
            return self._pull(container)
        if reason == "ErrImagePull" and self._is_due(since + _SHOWN):
            why = container.status["state"]["waiting"].get("message", "")
            self.events.append(Told("BackOff", f'Back-off pulling image "{image}"'))
            self.events.append(Told("Failed", "Error: ImagePullBackOff", warning=True))
            wait(container, "ImagePullBackOff", f'Back-off pulling image "{image}": ErrImagePull: {why}')
            self._look(since + pause)
        return False

    def _begin(self, container: Container) -> bool:
        image = container.spec.get("image", "")
        begin(container, self.pod["metadata"]["uid"], self.now)
        self.entered[container.name] = self.now
        self.events.append(
            Told("Pulled", f'Container image "{image}" already present on machine and can be accessed by the pod')
        )
        self.events.append(Told("Created", "Container created"))
        self.events.append(Told("Started", "Container started"))
        return True

    # Times.

    def _fails(self, container: Container) -> bool:
        settings = self.settings
        return bool(settings.stage) and settings.happens_to(container.name, init=container.sort != "main")

    def _is_ready(self, container: Container) -> bool:
        if container.sort == "init":
            state = container.status["state"]
            return "terminated" in state and state["terminated"]["exitCode"] == 0
        if container.sort == "ephemeral" or not is_running(container):
            return False
        if self.settings.stage == "never-ready" and self._fails(container):
            return False
        return self.now >= self._since(container.name) + self._delay("ready-after", self.settings.ready_after)

    def _pause(self, container: Container) -> float:
        """Seconds from the end of a container to its next begin."""
        state = container.status["state"]
        last = state.get("terminated") or container.status["lastState"].get("terminated") or {}
        count = container.status["restartCount"]
        if "startedAt" in last and read_moment(last["finishedAt"]) - read_moment(last["startedAt"]) >= _RECOVERED:
            return 0.0
        return min(_BACK_OFF * 2 ** (min(count, 10) - 1), _LONGEST_BACK_OFF) if count else 0.0

    def _since(self, name: str) -> float:
        """Since when a container is as it is."""
        if name not in self.entered:
            status = next(each.status for each in self.containers if each.name == name)
            self.entered[name] = _told_since(status, self._scheduled())
        return self.entered[name]

    def _scheduled(self) -> float:
        """When the pod was given to us."""
        if _BOUND not in self.entered:
            for condition in self.old.get("conditions") or ():
                if condition["type"] == "PodScheduled" and condition["status"] == "True" and "startTime" in self.old:
                    self.entered[_BOUND] = read_moment(condition["lastTransitionTime"])
                    break
            else:
                self.entered[_BOUND] = self.now
        return self.entered[_BOUND]

    def _delay(self, what: str, seconds: float) -> float:
        jitter = self.settings.jitter
        return seconds * (1 + jitter * self.chance(what)) if jitter and seconds else seconds

    def _is_due(self, when: float) -> bool:
        if when <= self.now:
            return True
        self._look(when)
        return False

    def _look(self, when: float) -> None:
        self.due = when if self.due is None else min(self.due, when)


def _told_since(status: Document, otherwise: float) -> float:
    state = status["state"]
    if "running" in state:
        return read_moment(state["running"]["startedAt"])
    last = state.get("terminated") or status["lastState"].get("terminated")
    return read_moment(last["finishedAt"]) if last and "finishedAt" in last else otherwise


def _ended_well(container: Container) -> bool:
    terminated = container.status["state"].get("terminated")
    return container.sort != "main" or (terminated is not None and terminated["exitCode"] == 0)
