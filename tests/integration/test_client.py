"""The typed client on whichever cluster there is, over TLS."""

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import pytest

import kubewright as kw
from kubewright.client import Api, ApiError, Attempt, Client, SyncApi, load_kubeconfig
from kubewright.client.discovery import UnknownKind
from kubewright.client.errors import AlreadyExists, Conflict, Invalid, NotFound, Unauthorized
from kubewright.client.options import Fields, Labels
from kubewright.client.plugin import ExecPlugin
from kubewright.k8s.apps.v1 import Deployment
from kubewright.k8s.authentication.v1 import SelfSubjectReview, TokenRequest
from kubewright.k8s.core.v1 import ConfigMap, Namespace, Pod, ServiceAccount
from kubewright.model.selectors import FieldSelector, LabelSelector
from kubewright.schema.crd import crd_of
from kubewright.testing.sandbox import Sandbox

Value = TypeVar("Value")


class GadgetSpec(kw.Model):
    size: Annotated[int, kw.Range(0, 10)] = 1


class GadgetStatus(kw.Model):
    seen: int | None = None


class Gadget(
    kw.Resource,
    group="client.example.com",
    version="v1",
    scale=kw.Scale(".spec.size", ".status.seen"),
    short_names=["gg"],
):
    spec: GadgetSpec
    status: GadgetStatus = kw.field(default_factory=GadgetStatus)


def play(cluster: Sandbox, story: Callable[[Api], Awaitable[Value]], **settings: Any) -> Value:
    """Run a story with a client of the cluster."""

    async def run() -> Value:
        async with Api.connect(kubeconfig=cluster.kubeconfig, **settings) as api, asyncio.timeout(60):
            return await story(api)

    return asyncio.run(run())


def config_map(name: str, labels: dict[str, str] | None = None, **data: str) -> ConfigMap:
    meta = kw.ObjectMeta(name=name, labels=labels) if labels else kw.ObjectMeta(name=name)
    return ConfigMap(metadata=meta, data=data)


async def install(api: Api) -> None:
    """Have the cluster serve gadgets."""
    await api.create(crd_of(Gadget))
    while True:
        try:
            await api.list(Gadget, namespace=api.namespace)
            return
        except NotFound:
            await asyncio.sleep(0.05)


def test_an_object_lives_its_life(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        made = await api.create(config_map("a", one="1"))
        assert (made.metadata.namespace, made.data) == (cluster.namespace, {"one": "1"})
        with pytest.raises(AlreadyExists):
            await api.create(config_map("a"))
        found = await api.get(ConfigMap, "a")
        assert found == made
        found.data["two"] = "2"
        changed = await api.update(found)
        assert changed.data == {"one": "1", "two": "2"}
        with pytest.raises(Conflict):
            await api.update(made)
        assert (await api.patch(ConfigMap, "a", {"data": {"one": None}})).data == {"two": "2"}
        operation = {"op": "add", "path": "/data/three", "value": "3"}
        assert (await api.patch(ConfigMap, "a", [operation])).data == {"two": "2", "three": "3"}
        patched = await api.patch(ConfigMap, "a", {"data": {"four": "4"}}, strategy="strategic")
        assert set(patched.data) == {"two", "three", "four"}
        with pytest.raises(Conflict):
            await api.delete(ConfigMap, "a", uid="another")
        with pytest.raises(Conflict):
            await api.delete(ConfigMap, "a", resource_version=made.metadata.resource_version)
        await api.delete(ConfigMap, "a", uid=made.metadata.uid, resource_version=patched.metadata.resource_version)
        with pytest.raises(NotFound):
            await api.get(ConfigMap, "a")

    play(cluster, story)


def test_apply_sends_what_is_set_and_owns_it(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        first = await api.apply(config_map("a", mine="1", ours="1"))
        managers = {(entry.manager, entry.operation) for entry in first.metadata.managed_fields}
        assert managers == {("tester", "Apply")}
        again = await api.apply(config_map("a", mine="2"))
        assert again.data == {"mine": "2"}
        with pytest.raises(Conflict, match="conflict with") as refused:
            await api.apply(config_map("a", mine="3"), field_manager="another")
        assert refused.value.causes[0]["field"] == ".data.mine"
        assert refused.value.caused_by("FieldManagerConflict")
        taken = await api.apply(config_map("a", mine="3"), field_manager="another", force=True)
        assert taken.data == {"mine": "3"}
        document = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"plain": "4"}}
        assert (await api.apply(document))["data"] == {"mine": "3", "plain": "4"}
        with pytest.raises(kw.KubewrightError, match="was read from the API"):
            await api.apply(taken)

    play(cluster, story, field_manager="tester")


