import asyncio
from typing import Any

import pytest
from tests.cluster.registry.custom.things import crd, version
from tests.cluster.stage import Stage, play

Document = dict[str, Any]
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
THING = "/apis/example.com/v1/namespaces/default/things/a"
DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/a"
MERGE = {"content-type": "application/merge-patch+json"}
PATHS = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size", "labelSelectorPath": ".status.sel"}


async def scene(stage: Stage, **content: Any) -> None:
    """A thing that can be scaled."""
    await stage.client.create(CRDS, crd(version(subresources={"scale": PATHS})))
    await asyncio.sleep(0.01)  # the definition is accepted meanwhile; time is simulated
    document = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, **content}
    await stage.client.create(THING.removesuffix("/a"), document)


def test_a_scale_tells_what_the_paths_lead_to() -> None:
    async def story(stage: Stage) -> Any:
        await scene(stage, spec={"size": 3}, status={"size": 2, "sel": "a=b"})
        return (await stage.ask("GET", f"{THING}/scale"))[1]

    scale = play(story)
    assert (scale["kind"], scale["apiVersion"]) == ("Scale", "autoscaling/v1")
    assert (scale["spec"], scale["status"]) == ({"replicas": 3}, {"replicas": 2, "selector": "a=b"})
    assert scale["metadata"].keys() == {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}


def test_an_object_that_does_not_say_its_size_has_no_scale() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await scene(stage)
        return await stage.ask("GET", f"{THING}/scale")

    code, failure = play(story)
    assert code == 500
    assert failure["message"] == 'Internal error occurred: the spec replicas field ".spec.size" does not exist'


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_scale_is_written_into_the_object(method: str) -> None:
    async def story(stage: Stage) -> tuple[Document, Document]:
        await scene(stage, spec={"size": 3, "other": 1})
        body = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 7}}
        headers = MERGE if method == "PATCH" else None
        code, scale = await stage.ask(method, f"{THING}/scale", body, headers)
        assert code == 200
        return scale, (await stage.ask("GET", THING))[1]

    scale, obj = play(story)
    assert scale["spec"] == {"replicas": 7}
    assert obj["spec"] == {"size": 7, "other": 1}
    assert obj["metadata"]["generation"] == 2


def test_a_scale_of_an_older_object_is_refused() -> None:
    async def story(stage: Stage) -> int:
        await scene(stage, spec={"size": 3})
        _, scale = await stage.ask("GET", f"{THING}/scale")
        await stage.ask("PATCH", THING, {"spec": {"size": 4}}, MERGE)
        return (await stage.ask("PUT", f"{THING}/scale", scale))[0]

    assert play(story) == 409


def test_a_size_that_is_none_is_refused_as_the_objects_own() -> None:
    async def story(stage: Stage) -> str:
        await scene(stage, spec={"size": 3})
        _, failure = await stage.ask("PATCH", f"{THING}/scale", {"spec": {"replicas": -1}}, MERGE)
        return str(failure["message"])

    why = ".spec.size: Invalid value: -1: should be a non-negative integer"
    assert play(story) == f'Thing.example.com "a" is invalid: {why}'


def test_a_patch_that_says_no_size_makes_none() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await scene(stage)
        return await stage.ask("PATCH", f"{THING}/scale", {"metadata": {"labels": {"a": "b"}}}, MERGE)

    code, failure = play(story)
    assert (code, failure["message"]) == (400, 'the spec replicas field ".spec.size" cannot be empty')


def test_a_built_in_kind_is_scaled_too() -> None:
    async def story(stage: Stage) -> tuple[Document, Document]:
        labels = {"app": "x"}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
        await stage.client.create(DEPLOYMENT.removesuffix("/a"), {"metadata": {"name": "a"}, "spec": spec})
        _, scale = await stage.ask("PATCH", f"{DEPLOYMENT}/scale", {"spec": {"replicas": 5}}, MERGE)
        return scale, (await stage.ask("GET", DEPLOYMENT))[1]

    scale, deployment = play(story)
    assert (scale["spec"]["replicas"], scale["status"]["selector"]) == (5, "app=x")
    assert deployment["spec"]["replicas"] == 5


def test_the_scale_of_a_former_object_is_not_that_of_its_successor() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        labels = {"a": "b"}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        spec = {"selector": {"matchLabels": labels}, "template": template}
        await stage.client.create(DEPLOYMENT.removesuffix("/a"), {"metadata": {"name": "a"}, "spec": spec})
        return await stage.ask("PATCH", f"{DEPLOYMENT}/scale", {"metadata": {"uid": "former"}}, MERGE)

    code, failure = play(story)
    assert code == 409
    assert "UID in precondition: former" in failure["message"]


def test_the_scale_of_a_custom_resource_is_changed_whatever_uid_is_named() -> None:
    async def story(stage: Stage) -> tuple[int, Any]:
        await scene(stage, spec={"size": 3})
        body = {"metadata": {"uid": "former"}, "spec": {"replicas": 2}}
        return await stage.ask("PATCH", f"{THING}/scale", body, MERGE)

    code, scale = play(story)
    assert (code, scale["spec"]) == (200, {"replicas": 2})
