"""When things go wrong: it shows, it ends by itself, and it concerns nobody else."""

import asyncio
import contextlib
import time
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, install, make

import kubewright as kw
from kubewright.cluster import Cluster
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.operator import Running

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def test_an_object_that_does_not_fit_its_type_is_reported_once_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
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

        @kw.controller(WebServer, status=False)
        async def sees(web: WebServer, ctx: kw.Context) -> None:
            seen.append(web.metadata.name)

        async with scene.running(sees) as running:
            await scene.settle(running)
            return {str(key): told for informer in running.informers for key, told in informer.misfits.items()}

    misfits = play(story, _loose())
    assert seen == ["good"]
    told = "WebServer default/bad does not fit its type: spec.image: a string is wanted, and this is an integer."
    assert misfits == {"default/bad": told}
    assert [
        each.getMessage() for each in caplog.records if "fit" in each.getMessage() or each.levelname == "ERROR"
    ] == [f"{told} It is not reconciled until that is put right."]


def test_a_status_that_does_not_fit_is_written_anew(caplog: pytest.LogCaptureFixture) -> None:
    """As after an upgrade that gives one of its fields another type."""

    @kw.controller(WebServer)
    async def serves(web: WebServer, ctx: kw.Context) -> None:
        assert web.status.ready_replicas == 0
        web.status.ready_replicas = 3
        web.status.set("Available", True, reason="Made")

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        path = f"{WEBS.format('default')}/shop"
        await scene.client.patch(f"{path}/status", "merge", {"status": {"readyReplicas": "all", "conditions": "none"}})
        async with scene.running(serves) as running:
            await scene.settle(running)
        return (await scene.client.get(path))["status"]

    status = play(story, _loose())
    assert (status["readyReplicas"], status["observedGeneration"]) == (3, 1)
    assert [each["type"] for each in status["conditions"]] == ["Available"]
    assert "What of its status does not fit counts as absent." in caplog.text


def test_of_a_status_that_does_not_fit_what_fits_is_kept_and_not_written_each_time() -> None:
    """As where somebody else has written what nobody of ours writes."""
    seen: list[int] = []

    @kw.controller(WebServer, watches=[kw.every(10)])
    async def serves(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.status.observed_generation or 0)
        if web.status.condition("First") is None:
            web.status.set("First", True, reason=f"Reconcile{len(seen)}")

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        path = f"{WEBS.format('default')}/shop"
        async with scene.running(serves) as running:
            await scene.settle(running)
            conditions = (await scene.web())["status"]["conditions"]
            spoilt = {"readyReplicas": "all", "conditions": [*conditions, "none"]}
            await scene.client.patch(f"{path}/status", "merge", {"status": spoilt})
            scene.wire.writes.clear()
            await scene.settle(running, 25)
        return (await scene.web())["status"]["conditions"][0]["reason"], scene.wire.writes

    assert play(story, _loose()) == ("Reconcile1", [])
    assert seen == [0, 1, 1]


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
        status: Annotated[dict[str, Any] | None, kw.PreserveUnknown()] = None

    return WebServer


