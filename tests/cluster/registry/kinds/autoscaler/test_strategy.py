"""How autoscalers are prepared."""

from typing import Any

from tests.cluster.stage import Stage, play

V1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers"
V2 = V1.replace("v1", "v2", 1)
SPEC = {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}, "maxReplicas": 3}


def test_what_is_not_said_is_filled_in_and_seen_in_both_versions() -> None:
    async def story(stage: Stage) -> tuple[Any, Any]:
        _, made = await stage.ask("POST", V2, {"metadata": {"name": "a"}, "spec": {**SPEC, "behavior": {}}})
        _, seen = await stage.ask("GET", f"{V1}/a")
        return made["spec"], seen

    spec, seen = play(story)
    assert spec["minReplicas"] == 1
    assert spec["metrics"][0]["resource"]["target"]["averageUtilization"] == 80
    assert spec["behavior"]["scaleDown"]["policies"] == [{"type": "Percent", "value": 100, "periodSeconds": 15}]
    assert seen["spec"]["targetCPUUtilizationPercentage"] == 80
    assert [*seen["metadata"]["annotations"]] == ["autoscaling.alpha.kubernetes.io/behavior"]


def test_an_update_of_v1_leaves_the_status_alone_wherever_it_is_told() -> None:
    async def story(stage: Stage) -> Any:
        await stage.ask("POST", V2, {"metadata": {"name": "a"}, "spec": SPEC})
        condition = {"type": "AbleToScale", "status": "True"}
        status = {"status": {"conditions": [condition], "currentReplicas": 2}}
        merge = {"content-type": "application/merge-patch+json"}
        await stage.ask("PATCH", f"{V2}/a/status", status, merge)
        _, seen = await stage.ask("GET", f"{V1}/a")
        assert seen["metadata"]["annotations"]
        seen["metadata"]["annotations"] = {}
        seen["status"] = {"currentReplicas": 9, "desiredReplicas": 9}
        await stage.ask("PUT", f"{V1}/a", seen)
        return (await stage.ask("GET", f"{V2}/a"))[1]["status"]

    status = play(story)
    assert status["currentReplicas"] == 2
    assert [each["type"] for each in status["conditions"]] == ["AbleToScale"]
