"""The life of a pod as a function: pod, settings and time in, the next status and when to look again out."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.nodes.pods import make_pod

from kubewright.cluster.nodes.life import Past, Place, Step, advance
from kubewright.cluster.nodes.settings import read_settings

Document = dict[str, Any]
PLACE = Place("172.30.0.2", "10.128.0.9")
START = 1_000_000_000.0  # 2001-09-09T01:46:40Z
INIT = [{"name": "first", "image": "busybox"}, {"name": "second", "image": "busybox"}]
SIDECAR = [{"name": "proxy", "image": "envoy", "restartPolicy": "Always"}]


class Lived:
    """A pod that is taken from step to step, as a kubelet would."""

    def __init__(self, stage: dict[str, str] | None = None, **spec: Any) -> None:
        self.pod = make_pod(stage=stage, **spec)
        self.pod["metadata"] |= {"namespace": "default", "uid": "1-2-3", "generation": 1}
        self.pod["spec"].setdefault("restartPolicy", "Always")
        self.pod["status"] = {"phase": "Pending"}
        self.past: Past | None = None
        self.now = START
        self.events: list[str] = []
        self.last = Step()
        self.gone = False

    def step(self) -> Step:
        step = self.last = advance(self.pod, read_settings(self.pod), self.past, PLACE, self.now, lambda what: 0.5)
        if step.status is not None:
            self.pod["status"] = copy.deepcopy(step.status)
        self.past = step.past
        self.events += [told.reason for told in step.events]
        self.gone = self.gone or step.gone
        return step

    def go(self, until: float) -> list[tuple[float, str]]:
        """Live until then; when which status was written, as kubectl would show it."""
        seen = []
        while True:
            step = self.step()
            if step.status is not None:
                seen.append((round(self.now - START, 3), shown(step.status)))
            if step.after is None or self.now + step.after > START + until:
                return seen
            self.now += step.after

    def delete(self, grace: int = 30) -> None:
        moment = "2001-09-09T02:00:00Z"
        self.pod["metadata"] |= {"deletionTimestamp": moment, "deletionGracePeriodSeconds": grace}


def shown(status: Document) -> str:
    if status.get("reason"):
        return f"{status['phase']} {status['reason']}"
    for kind, prefix in (("initContainerStatuses", "Init:"), ("containerStatuses", "")):
        for each in status.get(kind) or ():
            state = each["state"]
            reason = (state.get("waiting") or state.get("terminated") or {}).get("reason", "")
            if prefix and (reason == "Completed" or ("running" in state and each["started"])):
                continue
            if reason or prefix:
                return f"{status['phase']} {prefix}{reason or each['name']}"
    ready = next(each for each in status["conditions"] if each["type"] == "Ready")["status"] == "True"
    return f"{status['phase']} {'ready' if ready else 'unready'}"


LIVES: list[tuple[str, dict[str, str], dict[str, Any], float, list[tuple[float, str]]]] = [
    ("one write where nothing takes time", {}, {}, 60, [(0, "Running ready")]),
    (
        "every delay is seen",
        {"start-after": "2s", "ready-after": "3s"},
        {},
        60,
        [(0, "Pending ContainerCreating"), (2, "Running unready"), (5, "Running ready")],
    ),
    (
        "jitter makes them longer",
        {"start-after": "2s", "ready-after": "2s", "jitter": "1"},
        {},
        60,
        [(0, "Pending ContainerCreating"), (3, "Running unready"), (6, "Running ready")],
    ),
    ("init containers that take no time are not seen", {}, {"initContainers": INIT}, 60, [(0, "Running ready")]),
    (
        "init containers run one after the other",
        {"init-for": "1s"},
        {"initContainers": INIT},
        60,
        [(0, "Pending Init:first"), (1, "Pending Init:second"), (2, "Running ready")],
    ),
    ("a sidecar runs beside", {}, {"initContainers": SIDECAR}, 60, [(0, "Running ready")]),
    (
        "what ends well has run",
        {"exit-code": "0"},
        {"restartPolicy": "Never"},
        60,
        [(0, "Running ready"), (0, "Succeeded Completed")],
    ),
    (
        "what ends badly has run",
        {"exit-code": "3", "exit-after": "5s"},
        {"restartPolicy": "Never"},
        60,
        [(0, "Running ready"), (5, "Failed Error")],
    ),
    (
        "what ends well is not begun anew on failure",
        {"exit-code": "0"},
        {"restartPolicy": "OnFailure"},
        60,
        [(0, "Running ready"), (0, "Succeeded Completed")],
    ),
    (
        "a crash loop backs off",
        {"stage": "crash-loop"},
        {},
        40,
        [
            (0, "Running ready"),
            (1, "Running Error"),
            (1, "Running ready"),
            (2, "Running Error"),
            (3, "Running CrashLoopBackOff"),
            (12, "Running ready"),
            (13, "Running Error"),
            (14, "Running CrashLoopBackOff"),
            (33, "Running ready"),
            (34, "Running Error"),
            (35, "Running CrashLoopBackOff"),
        ],
    ),
    (
        "an init container that crashes holds up the pod",
        {"stage": "crash-loop", "containers": "first"},
        {"initContainers": INIT},
        4,
        [
            (0, "Pending Init:first"),
            (1, "Pending Init:Error"),
            (1, "Pending Init:first"),
            (2, "Pending Init:Error"),
            (3, "Pending Init:CrashLoopBackOff"),
        ],
    ),
    (
        "an init container that crashes ends a pod that is not begun anew",
        {"stage": "crash-loop", "containers": "first"},
        {"initContainers": INIT, "restartPolicy": "Never"},
        60,
        [(0, "Pending Init:first"), (1, "Failed Init:Error")],
    ),
    (
        "memory runs out",
        {"stage": "oom-killed"},
        {"restartPolicy": "Never"},
        60,
        [(0, "Running ready"), (1, "Failed OOMKilled")],
    ),
    (
        "an image cannot be had",
        {"stage": "image-pull-error"},
        {},
        31,
        [
            (0, "Pending ErrImagePull"),
            (1, "Pending ImagePullBackOff"),
            (10, "Pending ErrImagePull"),
            (11, "Pending ImagePullBackOff"),
            (30, "Pending ErrImagePull"),
            (31, "Pending ImagePullBackOff"),
        ],
    ),
    ("never ready", {"stage": "never-ready"}, {}, 600, [(0, "Running unready")]),
    (
        "evicted",
        {"stage": "evicted", "exit-after": "9s"},
        {},
        60,
        [(0, "Running ready"), (9, "Failed Evicted")],
    ),
    (
        "evicted after a while, so that who replaces it does not spin",
        {"stage": "evicted"},
        {},
        60,
        [(0, "Running ready"), (1, "Failed Evicted")],
    ),
    (
        "a deadline ends it",
        {},
        {"activeDeadlineSeconds": 7},
        60,
        [(0, "Running ready"), (7, "Failed DeadlineExceeded")],
    ),
]


@pytest.mark.parametrize(
    ("stage", "spec", "until", "seen"), [life[1:] for life in LIVES], ids=[each[0] for each in LIVES]
)
def test_a_life(stage: dict[str, str], spec: dict[str, Any], until: float, seen: list[tuple[float, str]]) -> None:
    assert Lived(stage, **spec).go(until) == seen


def test_who_begins_anew_goes_on_where_the_last_one_stopped() -> None:
    lived = Lived({"stage": "crash-loop"})
    lived.go(14)
    lived.past = None
    assert lived.go(40)[0] == (33, "Running ready")


def test_a_restart_is_counted_and_remembers_the_end_before() -> None:
    lived = Lived({"stage": "crash-loop", "exit-code": "7"})
    lived.go(1)
    (status,) = lived.pod["status"]["containerStatuses"]
    assert status["restartCount"] == 1
    assert status["lastState"]["terminated"]["exitCode"] == 7
    assert status["lastState"]["terminated"]["containerID"] != status["containerID"]


def test_sidecars_end_with_the_others() -> None:
    lived = Lived({"exit-code": "0"}, initContainers=SIDECAR, restartPolicy="Never")
    lived.go(60)
    assert lived.pod["status"]["phase"] == "Succeeded"
    assert "terminated" in lived.pod["status"]["initContainerStatuses"][0]["state"]


@pytest.mark.parametrize(
    ("stage", "grace", "at", "code", "phase"),
    [
        ({}, 30, 0, 0, "Succeeded"),
        ({"stop-after": "5s"}, 30, 5, 0, "Succeeded"),
        ({"stop-after": "60s"}, 30, 30, 137, "Failed"),
        ({"stop-after": "5s"}, 0, 0, 137, "Failed"),
    ],
)
def test_a_deleted_pod_ends_within_its_grace(
    stage: dict[str, str], grace: int, at: float, code: int, phase: str
) -> None:
    lived = Lived(stage)
    lived.go(10)
    lived.delete(grace)
    asked = lived.now
    lived.go(100)
    (status,) = lived.pod["status"]["containerStatuses"]
    assert lived.gone
    assert lived.now - asked == at
    assert (status["state"]["terminated"]["exitCode"], lived.pod["status"]["phase"]) == (code, phase)
    assert lived.events[-1] == "Killing"


def test_a_pod_that_never_began_fails_when_it_is_deleted() -> None:
    lived = Lived({"start-after": "1h"})
    lived.go(1)
    lived.delete()
    lived.go(2)
    assert (lived.pod["status"]["phase"], lived.gone) == ("Failed", True)
    assert lived.pod["status"]["containerStatuses"][0]["state"]["terminated"]["reason"] == "ContainerStatusUnknown"


def test_a_finished_pod_goes_at_once_when_it_is_deleted() -> None:
    lived = Lived({"exit-code": "0"}, restartPolicy="Never")
    lived.go(1)
    lived.delete()
    assert lived.step() == Step(gone=True)


def test_a_stuck_pod_does_not_go() -> None:
    lived = Lived({"stage": "stuck-terminating"})
    lived.go(1)
    lived.delete()
    assert lived.step() == Step()


def test_an_eviction_says_that_it_was_the_kubelet() -> None:
    lived = Lived({"stage": "evicted", "message": "too large"})
    lived.go(60)
    told = {each["type"]: each for each in lived.pod["status"]["conditions"]}
    assert (told["DisruptionTarget"]["reason"], told["DisruptionTarget"]["message"]) == (
        "TerminationByKubelet",
        "too large",
    )
    assert lived.pod["status"]["message"] == "too large"


def test_conditions_of_others_stay_and_times_of_what_does_not_change() -> None:
    lived = Lived({"ready-after": "5s"})
    other = {"type": "example.com/warm", "status": "True", "lastTransitionTime": "2001-01-01T00:00:00Z"}
    lived.pod["status"]["conditions"] = [other]
    lived.go(60)
    told = {each["type"]: each for each in lived.pod["status"]["conditions"]}
    assert told["example.com/warm"] == other
    assert told["Initialized"]["lastTransitionTime"] == "2001-09-09T01:46:40Z"
    assert told["Ready"]["lastTransitionTime"] == "2001-09-09T01:46:45Z"


def test_an_unready_container_is_named() -> None:
    lived = Lived({"stage": "never-ready", "containers": "b"}, containers=[{"name": "a"}, {"name": "b"}])
    lived.go(1)
    told = {each["type"]: each for each in lived.pod["status"]["conditions"]}
    assert told["Ready"]["message"] == told["ContainersReady"]["message"] == "containers with unready status: [b]"


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "stage": st.sampled_from(["", "never-ready", "crash-loop", "oom-killed", "image-pull-error", "evicted"]),
            "start-after": st.sampled_from(["0s", "1500ms", "3s"]),
            "init-for": st.sampled_from(["0s", "700ms"]),
            "ready-after": st.sampled_from(["0s", "2s"]),
            "exit-after": st.sampled_from(["0s", "4s", "20m"]),
            "exit-code": st.sampled_from(["0", "1"]),
            "jitter": st.sampled_from(["0", "0.5"]),
        },
    ),
    st.sampled_from(["Always", "OnFailure", "Never"]),
    st.sampled_from([[], INIT, SIDECAR, [*INIT, *SIDECAR]]),
    st.booleans(),
)
def test_every_life_comes_to_rest_or_waits_and_a_look_between_changes_nothing(
    stage: dict[str, str], policy: str, init: list[Document], forgetful: bool
) -> None:
    lived = Lived(stage, restartPolicy=policy, initContainers=init)
    over = False
    for _ in range(60):
        step = lived.step()
        phase = lived.pod["status"]["phase"]
        assert not over or step.status is None, "what is over stays as it is"
        over = over or phase in ("Succeeded", "Failed")
        again = advance(lived.pod, read_settings(lived.pod), step.past, PLACE, lived.now, lambda what: 0.5)
        assert again.status is None or step.after == 0, "nothing happens while no time passes"
        if step.after is None:
            break
        if forgetful:
            lived.past = None
            lived.now = float(int(lived.now)) + 1
        lived.now += step.after
    assert lived.now > START or step.after is None


def ran(command: list[str], **spec: Any) -> Lived:
    return Lived(containers=[{"name": "main", "image": "busybox", "command": command}], **spec)


def test_a_container_ends_as_its_command_says() -> None:
    once: Document = {"restartPolicy": "Never"}
    assert ran(["sleep", "30"], **once).go(3600)[-1] == (30, "Succeeded Completed")
    assert ran(["sh", "-c", "sleep 5; exit 3"], **once).go(3600)[-1] == (5, "Failed Error")
    assert ran(["sleep", "infinity"], **once).go(3600)[-1] == (0, "Running ready")


def test_one_that_fails_at_once_is_begun_anew_later_and_later() -> None:
    lived = ran(["false"])
    lived.go(60)
    assert lived.pod["status"]["containerStatuses"][0]["restartCount"] == 3
    assert "BackOff" in lived.events


def test_what_is_said_of_the_end_is_more_than_the_command() -> None:
    lived = Lived({"exit-after": "7s"}, containers=[{"name": "main", "image": "a", "command": ["false"]}])
    lived.pod["spec"]["restartPolicy"] = "Never"
    assert lived.go(60)[-1] == (7, "Succeeded Completed")


def test_a_jobs_pod_ends_at_once_if_nobody_knows_how_its_command_goes() -> None:
    lived = ran(["pi", "2000"], restartPolicy="Never")
    lived.pod["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "pi", "controller": True}]
    assert lived.go(60)[-1] == (0, "Succeeded Completed")
    assert ran(["pi", "2000"], restartPolicy="Never").go(60)[-1] == (0, "Running ready")


def visited(stage: dict[str, str] | None = None, command: tuple[str, ...] = ("sh",), **spec: Any) -> Lived:
    """A pod that runs, and to which somebody has added a container to look at it."""
    lived = Lived(stage, **spec)
    lived.go(60)
    visitor = {"name": "debugger", "image": "busybox", "command": [*command], "stdin": True}
    lived.pod["spec"]["ephemeralContainers"] = [visitor]
    lived.pod["metadata"]["generation"] = 2
    return lived


def visitor(lived: Lived) -> Document:
    found: Document = lived.pod["status"]["ephemeralContainerStatuses"][0]
    return found


def test_a_container_that_comes_to_look_runs_at_once_and_the_pod_stays_ready() -> None:
    lived = visited()
    assert lived.go(120) == [(0, "Running ready")]
    assert "running" in visitor(lived)["state"]
    assert not visitor(lived)["ready"]
    assert "started" not in visitor(lived)
    assert lived.pod["status"]["observedGeneration"] == 2


def test_one_that_came_to_look_is_not_begun_anew() -> None:
    lived = visited(command=("sh", "-c", "sleep 3; exit 4"))
    lived.go(600)
    assert visitor(lived)["state"]["terminated"]["exitCode"] == 4
    assert visitor(lived)["restartCount"] == 0
    assert lived.pod["status"]["phase"] == "Running"


def test_one_that_came_to_look_does_not_fail_with_the_pod_and_goes_with_it() -> None:
    lived = visited({"exit-after": "90s", "exit-code": "3"}, restartPolicy="Never")
    assert lived.go(600)[-1] == (90, "Failed Error")
    assert visitor(lived)["state"]["terminated"]["exitCode"] == 0


def test_one_that_comes_to_look_at_a_jobs_pod_stays() -> None:
    lived = visited(containers=[{"name": "main", "image": "pause"}], restartPolicy="Never")
    lived.pod["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "pi", "controller": True}]
    lived.go(600)
    assert "running" in visitor(lived)["state"]
