import asyncio
from typing import Any

from tests.cluster.stage import Stage, play

PODS = "/api/v1/namespaces/default/pods"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def pod(name: str = "p", *, meta: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, **(meta or {})}, "spec": {"containers": [{"name": "c", "image": "i"}], **spec}}


async def made(stage: Stage, **fields: Any) -> Any:
    code, found = await stage.ask("POST", PODS, pod(**fields))
    assert code == 201, found
    return found


async def patched(stage: Stage, part: str, body: Any) -> tuple[int, Any]:
    merge = {"content-type": "application/merge-patch+json"}
    return await stage.ask("PATCH", f"{PODS}/p{part}", body, merge)


def test_a_new_pod_waits() -> None:
    async def story(stage: Stage) -> Any:
        return await made(stage)

    found = play(story)
    assert found["status"] == {"phase": "Pending", "qosClass": "BestEffort"}
    assert found["metadata"]["generation"] == 1


def test_what_holds_a_pod_back_is_a_condition() -> None:
    async def story(stage: Stage) -> Any:
        return await made(stage, schedulingGates=[{"name": "example.com/g"}])

    [condition] = play(story)["status"]["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == ("PodScheduled", "False", "SchedulingGated")


def test_labels_of_a_pod_become_part_of_its_selectors() -> None:
    term = {"topologyKey": "z", "labelSelector": {}, "matchLabelKeys": ["a", "x"], "mismatchLabelKeys": ["b"]}

    async def story(stage: Stage) -> Any:
        affinity = {"podAffinity": {REQUIRED: [term]}}
        return await made(stage, meta={"labels": {"a": "1", "b": "2"}}, affinity=affinity)

    [found] = play(story)["spec"]["affinity"]["podAffinity"][REQUIRED]
    assert found["labelSelector"]["matchExpressions"] == [
        {"key": "a", "operator": "In", "values": ["1"]},
        {"key": "b", "operator": "NotIn", "values": ["2"]},
    ]


def test_a_profile_of_an_annotation_becomes_a_field() -> None:
    key = "container.apparmor.security.beta.kubernetes.io/c"

    async def story(stage: Stage) -> tuple[Any, Any]:
        response = await stage.send("POST", PODS, pod(meta={"annotations": {key: "unconfined"}}))
        return response.headers.get(b"warning"), (await stage.ask("GET", f"{PODS}/p"))[1]

    warning, found = play(story)
    assert b"deprecated since v1.30" in warning
    assert found["spec"]["containers"][0]["securityContext"] == {"appArmorProfile": {"type": "Unconfined"}}


def test_the_generation_counts_wishes() -> None:
    async def story(stage: Stage) -> list[int]:
        await made(stage)
        bodies: list[tuple[str, Any]] = [
            ("", {"metadata": {"labels": {"a": "b"}}}),
            ("", {"spec": {"activeDeadlineSeconds": 5}}),
            ("/status", {"status": {"phase": "Running"}}),
            ("/ephemeralcontainers", {"spec": {"ephemeralContainers": [{"name": "e", "image": "i"}]}}),
        ]
        return [(await patched(stage, part, body))[1]["metadata"]["generation"] for part, body in bodies]

    assert play(story) == [1, 2, 2, 3]


def test_a_node_changes_the_status_alone() -> None:
    async def story(stage: Stage) -> Any:
        await made(stage)
        body = {"status": {"phase": "Running"}, "spec": {"nodeName": "n"}, "metadata": {"labels": {"a": "b"}}}
        return (await patched(stage, "/status", body))[1]

    found = play(story)
    assert found["status"] == {"phase": "Running", "qosClass": "BestEffort"}
    assert "nodeName" not in found["spec"]
    assert found["metadata"]["labels"] == {"a": "b"}


def test_what_was_observed_is_not_forgotten() -> None:
    async def story(stage: Stage) -> Any:
        await made(stage)
        first = {"type": "Ready", "status": "True", "observedGeneration": 1}
        await patched(stage, "/status", {"status": {"observedGeneration": 1, "conditions": [first]}})
        again = {"observedGeneration": None, "conditions": [{"type": "Ready", "status": "False"}]}
        return (await patched(stage, "/status", {"status": again}))[1]

    status = play(story)["status"]
    assert status["observedGeneration"] == 1
    assert status["conditions"][0]["observedGeneration"] == 1


def test_containers_to_look_around_with_stay() -> None:
    async def story(stage: Stage) -> list[tuple[int, Any]]:
        await made(stage)
        part = "/ephemeralcontainers"
        await patched(stage, part, {"spec": {"ephemeralContainers": [{"name": "e", "image": "i"}]}})
        return [
            await patched(stage, part, {"spec": {"ephemeralContainers": [{"name": "f", "image": "i"}]}}),
            await patched(stage, part, {"spec": {"ephemeralContainers": [{"name": "e", "image": "j"}]}}),
        ]

    (code, gone), (_, other) = play(story)
    assert code == 422
    assert 'existing ephemeral containers "e" may not be removed' in gone["message"]
    assert '-  "Image": "i"' not in other["message"]
    assert '- "Image": "i",\n+ "Image": "j",' in other["message"]


def test_a_pod_is_resized() -> None:
    async def story(stage: Stage) -> Any:
        sized = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
        await made(stage, containers=[sized])
        larger = {**sized, "image": "j", "resources": {"requests": {"cpu": "2"}}}
        return (await patched(stage, "/resize", {"spec": {"containers": [larger]}}))[1]

    [container] = play(story)["spec"]["containers"]
    assert (container["image"], container["resources"]) == ("i", {"requests": {"cpu": "2"}})


def test_a_pod_has_its_time_to_end() -> None:
    async def story(stage: Stage) -> list[Any]:
        await made(stage, nodeName="n", terminationGracePeriodSeconds=9)
        asked = ("", "?gracePeriodSeconds=20", "?gracePeriodSeconds=3")
        found = [(await stage.ask("DELETE", f"{PODS}/p{query}"))[1] for query in asked]
        gone = await stage.ask("DELETE", f"{PODS}/p?gracePeriodSeconds=0")
        return [each["metadata"]["deletionGracePeriodSeconds"] for each in (*found, gone[1])]

    assert play(story) == [9, 9, 3, 0]


def test_a_pod_that_runs_nowhere_ends_at_once_and_its_watchers_see_why() -> None:
    async def story(stage: Stage) -> list[tuple[str, Any]]:
        async with stage.watching(PODS) as seen:
            await made(stage)
            await stage.ask("DELETE", f"{PODS}/p")
            await asyncio.sleep(1)
        events = seen.events
        return [(each["type"], each["object"]["metadata"].get("deletionGracePeriodSeconds")) for each in events]

    assert play(story) == [("ADDED", None), ("MODIFIED", 0), ("DELETED", 0)]
