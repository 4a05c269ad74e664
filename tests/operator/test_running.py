"""Operators at work on a cluster: what is written, what is not, and what happens when things go wrong."""

import asyncio
import contextlib
import itertools
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, deployment_for, make, service_for, web_server

import kubewright as kw
from kubewright import clock
from kubewright.client.errors import NotFound
from kubewright.controller.election import LeadershipLost
from kubewright.http import Request
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap, PersistentVolumeClaim, Service
from kubewright.observe import Run

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SERVICES = "/api/v1/namespaces/default/services"
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def test_an_object_converges_with_three_writes() -> None:
    async def story(scene: Scene) -> list[str]:
        async with scene.running(web_server) as running:
            await make(scene.client, "shop", replicas=2)
            await scene.settle(running)
            return scene.wire.writes

    assert play(story) == [
        f"PATCH {DEPLOYMENTS}/shop",
        f"PATCH {SERVICES}/shop",
        f"PATCH {WEBS.format('default')}/shop/status",
    ]


def test_a_restart_with_nothing_changed_writes_nothing() -> None:
    async def story(scene: Scene) -> list[str]:
        async with scene.running(web_server) as running:
            for number in range(20):
                await make(scene.client, f"shop-{number}")
            await scene.settle(running)
        scene.wire.writes.clear()
        async with scene.running(web_server) as running:
            await scene.settle(running, 600)
        return scene.wire.writes

    assert play(story) == []


def test_every_object_of_a_burst_converges_with_three_writes() -> None:
    async def story(scene: Scene) -> tuple[int, set[Any]]:
        async with scene.running(web_server) as running:
            await asyncio.gather(*(make(scene.client, f"shop-{number}") for number in range(50)))
            await scene.settle(running, 30)
        items = (await scene.client.get(WEBS.format("default")))["items"]
        return len(scene.wire.writes), {item["status"]["observedGeneration"] for item in items}

    assert play(story) == (150, {1})


def test_a_deleted_child_is_made_anew() -> None:
    async def story(scene: Scene) -> Any:
        async with scene.running(web_server) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            old = await scene.client.get(f"{SERVICES}/shop")
            await scene.client.delete(f"{SERVICES}/shop")
            await scene.settle(running)
            new = await scene.client.get(f"{SERVICES}/shop")
            return old["metadata"]["uid"] != new["metadata"]["uid"]

    assert play(story)


def test_an_edit_of_what_is_ours_is_put_right_and_one_of_what_is_not_stays() -> None:
    async def story(scene: Scene) -> Any:
        async with scene.running(web_server) as running:
            await make(scene.client, "shop", replicas=2)
            await scene.settle(running)
            patch = {"metadata": {"annotations": {"note": "hi"}}, "spec": {"replicas": 7, "minReadySeconds": 5}}
            await scene.client.patch(f"{DEPLOYMENTS}/shop", "merge", patch)
            await scene.settle(running)
            return await scene.client.get(f"{DEPLOYMENTS}/shop")

    found = play(story)
    assert (found["spec"]["replicas"], found["spec"]["minReadySeconds"]) == (2, 5)
    assert found["metadata"]["annotations"] == {"note": "hi"}


