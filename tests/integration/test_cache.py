"""The cache on a cluster: whole, up to date, never behind its own writes, and back by itself after any failure."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from tests.cache.server import Viewer
from tests.integration.ground import Leash

from kubewright.cache import Caches, Informer, Key, Selection, Unsettled
from kubewright.cache.machine import Machine, Phase
from kubewright.client import Api, Client, Endpoint, HttpTransport, endpoint_of, load_kubeconfig
from kubewright.client.errors import NotFound
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.model.selectors import FieldSelector, LabelSelector
from kubewright.testing.sandbox import Sandbox, wait_for

MAPS = endpoint_of(ConfigMap)
#: Kubernetes puts it into every namespace, sooner or later.
NOT_OURS = FieldSelector.parse("metadata.name!=kube-root-ca.crt")


async def until(reached: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not reached():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.02)


def names(informer: Informer) -> list[str]:
    return sorted(cached.key.name for cached in informer.list())


def selection(cluster: Sandbox, **more: Any) -> Selection:
    return Selection(MAPS, namespaces=(cluster.namespace,), **{"fields": NOT_OURS, **more})


async def fill(client: Client, path: str, count: int) -> None:
    async def make(number: int) -> None:
        await client.create(path, {"metadata": {"name": f"c{number:04}", "labels": {"third": str(number % 3)}}})

    for start in range(0, count, 50):
        await asyncio.gather(*(make(number) for number in range(start, min(start + 50, count))))


def test_what_happens_is_told_in_order_and_kept(cluster: Sandbox) -> None:
    async def story() -> None:
        async with cluster.client() as client, Caches(client) as caches:
            path = MAPS.path(cluster.namespace)
            await fill(client, path, 2)
            informer = caches.open(selection(cluster))
            viewer = Viewer()
            informer.subscribe(viewer)
            await informer.synced.wait()
            await client.patch(f"{path}/c0000", "merge", {"data": {"k": "v"}})
            await client.delete(f"{path}/c0001")
            await client.create(path, {"metadata": {"name": "new"}})
            await until(lambda: len(viewer.told) == 5)
            assert viewer.told == ["added c0000", "added c0001", "updated c0000", "deleted c0001", "added new"]
            assert viewer.initial == ["c0000", "c0001"]
            cached = informer.get(Key(cluster.namespace, "c0000"))
            assert cached is not None
            assert cached.object(ConfigMap).data == {"k": "v"}
            assert b"managedFields" not in cached.raw
            assert informer.state == "watching"

    wait_for(story())


def test_a_collection_of_1200_is_cached_whole_whether_streamed_or_paged(cluster: Sandbox) -> None:
    async def story() -> None:
        transport = Leash(cluster)
        async with Client(transport) as client, Caches(client) as caches:
            await fill(client, MAPS.path(cluster.namespace), 1200)
            transport.asked.clear()
            streamed = caches.open(selection(cluster))
            await streamed.synced.wait()
            assert not any("limit=" in target for target in transport.asked)
            await caches.close(streamed)
            paged = caches.open(selection(cluster))
            for reflector in paged._reflectors.values():
                reflector.machine = Machine(Phase.LISTING)
            await paged.synced.wait()
            assert sum("limit=500" in target for target in transport.asked) == 3
            assert names(streamed) == names(paged) == [f"c{number:04}" for number in range(1200)]

    wait_for(story())


def test_deletions_in_a_410_gap_leave_no_ghost(cluster: Sandbox) -> None:
    async def story() -> None:
        transport = Leash(cluster)
        async with Client(transport) as client, Caches(client) as caches:
            path = MAPS.path(cluster.namespace)
            await fill(client, path, 6)
            informer = caches.open(selection(cluster))
            viewer = Viewer()
            informer.subscribe(viewer)
            await informer.synced.wait()
            transport.flows.clear()
            for number in range(3):
                await client.delete(f"{path}/c{number:04}")
            for reflector in informer._reflectors.values():
                reflector.revision = 1  # which no server remembers
            transport.cut.set()
            transport.flows.set()
            await client.create(path, {"metadata": {"name": "new"}})
            await asyncio.sleep(0)
            transport.cut.clear()
            await until(lambda: "new" in names(informer))
            assert names(informer) == ["c0003", "c0004", "c0005", "new"]
            assert sorted(viewer.told[6:]) == ["added new", "deleted c0000", "deleted c0001", "deleted c0002"]

    wait_for(story())


def test_own_writes_are_seen_while_the_watch_stands_still(cluster: Sandbox) -> None:
    async def story() -> None:
        transport = Leash(cluster)
        async with Client(transport) as client, Caches(client) as caches:
            path = MAPS.path(cluster.namespace)
            web = LabelSelector.parse("app=web")
            await client.create(path, {"metadata": {"name": "old", "labels": {"app": "web"}}})
            informer = caches.open(selection(cluster, labels=web, fields=FieldSelector()))
            await informer.synced.wait()
            transport.flows.clear()

            async def write(method: str, where: str, document: Any, kind: bytes = b"application/json") -> None:
                caches.wrote(MAPS, await client.ask(method, where, None, msgspec.json.encode(document), kind))

            await write("POST", path, {"metadata": {"name": "made", "labels": {"app": "web"}}})
            merge = b"application/merge-patch+json"
            await write("PATCH", f"{path}/made", {"data": {"k": "v"}}, merge)
            await write("POST", path, {"metadata": {"name": "outside"}})
            assert names(informer) == ["made", "old"]
            made = informer.get(Key(cluster.namespace, "made"))
            assert made is not None
            assert made.object(ConfigMap).data == {"k": "v"}

            await write("PATCH", f"{path}/old", {"metadata": {"labels": None}}, merge)
            assert names(informer) == ["made"]

            await client.delete(f"{path}/made")
            caches.deleted(MAPS, made.key, made.uid)
            assert names(informer) == []

            await client.create(path, {"metadata": {"name": "lost", "labels": {"app": "web"}}})
            lost = Key(cluster.namespace, "lost")
            caches.unsure(MAPS, lost)
            with pytest.raises(Unsettled):
                informer.get(lost)
            await informer.settle()
            assert names(informer) == ["lost"]

            transport.flows.set()
            await until(lambda: informer.objects == 1)
            assert names(informer) == ["lost"]

    wait_for(story())


def test_metadata_alone_is_told_of_every_change(cluster: Sandbox) -> None:
    async def story() -> None:
        async with cluster.client() as client, Caches(client) as caches:
            path = MAPS.path(cluster.namespace)
            await client.create(path, {"metadata": {"name": "big"}, "data": {"k": "x" * 10000}})
            informer = caches.open(selection(cluster, metadata_only=True))
            viewer = Viewer()
            informer.subscribe(viewer)
            await informer.synced.wait()
            await client.patch(f"{path}/big", "merge", {"data": {"k": "y" * 10000}})
            await until(lambda: viewer.told == ["added big", "updated big"])
            assert informer.bytes < 1000

    wait_for(story())


def test_a_kind_that_comes_and_goes_is_followed_without_a_restart(cluster: Sandbox) -> None:
    group = f"{cluster.namespace}.example.com"
    crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    definition = {
        "metadata": {"name": f"gadgets.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
            "versions": [
                {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
            ],
        },
    }
    gadget = {"apiVersion": f"{group}/v1", "kind": "Gadget"}
    gadgets: Endpoint[dict[str, Any]] = Endpoint(group, "v1", "gadgets", "Gadget", True)

    async def make(client: Client, name: str) -> None:
        async with asyncio.timeout(30):
            while True:
                try:
                    await client.create(gadgets.path(cluster.namespace), {**gadget, "metadata": {"name": name}})
                except NotFound:  # not served yet
                    await asyncio.sleep(0.1)
                else:
                    return

    async def story() -> None:
        async with cluster.client() as client, Caches(client) as caches:
            informer = caches.open(Selection(gadgets))
            others = caches.open(selection(cluster))
            await until(lambda: informer.state == "missing")
            await others.synced.wait()  # one kind that is not there stalls no other
            await client.create(crds, definition)
            await make(client, "first")
            await until(lambda: names(informer) == ["first"])
            await client.delete(f"{crds}/gadgets.{group}")
            await until(lambda: informer.state == "missing")
            await client.create(crds, definition)
            await make(client, "second")
            await until(lambda: names(informer) == ["second"])
            assert informer.state == "watching"

    wait_for(story())


def test_a_list_that_is_forbidden_is_seen_and_recovers_when_it_no_longer_is(cluster: Sandbox) -> None:
    async def story() -> None:
        namespace = cluster.namespace
        access = load_kubeconfig(cluster.kubeconfig)
        async with cluster.client() as admin:
            accounts = f"/api/v1/namespaces/{namespace}/serviceaccounts"
            await admin.create(accounts, {"metadata": {"name": "bob"}})
            made = await admin.create(f"{accounts}/bob/token", {"spec": {"expirationSeconds": 600}})
            stranger = replace(access, token=made["status"]["token"], certificate=None, key=None)
            async with Client(HttpTransport(stranger)) as bob, Caches(bob) as caches:
                informer = caches.open(selection(cluster))
                await until(lambda: informer.state == "forbidden")
                assert "cannot" in informer.trouble
                rbac = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}"
                rule = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"]}
                await admin.create(f"{rbac}/roles", {"metadata": {"name": "r"}, "rules": [rule]})
                ref = {"kind": "Role", "name": "r", "apiGroup": "rbac.authorization.k8s.io"}
                subject = {"kind": "ServiceAccount", "name": "bob"}
                binding = {"metadata": {"name": "r"}, "roleRef": ref, "subjects": [subject]}
                await admin.create(f"{rbac}/rolebindings", binding)
                await until(informer.synced.is_set)
                assert informer.state == "watching"

    wait_for(story())


def test_the_typed_client_and_the_cache_speak_of_the_same_kind(cluster: Sandbox) -> None:
    async def story() -> None:
        async with Api.connect(load_kubeconfig(cluster.kubeconfig)) as api, Caches(api.raw, manager="shop") as caches:
            found = await api.resource("configmaps")
            await api.raw.patch(
                f"{MAPS.path(cluster.namespace)}/a",
                "apply",
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}},
                fieldManager="shop/web",
            )
            informer = caches.open(selection(cluster))
            assert caches.open(Selection(found, informer.selection.namespaces, fields=NOT_OURS)) is informer
            await informer.synced.wait()
            [cached] = informer.list()
            [owned] = cached.managed
            assert owned.manager == "shop/web"
            assert msgspec.json.decode(owned.fields) == {"f:data": {"f:k": {}}}

    wait_for(story())
