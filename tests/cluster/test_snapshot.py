"""What a cluster held is there again, and whoever follows it is told."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.client import ApiError, Client
from kubewright.cluster import Cluster
from kubewright.cluster.snapshot import BadSnapshot, differences, take_snapshot
from kubewright.cluster.store import Store

Document = dict[str, Any]

CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"


def put(store: Store, key: str, uid: str, data: str) -> None:
    found = store.get(key)

    def value(revision: int) -> bytes:
        meta = {"name": key, "uid": uid, "resourceVersion": str(revision)}
        return msgspec.json.encode({"metadata": meta, "data": {"resourceVersion": data}})

    store.commit(key, found.revision if found is not None else 0, value)


def restore(store: Store, snapshot: bytes) -> list[tuple[str, bool]]:
    """What was written, and whether it was a deletion."""
    changes = differences(store, snapshot)
    for change in changes:
        change.commit(store)
    return [(change.key, change.value is None) for change in changes]


def contents(store: Store) -> dict[str, Any]:
    """All that is there, but for its numbers, which have to be those of the records."""
    found = {}
    for record in store.list("/").records:
        assert record.value is not None
        found[record.key] = document = msgspec.json.decode(record.value)
        assert document["metadata"].pop("resourceVersion") == str(record.revision)
    return found


actions = st.lists(
    st.tuples(st.sampled_from(["put", "delete"]), st.sampled_from("abc"), st.sampled_from(["1", "2"])), max_size=12
)


def play(store: Store, script: list[tuple[str, str, str]]) -> None:
    for number, (action, name, data) in enumerate(script):
        found = store.get(f"/{name}")
        if action == "put":
            uid = str(store.revision * 100 + number)
            if found is not None and found.value is not None:
                uid = msgspec.json.decode(found.value)["metadata"]["uid"]
            put(store, f"/{name}", uid, data)
        elif found is not None:
            store.commit(f"/{name}", found.revision, None)


@given(before=actions, after=actions)
def test_whatever_happened_since_all_is_as_it_was(
    before: list[tuple[str, str, str]], after: list[tuple[str, str, str]]
) -> None:
    store = Store()
    play(store, before)
    snapshot, held = take_snapshot(store), contents(store)
    play(store, after)
    restore(store, snapshot)
    assert contents(store) == held
    assert restore(store, snapshot) == []


def test_what_has_not_changed_is_not_written() -> None:
    store = Store()
    put(store, "/a", "1", "x")
    put(store, "/b", "2", "x")
    snapshot = take_snapshot(store)
    put(store, "/b", "2", "y")
    assert restore(store, snapshot) == [("/b", False)]


def test_another_object_of_the_name_is_deleted_first() -> None:
    store = Store()
    put(store, "/a", "1", "x")
    snapshot = take_snapshot(store)
    store.commit("/a", 1, None)
    put(store, "/a", "2", "x")
    assert restore(store, snapshot) == [("/a", True), ("/a", False)]


def test_things_go_newest_first_and_come_oldest_first() -> None:
    store, empty = Store(), take_snapshot(Store())
    for key in ("/b", "/a", "/c"):
        put(store, key, key, "x")
    full = take_snapshot(store)
    assert restore(store, empty) == [("/c", True), ("/a", True), ("/b", True)]
    assert restore(store, full) == [("/b", False), ("/a", False), ("/c", False)]


@pytest.mark.parametrize("data", [b"", b"no snapshot", msgspec.msgpack.encode(["kubewright/0", []])])
def test_what_is_no_snapshot_is_refused(data: bytes) -> None:
    with pytest.raises(BadSnapshot):
        differences(Store(), data)


def test_a_watch_goes_on_and_is_told_what_changed() -> None:
    async def story() -> list[tuple[str, str, Any]]:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            for name in ("changed", "gone", "kept"):
                await client.create(CONFIGMAPS, {"metadata": {"name": name}, "data": {"k": "before"}})
            snapshot = cluster.snapshot()
            await client.patch(f"{CONFIGMAPS}/changed", "merge", {"data": {"k": "after"}})
            await client.delete(f"{CONFIGMAPS}/gone")
            version = (await client.get(CONFIGMAPS))["metadata"]["resourceVersion"]
            events = client.watch(CONFIGMAPS, resourceVersion=version)
            await client.create(CONFIGMAPS, {"metadata": {"name": "new"}})
            told = [await anext(events)]
            await cluster.restore(snapshot)
            told += [await anext(events) for _ in range(3)]
            seen = [(event.type, msgspec.json.decode(event.object)) for event in told]
            return [(kind, document["metadata"]["name"], document.get("data")) for kind, document in seen]

    assert asyncio.run(story()) == [
        ("ADDED", "new", None),
        ("DELETED", "new", None),
        ("MODIFIED", "changed", {"k": "before"}),
        ("ADDED", "gone", {"k": "before"}),
    ]


def definition(**properties: Any) -> Document:
    spec = {"type": "object", "properties": properties}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


async def define(client: Client, crd: Document) -> None:
    await client.create(CRDS, crd)
    async for event in client.watch(CRDS, resourceVersion="0"):
        conditions = msgspec.json.decode(event.object).get("status", {}).get("conditions") or ()
        if any(each["type"] == "Established" and each["status"] == "True" for each in conditions):
            return


WIDGET: Document = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
SIZE: Document = {"type": "integer"}


def test_kinds_come_and_go_with_their_crds() -> None:
    async def story() -> tuple[list[int], Document]:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            without = cluster.snapshot()
            await define(client, definition(size=SIZE))
            await client.create(WIDGETS, WIDGET)
            with_it = cluster.snapshot()
            codes = []
            await cluster.restore(without)
            for _ in range(2):
                try:
                    found = await client.get(f"{WIDGETS}/w")
                    codes.append(200)
                except ApiError as error:
                    codes.append(error.code)
                await cluster.restore(with_it)
            return codes, found["spec"]

    assert asyncio.run(story()) == ([404, 200], {"size": 1})


def test_an_object_that_is_older_than_its_schema_is_still_read_by_it() -> None:
    async def story() -> Document:
        async with Cluster(port=None, controllers="none") as cluster:
            client = cluster.client()
            await define(client, definition(size=SIZE))
            await client.create(WIDGETS, WIDGET)
            spec = definition(size=SIZE, colour={"type": "string", "default": "red"})["spec"]
            await client.patch(f"{CRDS}/widgets.example.com", "merge", {"spec": spec})
            snapshot = cluster.snapshot()
            await client.delete(f"{WIDGETS}/w")
            await cluster.restore(snapshot)
            return dict((await client.get(f"{WIDGETS}/w"))["spec"])

    assert asyncio.run(story()) == {"size": 1, "colour": "red"}


def test_a_port_that_was_taken_is_taken_again() -> None:
    async def story() -> int:
        async with Cluster(port=None, controllers="none") as cluster:
            path, client = "/api/v1/namespaces/default/services", cluster.client()
            spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080}]}
            await client.create(path, {"metadata": {"name": "a"}, "spec": spec})
            snapshot = cluster.snapshot()
            await client.delete(f"{path}/a")
            await cluster.restore(snapshot)
            with pytest.raises(ApiError, match="provided port is already allocated") as caught:
                await client.create(path, {"metadata": {"name": "b"}, "spec": spec})
            return caught.value.code

    assert asyncio.run(story()) == 422


def test_another_cluster_takes_it_over_and_keeps_it(tmp_path: Path) -> None:
    async def story() -> list[str]:
        async with Cluster(port=None, controllers="none") as one:
            made = await one.client().create(CONFIGMAPS, {"metadata": {"name": "a"}})
            snapshot = one.snapshot()
        async with Cluster(port=None, controllers="none", data=tmp_path) as other:
            await other.restore(snapshot)
        async with Cluster(port=None, controllers="none", data=tmp_path) as again:
            found = await again.client().get(f"{CONFIGMAPS}/a")
        return [made["metadata"]["uid"], found["metadata"]["uid"]]

    one, other = asyncio.run(story())
    assert one == other


def test_what_every_cluster_needs_is_made_where_a_snapshot_lacks_it() -> None:
    async def story() -> str:
        async with Cluster(port=None, controllers="none") as cluster:
            await cluster.restore(take_snapshot(Store()))
            return str((await cluster.client().get("/api/v1/namespaces/default"))["status"]["phase"])

    assert asyncio.run(story()) == "Active"
