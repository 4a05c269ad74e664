"""One run of an operator: how it begins and ends, and what it leaves alone."""

import asyncio
from typing import Any

from tests.operator.scene import Scene, play
from tests.operator.web import WebServer, deployment_for, make, web_server

import kubewright as kw
from kubewright.k8s.apps.v1 import Deployment


def test_two_operators_run_in_one_process() -> None:
    async def story(scene: Scene) -> list[str]:
        async with scene.running(web_server) as one, scene.running(_annotator(), name="second") as two:
            await make(scene.client, "shop")
            await scene.settle(one)
            await scene.settle(two)
        fields = (await scene.web())["metadata"]["managedFields"]
        return sorted(each["manager"] for each in fields)

    assert play(story) == ["kubewright", "second/annotator", "web-operator/web-server"]


def test_a_stop_lets_what_is_under_way_end() -> None:
    ends: list[str] = []

    @kw.controller(WebServer)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.sleep(20)
        ends.append(web.metadata.name)

    async def story(scene: Scene) -> float:
        async with scene.running(slow, grace=30):
            await make(scene.client, "shop")
            await asyncio.sleep(5)
            began = asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - began

    assert 14 < play(story) < 17
    assert ends == ["shop"]


def test_a_stop_cancels_what_does_not_end_in_time() -> None:
    ends: list[str] = []

    @kw.controller(WebServer)
    async def endless(web: WebServer, ctx: kw.Context) -> None:
        try:
            await asyncio.sleep(10_000)
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    async def story(scene: Scene) -> float:
        async with scene.running(endless, grace=30):
            await make(scene.client, "shop")
            await asyncio.sleep(5)
            began = asyncio.get_running_loop().time()
        return asyncio.get_running_loop().time() - began

    assert 29 < play(story) < 32
    assert ends == ["cancelled"]


def test_a_reconciler_is_the_plain_function_it_is() -> None:
    class Fake:
        """As much of a context as is needed."""

        async def apply(self, child: Any) -> Any:
            return child

    web = WebServer(metadata=kw.ObjectMeta(name="shop"), spec={"image": "nginx"})  # type: ignore[arg-type]
    web = kw.from_dict({"metadata": {"name": "shop"}, "spec": {"image": "nginx"}}, WebServer)
    assert asyncio.run(web_server(web, Fake())) is None  # type: ignore[arg-type]
    assert web.status.condition("Available") is not None
    assert deployment_for(web).metadata.name == "shop"
    assert Deployment.__name__ in repr(deployment_for(web))


def _annotator() -> Any:
    @kw.controller(WebServer)
    async def annotator(web: WebServer, ctx: kw.Context) -> None:
        web.status.set("Annotated", True, reason="Yes")

    return annotator
