"""What operators write: three writes for an object, none where nothing changes, and nothing that is not theirs."""

import asyncio
import contextlib
from typing import Any

import pytest
from tests.operator.scene import Scene, play
from tests.operator.web import WEBS, WebServer, WebServerSpec, deployment_for, make, service_for, web_server

import kubewright as kw
from kubewright.controller.children import ChildError
from kubewright.http import Request
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import ConfigMap, PersistentVolumeClaim, Service

DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
SERVICES = "/api/v1/namespaces/default/services"
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


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


def test_a_webhook_that_changes_our_values_for_good_does_not_make_us_write_for_ever() -> None:
    turns: list[dict[str, str]] = []  # the same each time, but in another order

    async def story(scene: Scene) -> tuple[list[str], Any]:
        @kw.controller(WebServer, owns=[ConfigMap])
        async def makes(web: WebServer, ctx: kw.Context) -> kw.Requeue:
            data = {"a": "ours", "b": "1"}
            turns.append(dict(reversed(data.items())) if len(turns) % 2 else data)
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data=turns[-1]))
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
    assert data == {"a": "theirs", "b": "1"}
    assert len(turns) > 10
    assert len(writes) == 2  # that the order alone is another one is known from the second on


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


def test_what_is_not_ours_is_refused_also_where_it_is_not_selected() -> None:
    """It is not in memory, for it has not the labels; an apply would take it from who made it."""

    @kw.controller(WebServer, owns=[kw.only(ConfigMap, labels="app=web")])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="page", labels={"app": "web"}), data={"ours": "1"}))

    pages = "/api/v1/namespaces/default/configmaps"

    async def story(scene: Scene) -> Any:
        await scene.put(pages, "page", data={"theirs": "1"})
        async with scene.running(makes) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            theirs = await scene.client.get(f"{pages}/page")
            await scene.client.delete(f"{pages}/page")
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 4}})
            await scene.settle(running)
            await scene.client.patch(f"{pages}/page", "merge", {"metadata": {"labels": {"app": None}}})
            await scene.settle(running)
            return theirs, await scene.client.get(f"{pages}/page")

    theirs, ours = play(story)
    assert (theirs["data"], "ownerReferences" in theirs["metadata"]) == ({"theirs": "1"}, False)
    assert (ours["data"], ours["metadata"]["labels"]["app"]) == ({"ours": "1"}, "web")


@pytest.mark.parametrize("beside", [False, True], ids=["not in memory", "in memory for another"])
def test_what_is_not_selected_and_in_the_way_of_a_child_holds_it_up_no_longer_than_it_is_there(beside: bool) -> None:
    """The owner has said what it thinks of it, so no failure brings it back."""

    @kw.controller(WebServer, owns=[kw.only(ConfigMap, labels="app=web")])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        with contextlib.suppress(ChildError):
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="page", labels={"app": "web"})))

    @kw.controller(WebServer, reads=[ConfigMap])
    async def reads(web: WebServer, ctx: kw.Context) -> None:
        """Nothing; but all ConfigMaps are in memory because of it."""

    pages = "/api/v1/namespaces/default/configmaps"

    async def story(scene: Scene) -> Any:
        await scene.put(pages, "page")
        async with scene.running(makes, *([reads] if beside else [])) as running:
            await make(scene.client, "shop")
            await scene.settle(running, 1000)
            await scene.client.delete(f"{pages}/page")
            await scene.settle(running, 5 if beside else 90)
            return await scene.client.get(f"{pages}/page")

    assert play(story)["metadata"]["ownerReferences"][0]["name"] == "shop"


def sizing(name: str, **data: str) -> Any:
    """A controller that writes the size of each object, and something else, onto one page."""

    @kw.controller(WebServer, owns=[ConfigMap], name=name)
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        page = kw.ObjectMeta(name="page")
        await ctx.apply(ConfigMap(metadata=page, data={**data, "size": str(web.spec.replicas)}))

    return makes


def test_one_child_applied_in_two_ways_by_two_controllers_is_refused_to_who_would_undo_the_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(scene: Scene) -> Any:
        counts = []
        async with scene.running(sizing("one", by="one"), sizing("two", by="two")) as running:
            await make(scene.client, "shop")
            for replicas in (1, 2, 2):
                await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": replicas}})
                await scene.settle(running, 3600)
                counts.append(sum("configmaps" in each for each in scene.wire.writes))
        return counts, (await scene.client.get(f"{CONFIGMAPS}/page"))["data"]["size"]

    (first, second, third), size = play(story)
    assert (first <= 5, second - first <= 5, third - second, size) == (True, True, 0, "2")
    assert "is applied by 'web-operator/two' too, with another data.by" in caplog.text


