"""What a write is about."""

import asyncio
from typing import Any

import pytest
from tests.controller.stage import MAPS, Scene, context_of, controller, informer_of, play, read, stage
from tests.operator.web import WebServer, deployment_for, make

from kubewright.cache import Unsettled
from kubewright.cache.header import UnreadableError
from kubewright.controller.context import World
from kubewright.controller.writes import Target, read_target
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap


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
            before = informer.unsettled
            scene.wire.refuse = lambda request: 200 if request.method == "PATCH" else None
            with pytest.raises(UnreadableError):
                await world.api.raw.patch(f"{MAPS}/made", "merge", {"data": {"a": "1"}})
            return [before, informer.unsettled]

    assert play(story) == [False, True]


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
        (found,) = ctx.list(Deployment)
        return scaling.spec.replicas, found.spec.replicas

    assert scaled(story) == (3, 3)
