"""Pods on nodes, in simulated time: bound, running, ended, gone."""

from typing import Any

import pytest
from tests.cluster.nodes.pods import PODS, Yard, play
from tests.operator.scene import Wire

from kubewright.client import Client
from kubewright.cluster import Cluster
from kubewright.cluster.nodes import Nodes, Shape
from kubewright.entropy import Entropy
from kubewright.http import DisconnectedError, Request
from kubewright.trials.loop import run

Document = dict[str, Any]


def conditions(pod: Document) -> dict[str, str]:
    return {each["type"]: each["status"] for each in pod["status"]["conditions"]}


def test_a_pod_is_bound_runs_and_is_ready() -> None:
    async def story(yard: Yard) -> Document:
        await yard.create()
        await yard.until(0.1)
        return await yard.get()

    pod = play(story)
    status = pod["status"]
    assert pod["spec"]["nodeName"] == "node-0"
    assert (status["phase"], status["podIP"], status["hostIP"]) == ("Running", "10.128.0.2", "172.30.0.2")
    assert set(conditions(pod).values()) == {"True"}
    assert [each["type"] for each in status["conditions"]] == [
        "PodReadyToStartContainers",
        "Initialized",
        "Ready",
        "ContainersReady",
        "PodScheduled",
    ]
    assert status["containerStatuses"][0]["state"] == {"running": {"startedAt": "2000-01-01T00:00:00Z"}}
    assert ("kubelet", "status") in [
        (each["manager"], each.get("subresource")) for each in pod["metadata"]["managedFields"]
    ]


def test_running_and_ready_is_one_write_of_the_kubelet() -> None:
    async def story(yard: Yard) -> list[tuple[str, str]]:
        async with yard.watching() as seen:
            await yard.create()
            await yard.until(30)
            return [(pod["spec"].get("nodeName", ""), pod["status"]["phase"]) for pod in seen]

    assert play(story) == [("", "Pending"), ("node-0", "Pending"), ("node-0", "Running")]


def test_a_deleted_pod_goes_when_its_containers_have_ended() -> None:
    async def story(yard: Yard) -> tuple[list[str], list[str], list[str]]:
        await yard.create("quick")
        await yard.create("slow", {"stop-after": "5s"})
        await yard.create("stuck", {"stage": "stuck-terminating"})
        await yard.until(1)
        for name in await yard.names():
            await yard.client.delete(f"{PODS}/{name}")
        await yard.until(1)
        soon = await yard.names()
        await yard.until(5)
        later = await yard.names()
        await yard.until(600)
        return soon, later, await yard.names()

    assert play(story) == (["slow", "stuck"], ["stuck"], ["stuck"])


