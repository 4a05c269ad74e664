"""Operators on a cluster, embedded or real: what they write, and what they put right."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from tests.integration.ground import CRDS, SECONDS, Ground, on
from tests.operator.web import WebServer, make, service_for, web_server

import kubewright as kw
from kubewright.client.errors import ApiError, NotFound
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.core.v1 import (
    ConfigMap,
    LimitRange,
    LimitRangeItem,
    LimitRangeSpec,
    ResourceQuota,
    Secret,
    Service,
)
from kubewright.k8s.rbac.v1 import RoleBinding, RoleRef, Subject
from kubewright.schema.crd import crd_of
from kubewright.testing.sandbox import Sandbox

WEB = "web.example.com/v1"


def test_an_object_converges_with_three_writes_and_a_restart_writes_nothing(cluster: Sandbox) -> None:
    async def story(ground: Ground) -> Any:
        @kw.controller(WebServer, owns=[Service, ConfigMap], name="web")
        async def controller(web: WebServer, ctx: kw.Context) -> None:
            await ctx.apply(service_for(web))
            await ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name=web.metadata.name), data={"a": "1"}))
            web.status.set("Available", True, reason="Made")

        async with ground.running(controller) as running:
            for number in range(10):
                await make(ground.client, f"shop-{number}", ground.namespace)
            for number in range(10):
                await ground.observed(f"shop-{number}")
            await running.idle()
        first = len(ground.writes)
        ground.writes.clear()
        async with ground.running(controller) as running:
            await running.idle()
            await make(ground.client, "last", ground.namespace)
            await ground.observed("last")  # by then the watch has told all that came before
            await running.idle()
        return first, ground.writes

    first, second = on(cluster, story)
    assert first == 30
    assert second == ["PATCH /services/last", "PATCH /configmaps/last", "PATCH /webservers/last/status"]


def test_a_deployment_is_found_unchanged_after_a_restart(cluster: Sandbox) -> None:
    """Its controller fills in much, and writes its status all the time."""

    async def story(ground: Ground) -> Any:
        async with ground.running(web_server) as running:
            await make(ground.client, "shop", ground.namespace)
            await ground.until(ready(ground))
            await running.idle()
        ground.writes.clear()
        async with ground.running(web_server) as running:
            await running.idle()
            await make(ground.client, "last", ground.namespace)
            await ground.observed("last")
            await running.idle()
        return [each for each in ground.writes if "shop" in each]

    def ready(ground: Ground) -> Callable[[], Awaitable[bool]]:
        """Whether the pods run and the WebServer says so: from then on nothing changes by itself."""

        async def holds() -> bool:
            web = await ground.web()
            return bool(web.get("status", {}).get("readyReplicas") == web["spec"]["replicas"])

        return holds

    assert on(cluster, story) == []


def pods(name: str, container: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """A Deployment of no pods, as it is written by hand."""
    labels = {"app": name}
    template = {"metadata": {"labels": labels, **metadata}, "spec": {"containers": [{"name": "c", **container}]}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def with_nulls(deployment: dict[str, Any]) -> dict[str, Any]:
    """The same with nulls where the server has defaults."""
    spec = dict.fromkeys(("progressDeadlineSeconds", "replicas", "revisionHistoryLimit", "strategy"))
    return {**deployment, "spec": {**deployment["spec"], **spec}}


def document(kind: str, name: str, **rest: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **rest.pop("metadata", {})}, **rest}


ROLE = RoleRef(kind="Role", name="x", api_group="rbac.authorization.k8s.io")
PORT = {"port": 80, "targetPort": None, "nodePort": None}
PROBE = {"httpGet": {"port": 80, "scheme": None}, "periodSeconds": None}
FIELD = {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}


def odd_children() -> list[Any]:
    """What servers keep in another form than it was written in."""
    return [
        Secret(metadata=kw.ObjectMeta(name="text"), string_data={"a": "ž", "b": ""}),
        document("Secret", "both", data={"x": "YQ=="}, stringData={"a": "b"}),
        RoleBinding(
            metadata=kw.ObjectMeta(name="people"),
            role_ref=ROLE,
            subjects=[Subject(kind="User", name="bob"), Subject(kind="ServiceAccount", name="a", namespace="b")],
        ),
        LimitRange(
            metadata=kw.ObjectMeta(name="limits"),
            spec=LimitRangeSpec(
                limits=[
                    LimitRangeItem(
                        type="Container",
                        default={"cpu": kw.Quantity("1000m")},
                        max={"memory": kw.Quantity("1Gi")},
                        min={"cpu": kw.Quantity("1m")},
                    )
                ]
            ),
        ),
        document("ConfigMap", "null-annotations", metadata={"annotations": None}, data={"a": None, "b": "1"}),
        document("ConfigMap", "null-data", metadata={"creationTimestamp": None}, data=None, immutable=None),
        document("Service", "printed", spec={"ports": [{"port": 80}], "selector": None}, status={"loadBalancer": {}}),
        document("ResourceQuota", "quota", spec={"hard": {"cpu": "2000m", "pods": 10}}),
        {**pods("printed", {"image": "i", "resources": {}}, creationTimestamp=None), "status": {}},
        pods("quantities", {"image": "i", "resources": {"limits": {"cpu": 0.5, "memory": "1024Mi"}}}),
        pods("fields", {"image": "i", "env": [FIELD, {"name": "B", "value": None}], "ports": None}),
        with_nulls(pods("filled", {"image": "i:1", "imagePullPolicy": None, "livenessProbe": PROBE})),
        document("Service", "filled", spec={"type": None, "clusterIP": None, "ports": [PORT]}),
    ]


def test_children_that_the_server_keeps_in_another_form_are_found_unchanged_after_a_restart(cluster: Sandbox) -> None:
    owns: list[type[kw.Resource]] = [
        Secret,
        RoleBinding,
        LimitRange,
        ConfigMap,
        Service,
        ResourceQuota,
        Deployment,
    ]

    @kw.controller(WebServer, owns=owns, name="odd")
    async def odd(web: WebServer, ctx: kw.Context) -> None:
        if web.metadata.name == "shop":
            await ctx.apply_all(odd_children())

    async def story(ground: Ground) -> Any:
        async with ground.running(odd) as running:
            await make(ground.client, "shop", ground.namespace)
            await ground.observed()
            await running.idle()
        first = len(ground.writes)
        ground.writes.clear()
        async with ground.running(odd) as running:
            await running.idle()
            await make(ground.client, "last", ground.namespace)
            await ground.observed("last")
            await running.idle()
        return first, ground.writes

    first, second = on(cluster, story)
    assert first == len(odd_children()) + 1
    assert second == ["PATCH /webservers/last/status"]


def test_a_deleted_child_is_made_anew(cluster: Sandbox) -> None:
    async def story(ground: Ground) -> None:
        path = ground.path("services", "shop")
        async with ground.running(web_server):
            await make(ground.client, "shop", ground.namespace)
            await ground.observed()
            old = await ground.client.get(path)
            await ground.client.delete(path)

            async def anew() -> bool:
                return bool((await ground.client.get(path))["metadata"]["uid"] != old["metadata"]["uid"])

            await ground.until(anew)

    on(cluster, story)


def test_an_edit_of_what_is_ours_is_put_right(cluster: Sandbox) -> None:
    async def story(ground: Ground) -> None:
        path = ground.path("deployments", "shop", "apps/v1")
        async with ground.running(web_server):
            await make(ground.client, "shop", ground.namespace, replicas=2)
            await ground.observed()
            await ground.client.patch(path, "merge", {"spec": {"replicas": 7, "minReadySeconds": 5}})

            async def right() -> bool:
                spec = (await ground.client.get(path))["spec"]
                return bool(spec["replicas"] == 2 and spec["minReadySeconds"] == 5)

            await ground.until(right)

    on(cluster, story)


class BoxSpec(kw.Model):
    """What is to be in it."""

    parts: dict[str, str] | None = None


class Inside(kw.Model):
    """What is in it."""

    name: str | None = None


class BoxStatus(kw.Model):
    """What is in it, and where."""

    parts: dict[str, str] | None = None
    inside: Inside | None = None
    places: dict[str, dict[str, str]] | None = None


class Box(kw.Resource, group="web.example.com", version="v1", plural="boxes"):
    """Something to fill and to empty, that has no generation to observe."""

    spec: BoxSpec = kw.field(default_factory=BoxSpec)
    status: BoxStatus = kw.field(default_factory=BoxStatus)


def test_what_was_filled_can_be_emptied_in_a_status_and_in_a_child(cluster: Sandbox) -> None:
    """Of a map that an apply empties the server makes null, and takes no custom resource with that."""

    @kw.controller(Box)
    async def fill(box: Box, ctx: kw.Context) -> None:
        full = bool(box.spec.parts)
        box.status.parts = box.spec.parts
        box.status.inside = Inside(name="it" if full else None)
        box.status.places = {"here": box.spec.parts or {}}

    @kw.controller(WebServer, owns=[Box], name="web")
    async def pack(web: WebServer, ctx: kw.Context) -> None:
        parts = {"a": "1"} if web.spec.replicas else {}
        await ctx.apply(Box(metadata=kw.ObjectMeta(name="shop"), spec=BoxSpec(parts=parts)))

    async def story(ground: Ground) -> Any:
        await ground.client.create(CRDS, crd_of(Box))
        path = ground.path("boxes", "shop", WEB)

        async def box(parts: dict[str, str]) -> Any:
            found = await ground.client.get(path)
            return found if found.get("status", {}).get("parts") == parts else None

        async with ground.running(pack, fill):
            await make(ground.client, "shop", ground.namespace)
            full = await ground.until(lambda: box({"a": "1"}))
            await ground.client.patch(f"{ground.webs}/shop", "merge", {"spec": {"replicas": 0}})
            empty = await ground.until(lambda: box({}))
            return [(each["spec"], each["status"]) for each in (full, empty)]

    full, empty = on(cluster, story)
    one = {"a": "1"}
    assert full == ({"parts": one}, {"parts": one, "inside": {"name": "it"}, "places": {"here": one}})
    assert empty == ({"parts": {}}, {"parts": {}, "inside": {}, "places": {"here": {}}})


def test_a_finalizer_holds_an_object_until_its_clean_up_is_done(cluster: Sandbox) -> None:
    cleaned: list[str] = []
    allowed = asyncio.Event()

    @kw.controller(WebServer)
    async def guarded(web: WebServer, ctx: kw.Context) -> None:
        web.status.set("Available", True, reason="Yes")

    @guarded.finalizer
    async def clean_up(web: WebServer, ctx: kw.Context) -> None:
        if not allowed.is_set():
            raise kw.Retry("not yet", after=0.05)
        cleaned.append(web.metadata.name)

    async def story(ground: Ground) -> Any:
        async with ground.running(guarded):
            await make(ground.client, "shop", ground.namespace)
            web = await ground.observed()
            assert web["metadata"]["finalizers"] == ["web.example.com/guarded"]
            await ground.client.delete(f"{ground.webs}/shop")
            assert (await ground.web())["metadata"]["deletionTimestamp"]
            allowed.set()

            async def gone() -> bool:
                try:
                    await ground.web()
                except NotFound:
                    return True
                return False

            await ground.until(gone)

    on(cluster, story)
    assert cleaned == ["shop"]


def test_status_is_not_written_to_another_object_of_the_same_name(cluster: Sandbox) -> None:
    """The object is deleted and made anew while its reconcile runs."""
    started, go_on = asyncio.Event(), asyncio.Event()

    @kw.controller(WebServer)
    async def slow(web: WebServer, ctx: kw.Context) -> None:
        if not started.is_set():
            started.set()
            await go_on.wait()
            web.status.ready_replicas = 99
        else:
            web.status.ready_replicas = 1

    async def story(ground: Ground) -> Any:
        async with ground.running(slow):
            await make(ground.client, "shop", ground.namespace)
            await started.wait()
            await ground.client.delete(f"{ground.webs}/shop")
            await make(ground.client, "shop", ground.namespace)
            go_on.set()
            return (await ground.observed())["status"]["readyReplicas"]

    assert on(cluster, story) == 1


def test_a_synchronous_reconciler_runs_in_a_thread(cluster: Sandbox) -> None:
    threads: list[str] = []

    @kw.controller(WebServer, owns=[ConfigMap])
    def plain(web: WebServer, ctx: kw.SyncContext) -> None:
        threads.append(threading.current_thread().name)
        made = ctx.apply(ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"a": "1"}))
        assert made.metadata.uid
        assert ctx.wait(ctx.live.get(ConfigMap, "made", ctx.namespace)).data == {"a": "1"}
        web.status.ready_replicas = len(ctx.list(ConfigMap, owned=True))

    async def story(ground: Ground) -> Any:
        async with ground.running(plain):
            await make(ground.client, "shop", ground.namespace)
            return (await ground.observed())["status"]["readyReplicas"]

    assert on(cluster, story) == 1
    assert set(threads) == {"kubewright-beside"}


def test_a_synchronous_call_past_its_limit_keeps_its_key_and_is_reported(cluster: Sandbox) -> None:
    release = threading.Event()
    entered: list[str] = []
    other = threading.Event()

    @kw.controller(WebServer, timeout=0.2, concurrency=2)
    def stuck(web: WebServer, ctx: kw.SyncContext) -> None:
        entered.append(web.metadata.name)
        if web.metadata.name == "stuck":
            release.wait(SECONDS)
        else:
            other.set()

    async def story(ground: Ground) -> Any:
        async with ground.running(stuck) as running:
            await running.synced()
            await make(ground.client, "stuck", ground.namespace)

            async def reported() -> Any:
                return running.health.problems()

            problems = await ground.until(reported)
            await ground.client.patch(f"{ground.webs}/stuck", "merge", {"spec": {"replicas": 3}})
            await make(ground.client, "other", ground.namespace)
            await asyncio.to_thread(other.wait, SECONDS)
            during = list(entered)
            release.set()

            async def well() -> bool:
                return not running.health.problems() and entered.count("stuck") > 1

            await ground.until(well)
            return problems, during

    problems, during = on(cluster, story)
    assert list(problems) == ["workers of stuck"]
    assert during == ["stuck", "other"]


def test_a_standby_takes_over_at_once(cluster: Sandbox) -> None:
    async def story(ground: Ground) -> list[str]:
        leads: list[str] = []

        def controller(who: str) -> Any:
            @kw.controller(WebServer, name="web")
            async def reconcile(web: WebServer, ctx: kw.Context) -> None:
                leads.append(who)

            return reconcile

        await make(ground.client, "shop", ground.namespace)
        election = kw.LeaderElection(namespace=ground.namespace)
        first = ground.running(controller("first"), leader_election=election)
        second = ground.running(controller("second"), leader_election=election)
        async with second:
            async with first:
                await ground.until(lambda: _truth(leads))
                await ground.until(lambda: _truth(all(each.synced.is_set() for each in second.informers)))
                leader = leads[0]
                other = second if leader == "first" else first
                assert not any(runner.working for runner in other.runners.values())
                if leader == "second":
                    return [leader, "first"]
            await ground.until(lambda: _truth(len(leads) > 1))
        return leads

    assert sorted(on(cluster, story)) == ["first", "second"]


async def _truth(value: Any) -> Any:
    return value


def test_an_apply_for_another_object_of_the_same_name_is_refused(cluster: Sandbox) -> None:
    """What `ctx.apply` leans on when a child was deleted and made anew by somebody else."""

    async def story(ground: Ground) -> list[int]:
        codes = []
        for plural, kind, version in (("configmaps", "ConfigMap", "v1"), ("webservers", "WebServer", WEB)):
            collection = f"{'/api' if version == 'v1' else '/apis'}/{version}/namespaces/{ground.namespace}/{plural}"
            document: dict[str, Any] = {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}}
            rest = {"spec": {"image": "nginx"}} if kind == "WebServer" else {}
            await ground.client.create(collection, {**document, **rest})
            document["metadata"]["uid"] = "11111111-2222-3333-4444-555555555555"
            for name in ("x", "absent"):
                document["metadata"]["name"] = name
                try:
                    await ground.client.patch(
                        f"{collection}/{name}", "apply", {**document, **rest}, fieldManager="us", force=True
                    )
                    codes.append(200)
                except ApiError as error:
                    codes.append(error.code)
        return codes

    assert all(code in (409, 422) for code in on(cluster, story))