def test_two_controllers_that_apply_the_same_are_no_rivals_whatever_a_webhook_makes_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def webhook(request: Request) -> None:
        if isinstance(request.body, bytes):
            request.body = request.body.replace(b'"web:1"', b'"mirror/web:1"')

    async def story(scene: Scene) -> Any:
        scene.wire.delay = webhook
        async with scene.running(sizing("one", image="web:1"), sizing("two", image="web:1")) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 2}})
            await scene.settle(running)
            scene.wire.writes.clear()
            await scene.settle(running, 3600)
        return scene.wire.writes, (await scene.client.get(f"{CONFIGMAPS}/page"))["data"]

    assert play(story) == ([], {"image": "mirror/web:1", "size": "2"})
    assert "is applied by" not in caplog.text


def test_a_child_that_another_controller_applies_too_is_not_pruned_but_left_to_it() -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def parts(web: WebServer, ctx: kw.Context) -> None:
        page = ConfigMap(metadata=kw.ObjectMeta(name="page"), data={"ours": "1"})
        await ctx.apply_all([page] if web.spec.replicas == 1 else [], prune=True)

    @kw.controller(WebServer, owns=[ConfigMap])
    async def keeps(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="page"), data={"theirs": "1"}))

    async def story(scene: Scene) -> Any:
        seen = []
        for controllers in ([parts, keeps], [parts]):  # the last time there is nobody else
            await make(scene.client, "shop")
            async with scene.running(parts, keeps) as running:
                await scene.settle(running)
                first = await scene.client.get(f"{CONFIGMAPS}/page")
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 2}})
            async with scene.running(*controllers) as running:
                await scene.settle(running)
            pages = [
                each for each in (await scene.client.get(CONFIGMAPS))["items"] if each["metadata"]["name"] == "page"
            ]
            seen.append([(each["metadata"]["uid"] == first["metadata"]["uid"], each["data"]) for each in pages])
            await scene.client.delete(f"{WEBS.format('default')}/shop")
        return seen

    assert play(story, controllers="all") == [[(True, {"theirs": "1"})], []]


def test_one_child_applied_in_two_ways_is_refused_and_not_written_back_and_forth(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def torn(web: WebServer, ctx: kw.Context) -> None:
        meta = kw.ObjectMeta(name="page")
        await ctx.apply(ConfigMap(metadata=meta, data={"a": "1"}))
        await ctx.apply(ConfigMap(metadata=meta, data={"a": "1"}))  # the same is fine
        await ctx.apply_all([ConfigMap(metadata=meta, data={"a": "2"})], prune=True)

    async def story(scene: Scene) -> list[str]:
        await make(scene.client, "shop")
        async with scene.running(torn):
            await asyncio.sleep(60)
            return scene.wire.writes

    assert play(story) == [f"PATCH {CONFIGMAPS}/page"]
    assert "ConfigMap default/page was applied otherwise in this same reconcile" in caplog.text


def test_one_child_named_in_another_order_or_as_a_document_is_the_same() -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def twice(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="page"), data={"a": "1", "b": "2"}))
        await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="page"), data={"b": "2", "a": "1"}))
        document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "page"}, "data": {"b": "2", "a": "1"}}
        await ctx.apply(document)
        web.status.ready_replicas = 7

    async def story(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with scene.running(twice) as running:
            await scene.settle(running)
            web = await scene.client.get(f"{WEBS.format('default')}/shop")
            return web["status"]["readyReplicas"], scene.wire.writes.count(f"PATCH {CONFIGMAPS}/page")

    assert play(story) == (7, 1)


@pytest.mark.parametrize(
    ("value", "problem"),
    [(float("nan"), "data.a is nan, which JSON cannot say"), ("\udc80", "data.a has a lone surrogate")],
    ids=["nan", "surrogate"],
)
def test_a_child_that_json_cannot_say_is_refused_with_its_place(
    value: object, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    @kw.controller(WebServer, owns=[ConfigMap])
    async def odd(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "page"}, "data": {"a": value}})

    async def story(scene: Scene) -> list[str]:
        await make(scene.client, "shop")
        async with scene.running(odd):
            await asyncio.sleep(1)
            return scene.wire.writes

    assert play(story) == []
    assert problem in caplog.text


class Mall(kw.Resource, group="web.example.com", version="v1"):
    """What has WebServers of its own."""

    spec: dict[str, int] = kw.field(default_factory=dict)


