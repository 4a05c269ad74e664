"""When things go wrong: it shows, it ends by itself, and it concerns nobody else."""

import asyncio
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, make

import kubewright as kw
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def test_an_object_that_does_not_fit_its_type_is_reported_and_the_others_go_on() -> None:
    seen: list[str] = []

    class Loose(kw.Resource, group="web.example.com", version="v1", plural="webservers", kind="WebServer"):
        """The same resource, of which another program says that replicas are a text."""

        spec: dict[str, Any]

    async def story(scene: Scene) -> dict[str, str]:
        await make(scene.client, "good")
        await scene.client.create(
            WEBS.format("default"),
            {
                "apiVersion": "web.example.com/v1",
                "kind": "WebServer",
                "metadata": {"name": "bad"},
                "spec": {"image": 5},
            },
        )

        @kw.controller(WebServer)
        async def sees(web: WebServer, ctx: kw.Context) -> None:
            seen.append(web.metadata.name)

        async with scene.running(sees) as running:
            await scene.settle(running)
            return {str(key): told for informer in running.informers for key, told in informer.misfits.items()}

    misfits = play(story, _loose())
    assert seen == ["good"]
    assert "spec.image" in misfits["default/bad"]


def test_a_kind_that_is_not_served_yet_holds_up_its_own_controller_alone() -> None:
    seen: list[str] = []

    class Late(kw.Resource, group="late.example.com", version="v1"):
        """A kind whose CRD comes later."""

        spec: dict[str, str]

    @kw.controller(Late)
    async def lately(late: Late, ctx: kw.Context) -> None:
        seen.append(f"late {late.metadata.name}")

    @kw.controller(WebServer)
    async def early(web: WebServer, ctx: kw.Context) -> None:
        seen.append(f"web {web.metadata.name}")

    async def story(scene: Scene) -> Any:
        from tests.operator.web import install

        async with scene.running(lately, early) as running:
            await make(scene.client, "shop")
            await asyncio.sleep(10)
            before = running.health.problems()
            await install(scene.client, Late)
            await scene.client.create(
                "/apis/late.example.com/v1/namespaces/default/lates",
                {"apiVersion": "late.example.com/v1", "kind": "Late", "metadata": {"name": "x"}, "spec": {}},
            )
            await asyncio.sleep(120)
            return before, running.health.problems()

    before, after = play(story)
    assert list(before) == ["watch lates.late.example.com"]
    assert after == {}
    assert seen == ["web shop", "late x"]


@pytest.mark.parametrize("code", [401, 403, 404, 503])
def test_a_watch_that_is_refused_shows_in_readiness_and_recovers_without_a_restart(code: int) -> None:
    """An expired token, a revoked permission, a vanished CRD, a server that is down."""
    seen: list[str] = []

    @kw.controller(WebServer)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    @kw.controller(ConfigMap)
    async def others(config: ConfigMap, ctx: kw.Context) -> None:
        seen.append(config.metadata.name)

    def refuse(request: Request) -> int | None:
        return code if "webservers" in request.path else None

    async def story(scene: Scene) -> Any:
        async with scene.running(sees, others) as running:
            await scene.settle(running)
            scene.wire.refuse = refuse
            scene.cut()
            await asyncio.sleep(60)
            during = running.health.problems()
            await make(scene.client, "shop")
            await scene.put(CONFIGMAPS, "other")
            await asyncio.sleep(5)
            before = list(seen)
            scene.wire.refuse = lambda request: None
            await asyncio.sleep(120)
            return during, before, running.health.problems()

    during, before, after = play(story)
    assert list(during) == ["watch webservers.web.example.com"]
    assert "other" in before
    assert "shop" not in before
    assert "shop" in seen
    assert after == {}


def test_a_watch_that_stands_still_is_found_and_begun_anew() -> None:
    seen: list[str] = []

    @kw.controller(WebServer)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(scene: Scene) -> dict[str, str]:
        async with scene.running(sees) as running:
            await scene.settle(running)
            scene.wire.wedge()
            await make(scene.client, "shop")
            await asyncio.sleep(150)
            return running.health.problems()

    assert play(story) == {}
    assert seen == ["shop"]


def _loose() -> type[kw.Resource]:
    from typing import Annotated

    class WebServer(kw.Resource, group="web.example.com", version="v1"):
        """The same resource as another program would describe it."""

        spec: Annotated[dict[str, Any], kw.PreserveUnknown()]

    return WebServer