def test_a_reconciler_that_returns_nonsense_is_told_what_to_return(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[str] = []

    @kw.controller(WebServer)
    async def odd(web: WebServer, ctx: kw.Context) -> Any:
        calls.append(web.metadata.name)
        return {"requeue": True} if web.metadata.name == "odd" else None

    async def story(scene: Scene) -> str:
        async with scene.running(odd) as running:
            await make(scene.client, "odd")
            await make(scene.client, "even")
            await asyncio.sleep(10)
            return await _metrics(running)

    told = play(story)
    assert "returns None, kw.Requeue(…) or kw.Retry(…)" in caplog.text
    assert calls.count("even") == 1
    assert 5 < calls.count("odd") < 15  # with a back-off, as any that fails
    assert f'controller_runtime_reconcile_errors_total{{controller="odd"}} {calls.count("odd")}' in told


def test_a_reconciler_that_hangs_is_ended_at_its_limit_and_holds_up_nobody_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ends: list[tuple[str, float]] = []

    @kw.controller(WebServer, timeout=30, concurrency=2)
    async def hangs(web: WebServer, ctx: kw.Context) -> None:
        try:
            if web.metadata.name == "stuck":
                await asyncio.Event().wait()
        finally:
            ends.append((web.metadata.name, asyncio.get_running_loop().time()))

    async def story(scene: Scene) -> tuple[float, str, dict[str, str]]:
        async with scene.running(hangs) as running:
            began = asyncio.get_running_loop().time()
            await make(scene.client, "stuck")
            for number in range(20):
                await make(scene.client, f"shop-{number}")
            await asyncio.sleep(45)
            return began, await _metrics(running), running.health.problems()

    began, told, problems = play(story)
    assert {name for name, _ in ends[:20]} == {f"shop-{number}" for number in range(20)}
    assert ends[20][0] == "stuck"
    assert 30 <= ends[20][1] - began < 31
    assert "took longer than its limit of 30 s" in caplog.text
    assert 'controller_runtime_reconcile_timeouts_total{controller="hangs"} 1' in told
    assert problems == {}  # what was cancelled has ended


def test_a_reconciler_that_writes_what_it_does_not_own_is_refused_and_the_object_stays() -> None:
    said: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def takes(web: WebServer, ctx: kw.Context) -> None:
        if web.metadata.name == "owner":
            return
        try:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="theirs"), data={"a": "ours"}))
        except kw.KubewrightError as error:
            said.append(str(error))

    async def story(scene: Scene) -> Any:
        owner = await make(scene.client, "owner")
        reference = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "name": "owner", "controller": True}
        meta = {"name": "theirs", "ownerReferences": [{**reference, "uid": owner["metadata"]["uid"]}]}
        before = await scene.client.create(CONFIGMAPS, {"metadata": meta, "data": {"a": "theirs"}})
        async with scene.running(takes) as running:
            await make(scene.client, "thief")
            await scene.settle(running)
        after = await scene.client.get(f"{CONFIGMAPS}/theirs")
        return before["metadata"]["resourceVersion"] == after["metadata"]["resourceVersion"]

    assert play(story)
    assert any("is controlled by WebServer 'owner'" in each for each in said)


def test_a_reconciler_that_blocks_the_loop_is_named_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """In the time of the day: simulated time cannot be blocked."""

    @kw.controller(WebServer)
    async def blocks(web: WebServer, ctx: kw.Context) -> None:
        time.sleep(1.5)  # noqa: ASYNC251 - the mistake that is shown here
        web.status.ready_replicas = 1

    async def story() -> str:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            await install(client)
            async with kw.Operator("web-operator", [blocks]).running(client) as running:
                await make(client, "shop")
                await running.idle()
                while "was blocked for" not in caplog.text:  # noqa: ASYNC110 - said by a thread, a moment later
                    await asyncio.sleep(0.01)
                return await _metrics(running)

    told = asyncio.run(asyncio.wait_for(story(), 30))
    assert "The event loop is blocked for" in caplog.text
    assert "in blocks" in caplog.text
    assert "time.sleep(1.5)" in caplog.text
    assert "kubewright_loop_stalls_total 1" in told


async def _metrics(running: Running) -> str:
    response = await running.metrics.answer(Request("GET", "/metrics"))
    return bytes(await response.read()).decode()


def test_a_reconciler_that_swallows_its_cancellation_is_said_and_seen_until_it_ends(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @kw.controller(WebServer, timeout=5)
    async def deaf(web: WebServer, ctx: kw.Context) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(100)

    async def story(scene: Scene) -> tuple[str | None, str | None, str]:
        await make(scene.client, "shop")
        async with scene.running(deaf) as running:
            await asyncio.sleep(60)
            during = running.runners["deaf"].problem()
            await asyncio.sleep(46)
            after = running.runners["deaf"].problem()
            response = await running.metrics.answer(Request("GET", "/metrics"))
            return during, after, bytes(await response.read()).decode()

    during, after, page = play(story)
    assert during is not None
    assert "default/shop" in during
    assert after is None
    assert "goes on though it was cancelled; default/shop stays locked" in caplog.text
    assert 'controller_runtime_reconcile_timeouts_total{controller="deaf"} 1' in page
