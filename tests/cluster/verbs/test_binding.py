import asyncio
from typing import Any

from tests.cluster.stage import Stage, play

from kubewright.cluster.verbs.turn import LARGE

PODS = "/api/v1/namespaces/default/pods"
POD = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}


def binding(node: str = "n", **meta: Any) -> dict[str, Any]:
    return {"metadata": {"name": "p", **meta}, "target": {"kind": "Node", "name": node}}


async def bound(stage: Stage, body: dict[str, Any], query: str = "") -> tuple[int, Any]:
    return await stage.ask("POST", f"{PODS}/p/binding{query}", body)


def test_a_pod_gets_its_node_once() -> None:
    async def story(stage: Stage) -> tuple[Any, Any, Any]:
        await stage.ask("POST", PODS, POD)
        first = await bound(stage, binding(annotations={"a": "b"}, labels={"c": "d"}))
        second = await bound(stage, binding("other"))
        return first, second, (await stage.ask("GET", f"{PODS}/p"))[1]

    (code, done), (refused, why), pod = play(story)
    assert (code, done["status"]) == (201, "Success")
    assert (refused, why["message"].partition(": ")[2]) == (409, 'pod p is already assigned to node "n"')
    assert pod["spec"]["nodeName"] == "n"
    assert pod["metadata"]["annotations"] == {"a": "b"}
    assert pod["metadata"]["labels"] == {"c": "d"}
    assert pod["metadata"]["generation"] == 1
    assert [each["type"] for each in pod["status"]["conditions"]] == ["PodScheduled"]


def test_whoever_labels_a_large_pod_while_it_is_bound_loses_nothing() -> None:
    async def story(stage: Stage) -> Any:
        note = {"note": "x" * 2 * LARGE}
        await stage.ask("POST", PODS, POD | {"metadata": {"name": "p", "annotations": note}})
        labels = {"metadata": {"labels": {"a": "b"}}}
        headers = {"content-type": "application/merge-patch+json"}
        await asyncio.gather(bound(stage, binding()), stage.send("PATCH", f"{PODS}/p", labels, headers))
        return (await stage.ask("GET", f"{PODS}/p"))[1]

    pod = play(story)
    assert (pod["spec"]["nodeName"], pod["metadata"]["labels"]) == ("n", {"a": "b"})


def test_a_dry_run_binds_nothing() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await stage.ask("POST", PODS, POD)
        code, _ = await bound(stage, binding(), "?dryRun=All")
        return code, (await stage.ask("GET", f"{PODS}/p"))[1]

    code, pod = play(story)
    assert code == 201
    assert "nodeName" not in pod["spec"]


def test_a_binding_may_name_the_pod_it_means() -> None:
    async def story(stage: Stage) -> list[tuple[int, Any]]:
        await stage.ask("POST", PODS, POD)
        path = "/api/v1/namespaces/default/bindings"
        return [await stage.ask("POST", path, binding(uid="other")), await stage.ask("POST", path, binding())]

    (code, why), (done, _) = play(story)
    assert code == 409
    assert "Precondition failed: UID in precondition: other" in why["message"]
    assert done == 201


def test_a_binding_says_where() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await stage.ask("POST", PODS, POD)
        return await bound(stage, {"metadata": {"name": "p"}, "target": {"kind": "Pod"}})

    code, why = play(story)
    assert code == 500
    assert why["message"].startswith('[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", ')
