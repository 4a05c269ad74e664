"""What operators see: pages, gaps, maps, timers, streams, and which objects are theirs."""

import asyncio
from collections.abc import Sized
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, install, make, web_server

import kubewright as kw
from kubewright import clock
from kubewright.controller.predicate import generation_changed
from kubewright.http import Request
from kubewright.k8s.core.v1 import ConfigMap

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def test_a_paged_list_of_1200_objects_is_read_whole() -> None:
    """A framework that stops after the first page knows 500 of them."""
    seen: set[str] = set()

    @kw.controller(ConfigMap, labels="app=shop")
    async def reads(config: ConfigMap, ctx: kw.Context) -> None:
        seen.add(config.metadata.name)

    async def story(scene: Scene) -> None:
        for number in range(1200):
            await scene.client.create(CONFIGMAPS, {"metadata": {"name": f"c{number}", "labels": {"app": "shop"}}})
        scene.wire.refuse = lambda request: 400 if "sendInitialEvents" in request.query else None
        async with scene.running(reads) as running:
            await scene.settle(running, 30)

    play(story)
    assert len(seen) == 1200


def test_what_was_deleted_in_a_gap_of_the_watch_is_gone() -> None:
    """A framework that does not compare lists serves ghosts from its indices for ever."""
    counts: list[int] = []

    @kw.controller(WebServer, reads=[ConfigMap])
    async def counts_them(web: WebServer, ctx: kw.Context) -> None:
        counts.append(len(ctx.list(ConfigMap, labels="app=shop")))

    async def story(scene: Scene) -> None:
        for number in range(6):
            await scene.client.create(CONFIGMAPS, {"metadata": {"name": f"c{number}", "labels": {"app": "shop"}}})
        async with scene.running(counts_them) as running:
            await make(scene.client, "before")
            await scene.settle(running)
            scene.wire.refuse = lambda request: 503 if "configmaps" in request.path else None
            scene.cut()
            for number in range(3):
                await scene.client.delete(f"{CONFIGMAPS}/c{number}")
            scene.cluster.compact()
            await asyncio.sleep(60)
            scene.wire.refuse = lambda request: None
            await asyncio.sleep(120)
            await make(scene.client, "after")
            await scene.settle(running)

    play(story)
    assert counts[0] == 6
    assert counts[-1] == 3


def test_objects_deleted_during_a_relist_are_told_once_and_their_children_are_not_made_again() -> None:
    async def story(scene: Scene) -> list[str]:
        async with scene.running(web_server) as running:
            for number in range(30):
                await make(scene.client, f"shop-{number}")
            await scene.settle(running)
            scene.cluster.compact()
            scene.cut()
            await asyncio.gather(
                *(scene.client.delete(f"{WEBS.format('default')}/shop-{number}") for number in range(0, 30, 2))
            )
            scene.wire.writes.clear()
            await scene.settle(running, 120)
            return scene.wire.writes

    assert play(story) == []