def test_what_a_new_version_no_longer_sets_is_taken_back_after_a_restart() -> None:
    def controller(annotated: bool) -> Any:
        @kw.controller(WebServer, owns=[Service], name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            service = service_for(web)
            if annotated:
                service.metadata.annotations = {"old": "yes"}
            await ctx.apply(service)

        return reconcile

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        for annotated in (True, False):
            async with scene.running(controller(annotated)) as running:
                await scene.settle(running)
        return (await scene.client.get(f"{SERVICES}/shop"))["metadata"]

    assert "annotations" not in play(story)


def test_a_change_of_the_spec_is_followed_and_its_generation_observed() -> None:
    async def story(scene: Scene) -> Any:
        async with scene.running(web_server) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await scene.settle(running)
            web = await scene.web()
            return (await scene.client.get(f"{DEPLOYMENTS}/shop"))["spec"]["replicas"], web["status"]

    replicas, status = play(story)
    assert replicas == 4
    assert status["observedGeneration"] == 2


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


def test_what_fails_is_tried_again_ever_later_and_what_succeeds_begins_anew() -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def fails(web: WebServer, ctx: kw.Context) -> None:
        times.append(asyncio.get_running_loop().time())
        raise RuntimeError("boom")

    async def story(scene: Scene) -> None:
        async with scene.running(fails):
            await make(scene.client, "shop")
            await asyncio.sleep(10)

    play(story)
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert 8 <= len(pauses) <= 12
    assert all(later > 1.5 * earlier for earlier, later in itertools.pairwise(pauses))


def test_a_terminal_error_waits_for_the_next_change() -> None:
    runs: list[int] = []

    @kw.controller(WebServer)
    async def gives_up(web: WebServer, ctx: kw.Context) -> None:
        runs.append(web.metadata.generation)
        raise kw.Terminal("the image is not there")

    async def story(scene: Scene) -> None:
        async with scene.running(gives_up):
            await make(scene.client, "shop")
            await asyncio.sleep(3600)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await asyncio.sleep(3600)

    play(story)
    assert runs == [1, 2]


def test_a_requeue_comes_again_at_its_time() -> None:
    times: list[float] = []

    @kw.controller(WebServer)
    async def polls(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        times.append(asyncio.get_running_loop().time())
        return kw.Requeue(after=60)

    async def story(scene: Scene) -> None:
        async with scene.running(polls):
            await make(scene.client, "shop")
            await asyncio.sleep(200)

    play(story)
    assert [round(time - times[0]) for time in times] == [0, 60, 120, 180]


def test_bounded_workers_are_not_held_by_objects_that_fail() -> None:
    """A framework whose workers sleep on retries never gets to the sixth object."""
    handled: list[str] = []

    @kw.controller(WebServer, concurrency=5)
    async def picky(web: WebServer, ctx: kw.Context) -> None:
        if web.metadata.name.startswith("bad"):
            raise kw.Retry("not yet", after=30)
        handled.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        async with scene.running(picky):
            for number in range(5):
                await make(scene.client, f"bad-{number}")
            await asyncio.sleep(1)
            await make(scene.client, "good")
            await asyncio.sleep(1)

    play(story)
    assert handled == ["good"]


def test_two_hundred_objects_pass_ten_workers_at_once() -> None:
    """A framework whose workers idle while they hold their slot takes a minute and a half for these."""
    handled: list[str] = []

    @kw.controller(WebServer, concurrency=10)
    async def quick(web: WebServer, ctx: kw.Context) -> None:
        handled.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        for number in range(200):
            await make(scene.client, f"shop-{number}")
        async with scene.running(quick):
            await asyncio.sleep(1)

    play(story)
    assert len(set(handled)) == 200


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


def test_a_child_outside_the_owners_scope_is_refused() -> None:
    async def story(scene: Scene) -> list[str]:
        @kw.controller(WebServer, owns=[Service])
        async def stray(web: WebServer, ctx: kw.Context) -> None:
            service = service_for(web)
            service.metadata.namespace = "kube-system"
            await ctx.apply(service)

        async with scene.running(stray):
            await make(scene.client, "shop")
            await asyncio.sleep(2)
        return scene.wire.writes

    assert play(story) == []


def test_a_child_that_exists_and_is_not_ours_is_left_alone_until_adopted() -> None:
    def controller(adopt: bool) -> Any:
        @kw.controller(WebServer, owns=[Service], name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            await ctx.apply(service_for(web), adopt=adopt)

        return reconcile

    async def story(scene: Scene) -> Any:
        await scene.client.create(SERVICES, {"metadata": {"name": "shop"}, "spec": {"ports": [{"port": 80}]}})
        await make(scene.client, "shop")
        found = []
        for adopt in (False, True):
            async with scene.running(controller(adopt)):
                await asyncio.sleep(2)
            found.append((await scene.client.get(f"{SERVICES}/shop"))["metadata"].get("ownerReferences"))
        return found

    before, after = play(story)
    assert before is None
    assert after[0]["kind"] == "WebServer"


def test_pruning_takes_what_is_ours_and_not_in_the_set() -> None:
    def controller(names: list[str], prune: bool) -> Any:
        @kw.controller(WebServer, owns=[ConfigMap], name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            await ctx.apply_all([ConfigMap(metadata=kw.ObjectMeta(name=name)) for name in names], prune=prune)

        return reconcile

    async def story(scene: Scene) -> Any:
        web = await make(scene.client, "shop")
        # Owned by the same object, but made by somebody else.
        owner = {"apiVersion": "web.example.com/v1", "kind": "WebServer", "name": "shop"}
        await scene.client.create(
            CONFIGMAPS,
            {
                "metadata": {
                    "name": "foreign",
                    "ownerReferences": [{**owner, "uid": web["metadata"]["uid"], "controller": True}],
                }
            },
        )
        found = []
        for names, prune in ((["a", "b", "c"], False), (["a"], False), (["a", "d"], True)):
            async with scene.running(controller(names, prune)) as running:
                await scene.settle(running)
            items = (await scene.client.get(CONFIGMAPS))["items"]
            found.append(sorted(item["metadata"]["name"] for item in items))
        return found

    assert play(story) == [["a", "b", "c", "foreign"], ["a", "b", "c", "foreign"], ["a", "d", "foreign"]]


def test_nothing_is_pruned_when_an_apply_fails() -> None:
    def controller(names: list[str]) -> Any:
        @kw.controller(WebServer, owns=[ConfigMap], name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            await ctx.apply_all([ConfigMap(metadata=kw.ObjectMeta(name=name)) for name in names], prune=True)

        return reconcile

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with scene.running(controller(["a", "b"])) as running:
            await scene.settle(running)
        scene.wire.refuse = lambda request: 500 if request.path.endswith("/bad") else None
        async with scene.running(controller(["a", "bad"])):
            await asyncio.sleep(5)
        return sorted(item["metadata"]["name"] for item in (await scene.client.get(CONFIGMAPS))["items"])

    assert play(story) == ["a", "b"]


def test_a_finalizer_is_there_before_any_other_work_and_goes_after_it() -> None:
    order: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        order.append(f"reconcile {web.metadata.finalizers}")
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> kw.Retry | None:
        order.append("clean up")
        return kw.Retry("not yet", after=5) if order.count("clean up") < 3 else None

    async def story(scene: Scene) -> list[str]:
        async with scene.running(guarded) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            assert scene.wire.writes[0] == f"PATCH {WEBS.format('default')}/shop"
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await asyncio.sleep(3)
            assert (await scene.web())["metadata"]["finalizers"] == ["web.example.com/guarded"]
            await asyncio.sleep(30)
            with pytest.raises(NotFound):
                await scene.web()
        return order

    told = play(story)
    assert told[0] == "reconcile ['web.example.com/guarded']"
    assert told[-3:] == ["clean up"] * 3
    assert all(each.startswith("reconcile") for each in told[:-3])


def test_finalizers_of_others_survive_ours() -> None:
    @kw.controller(WebServer)
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    async def story(scene: Scene) -> Any:
        async with scene.running(guarded) as running:
            await scene.client.create(
                WEBS.format("default"),
                {
                    "apiVersion": "web.example.com/v1",
                    "kind": "WebServer",
                    "metadata": {"name": "shop", "finalizers": ["example.com/theirs"]},
                    "spec": {"image": "nginx"},
                },
            )
            await scene.settle(running)
            before = (await scene.web())["metadata"]["finalizers"]
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.settle(running)
            return before, (await scene.web())["metadata"]["finalizers"]

    before, after = play(story)
    assert before == ["example.com/theirs", "web.example.com/guarded"]
    assert after == ["example.com/theirs"]


def test_an_object_being_deleted_never_reaches_the_reconciler() -> None:
    seen: list[bool] = []

    @kw.controller(WebServer)
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.deletion_timestamp is not None)

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            await scene.client.create(
                WEBS.format("default"),
                {
                    "apiVersion": "web.example.com/v1",
                    "kind": "WebServer",
                    "metadata": {"name": "shop", "finalizers": ["example.com/theirs"]},
                    "spec": {"image": "nginx"},
                },
            )
            await scene.settle(running)
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.client.patch(
                f"{WEBS.format('default')}/shop", "merge", {"metadata": {"labels": {"touched": "yes"}}}
            )
            await scene.settle(running)

    play(story)
    assert seen == [False]


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


def test_a_terminating_child_is_made_anew_when_it_is_gone() -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"replicas": str(web.spec.replicas)}))

    async def story(scene: Scene) -> Any:
        async with scene.running(makes) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            path = f"{CONFIGMAPS}/made"
            await scene.client.patch(path, "merge", {"metadata": {"finalizers": ["example.com/slow"]}})
            await scene.client.delete(path)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await scene.settle(running)
            scene.wire.writes.clear()
            old = (await scene.client.get(path))["data"]
            await scene.client.patch(path, "merge", {"metadata": {"finalizers": None}})
            await scene.settle(running)
            return old, (await scene.client.get(path))["data"]

    assert play(story) == ({"replicas": "1"}, {"replicas": "4"})


def test_a_terminating_namespace_ends_the_reconcile_quietly(caplog: pytest.LogCaptureFixture) -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name=f"made-{web.spec.replicas}")))
        return kw.Requeue(after=1)

    async def story(scene: Scene) -> None:
        await scene.client.create("/api/v1/namespaces", {"metadata": {"name": "ending"}})
        async with scene.running(makes) as running:
            await make(scene.client, "shop", "ending")
            await scene.settle(running, 0.5)
            await scene.client.delete("/api/v1/namespaces/ending")
            await scene.client.patch(f"{WEBS.format('ending')}/shop", "merge", {"spec": {"replicas": 2}})
            await scene.settle(running, 10)

    play(story)
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


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