def test_a_pod_that_fits_nowhere_is_told_why_and_bound_when_a_node_takes_it() -> None:
    async def story(yard: Yard) -> tuple[Document, Document]:
        await yard.create(nodeSelector={"disk": "ssd"})
        await yard.until(1)
        before = await yard.get()
        await yard.client.patch("/api/v1/nodes/node-1", "merge", {"metadata": {"labels": {"disk": "ssd"}}})
        await yard.until(1)
        return before, await yard.get()

    before, after = play(story, 2)
    (told,) = before["status"]["conditions"]
    assert (told["type"], told["status"], told["reason"]) == ("PodScheduled", "False", "Unschedulable")
    assert told["message"] == (
        "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, "
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    assert after["spec"]["nodeName"] == "node-1"
    assert after["status"]["phase"] == "Running"


def test_a_pod_waits_for_room_until_another_goes() -> None:
    async def story(yard: Yard) -> tuple[str, str]:
        await yard.create("first")
        await yard.until(1)
        await yard.create("second")
        await yard.until(1)
        before = (await yard.get("second"))["status"]["conditions"][0]["message"]
        await yard.client.delete(f"{PODS}/first")
        await yard.until(1)
        return before, (await yard.get("second"))["status"]["phase"]

    message, phase = play(story, shape=Shape(pods="1"))
    assert message.startswith("0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: 0/1")
    assert phase == "Running"


def test_a_pod_whose_binding_was_lost_on_the_way_is_bound_again() -> None:
    lost: list[str] = []

    async def lose(request: Request) -> None:
        if request.path.endswith("/binding") and not lost:
            lost.append(request.path)
            raise DisconnectedError("the wire is cut")

    async def staged() -> Document:
        async with Cluster(port=None, controllers="none", seed=1) as cluster:
            client = cluster.client()
            await client.create("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})
            wire = Wire(client._transport)
            wire.delay = lose
            async with Nodes(Client(wire), 1, entropy=Entropy(1)) as nodes:
                yard = Yard(client, nodes)
                await yard.create()
                await yard.until(10)
                return await yard.get()

    pod = run(staged())
    assert lost
    assert (pod["spec"].get("nodeName"), pod["status"]["phase"]) == ("node-0", "Running")


def test_nothing_is_kept_in_mind_of_pods_that_went_before_they_had_a_node() -> None:
    async def story(yard: Yard) -> tuple[int, int]:
        for number in range(3):
            await yard.create(f"web-{number}", {"stage": "unschedulable"})
        await yard.until(1)
        kept = yard.nodes._scheduler
        before = len(kept._waiting)
        for name in await yard.names():
            await yard.client.delete(f"{PODS}/{name}")
        await yard.until(1)
        return before, len(kept._waiting) + len(kept._seen)

    assert play(story) == (3, 0)


def test_pods_are_spread_over_the_nodes() -> None:
    async def story(yard: Yard) -> list[str]:
        for number in range(6):
            await yard.create(f"p{number}")
        await yard.until(1)
        return sorted([(await yard.get(name))["spec"]["nodeName"] for name in await yard.names()])

    assert play(story, 3) == ["node-0", "node-0", "node-1", "node-1", "node-2", "node-2"]


def test_a_readiness_gate_holds_a_pod_until_its_condition_comes() -> None:
    async def story(yard: Yard) -> tuple[Document, Document]:
        await yard.create(readinessGates=[{"conditionType": "example.com/warm"}])
        await yard.until(1)
        before = await yard.get()
        warm = {"status": {"conditions": [{"type": "example.com/warm", "status": "True"}]}}
        await yard.client.patch(f"{PODS}/web/status", "strategic", warm)
        await yard.until(1)
        return before, await yard.get()

    before, after = play(story)
    ready = next(each for each in before["status"]["conditions"] if each["type"] == "Ready")
    assert (ready["status"], ready["reason"]) == ("False", "ReadinessGatesNotReady")
    assert conditions(before)["ContainersReady"] == "True"
    assert conditions(after)["Ready"] == "True"
    assert conditions(after)["example.com/warm"] == "True"


@pytest.mark.parametrize(("code", "phase"), [("0", "Succeeded"), ("3", "Failed")])
def test_a_pod_that_ends_runs_first(code: str, phase: str) -> None:
    async def story(yard: Yard) -> tuple[list[str], Document]:
        async with yard.watching() as seen:
            await yard.create(stage={"exit-code": code}, restartPolicy="Never")
            await yard.until(1)
            return [pod["status"]["phase"] for pod in seen][1:], seen[-1]

    phases, pod = play(story)
    assert phases == ["Pending", "Running", phase]
    assert pod["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"] == int(code)


def test_events_tell_of_the_life_of_a_pod() -> None:
    async def story(yard: Yard) -> list[str]:
        await yard.create()
        await yard.until(1)
        await yard.client.delete(f"{PODS}/web")
        await yard.until(1)
        return await yard.events()

    assert play(story) == ["Scheduled", "Pulled", "Created", "Started", "Killing"]


def test_nothing_is_written_at_rest_but_leases() -> None:
    async def story(yard: Yard) -> int:
        await yard.create()
        await yard.until(1)
        before = await leases(yard)
        await yard.until(600)
        return await leases(yard) - before - 30

    async def leases(yard: Yard) -> int:
        return int((await yard.client.get("/apis/coordination.k8s.io/v1/leases"))["metadata"]["resourceVersion"])

    assert play(story) == 0


def test_a_setting_that_means_nothing_is_told_and_the_pod_runs(caplog: pytest.LogCaptureFixture) -> None:
    async def story(yard: Yard) -> str:
        await yard.create(stage={"ready-after": "soon"})
        await yard.until(1)
        return str((await yard.get())["status"]["phase"])

    assert play(story) == "Running"
    (told,) = [each.getMessage() for each in caplog.records if "kubewright.dev" in each.getMessage()]
    assert told == (
        "pod default/web: kubewright.dev/ready-after: 'soon' is no time: write it as 2s, 500ms or 1m30s. Its settings "
        "are taken as if they were not there."
    )


@pytest.mark.parametrize(
    ("setting", "text", "why"),
    [
        ("ready-after", "soon", "kubewright.dev/ready-after: 'soon' is no time: write it as 2s, 500ms or 1m30s."),
        ("exec", "a: {code: x}", "kubewright.dev/exec: 'a' answers a text, or output, error and code."),
        ("exec", "a: '", "kubewright.dev/exec, line 1, column 5: "),
        ("ports", "http: echo", "kubewright.dev/ports: 'http': 'echo' is no port with echo, host:port or a text."),
    ],
)
def test_a_setting_that_cannot_be_understood_is_an_event_of_the_pod_at_once(setting: str, text: str, why: str) -> None:
    async def story(yard: Yard) -> list[str]:
        await yard.create(stage={setting: text})
        await yard.until(30)
        events = (await yard.client.get("/apis/events.k8s.io/v1/namespaces/default/events"))["items"]
        return [each["note"] for each in events if (each["reason"], each["type"]) == ("InvalidSetting", "Warning")]

    (told,) = play(story)
    assert told.startswith(why)
    assert told.endswith(" Its settings are taken as if they were not there.")
