"""What operators show of themselves: metrics, Events, and why a reconcile ran."""

import contextlib
import json
import logging
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WebServer, make, web_server

import kubewright as kw
from kubewright.http import Request
from kubewright.k8s.core.v1 import Secret
from kubewright.observe import Registry, Run
from kubewright.observe.instruments import MetricError
from kubewright.observe.log import JsonFormatter
from kubewright.observe.metrics import built_in

SERVICES = "/api/v1/namespaces/default/services"


def test_an_event_is_told_about_the_object() -> None:
    @kw.controller(WebServer)
    async def tells(web: WebServer, ctx: kw.Context) -> None:
        ctx.event("Scaled", f"to {web.spec.replicas}")

    async def story(scene: Scene) -> Any:
        async with scene.running(tells) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
        return (await scene.client.get("/apis/events.k8s.io/v1/namespaces/default/events"))["items"]

    (event,) = play(story)
    assert (event["reason"], event["note"], event["type"]) == ("Scaled", "to 1", "Normal")
    assert event["regarding"]["name"] == "shop"
    assert event["reportingController"] == "web-operator"


def told_of_circles(stamps: Any, caplog: pytest.LogCaptureFixture) -> str:
    """What the log says, once, of a controller that goes in circles."""

    async def story(scene: Scene) -> None:
        async with scene.running(stamps) as running:
            await make(scene.client, "shop")
            await scene.settle(running)

    play(story)
    (told,) = [each.getMessage() for each in caplog.records if "never ends" in each.getMessage()]
    assert told.startswith("WebServer default/shop was reconciled 100 times within ")
    return told


def test_a_reconciler_that_goes_in_circles_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    runs = 0

    @kw.controller(WebServer, status=False)
    async def stamps(web: WebServer, ctx: kw.Context) -> None:
        nonlocal runs
        runs += 1
        if runs < 200:
            stamp = {"metadata": {"annotations": {"seen": str(runs)}}}
            await ctx.live.patch(WebServer, web.metadata.name, stamp, namespace=web.metadata.namespace)

    assert "because of: updated WebServer default/shop @" in told_of_circles(stamps, caplog)


def test_a_reconciler_that_applies_a_child_otherwise_each_time_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    runs = 0

    @kw.controller(WebServer, owns=[Secret], status=False)
    async def stamps(web: WebServer, ctx: kw.Context) -> None:
        nonlocal runs
        runs = min(runs + 1, 200)
        await ctx.apply(Secret(metadata=kw.ObjectMeta(name="stamped"), data={"seen": str(runs).encode()}))

    assert "because of: updated Secret default/stamped @" in told_of_circles(stamps, caplog)


def test_a_reconciler_whose_child_others_change_all_the_time_is_not_told_of(caplog: pytest.LogCaptureFixture) -> None:
    runs = 0

    @kw.controller(WebServer, owns=[Secret], status=False)
    async def keeps(web: WebServer, ctx: kw.Context) -> None:
        nonlocal runs
        runs += 1
        await ctx.apply(Secret(metadata=kw.ObjectMeta(name="kept"), data={"a": b"1"}))

    async def story(scene: Scene) -> None:
        async with scene.running(keeps) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            for number in range(200):
                stamp = {"metadata": {"annotations": {"seen": str(number)}}}
                await scene.client.patch("/api/v1/namespaces/default/secrets/kept", "merge", stamp)
                await running.idle()
            await scene.settle(running)

    play(story)
    assert runs > 100
    assert not [each for each in caplog.records if "never ends" in each.getMessage()]


def test_metrics_have_the_names_of_controller_runtime() -> None:
    async def story(scene: Scene) -> str:
        async with scene.running(web_server, leader_election=True) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            response = await running.metrics.answer(Request("GET", "/metrics"))
            return bytes(await response.read()).decode()

    told = play(story)
    for line in (
        'controller_runtime_reconcile_total{controller="web-server",result="success"}',
        'controller_runtime_max_concurrent_reconciles{controller="web-server"} 16',
        'controller_runtime_active_workers{controller="web-server"} 0',
        'workqueue_adds_total{name="web-server",controller="web-server"}',
        'leader_election_master_status{name="web-operator"} 1',
        'kubewright_cache_objects{resource="deployments.apps",selection=""} 1',
        "rest_client_requests_total{",
    ):
        assert line in told, line
    assert 'result="error"} 0' in told


def test_requests_are_measured_for_who_asks() -> None:
    async def story(scene: Scene) -> list[str]:
        pages = []
        for detailed in (False, True):
            async with scene.running(web_server, metrics_detailed=detailed) as running:
                await scene.settle(running)
                response = await running.metrics.answer(Request("GET", "/metrics"))
                pages.append(bytes(await response.read()).decode())
        return pages

    usual, detailed = play(story)
    for name in ("request_duration_seconds", "request_size_bytes", "response_size_bytes"):
        assert f"rest_client_{name}_count{{verb=" in detailed
        assert f"rest_client_{name}" not in usual


def test_all_that_an_operator_tells_of_itself_is_known_before() -> None:
    async def story(scene: Scene) -> set[str]:
        async with scene.running(web_server, leader_election=True, metrics_detailed=True) as running:
            return {family.name for family in running.metrics.registry}

    assert play(story) <= built_in()


def test_two_operators_tell_the_same_metrics_of_ones_own() -> None:
    registry = Registry()
    registry.gauge("mine", "Mine.").of().set(7)

    async def story(scene: Scene) -> list[str]:
        pages = []
        for name in ("one", "other"):
            async with scene.running(web_server, name=name, metrics=registry) as running:
                response = await running.metrics.answer(Request("GET", "/metrics"))
                pages.append(bytes(await response.read()).decode())
        return pages

    assert all("\nmine 7\n" in page for page in play(story))
    with pytest.raises(MetricError, match="another workqueue_depth already"):
        registry.gauge("workqueue_depth", "Mine.")


