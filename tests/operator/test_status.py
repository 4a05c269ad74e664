"""The status that operators write: theirs alone, of the generation that they saw, however a reconcile ends."""

import asyncio
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, WebServerSpec, deployment_for, make

import kubewright as kw
from kubewright.client.endpoint import Endpoint
from kubewright.k8s.apps.v1 import Deployment


def test_an_observed_generation_is_that_of_the_object_handed_out() -> None:
    """The spec changes while the reconcile runs; its status speaks of what it saw."""
    seen: list[Any] = []

    @kw.controller(WebServer)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.sleep(5)
        web.status.ready_replicas = web.spec.replicas
        seen.append(web.metadata.generation)

    async def story(scene: Scene) -> Any:
        async with scene.running(slow):
            await make(scene.client, "shop")
            await asyncio.sleep(1)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await asyncio.sleep(5)
            between = (await scene.web())["status"]
            await asyncio.sleep(5)
            return between, (await scene.web())["status"]

    first, second = play(story)
    assert (first["observedGeneration"], first["readyReplicas"]) == (1, 1)
    assert (second["observedGeneration"], second["readyReplicas"]) == (2, 4)
    assert seen == [1, 2]


def test_conditions_of_others_stay_theirs() -> None:
    @kw.controller(WebServer)
    async def ours(web: WebServer, ctx: kw.Context) -> None:
        web.status.set("Available", True, reason="Yes")

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        theirs = {
            "type": "Audited",
            "status": "True",
            "reason": "Seen",
            "message": "",
            "lastTransitionTime": "2000-01-01T00:00:00Z",
        }
        await scene.client.patch(
            f"{WEBS.format('default')}/shop/status",
            "apply",
            {
                "apiVersion": "web.example.com/v1",
                "kind": "WebServer",
                "metadata": {"name": "shop"},
                "status": {"conditions": [theirs]},
            },
            fieldManager="auditor",
        )
        async with scene.running(ours) as running:
            await scene.settle(running)
        return await scene.web()

    web = play(story)
    assert {each["type"] for each in web["status"]["conditions"]} == {"Available", "Audited"}
    ours_only = next(each for each in web["metadata"]["managedFields"] if each["manager"] == "web-operator/ours")
    assert [key for key in ours_only["fieldsV1"]["f:status"]["f:conditions"] if key.startswith("k:")] == [
        'k:{"type":"Available"}'
    ]


@pytest.mark.parametrize("ending", ["raise", "retry", "terminal", "nonsense", "exit", "hang", "cancel"])
def test_status_is_written_however_the_reconciler_ends(ending: str) -> None:
    @kw.controller(WebServer, timeout=10)
    async def ends(web: WebServer, ctx: kw.Context) -> Any:
        web.status.set("Available", False, reason="Trying")
        match ending:
            case "raise":
                raise RuntimeError("boom")
            case "retry":
                return kw.Retry("not yet", after=1000)
            case "terminal":
                raise kw.Terminal("never")
            case "exit":
                raise SystemExit(3)
            case "hang":
                await asyncio.sleep(1000)
            case "cancel":
                raise asyncio.CancelledError
        return 42

    async def story(scene: Scene) -> Any:
        async with scene.running(ends):
            await make(scene.client, "shop")
            await asyncio.sleep(20)
            return (await scene.web())["status"]

    assert play(story)["conditions"][0]["reason"] == "Trying"


def test_a_failure_without_a_word_about_the_status_does_not_observe_the_generation() -> None:
    @kw.controller(WebServer)
    async def fails(web: WebServer, ctx: kw.Context) -> None:
        raise RuntimeError("boom")

    async def story(scene: Scene) -> Any:
        async with scene.running(fails):
            await make(scene.client, "shop")
            await asyncio.sleep(20)
            return await scene.web(), scene.wire.writes

    web, writes = play(story)
    assert "status" not in web
    assert writes == []


def test_a_status_that_the_reconciler_writes_itself_is_left_alone() -> None:
    @kw.controller(WebServer, status=False)
    async def writes(web: WebServer, ctx: kw.Context) -> None:
        web.status.ready_replicas = 7

    async def story(scene: Scene) -> list[str]:
        async with scene.running(writes) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            return scene.wire.writes

    assert play(story) == []


def test_what_only_looks_at_a_kind_of_others_leaves_its_status_alone() -> None:
    """A Deployment whose status claims a generation that its own controller has not seen yet would lie to kubectl."""

    @kw.controller(Deployment)
    async def look(deployment: Deployment, ctx: kw.Context) -> None:
        """Only look."""

    async def story(scene: Scene) -> list[str]:
        web = WebServer(metadata=kw.ObjectMeta(name="shop"), spec=WebServerSpec(image="nginx"))
        path = "/apis/apps/v1/namespaces/default/deployments"
        await scene.client.create(path, kw.to_dict(deployment_for(web)))
        async with scene.running(look) as running:
            await scene.settle(running)
        return scene.wire.writes

    assert play(story) == []


def _foos(status: bool) -> dict[str, Any]:
    phase = {"type": "object", "properties": {"phase": {"type": "string"}}}
    return {
        "metadata": {"name": "foos.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}} if status else {},
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"status": phase}}},
                }
            ],
        },
    }


FOOS = "/apis/example.com/v1/namespaces/default/foos"


@kw.controller(Endpoint("example.com", "v1", "foos", "Foo", True))
async def foo_phases(foo: dict[str, Any], ctx: kw.Context) -> None:
    """Of a kind without a class."""
    foo["status"] = {"phase": "Up"}


@kw.controller(Endpoint("example.com", "v1", "foos", "Foo", True))
async def newer_foo_phases(foo: dict[str, Any], ctx: kw.Context) -> None:
    """Of a newer CRD than there is."""
    foo["status"] = {"phase": "Up", "since": 1}


async def _reconcile_a_foo(scene: Scene, *, status: bool, how: Any = foo_phases) -> None:
    await scene.client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", _foos(status))
    async with scene.running(how) as running:
        await running.synced()
        await scene.put(FOOS, "a", apiVersion="example.com/v1", kind="Foo")
        await scene.settle(running)


def test_the_status_of_a_kind_without_a_class_has_what_the_function_said_and_no_more() -> None:
    """Its schema may have no observedGeneration, and then a status with one is refused for ever."""

    async def story(scene: Scene) -> Any:
        await _reconcile_a_foo(scene, status=True)
        return (await scene.client.get(f"{FOOS}/a"))["status"], len(scene.wire.writes)

    assert play(story) == ({"phase": "Up"}, 1)


def test_a_status_that_is_no_subresource_is_not_lost_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        await _reconcile_a_foo(scene, status=False)

    play(story)
    assert "foos.example.com have no subresource status" in caplog.text
    assert "status=False" in caplog.text


def test_a_status_with_a_field_that_the_crd_does_not_have_says_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    async def story(scene: Scene) -> None:
        await _reconcile_a_foo(scene, status=True, how=newer_foo_phases)

    play(story)
    assert ".status.since: field not declared in schema" in caplog.text
    assert "install the newer one (`kubewright install`)" in caplog.text