def test_a_map_is_called_with_old_and_new() -> None:
    seen: list[str] = []

    def webs_of(config: ConfigMap) -> list[str]:
        return [config.metadata.labels["web"]] if "web" in config.metadata.labels else []

    @kw.controller(WebServer, watches=[kw.watch(ConfigMap, map=webs_of)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        async with scene.running(sees) as running:
            for name in ("a", "b", "c"):
                await make(scene.client, name)
            await scene.client.create(CONFIGMAPS, {"metadata": {"name": "x", "labels": {"web": "a"}}})
            await scene.settle(running)
            seen.clear()
            await scene.client.patch(f"{CONFIGMAPS}/x", "merge", {"metadata": {"labels": {"web": "b"}}})
            await scene.settle(running)

    play(story)
    assert sorted(seen) == ["a", "b"]


def test_a_kind_that_is_only_watched_is_kept_as_metadata() -> None:
    async def story(scene: Scene) -> list[bool]:
        @kw.controller(WebServer, watches=[kw.watch(ConfigMap, map=lambda config: [])])
        async def sees(web: WebServer, ctx: kw.Context) -> None:
            """Nothing."""

        async with scene.running(sees) as running:
            await scene.settle(running)
            return [each.selection.metadata_only for each in running.informers]

    assert play(story) == [False, True]


def test_a_map_that_looks_at_more_than_metadata_of_what_is_only_watched_hears_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen: list[str] = []

    def by_data(config: ConfigMap) -> list[str]:
        assert isinstance(config, ConfigMap)
        if config.metadata.namespace != "default":
            return []
        seen.append(config.metadata.name)
        return list(config.data)

    async def story(scene: Scene, *others: Any, **more: Any) -> None:
        @kw.controller(WebServer, watches=[kw.watch(ConfigMap, map=by_data)], **more)
        async def sees(web: WebServer, ctx: kw.Context) -> None:
            """Nothing."""

        await scene.client.create(CONFIGMAPS, {"metadata": {"name": "x"}, "data": {"a": "b"}})
        async with scene.running(sees, *others) as running:
            await scene.settle(running)

    play(story)
    (told,) = caplog.messages
    assert told.startswith("controller 'sees': the map for ConfigMap fails on default/x; nothing is looked at again")
    assert told.endswith("is only watched is not in memory, its metadata alone is: add reads=[ConfigMap].")
    assert not caplog.records[0].exc_info
    caplog.clear()
    play(lambda scene: story(scene, reads=[ConfigMap]))
    assert (seen, caplog.messages) == (["x", "x"], [])

    @kw.controller(WebServer, name="another", reads=[ConfigMap])
    async def another(web: WebServer, ctx: kw.Context) -> None:
        """Nothing; but with it the cache that both share has all."""

    play(lambda scene: story(scene, another))
    assert (len(seen), len(caplog.messages)) == (3, 1)


def test_timers_and_streams_bring_objects_back() -> None:
    times: list[tuple[str, int]] = []

    async def keys() -> Any:
        await asyncio.sleep(45)
        yield kw.Key("default", "b")
        await asyncio.sleep(1000)

    @kw.controller(WebServer, watches=[kw.every(100), kw.stream(keys)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        times.append((web.metadata.name, round(asyncio.get_running_loop().time())))

    async def story(scene: Scene) -> float:
        began = asyncio.get_running_loop().time()
        await make(scene.client, "a")
        await make(scene.client, "b")
        async with scene.running(sees):
            await asyncio.sleep(150)
        return began

    began = round(play(story))
    assert [(name, time - began) for name, time in times] == [("a", 0), ("b", 0), ("b", 45), ("a", 100), ("b", 100)]


def test_a_stream_that_never_waits_keeps_nobody_from_working() -> None:
    given: list[int] = []
    seen: list[int] = []

    async def keys() -> Any:
        for number in range(10_000):
            given.append(number)
            yield kw.Key("default", "b") if number % 2 else 5
        await asyncio.sleep(1000)

    @kw.controller(WebServer, watches=[kw.stream(keys)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(len(given))

    async def story(scene: Scene) -> None:
        await make(scene.client, "b")
        async with scene.running(sees) as running:
            await scene.settle(running)

    play(story)
    assert seen[0] < 10_000
    assert len(seen) > 10


def test_a_timer_for_many_objects_gives_way_meanwhile() -> None:
    noted: list[int] = []
    ready: list[Sized] = []

    @kw.controller(WebServer, watches=[kw.every(100)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        noted.extend(map(len, ready))

    async def story(scene: Scene) -> None:
        for number in range(300):
            await make(scene.client, f"web-{number}")
        async with scene.running(sees) as running:
            await scene.settle(running)
            ready.append(running.runners["sees"].queue)
            await asyncio.sleep(100)

    play(story)
    assert len(noted) == 300
    assert noted[0] < 200


def test_what_is_no_key_in_a_stream_is_passed_over_and_the_stream_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []
    begun: list[int] = []

    async def keys() -> Any:
        begun.append(1)
        await asyncio.sleep(10)
        yield 5
        yield kw.Key("default", "b")
        await asyncio.sleep(1000)

    @kw.controller(WebServer, watches=[kw.stream(keys)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        await make(scene.client, "b")
        async with scene.running(sees):
            await asyncio.sleep(60)

    play(story)
    assert (seen, len(begun)) == (["b", "b"], 1)
    assert "a stream gave 5, which is no key" in caplog.text


def test_a_timer_goes_on_while_the_outcome_of_a_write_is_unknown() -> None:
    times: list[int] = []

    @kw.controller(WebServer, watches=[kw.every(100)])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        times.append(round(asyncio.get_running_loop().time()))

    async def story(scene: Scene) -> float:
        began = asyncio.get_running_loop().time()
        await make(scene.client, "a")
        async with scene.running(sees) as running:
            await asyncio.sleep(50)
            running.informers[0].unsure(kw.Key("default", "other"))
            await asyncio.sleep(200)
        return began

    began = round(play(story))
    assert [time - began for time in times] == [0, 100, 200]


def test_a_controller_with_labels_sees_its_own_where_another_sees_all() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, labels="tier=gold")
    async def golden(web: WebServer, ctx: kw.Context) -> None:
        seen.append(f"gold {web.metadata.name}")

    @kw.controller(WebServer)
    async def every_one(web: WebServer, ctx: kw.Context) -> None:
        seen.append(f"any {web.metadata.name}")

    async def story(scene: Scene) -> int:
        async with scene.running(golden, every_one) as running:
            await make(scene.client, "plain")
            web = await make(scene.client, "rich")
            path = f"{WEBS.format('default')}/{web['metadata']['name']}"
            await scene.client.patch(path, "merge", {"metadata": {"labels": {"tier": "gold"}}})
            await scene.settle(running)
            return len(running.informers)

    assert play(story) == 1
    assert set(seen) == {"any plain", "any rich", "gold rich"}


def test_a_kind_named_by_an_object_is_watched_from_then_on() -> None:
    seen: list[str] = []

    def webs_of(config: ConfigMap) -> list[str]:
        return [config.metadata.labels["web"]] if "web" in config.metadata.labels else []

    @kw.controller(WebServer)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)
        ctx.watch(kw.watch(ConfigMap, map=webs_of))

    async def story(scene: Scene) -> dict[str, str]:
        async with scene.running(sees) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.client.create(CONFIGMAPS, {"metadata": {"name": "x", "labels": {"web": "shop"}}})
            await scene.settle(running)
            assert len(running.informers) == 2
            return running.health.problems()

    assert play(story) == {}
    assert seen == ["shop", "shop"]


def test_a_kind_named_by_an_object_may_go_again_and_a_declared_one_may_not(caplog: pytest.LogCaptureFixture) -> None:
    class Late(kw.Resource, group="late.example.com", version="v1"):
        """A kind whose CRD comes and goes."""

    def webs_of(late: Late) -> list[str]:
        return ["shop"]

    def follows(declared: bool) -> Any:
        @kw.controller(WebServer, watches=[kw.watch(Late, map=webs_of)] if declared else [])
        async def sees(web: WebServer, ctx: kw.Context) -> None:
            ctx.watch(kw.watch(Late, map=webs_of))

        return sees

    async def story(scene: Scene) -> list[list[str]]:
        crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        problems = []
        await make(scene.client, "shop")
        for declared in (False, True):
            await install(scene.client, Late)
            async with scene.running(follows(declared)) as running:
                await scene.settle(running)
                problems.append(list(running.health.problems()))
                await scene.client.delete(f"{crds}/lates.late.example.com")
                await asyncio.sleep(60)
                problems.append(list(running.health.problems()))
                assert "lates.late.example.com" in caplog.text
                scene.wire.refuse = lambda request: 403 if "lates" in request.path else None
                await asyncio.sleep(60)
                problems.append(list(running.health.problems()))
                scene.wire.refuse = lambda request: None
                caplog.clear()
        return problems

    bad = ["watch lates.late.example.com"]
    assert play(story) == [[], [], bad, [], bad, bad]


def test_a_cache_that_another_controller_has_is_checked_and_told_once() -> None:
    def nobody(config: ConfigMap) -> list[str]:
        return []

    @kw.controller(WebServer, name="one", reads=[ConfigMap])
    async def reads(web: WebServer, ctx: kw.Context) -> None:
        pass

    @kw.controller(WebServer, name="other")
    async def follows(web: WebServer, ctx: kw.Context) -> None:
        ctx.watch(kw.watch(ConfigMap, map=nobody))

    async def story(scene: Scene) -> tuple[int, str]:
        async with scene.running(reads, follows) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            page = running.health.answer(Request("GET", "/readyz?verbose"))
            return len(running.informers), bytes(await page.read()).decode()

    caches, page = play(story)
    assert caches == 2
    assert "watch configmaps ok" in page
    assert "(2)" not in page


def test_a_lambda_that_a_reconciler_gives_each_time_is_one_watch() -> None:
    """Each by itself would tell the first state anew, which brings the object back, and so for ever."""
    seen: list[str] = []

    @kw.controller(WebServer)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)
        ctx.watch(kw.watch(ConfigMap, map=lambda config: ["shop"]))

    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        await scene.client.create(CONFIGMAPS, {"metadata": {"name": "x"}})
        async with scene.running(sees) as running:
            await scene.settle(running)

    play(story)
    assert len(seen) == 2


def test_another_watch_each_time_is_refused_before_it_is_too_much(caplog: pytest.LogCaptureFixture) -> None:
    seen: list[str] = []

    @kw.controller(WebServer)
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)
        ctx.watch(kw.watch(ConfigMap, map=lambda config: [web.metadata.name]))

    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        await scene.client.create(CONFIGMAPS, {"metadata": {"name": "x"}})
        async with scene.running(sees):
            await asyncio.sleep(10)

    play(story)
    assert 100 < len(seen) < 120
    assert "give it the same map and predicates each time" in caplog.text


def test_an_object_that_leaves_the_selection_is_not_reconciled() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, labels="tier=gold", name="golden")
    async def golden(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.labels.get("tier", ""))

    @kw.controller(WebServer, name="all")
    async def everyone(web: WebServer, ctx: kw.Context) -> None:
        """So that the cache holds all of them."""

    async def story(scene: Scene) -> None:
        async with scene.running(golden, everyone) as running:
            await make(scene.client, "shop")
            path = f"{WEBS.format('default')}/shop"
            for tier in ("gold", "silver"):
                await scene.client.patch(path, "merge", {"metadata": {"labels": {"tier": tier}}})
                await scene.settle(running)

    play(story)
    assert seen == ["gold"]


def test_changes_of_children_are_gathered_and_its_own_are_not() -> None:
    seen: list[float] = []

    @kw.controller(WebServer, watches=[kw.watch(ConfigMap, map=lambda config: ["shop"])], gather=1.0)
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        seen.append(clock.monotonic())

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            await make(scene.client, "shop")
            await scene.settle(running, 5)
            seen.clear()
            began = clock.monotonic()
            for number in range(4):
                await scene.put(CONFIGMAPS, f"c{number}")
                await asyncio.sleep(0.2)
            await scene.settle(running, 5)
            assert [round(at - began, 1) for at in seen] == [1.0]
            seen.clear()
            began = clock.monotonic()
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await scene.settle(running, 5)
            assert [round(at - began, 1) for at in seen] == [0.0]

    play(story)


def test_an_operator_in_some_namespaces_looks_and_asks_nowhere_else() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, reads=[ConfigMap])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.namespace)

    async def story(scene: Scene) -> list[str]:
        for name in ("a", "b", "c"):
            await scene.put("/api/v1/namespaces", name)
        async with scene.running(sees, namespaces=["a", "b"]) as running:
            for name in ("a", "b", "c"):
                await make(scene.client, "shop", name)
            await scene.settle(running)
        return scene.wire.reads

    reads = play(story)
    assert sorted(seen) == ["a", "b"]
    assert {each.partition("/namespaces/")[2].partition("/")[0] for each in reads} == {"a", "b"}


@pytest.mark.parametrize("shared", [False, True], ids=["of its own", "shared"])
def test_what_is_selected_from_now_on_has_come_whatever_of_it_has_changed(shared: bool) -> None:
    seen: list[str] = []
    some = kw.only(ConfigMap, labels="app=web")
    watches = [kw.watch(some, map=lambda config: config.metadata.name, predicates=[generation_changed])]

    @kw.controller(WebServer, labels="tier=gold", predicates=[generation_changed], watches=watches)
    async def gold(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    @gold.absent
    async def gone(key: kw.Key, ctx: kw.Context) -> None:
        seen.append(f"no {key.name}")

    @kw.controller(WebServer, reads=[ConfigMap])
    async def all_of_them(web: WebServer, ctx: kw.Context) -> None:
        """Nothing; but all is in memory because of it."""

    shop, config = f"{WEBS.format('default')}/shop", f"{CONFIGMAPS}/shop"
    steps = [(shop, "tier", "gold"), (config, "app", "web"), (config, "app", None), (shop, "tier", None)]

    async def story(scene: Scene) -> list[list[str]]:
        await make(scene.client, "shop")
        await scene.put(CONFIGMAPS, "shop")
        told = []
        async with scene.running(gold, *([all_of_them] if shared else [])) as running:
            await scene.settle(running)
            for path, label, value in steps:
                await scene.client.patch(path, "merge", {"metadata": {"labels": {label: value}}})
                await scene.settle(running)
                told.append([*seen])
                seen.clear()
            await scene.client.delete(shop)
            await scene.settle(running)
        return [*told, seen]

    assert play(story) == [["shop"], ["shop"], ["shop"], [], []]


def test_controllers_with_different_selections_share_one_watch_and_each_sees_its_own() -> None:
    seen: list[str] = []

    def controller(name: str, app: str, namespace: str) -> Any:
        def webs_of(config: ConfigMap) -> list[str]:
            seen.append(f"{name} maps {config.metadata.name}")
            return []

        some = kw.only(ConfigMap, labels=f"app={app}")
        watches = [kw.watch(some, map=webs_of)]

        @kw.controller(WebServer, reads=[some], watches=watches, namespaces=[namespace], name=name)
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            found = ctx.list(ConfigMap, namespace="")
            seen.append(f"{name} reads {sorted(each.metadata.name for each in found)}")
            assert ctx.get(ConfigMap, f"{app}-{namespace}") is not None
            assert ctx.get(ConfigMap, f"cache-{namespace}") is None

        return reconcile

    async def story(scene: Scene) -> list[str]:
        for namespace in ("a", "b"):
            await scene.put("/api/v1/namespaces", namespace)
            for app in ("db", "web", "cache"):
                meta = {"name": f"{app}-{namespace}", "labels": {"app": app}}
                await scene.client.create(f"/api/v1/namespaces/{namespace}/configmaps", {"metadata": meta})
            await make(scene.client, "shop", namespace)
        async with scene.running(controller("one", "db", "a"), controller("two", "web", "b")) as running:
            await scene.settle(running)
            return [str(each.selection.labels) for each in running.informers if each.endpoint.kind == "ConfigMap"]

    assert play(story) == ["app in (db,web)"]
    assert sorted(seen) == ["one maps db-a", "one reads ['db-a']", "two maps web-b", "two reads ['web-b']"]


def test_a_child_that_would_not_be_followed_is_refused_in_a_sentence() -> None:
    said: list[str] = []

    @kw.controller(WebServer, owns=[kw.only(ConfigMap, labels="app=web")])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="good", labels={"app": "web"})))
        try:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="bad", labels={"app": "db"})))
        except kw.KubewrightError as error:
            said.append(str(error))

    async def story(scene: Scene) -> list[str]:
        async with scene.running(makes) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
        return [each for each in scene.wire.writes if "configmaps" in each]

    assert play(story) == [f"PATCH {CONFIGMAPS}/good"]
    assert "has not the labels app=web" in said[0]


def test_a_watch_begun_at_run_time_of_more_than_is_kept_has_a_cache_of_its_own() -> None:
    seen: list[str] = []

    def webs_of(config: ConfigMap) -> list[str]:
        return ["shop"] if config.metadata.name.startswith("for-shop") else []

    @kw.controller(WebServer, reads=[kw.only(ConfigMap, labels="app=web")])
    async def sees(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)
        ctx.watch(kw.watch(ConfigMap, map=webs_of))

    async def story(scene: Scene) -> list[str]:
        async with scene.running(sees) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.put(CONFIGMAPS, "for-shop")
            await scene.settle(running)
            scene.wire.refuse = lambda request: 403 if "configmaps" in request.path else None
            scene.cut()
            await asyncio.sleep(60)
            return [name for name in running.health.problems() if "configmaps" in name]

    assert play(story) == ["watch configmaps", "watch configmaps (2)"]
    assert seen == ["shop", "shop"]