def test_each_cache_of_a_kind_has_its_own_gauges() -> None:
    def nobody(secret: Secret) -> list[str]:
        return []

    @kw.controller(WebServer, namespaces=["default", "shop"])
    async def follows(web: WebServer, ctx: kw.Context) -> None:
        ctx.watch(kw.watch(kw.only(Secret, labels="a=b"), map=nobody))
        ctx.watch(kw.watch(kw.only(Secret, namespaces=["till"], fields="metadata.name=x"), map=nobody))

    async def story(scene: Scene) -> list[str]:
        async with scene.running(follows) as running:
            await make(scene.client, "shop")
            await scene.put("/api/v1/namespaces", "till")
            await scene.put("/api/v1/namespaces/till/secrets", "x")
            await scene.settle(running)
            response = await running.metrics.answer(Request("GET", "/metrics"))
            told = bytes(await response.read()).decode()
            return [line for line in told.splitlines() if line.startswith("kubewright_cache_objects")]

    own = "kubewright_cache_objects"
    assert play(story) == [
        f'{own}{{resource="secrets",selection="namespaces default,shop; labels a=b"}} 0',
        f'{own}{{resource="secrets",selection="namespaces till; fields metadata.name=x"}} 1',
        f'{own}{{resource="webservers.web.example.com",selection="namespaces default,shop"}} 1',
    ]


def test_metrics_and_checks_of_ones_own_are_told_with_the_others() -> None:
    registry = Registry()
    seen = registry.counter("seen_total", "WebServers that were looked at.").of()

    @kw.controller(WebServer)
    async def counts(web: WebServer, ctx: kw.Context) -> None:
        seen.inc()

    async def story(scene: Scene) -> list[str]:
        ready, alive = {"database": lambda: "it does not answer"}, {"disk": lambda: None}
        async with scene.running(counts, metrics=registry, ready=ready, alive=alive) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            metrics = await running.metrics.answer(Request("GET", "/metrics"))
            pages = [running.health.answer(Request("GET", path)) for path in ("/readyz/database", "/livez/disk")]
            return [bytes(await each.read()).decode() for each in (metrics, *pages)]

    told, ready, alive = play(story)
    assert "seen_total 1" in told
    assert "controller_runtime_reconcile_total{" in told
    assert "it does not answer" in ready
    assert alive == "ok"


def test_each_reconcile_says_why_it_ran() -> None:
    runs: list[Run] = []

    @contextlib.contextmanager
    def tracer(run: Run) -> Any:
        runs.append(run)
        yield lambda result, error: None

    async def story(scene: Scene) -> None:
        async with scene.running(web_server, tracer=tracer) as running:
            await running.synced()
            await make(scene.client, "shop")
            await scene.settle(running)
            runs.clear()
            await scene.client.delete(f"{SERVICES}/shop")
            await scene.settle(running)

    play(story)
    assert str(runs[0].causes).startswith("deleted Service default/shop @")
    assert (runs[0].controller, runs[0].kind, runs[0].name) == ("web-server", "WebServer", "shop")
    assert len({run.reconcile_id for run in runs}) == len(runs)


def test_a_tracer_that_fails_keeps_nobody_from_working() -> None:
    def tracer(run: Run) -> Any:
        raise RuntimeError("nobody listens")

    async def story(scene: Scene) -> tuple[bool, int]:
        async with scene.running(web_server, tracer=tracer) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            return running.ended, len(scene.wire.writes)

    assert play(story) == (False, 3)


def test_lines_of_a_reconcile_say_which_one_it_is() -> None:
    lines: list[dict[str, Any]] = []

    @kw.controller(WebServer, status=False)
    async def says(web: WebServer, ctx: kw.Context) -> None:
        ctx.log.info("Looking")
        logging.getLogger("elsewhere").info("Looking too")

    class Lines(logging.Handler):
        """Keeps what is logged, as entry points write it."""

        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(JsonFormatter().format(record)))

    async def story(scene: Scene) -> None:
        async with scene.running(says) as running:
            await running.synced()
            await make(scene.client, "shop")
            await scene.settle(running)

    handler = Lines()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        play(story)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    looking = [line for line in lines if line["msg"].startswith("Looking")]
    assert len(looking) == 2
    for line in looking:
        assert (line["controller"], line["controllerKind"]) == ("says", "WebServer")
        assert (line["namespace"], line["name"]) == ("default", "shop")
        assert line["reconcileID"]
    [why] = [line for line in lines if line["msg"].startswith("Reconciling because of")]
    assert "added WebServer default/shop" in why["msg"]
    assert why["reconcileID"] == looking[0]["reconcileID"]


def test_a_failure_is_logged_with_why_the_reconcile_ran(caplog: pytest.LogCaptureFixture) -> None:
    @kw.controller(WebServer)
    async def fails(web: WebServer, ctx: kw.Context) -> None:
        raise kw.Terminal("no such image")

    async def story(scene: Scene) -> None:
        async with scene.running(fails) as running:
            await running.synced()
            await make(scene.client, "shop")
            await scene.settle(running)

    play(story)
    [line] = [json.loads(JsonFormatter().format(record)) for record in caplog.records if record.levelname == "ERROR"]
    assert "no such image" in line["msg"]
    assert line["causes"].startswith("added WebServer default/shop @")
