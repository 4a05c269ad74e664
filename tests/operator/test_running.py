"""One run of an operator: how it begins and ends, and what it leaves alone."""

import asyncio
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, deployment_for, install, make, web_server

import kubewright as kw
from kubewright.client import Client
from kubewright.client.api import Api
from kubewright.client.observer import Attempt
from kubewright.cluster import Cluster
from kubewright.http import Origin, Pool, Request
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap


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


def test_a_stop_lets_what_is_under_way_end_though_another_controller_waits_for_its_kind() -> None:
    ends: list[str] = []

    class Never(kw.Resource, group="never.example.com", version="v1"):
        """A kind that is not served."""

        spec: dict[str, str]

    @kw.controller(Never)
    async def waits(never: Never, ctx: kw.Context) -> None:
        """Nothing."""

    @kw.controller(WebServer)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        await asyncio.sleep(20)
        ends.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        async with scene.running(slow, waits, grace=30):
            await make(scene.client, "shop")
            await asyncio.sleep(5)

    play(story)
    assert ends == ["shop"]


def test_a_stop_that_is_cut_short_cancels_what_is_under_way() -> None:
    ends: list[str] = []

    @kw.controller(WebServer, status=False)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        try:
            await asyncio.sleep(20)
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    async def story(scene: Scene) -> list[str]:
        task = asyncio.create_task(kw.Operator("web-operator", [slow], grace=30).run(scene.client))
        await make(scene.client, "shop")
        for _ in range(2):
            await asyncio.sleep(2)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return ends

    assert play(story) == ["cancelled"]


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


def test_a_synchronous_reconciler_runs_in_simulated_time_too() -> None:
    async def story(scene: Scene) -> tuple[list[str], Any]:
        @kw.controller(WebServer, owns=[ConfigMap])
        def plain(web: WebServer, ctx: kw.SyncContext) -> None:
            made = ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"a": "1"}))
            assert ctx.wait(ctx.live.get(ConfigMap, "made", ctx.namespace)).metadata.uid == made.metadata.uid
            assert ctx.get(ConfigMap, "made") is not None
            ctx.event("Made", "one")
            web.status.ready_replicas = len(ctx.list(ConfigMap, owned=True))
            web.status.set("Available", True, reason="Yes")

        async with scene.running(plain) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
        return scene.wire.writes, (await scene.web())["status"]

    writes, status = play(story)
    assert [each.rpartition("/")[2] for each in writes if "events" not in each] == ["made", "status"]
    assert status["readyReplicas"] == 1
    assert status["conditions"][0]["lastTransitionTime"].startswith("2000-01-01T")


def test_a_watch_or_a_source_that_has_ended_while_the_run_goes_on_is_not_alive() -> None:
    @kw.controller(WebServer, watches=[kw.every(100)])
    async def looks(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def story(scene: Scene) -> list[Any]:
        async with scene.running(looks) as running:
            await scene.settle(running)
            before = running.health.problems()
            for task in asyncio.all_tasks():
                if task.get_name().startswith(("follow ", "source ")):
                    task.cancel()
            await asyncio.sleep(1)
            return [before, running.health.problems()]

    before, after = play(story)
    assert before == {}
    assert after["watches"] == "the watch of webservers.web.example.com has ended"
    assert after["workers of looks"] == "the source 0 of looks has ended"


def test_a_synchronous_reconciler_past_its_limit_keeps_its_key_in_simulated_time_too() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, timeout=5, concurrency=2)
    def slow(web: WebServer, ctx: kw.SyncContext) -> None:
        seen.append(web.metadata.name)
        if seen == ["slow"]:
            ctx.wait(asyncio.sleep(60))

    async def story(scene: Scene) -> tuple[Any, Any]:
        async with scene.running(slow) as running:
            await make(scene.client, "slow")
            await asyncio.sleep(10)
            during = running.health.problems()
            await scene.client.patch(f"{WEBS.format('default')}/slow", "merge", {"spec": {"replicas": 3}})
            await make(scene.client, "quick")
            await asyncio.sleep(10)
            assert seen == ["slow", "quick"]
            await asyncio.sleep(45)
            return during, running.health.problems()

    during, after = play(story)
    assert list(during) == ["workers of slow"]
    assert after == {}


def test_probes_are_answered_before_the_caches_are_filled_and_until_the_end() -> None:
    """Over a socket, so in the time of the day."""

    @kw.controller(WebServer, status=False)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def ask(port: int, page: str) -> int:
        async with Pool() as pool:
            response = await pool.request(Origin("127.0.0.1", port), Request("GET", page))
            await response.read()
            return response.status

    async def story() -> list[int]:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            options: dict[str, Any] = {"health_address": "127.0.0.1:0", "metrics_address": "127.0.0.1:0"}
            async with kw.Operator("web-operator", [sees], **options).running(client) as running:
                assert running.health_port is not None
                assert running.metrics_port is not None
                port = running.health_port
                codes = [await ask(port, page) for page in ("/healthz", "/readyz")]  # there is no such kind yet
                codes.append(await ask(running.metrics_port, "/metrics"))
                await install(client)
                for informer in running.informers:
                    informer.nudge()
                await running.synced()
                return [*codes, await ask(port, "/readyz")]

    assert asyncio.run(asyncio.wait_for(story(), 60)) == [200, 500, 200, 200]


def test_who_observes_the_client_that_an_operator_is_given_goes_on_observing() -> None:
    told: list[Attempt] = []

    async def story(scene: Scene) -> str:
        app = kw.Operator("web-operator", [web_server])
        async with app.running(Api(Client(scene.wire, observer=told.append))) as running:
            await running.synced()
            page = await running.metrics.answer(Request("GET", "/metrics"))
            return bytes(await page.read()).decode()

    text = play(story)
    assert told
    assert "rest_client_requests_total" in text
