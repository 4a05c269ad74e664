from typing import Any

from tests.cluster.stage import Stage, play

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
SPEC: dict[str, Any] = {
    "selector": {"matchLabels": {"a": "b"}},
    "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}},
}


def test_the_status_is_written_through_its_own_path_and_the_generation_counts_the_rest() -> None:
    async def story(stage: Stage) -> list[Any]:
        path = f"{DEPLOYMENTS}/a"
        _, obj = await stage.ask(
            "POST", DEPLOYMENTS, {"metadata": {"name": "a"}, "spec": SPEC, "status": {"replicas": 9}}
        )
        seen: list[Any] = [(obj["metadata"]["generation"], obj["status"])]
        for where, part in ((path, "status"), (f"{path}/status", "status"), (f"{path}/status", "spec"), (path, "spec")):
            value = {"replicas": 2} | (SPEC if part == "spec" else {})
            _, obj = await stage.ask("PUT", where, obj | {part: value})
            seen.append((obj["metadata"]["generation"], obj["spec"].get("replicas"), obj["status"]))
        return seen

    made, ignored, written, kept, counted = play(story)
    assert made == (1, {})
    assert ignored == (1, 1, {})
    assert written == (1, 1, {"replicas": 2})
    assert kept == (1, 1, {"replicas": 2})
    assert counted == (2, 2, {"replicas": 2})


def test_a_lease_is_made_by_an_update_and_changed_only_with_its_version() -> None:
    async def story(stage: Stage) -> list[int]:
        body = {"metadata": {"name": "a"}, "spec": {"holderIdentity": "x"}}
        made, _ = await stage.ask("PUT", f"{LEASES}/a", body)
        again, _ = await stage.ask("PUT", f"{LEASES}/a", body)
        return [made, again]

    assert play(story) == [201, 422]


def test_the_status_of_some_kinds_leaves_their_metadata_alone() -> None:
    async def story(stage: Stage) -> dict[str, str]:
        attachments = "/apis/storage.k8s.io/v1/volumeattachments"
        spec = {"attacher": "x", "nodeName": "n", "source": {"persistentVolumeName": "v"}}
        _, obj = await stage.ask("POST", attachments, {"metadata": {"name": "a", "labels": {"a": "b"}}, "spec": spec})
        obj["metadata"]["labels"] = {"z": "y"}
        _, obj = await stage.ask("PUT", f"{attachments}/a/status", obj | {"status": {"attached": True}})
        assert obj["status"] == {"attached": True}
        return dict(obj["metadata"]["labels"])

    assert play(story) == {"a": "b"}