def _loose() -> type[kw.Resource]:
    from typing import Annotated

    class WebServer(kw.Resource, group="web.example.com", version="v1"):
        """The same resource as another program would describe it."""

        spec: Annotated[dict[str, Any], kw.PreserveUnknown()]

    return WebServer


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


def test_a_reconciler_does_not_act_on_a_view_older_than_its_own_write() -> None:
    seen: list[int] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        seen.append(len(ctx.list(ConfigMap, owned=True)))
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))
        seen.append(len(ctx.list(ConfigMap, owned=True)))

    async def story(scene: Scene) -> None:
        async with scene.running(makes) as running:
            await running.synced()
            await make(scene.client, "shop")
            await scene.settle(running, 0.1)

    play(story)
    assert seen[:2] == [0, 1]


def test_a_write_whose_outcome_is_unknown_is_asked_about_before_the_next_reconcile() -> None:
    async def story(scene: Scene) -> tuple[list[str], list[str]]:
        sent: list[str] = []

        async def lose(request: Request) -> None:
            """Do it, and lose the answer."""
            if "configmaps" in request.path and not sent:
                sent.append(request.path)
                await scene.wire._transport.send(request)
                raise ConnectionResetError("gone")

        @kw.controller(WebServer, owns=[ConfigMap])
        async def makes(web: WebServer, ctx: kw.Context) -> None:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made")))

        async with scene.running(makes) as running:
            await running.synced()
            scene.wire.delay = lose
            scene.wire.reads.clear()
            await make(scene.client, "shop")
            await scene.settle(running)
            return [each for each in scene.wire.writes if "configmaps" in each], scene.wire.reads

    writes, reads = play(story)
    assert len(writes) == 1
    assert f"GET {CONFIGMAPS}" in reads