def test_nothing_is_written_in_a_dry_run_and_strict_validation_refuses_unknown_fields(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        assert (await api.create(config_map("a"), dry_run=True)).metadata.uid
        with pytest.raises(NotFound):
            await api.get(ConfigMap, "a")
        odd = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "oddity": 1}
        with pytest.raises(ApiError, match="oddity"):
            await api.create(odd, field_validation="Strict")
        await api.create(config_map("a"))
        await api.delete(ConfigMap, "a", dry_run=True)
        assert (await api.get(ConfigMap, "a")).metadata.name == "a"

    play(cluster, story)


def test_a_warning_is_logged_once(cluster: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    async def story(api: Api) -> None:
        for name in ("a", "b"):
            odd = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "oddity": 1}
            await api.create(odd, field_validation="Warn")

    with caplog.at_level(logging.WARNING, "kubewright.client"):
        play(cluster, story)
    assert [record.getMessage().partition("warns: ")[2] for record in caplog.records] == ['unknown field "oddity"']


def test_what_is_invalid_is_told_by_field(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        with pytest.raises(Invalid) as invalid:
            await api.create(config_map("No!"))
        assert [cause["field"] for cause in invalid.value.causes] == ["metadata.name"]

    play(cluster, story)


def test_a_list_is_read_in_pages_and_selected(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        for number in range(12):
            await api.create(config_map(f"c{number:02}", {"parity": "even" if number % 2 == 0 else "odd"}))
        mine: Any = {"namespace": cluster.namespace, "labels": "parity"}
        names = [f"c{number:02}" for number in range(12)]
        assert [each.metadata.name async for each in api.list(ConfigMap, **mine, limit=5)] == names
        whole = await api.list(ConfigMap, **mine, limit=5)
        assert [each.metadata.name for each in whole.items] == names
        assert whole.resource_version == (await api.list(ConfigMap, **mine, limit=0)).resource_version
        sizes = [len(page.items) async for page in api.list(ConfigMap, **mine, limit=5).pages()]
        assert sizes == [5, 5, 2]
        ways: list[Labels] = ["parity in (odd)", {"parity": "odd"}, LabelSelector.parse("parity!=even,parity")]
        for labels in ways:
            odd = await api.list(ConfigMap, namespace=cluster.namespace, labels=labels)
            assert [each.metadata.name for each in odd.items] == names[1::2]
        names_it: list[Fields] = [
            "metadata.name=c03",
            {"metadata.name": "c03"},
            FieldSelector.parse("metadata.name=c03"),
        ]
        for fields in names_it:
            one = await api.list(ConfigMap, namespace=cluster.namespace, fields=fields)
            assert [each.metadata.name for each in one.items] == ["c03"]
        everywhere = {each.metadata.namespace async for each in api.list(ConfigMap)}
        assert cluster.namespace in everywhere
        await api.delete_collection(ConfigMap, cluster.namespace, labels={"parity": "odd"})
        left = await api.list(ConfigMap, **mine)
        assert [each.metadata.name for each in left.items] == names[::2]

    play(cluster, story)


def test_a_watch_tells_every_change_and_ends_in_time(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        before = await api.list(ConfigMap, namespace=cluster.namespace)
        place: Any = {"namespace": cluster.namespace, "resource_version": before.resource_version}
        async with api.watch(ConfigMap, **place, name="a") as watch:
            await api.create(config_map("a", k="1"))
            await api.create(config_map("b"))
            await api.apply(config_map("a", k="2"), force=True)
            await api.delete(ConfigMap, "a")
            seen = []
            async for event in watch:
                seen.append((event.type, event.object.metadata.name, dict(event.object.data)))
                if event.type == "DELETED":
                    break
        assert seen == [("ADDED", "a", {"k": "1"}), ("MODIFIED", "a", {"k": "2"}), ("DELETED", "a", {"k": "2"})]
        async with api.watch(ConfigMap, namespace=cluster.namespace, initial=True) as watch:
            async for event in watch:
                if event.type == "BOOKMARK":
                    assert event.object.metadata.annotations["k8s.io/initial-events-end"] == "true"
                    break
        ended = [event async for event in api.watch(ConfigMap, **place, name="nobody", seconds=1)]
        assert ended == []

    play(cluster, story)


def test_custom_kinds_have_status_and_scale(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await install(api)
        made = await api.create(Gadget(metadata=kw.ObjectMeta(name="g"), spec=GadgetSpec(size=3)))
        made.status.seen = 3
        assert (await api.update(made, subresource="status")).status.seen == 3
        status = {"apiVersion": Gadget.api_version, "kind": "Gadget", "metadata": {"name": "g"}, "status": {"seen": 4}}
        assert (await api.apply(status, subresource="status", force=True))["status"]["seen"] == 4
        scale = await api.scale(Gadget, "g")
        assert (scale.spec.replicas, scale.status.replicas) == (3, 4)
        assert (await api.scale(Gadget, "g", replicas=5)).spec.replicas == 5
        assert (await api.get(Gadget, "g")).spec.size == 5
        with pytest.raises(Invalid):
            await api.patch(Gadget, "g", {"spec": {"size": 99}})

    play(cluster, story)


def test_any_kind_can_be_found_by_its_names_also_one_that_came_later(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        for spelling in ("Deployment", "deploy", "deployments.apps", "deployments.v1.apps", "apps/v1/Deployment"):
            assert (await api.resource(spelling)).path("ns", "x") == "/apis/apps/v1/namespaces/ns/deployments/x"
        assert (await api.resource("nodes")).namespaced is False
        with pytest.raises(UnknownKind, match=r"the server has no gadgets\.client\.example\.com"):
            await api.resource("gadgets.client.example.com")
        await install(api)
        gadgets = await api.resource("gg")
        made = await api.create(
            {"apiVersion": "client.example.com/v1", "kind": "Gadget", "metadata": {"name": "g"}, "spec": {"size": 2}}
        )
        assert made["spec"] == {"size": 2}
        assert (await api.get(gadgets, "g"))["metadata"]["uid"] == made["metadata"]["uid"]
        maps = await api.resource("configmaps")
        await api.create(config_map("plain"))
        (found,) = (await api.list(maps, namespace=cluster.namespace, fields="metadata.name=plain")).items
        assert (found["apiVersion"], found["kind"]) == ("v1", "ConfigMap")

    play(cluster, story)


def test_deletion_waits_for_finalizers_and_gives_the_object(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        meta = kw.ObjectMeta(name="a", finalizers=["client.example.com/wait"])
        await api.create(ConfigMap(metadata=meta))
        left = await api.delete(ConfigMap, "a", propagation="Foreground")
        assert left is not None
        assert left.metadata.deletion_timestamp is not None
        await api.patch(ConfigMap, "a", {"metadata": {"finalizers": None}})
        with pytest.raises(NotFound):
            await api.get(ConfigMap, "a")

    play(cluster, story)


def test_a_pod_is_evicted(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        await api.create(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": "p"},
                "spec": {"containers": [{"name": "c", "image": "x"}], "automountServiceAccountToken": False},
            }
        )
        uid = (await api.get(Pod, "p")).metadata.uid
        with pytest.raises(Conflict):
            await api.evict("p", uid="another")
        await api.evict("p", uid=uid, grace=0)
        with pytest.raises(NotFound):
            await api.get(Pod, "p")

    play(cluster, story)


async def _account(api: Api, seconds: int = 600) -> str:
    """The token of a new account."""
    await api.create(ServiceAccount(metadata=kw.ObjectMeta(name="someone")))
    asked: dict[str, Any] = {
        "apiVersion": TokenRequest.api_version,
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": seconds},
    }
    answer = await api.post(ServiceAccount, "someone", "token", asked)
    token: str = answer["status"]["token"]
    return token


async def _who(api: Api) -> str:
    review = await api.create(SelfSubjectReview())
    assert review.status.user_info is not None
    return review.status.user_info.username or ""


def test_a_token_file_is_read_again_when_its_token_is_refused(cluster: Sandbox, tmp_path: Path) -> None:
    async def story(api: Api) -> None:
        token = await _account(api)
        file = tmp_path / "token"
        file.write_text("stale")
        access = replace(load_kubeconfig(cluster.kubeconfig), certificate=None, key=None, token_file=file, token=None)
        async with Api.connect(access) as other:
            with pytest.raises(Unauthorized):
                await _who(other)
            file.write_text(token)
            assert await _who(other) == f"system:serviceaccount:{cluster.namespace}:someone"

    play(cluster, story)


PLUGIN = """
import json, os, pathlib, sys
runs = pathlib.Path(sys.argv[1])
tokens = json.loads(runs.read_text())
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
token, rest = tokens[0], tokens[1:] or tokens
runs.write_text(json.dumps(rest))
print(json.dumps({"apiVersion": info["apiVersion"], "kind": "ExecCredential", "status": {"token": token}}))
"""


def test_a_program_gives_the_token_and_is_run_again_when_it_is_refused(cluster: Sandbox, tmp_path: Path) -> None:
    async def story(api: Api) -> None:
        token = await _account(api)
        script, runs = tmp_path / "plugin.py", tmp_path / "tokens"
        script.write_text(PLUGIN)
        runs.write_text(json.dumps(["refused", token]))
        plugin = ExecPlugin(
            sys.executable,
            "client.authentication.k8s.io/v1",
            (str(script), str(runs)),
            interactive="Never",
        )
        access = replace(load_kubeconfig(cluster.kubeconfig), certificate=None, key=None, token=None, plugin=plugin)
        async with Api.connect(access) as other:
            names = await asyncio.gather(*(_who(other) for _ in range(5)))
        assert set(names) == {f"system:serviceaccount:{cluster.namespace}:someone"}

    play(cluster, story)


def test_another_user_can_be_meant(cluster: Sandbox) -> None:
    async def story() -> str:
        access = load_kubeconfig(cluster.kubeconfig)
        whom = ((b"Impersonate-User", b"jane"), (b"Impersonate-Group", b"system:authenticated"))
        async with Api.connect(replace(access, impersonation=whom)) as api:
            return await _who(api)

    assert asyncio.run(story()) == "jane"


def test_every_request_is_told(cluster: Sandbox) -> None:
    told: list[Attempt] = []

    async def story(api: Api) -> None:
        await api.create(config_map("a"))
        with pytest.raises(NotFound):
            await api.get(ConfigMap, "b")
        async with api.watch(ConfigMap, namespace=cluster.namespace) as watch:
            await anext(watch)

    play(cluster, story, observer=told.append)
    host = cluster.server.removeprefix("https://")
    assert [(each.verb, each.code, each.host) for each in told] == [
        ("POST", 201, host),
        ("GET", 404, host),
        ("GET", 200, host),
    ]
    assert told[0].sent > 0
    assert told[0].received > told[0].sent
    assert all(each.seconds > 0 and each.number == 1 for each in told)


def test_a_script_needs_no_loop(cluster: Sandbox) -> None:
    with SyncApi.connect(kubeconfig=cluster.kubeconfig) as api:
        api.create(config_map("a", k="v"))
        assert [each.data for each in api.list(ConfigMap, namespace=api.namespace, fields="metadata.name=a")] == [
            {"k": "v"}
        ]
        version = api.list(ConfigMap, namespace=api.namespace).all().resource_version
        with api.watch(ConfigMap, namespace=api.namespace, resource_version=version) as watch:
            api.delete(ConfigMap, "a")
            assert next(iter(watch)).type == "DELETED"
        with pytest.raises(NotFound):
            api.get(ConfigMap, "a")
        assert api.get(api.resource("namespaces"), api.namespace)["kind"] == "Namespace"


def test_a_cancelled_watch_leaves_no_connection(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        async def forever() -> None:
            async for _ in api.watch(Namespace, resource_version=version):
                begun.release()

        version = (await api.list(Namespace)).resource_version
        begun = asyncio.Semaphore(0)
        tasks = [asyncio.create_task(forever()) for _ in range(4)]
        await api.patch(Namespace, cluster.namespace, {"metadata": {"labels": {"a": "b"}}})
        for _ in tasks:
            await begun.acquire()
        assert len(_open(api.raw)) >= 4
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while len(_open(api.raw)) > 1:  # noqa: ASYNC110 - a transport tells that it has gone a little later
            await asyncio.sleep(0)

    play(cluster, story)


def _open(client: Client) -> Any:
    return client._transport._pool._open  # type: ignore[attr-defined]  # what is held is nobody's business elsewhere


def test_a_deployment_is_scaled(cluster: Sandbox) -> None:
    async def story(api: Api) -> None:
        labels = {"app": "web"}
        await api.apply(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": "web"},
                "spec": {
                    "replicas": 0,
                    "selector": {"matchLabels": labels},
                    "template": {
                        "metadata": {"labels": labels},
                        "spec": {"containers": [{"name": "c", "image": "x"}]},
                    },
                },
            }
        )
        assert (await api.scale(Deployment, "web", replicas=2)).spec.replicas == 2
        assert (await api.get(Deployment, "web")).spec.replicas == 2

    play(cluster, story)
