"""What a write is about."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from tests.controller.stage import MAPS, Scene, context_of, controller, informer_of, play, read, stage
from tests.operator.web import WebServer, deployment_for, make

from kubewright.cache import Key, Unsettled
from kubewright.cache.header import UnreadableError
from kubewright.client import ApiError
from kubewright.client.errors import HeldBack, NotFound
from kubewright.client.plugin import PluginError
from kubewright.controller.context import World
from kubewright.controller.writes import Target, read_target
from kubewright.http import ConnectError, DisconnectedError, Request, Response
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.autoscaling.v2 import HorizontalPodAutoscaler
from kubewright.k8s.core.v1 import ConfigMap, Namespace


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api/v1/pods", Target("/api/v1", "pods", "", "", "")),
        ("/api/v1/namespaces/a/pods", Target("/api/v1", "pods", "a", "", "")),
        ("/api/v1/namespaces/a/pods/b", Target("/api/v1", "pods", "a", "b", "")),
        ("/api/v1/namespaces/a/pods/b/status?x=1", Target("/api/v1", "pods", "a", "b", "status")),
        ("/api/v1/namespaces/a", Target("/api/v1", "namespaces", "", "a", "")),
        ("/api/v1/namespaces/a/finalize", Target("/api/v1", "namespaces", "", "a", "finalize")),
        ("/api/v1/namespaces", Target("/api/v1", "namespaces", "", "", "")),
        ("/apis/apps/v1/namespaces/a/deployments/b/scale", Target("/apis/apps/v1", "deployments", "a", "b", "scale")),
        ("/apis/g.x/v1/things/a%3Ab", Target("/apis/g.x/v1", "things", "", "a:b", "")),
        ("/healthz", None),
        ("/apis/apps/v1", None),
    ],
)
def test_a_path_says_which_object_it_is_about(path: str, target: Target | None) -> None:
    assert read_target(path) == target


def test_a_write_that_is_answered_with_garbage_leaves_its_object_unsure() -> None:
    async def story(scene: Scene) -> list[bool]:
        await scene.put(MAPS, "made")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            informer = informer_of(world, ConfigMap)
            before = bool(informer.unsettled)
            scene.wire.refuse = lambda request: 200 if request.method == "PATCH" else None
            with pytest.raises(UnreadableError):
                await world.api.raw.patch(f"{MAPS}/made", "merge", {"data": {"a": "1"}})
            return [before, bool(informer.unsettled)]

    assert play(story) == [False, True]


@pytest.mark.parametrize("problem", [ConnectError("no way there"), HeldBack("not ours"), PluginError("no login")])
def test_of_a_write_that_was_not_sent_nothing_is_unsure(problem: Exception) -> None:
    async def story(scene: Scene) -> bool:
        async with stage(scene, controller(reads=[ConfigMap])) as world:

            async def fail(request: Request) -> None:
                raise problem

            scene.wire.lag = fail
            with pytest.raises(type(problem)):
                await world.api.raw.patch(f"{MAPS}/a", "merge", {"data": {"a": "1"}})
            return bool(informer_of(world, ConfigMap).unsettled)

    assert play(story) is False


def scaled(story: Any) -> Any:
    """A story about a Deployment that is in memory, whose watch tells nothing more."""

    async def staged(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with stage(scene, controller(owns=[Deployment])) as world:
            ctx = context_of(world)
            await ctx.apply(deployment_for(read(world, WebServer, "shop").object(WebServer)))
            await asyncio.sleep(1)
            scene.wire.wedge()
            return await story(scene, world)

    return play(staged)


def test_what_was_scaled_is_read_as_it_is_now_and_meanwhile_as_it_was() -> None:
    async def story(scene: Scene, world: World) -> list[Any]:
        ctx = context_of(world)
        seen: list[Any] = []

        def see() -> None:
            seen.append([each.spec.replicas for each in ctx.list(Deployment)])

        scaling = asyncio.ensure_future(ctx.live.scale(Deployment, "shop", "default", replicas=3))
        while not scaling.done():
            see()
            await asyncio.sleep(0)
        await scaling
        see()
        return seen

    seen = scaled(story)
    assert seen[0] == [1]
    assert seen[-1] == [3]
    assert sorted(seen) == seen


def test_what_became_of_a_write_that_nobody_can_be_asked_about_is_unknown() -> None:
    async def story(scene: Scene, world: World) -> Any:
        ctx = context_of(world)
        scene.wire.refuse = lambda request: 503 if request.method == "GET" else None
        scaling = await ctx.live.scale(Deployment, "shop", "default", replicas=3)
        with pytest.raises(Unsettled, match=r"kw\.Retry"):
            ctx.get(Deployment, "shop")
        scene.wire.refuse = lambda request: None
        await informer_of(world, Deployment).settle()
        found = ctx.get(Deployment, "shop")
        assert found is not None
        return scaling.spec.replicas, found.spec.replicas

    assert scaled(story) == (3, 3)


SCALERS = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers"


def autoscaler(name: str, replicas: int) -> dict[str, Any]:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "shop"}
    meta = {"name": name} if name else {"generateName": "any-"}
    spec = {"scaleTargetRef": target, "maxReplicas": replicas}
    return {"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "metadata": meta, "spec": spec}


def test_a_write_through_another_version_than_the_one_in_memory_is_seen() -> None:
    async def story(scene: Scene) -> list[Any]:
        async with stage(scene, controller(reads=[HorizontalPodAutoscaler])) as world:
            scene.wire.wedge()
            raw = world.api.raw

            def seen() -> list[int]:
                return [
                    each.document()["spec"]["maxReplicas"]
                    for each in informer_of(world, HorizontalPodAutoscaler).list()
                ]

            told = [seen()]
            await raw.create(SCALERS, autoscaler("a", 3))
            told.append(seen())
            await raw.patch(f"{SCALERS}/a", "merge", {"spec": {"maxReplicas": 9}})
            told.append(seen())
            await raw.delete(f"{SCALERS}/a")
            told.append(seen())
            await raw.create(SCALERS, autoscaler("", 4))
            told.append(seen())
            return told

    assert play(story) == [[], [3], [9], [], [4]]


def test_a_write_through_another_version_whose_answer_is_lost_leaves_its_object_unsure() -> None:
    async def story(scene: Scene) -> list[bool]:
        async with stage(scene, controller(reads=[HorizontalPodAutoscaler])) as world:
            informer = informer_of(world, HorizontalPodAutoscaler)
            scene.wire.refuse = lambda request: 504 if request.method == "POST" else None
            with pytest.raises(ApiError):
                await world.api.raw.create(SCALERS, autoscaler("a", 3))
            return [bool(informer.unsettled)]

    assert play(story) == [True]


def map_of(**meta: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}


def lose(scene: Scene, method: str) -> None:
    """Have such requests done, and their answers lost, while every watch stands still."""
    send = scene.wire.send
    scene.wire.wedge()

    async def losing(request: Request) -> Response:
        response = await send(request)
        if request.method == method:
            await response.read()
            raise DisconnectedError("the answer is lost")
        return response

    scene.wire.send = losing  # type: ignore[method-assign]


async def forgets_nothing(world: World, write: Awaitable[Any]) -> list[str]:
    """What is in memory before the next reconcile, after a write whose answer is lost."""
    informer = informer_of(world, ConfigMap)
    with pytest.raises(DisconnectedError):
        await write
    with pytest.raises(Unsettled):
        informer.list("default")
    await informer.settle()
    return [cached.key.name for cached in informer.list("default")]


@pytest.mark.parametrize("yaml", [False, True])
def test_an_object_whose_name_the_server_makes_is_seen_though_the_answer_is_lost(yaml: bool) -> None:
    async def story(scene: Scene) -> list[str]:
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            lose(scene, "POST")
            made = map_of(generateName="any-")
            if yaml:
                text = b"{apiVersion: v1, kind: ConfigMap, metadata: {generateName: any-}}"
                write: Awaitable[Any] = world.api.raw.ask("POST", MAPS, None, text, b"application/yaml")
            else:
                write = world.api.create(made, namespace="default")
            return await forgets_nothing(world, write)

    names = [name for name in play(story) if name.startswith("any-")]
    assert len(names) == 1


def test_a_collection_whose_deletion_was_not_answered_is_seen_as_it_is() -> None:
    async def story(scene: Scene) -> list[str]:
        for name in ("a", "b"):
            await scene.put(MAPS, name)
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            lose(scene, "DELETE")
            return await forgets_nothing(world, world.api.delete_collection(ConfigMap, "default"))

    assert not {"a", "b"} & {*play(story)}


def test_of_a_deleted_collection_what_a_finalizer_holds_is_seen_and_being_deleted() -> None:
    async def story(scene: Scene) -> dict[str, bool]:
        await scene.client.create(MAPS, map_of(name="held", finalizers=["example.com/hold"]))
        await scene.client.create(MAPS, map_of(name="free"))
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            scene.wire.wedge()
            await world.api.delete_collection(ConfigMap, "default")
            found = informer_of(world, ConfigMap).list("default")
            return {cached.key.name: cached.deleting for cached in found}

    seen = play(story)
    assert seen["held"]
    assert "free" not in seen


def test_what_would_be_deleted_is_still_seen() -> None:
    async def story(scene: Scene) -> list[bool]:
        await scene.put(MAPS, "a")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            await world.api.delete(ConfigMap, "a", "default", dry_run=True)
            await world.api.delete_collection(ConfigMap, "default", dry_run=True)
            return [informer_of(world, ConfigMap).get(Key("default", "a")) is not None]

    assert play(story) == [True]


def test_what_a_delete_found_gone_is_seen_no_more_though_the_watch_has_not_told() -> None:
    async def story(scene: Scene) -> list[bool]:
        await scene.put(MAPS, "a")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            scene.wire.wedge()
            await scene.client.delete(f"{MAPS}/a")
            seen = [informer_of(world, ConfigMap).get(Key("default", "a")) is not None]
            with pytest.raises(NotFound):
                await world.api.delete(ConfigMap, "a", "default")
            return [*seen, informer_of(world, ConfigMap).get(Key("default", "a")) is not None]

    assert play(story) == [True, False]


@pytest.mark.parametrize("where", [MAPS, f"{MAPS}/a"])
def test_a_delete_of_a_kind_that_is_not_served_any_more_leaves_nothing_unsure(where: str) -> None:
    async def story(scene: Scene) -> bool:
        await scene.put(MAPS, "a")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            scene.wire.refuse = lambda request: 404
            with pytest.raises(NotFound):
                await world.api.raw.ask("DELETE", where)
            return bool(informer_of(world, ConfigMap).unsettled)

    assert play(story) is False


def test_what_was_deleted_can_be_read_though_its_end_was_told_before_the_answer() -> None:
    async def story(scene: Scene) -> list[int]:
        for name in ("a", "b"):
            await scene.put(MAPS, name)
        async with stage(scene, controller(reads=[ConfigMap])) as world:

            async def late(request: Request) -> None:
                await asyncio.sleep(1)

            scene.wire.lag = late
            informer = informer_of(world, ConfigMap)
            left = []
            for name in ("a", "b"):
                await world.api.delete(ConfigMap, name, "default")
                left.append(len(informer.list("default")))
            return left

    two, one = play(story)
    assert two - one == 1


def test_one_that_goes_with_the_finalizer_that_was_taken_away_is_seen_no_more() -> None:
    async def story(scene: Scene) -> list[bool]:
        await scene.client.create(MAPS, map_of(name="held", finalizers=["example.com/one", "example.com/two"]))
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            await world.api.delete(ConfigMap, "held", "default")
            scene.wire.wedge()
            seen = []
            for left in (["example.com/two"], []):
                await world.api.patch(ConfigMap, "held", {"metadata": {"finalizers": left}}, namespace="default")
                seen.append(informer_of(world, ConfigMap).get(Key("default", "held")) is not None)
            return seen

    assert play(story) == [True, False]


def test_a_namespace_that_is_deleted_is_seen_until_it_has_ended() -> None:
    async def story(scene: Scene) -> list[bool | None]:
        await scene.client.create("/api/v1/namespaces", {"metadata": {"name": "busy"}})
        async with stage(scene, controller(reads=[Namespace])) as world:
            scene.wire.wedge()
            await world.api.delete(Namespace, "busy")
            found = [informer_of(world, Namespace).get(Key("", "busy"))]
            # Which is the namespace controller's to do.
            ended = await scene.client.get("/api/v1/namespaces/busy")
            await world.api.raw.update("/api/v1/namespaces/busy/finalize", {**ended, "spec": {}})
            found.append(informer_of(world, Namespace).get(Key("", "busy")))
            return [each.deleting if each is not None else None for each in found]

    assert play(story) == [True, None]
