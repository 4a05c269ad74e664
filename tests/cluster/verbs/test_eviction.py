from typing import Any

from tests.cluster.stage import Stage, play

PODS = "/api/v1/namespaces/default/pods"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
MERGE = {"content-type": "application/merge-patch+json"}


async def staged(stage: Stage, *, ready: str = "True", allowed: int | None = None, healthy: int = 1) -> None:
    """A pod that runs, and a budget for it."""
    spec = {"containers": [{"name": "c", "image": "i"}], "nodeName": "n"}
    await stage.ask("POST", PODS, {"metadata": {"name": "p", "labels": {"a": "b"}}, "spec": spec})
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": ready}]}
    await stage.ask("PATCH", f"{PODS}/p/status", {"status": status}, MERGE)
    if allowed is None:
        return
    wish = {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}
    await stage.ask("POST", BUDGETS, {"metadata": {"name": "b"}, "spec": wish})
    told = {"observedGeneration": 1, "disruptionsAllowed": allowed, "currentHealthy": healthy, "desiredHealthy": 1}
    code, why = await stage.ask("PATCH", f"{BUDGETS}/b/status", {"status": {**told, "expectedPods": 1}}, MERGE)
    assert code == 200, why


async def evicted(stage: Stage, query: str = "", **options: Any) -> tuple[int, Any]:
    body: dict[str, Any] = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
    return await stage.ask("POST", f"{PODS}/p/eviction{query}", {**body, "deleteOptions": options})


def test_a_pod_without_a_budget_goes_and_says_why() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await staged(stage)
        code, _ = await evicted(stage, gracePeriodSeconds=3)
        return code, (await stage.ask("GET", f"{PODS}/p"))[1]

    code, pod = play(story)
    assert code == 201
    assert pod["metadata"]["deletionGracePeriodSeconds"] == 3
    assert pod["status"]["conditions"][1]["reason"] == "EvictionByEvictionAPI"


def test_a_budget_that_allows_none_says_so() -> None:
    async def story(stage: Stage) -> tuple[tuple[int, Any], Any]:
        await staged(stage, allowed=0)
        return await evicted(stage), (await stage.ask("GET", f"{PODS}/p"))[1]

    (code, why), pod = play(story)
    assert code == 429
    assert why["details"]["causes"] == [
        {"reason": "DisruptionBudget", "message": "The disruption budget b needs 1 healthy pods and has 1 currently"}
    ]
    assert "deletionTimestamp" not in pod["metadata"]


def test_a_budget_is_charged() -> None:
    async def story(stage: Stage) -> tuple[int, int, Any]:
        await staged(stage, allowed=1, healthy=2)
        dry, _ = await evicted(stage, "?dryRun=All")
        code, _ = await evicted(stage)
        return dry, code, (await stage.ask("GET", f"{BUDGETS}/b"))[1]

    dry, code, budget = play(story)
    assert (dry, code) == (201, 201)
    assert budget["status"]["disruptionsAllowed"] == 0
    assert [*budget["status"]["disruptedPods"]] == ["p"]
    assert budget["status"]["conditions"][0]["reason"] == "InsufficientPods"


def test_a_pod_that_is_not_ready_may_go_while_enough_others_are() -> None:
    async def story(stage: Stage) -> int:
        await staged(stage, ready="False", allowed=0)
        return (await evicted(stage))[0]

    assert play(story) == 201


def test_a_pod_that_is_another_stays() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await staged(stage)
        return await evicted(stage, preconditions={"uid": "other"})

    code, why = play(story)
    assert code == 409
    assert why["message"].startswith('Operation cannot be fulfilled on Pod "p": the UID in the precondition (other)')