def test_two_operators_run_in_one_process() -> None:
    async def story(scene: Scene) -> list[str]:
        async with scene.running(web_server) as one, scene.running(_annotator(), name="second") as two:
            await make(scene.client, "shop")
            await scene.settle(one)
            await scene.settle(two)
        fields = (await scene.web())["metadata"]["managedFields"]
        return sorted(each["manager"] for each in fields)

    assert play(story) == ["kubewright", "second/annotator", "web-operator/web-server"]


def _annotator() -> Any:
    @kw.controller(WebServer)
    async def annotator(web: WebServer, ctx: kw.Context) -> None:
        web.status.set("Annotated", True, reason="Yes")

    return annotator


def test_a_standby_has_synced_caches_and_takes_over() -> None:
    leads: list[str] = []

    def controller(who: str) -> Any:
        @kw.controller(WebServer, name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            leads.append(who)

        return reconcile

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with scene.running(controller("two"), leader_election=True) as two:
            await two.synced()
            async with scene.running(controller("one"), leader_election=True) as one:
                await asyncio.sleep(60)
                warm = [each.synced.is_set() for each in one.informers]
                working = [runner.working for runner in one.runners.values()]
                assert leads == ["two"]
                await two.__aexit__(None, None, None)
                await asyncio.wait_for(one.synced(), 10)
                await one.idle()
                return warm, working

    assert play(story) == ([True], [False])
    assert leads == ["two", "one"]


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


def test_a_leader_that_cannot_renew_its_lease_stops_and_says_so() -> None:
    async def story(scene: Scene) -> list[str]:
        @kw.controller(WebServer, owns=[ConfigMap])
        async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"at": str(clock.now())}))
            return kw.Requeue(after=0.5)

        async with scene.running(makes, leader_election=True) as running:
            await make(scene.client, "shop")
            await running.synced()
            scene.wire.refuse = lambda request: 503 if "leases" in request.path else None
            with pytest.raises(LeadershipLost):
                await asyncio.wait_for(running.wait(), 60)
            scene.wire.writes.clear()
            await asyncio.sleep(60)
            assert "run" in running.health.problems()
        return [each for each in scene.wire.writes if "configmaps" in each]

    assert play(story) == []