MALLS = "/apis/web.example.com/v1/namespaces/default/malls"


def test_a_child_whose_status_another_controller_writes_is_pruned() -> None:
    @kw.controller(Mall, owns=[WebServer])
    async def builds(mall: Mall, ctx: kw.Context) -> None:
        shop = WebServer(metadata=kw.ObjectMeta(name="shop"), spec=WebServerSpec(image="i"))
        await ctx.apply_all([shop] if mall.spec["shops"] else [], prune=True)

    @kw.controller(WebServer)
    async def opens(web: WebServer, ctx: kw.Context) -> None:
        web.status.set("Open", True, reason="Morning")

    async def story(scene: Scene) -> tuple[Any, list[Any]]:
        async with scene.running(builds, opens) as running:
            await scene.settle(running)
            named = {"apiVersion": "web.example.com/v1", "kind": "Mall"}
            await scene.put(MALLS, "mall", **named, spec={"shops": 1})
            await scene.settle(running)
            status = (await scene.web())["status"]["conditions"][0]["type"]
            await scene.client.patch(f"{MALLS}/mall", "merge", {"spec": {"shops": 0}})
            await scene.settle(running)
        return status, (await scene.client.get(WEBS.format("default")))["items"]

    assert play(story, WebServer, Mall) == ("Open", [])


def test_a_child_that_is_given_with_a_status_is_no_rival_of_who_writes_it(caplog: pytest.LogCaptureFixture) -> None:
    named = {"apiVersion": "web.example.com/v1"}
    shop = {**named, "kind": "WebServer", "metadata": {"name": "shop"}, "spec": {"image": "i"}}

    @kw.controller(Mall, owns=[WebServer])
    async def builds(mall: Mall, ctx: kw.Context) -> None:
        await ctx.apply({**shop, "status": {"readyReplicas": 0}})

    @kw.controller(WebServer)
    async def opens(web: WebServer, ctx: kw.Context) -> None:
        web.status.ready_replicas = 5

    async def story(scene: Scene) -> Any:
        async with scene.running(builds, opens) as running:
            await scene.settle(running)
            await scene.put(MALLS, "mall", **named, kind="Mall")
            await scene.settle(running)
        return (await scene.web())["status"]["readyReplicas"]

    assert play(story, WebServer, Mall) == 5
    assert "is applied by" not in caplog.text


def test_a_child_is_pruned_though_another_controller_adds_to_it() -> None:
    @kw.controller(WebServer, owns=[Deployment])
    async def makes(web: WebServer, ctx: kw.Context) -> None:
        await ctx.apply_all([deployment_for(web)] if web.spec.replicas == 1 else [], prune=True)

    @kw.controller(WebServer, owns=[Deployment])
    async def adds(web: WebServer, ctx: kw.Context) -> None:
        if ctx.get(Deployment, web.metadata.name) is not None:
            notes = {"example.com/note": "ours"}
            await ctx.apply(Deployment(metadata=kw.ObjectMeta(name=web.metadata.name, annotations=notes)))

    async def story(scene: Scene) -> tuple[Any, list[Any]]:
        async with scene.running(makes, adds) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            notes = (await scene.client.get(f"{DEPLOYMENTS}/shop"))["metadata"]["annotations"]
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 2}})
            await scene.settle(running)
        return notes, (await scene.client.get(DEPLOYMENTS))["items"]

    assert play(story) == ({"example.com/note": "ours"}, [])


def test_a_child_of_two_controllers_is_gone_when_both_prune_it_at_once() -> None:
    def controller(name: str) -> Any:
        @kw.controller(WebServer, owns=[ConfigMap], name=name)
        async def makes(web: WebServer, ctx: kw.Context) -> None:
            page = ConfigMap(metadata=kw.ObjectMeta(name="page"), data={name: "1"})
            await ctx.apply_all([page] if web.spec.replicas == 1 else [], prune=True)

        return makes

    async def story(scene: Scene) -> list[str]:
        async def slowly(request: Request) -> None:
            await asyncio.sleep(0.1)

        async with scene.running(controller("one"), controller("two")) as running:
            await make(scene.client, "shop")
            await scene.settle(running)
            scene.wire.delay = slowly
            await scene.client.patch(f"{WEBS.format('default')}/shop", "merge", {"spec": {"replicas": 2}})
            await scene.settle(running)
        return [each["metadata"]["name"] for each in (await scene.client.get(CONFIGMAPS))["items"]]

    assert "page" not in play(story)