def test_a_leader_that_is_killed_is_followed_when_its_lease_has_run_out() -> None:
    leads: list[tuple[str, float]] = []

    def controller(who: str) -> Any:
        @kw.controller(WebServer, name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            leads.append((who, asyncio.get_running_loop().time()))

        return reconcile

    async def story(scene: Scene) -> float:
        other = Scene(scene.cluster)
        await make(scene.client, "shop")
        async with scene.running(controller("killed"), leader_election=True) as killed:
            await killed.idle()
            async with other.running(controller("heir"), leader_election=True) as heir:
                await asyncio.sleep(30)
                died = asyncio.get_running_loop().time()
                scene.wire.dead = True  # it says nothing more, not even good-bye
                await asyncio.wait_for(heir.idle(), 60)
                return died

    died = play(story)
    assert [who for who, _ in leads] == ["killed", "heir"]
    assert 10 < leads[1][1] - died < 25


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


def test_a_webhook_that_changes_our_values_for_good_does_not_make_us_write_for_ever() -> None:
    async def story(scene: Scene) -> tuple[list[str], Any]:
        @kw.controller(WebServer, owns=[ConfigMap])
        async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"a": "ours"}))
            return kw.Requeue(after=1)

        async def mutate(request: Request) -> None:
            assert isinstance(request.body, bytes)
            request.body = request.body.replace(b'"ours"', b'"theirs"')

        scene.wire.delay = mutate
        async with scene.running(makes):
            await make(scene.client, "shop")
            await asyncio.sleep(60)
        found = await scene.client.get(f"{CONFIGMAPS}/made")
        return [each for each in scene.wire.writes if "configmaps" in each], found["data"]

    writes, data = play(story)
    assert data == {"a": "theirs"}
    assert len(writes) == 1


def test_claims_of_storage_are_pruned_only_when_they_are_named() -> None:
    def controller(claims: int, prune: Any) -> Any:
        @kw.controller(WebServer, owns=[PersistentVolumeClaim, ConfigMap], name="web")
        async def reconcile(web: WebServer, ctx: kw.Context) -> None:
            made = [
                kw.from_dict(
                    {
                        "metadata": {"name": f"data-{number}"},
                        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
                    },
                    PersistentVolumeClaim,
                )
                for number in range(claims)
            ]
            await ctx.apply_all(made, prune=prune)

        return reconcile

    async def story(scene: Scene) -> list[int]:
        await make(scene.client, "shop")
        counts = []
        for claims, prune in ((2, True), (1, True), (1, [PersistentVolumeClaim])):
            async with scene.running(controller(claims, prune)) as running:
                await scene.settle(running)
            items = (await scene.client.get("/api/v1/namespaces/default/persistentvolumeclaims"))["items"]
            counts.append(sum("deletionTimestamp" not in item["metadata"] for item in items))
        return counts

    assert play(story) == [2, 2, 1]


def test_an_object_being_deleted_reaches_a_reconciler_that_asks_for_it() -> None:
    seen: list[bool] = []

    @kw.controller(ConfigMap, deleting=True, labels="watched")
    async def watches(config: ConfigMap, ctx: kw.Context) -> None:
        seen.append(config.metadata.deletion_timestamp is not None)

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            meta = {"name": "shop", "labels": {"watched": ""}, "finalizers": ["example.com/theirs"]}
            await scene.client.create(CONFIGMAPS, {"metadata": meta})
            await scene.settle(running)
            await scene.client.delete(f"{CONFIGMAPS}/shop")
            await scene.settle(running)

    play(story)
    assert seen == [False, True]


def test_an_object_that_is_gone_or_only_named_reaches_the_function_for_that() -> None:
    seen: list[str] = []

    @kw.controller(WebServer, watches=[kw.watch(Service, map=lambda service: service.metadata.name)])
    async def watches(web: WebServer, ctx: kw.Context) -> None:
        seen.append("there")

    @watches.absent
    async def tidy(key: kw.Key, ctx: kw.Context) -> None:
        seen.append(f"{key} is gone")

    async def story(scene: Scene) -> None:
        async with scene.running(watches) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.client.delete(f"{WEBS.format('default')}/shop")
            await scene.settle(running)
            spec = {"clusterIP": "None"}
            await scene.put("/api/v1/namespaces/default/services", "other", spec=spec)
            await scene.settle(running)

    play(story)
    assert [told for told in seen if "kubernetes" not in told] == [
        "there",
        "default/shop is gone",
        "default/other is gone",
    ]


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
