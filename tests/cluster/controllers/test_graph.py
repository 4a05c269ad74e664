"""The owner graph: what is kept, what is read, and who is to be looked at."""

import sys

import msgspec
from tests.cluster.controllers.server import Object, reference

from kubewright.cluster.controllers.graph import Graph, Node, concerns, read_node
from kubewright.cluster.registry.strategy import FOREGROUND
from kubewright.cluster.store import Record


def _node(meta: dict[str, object]) -> Node:
    value = msgspec.json.encode({"kind": "Job", "apiVersion": "batch/v1", "metadata": meta, "spec": {"metadata": 7}})
    return read_node("batch/v1", "Job", value)


def _concerns(value: bytes | None, key: str = "/jobs.batch/web/j") -> bool:
    return concerns(Record(key, value, 1, 1, None))


def test_a_node_is_read_off_the_metadata() -> None:
    owner = {"apiVersion": "v1", "kind": "Secret", "name": "s", "uid": "u2", "controller": True}
    meta: dict[str, object] = {
        "name": "j",
        "namespace": "web",
        "uid": "u1",
        "ownerReferences": [owner],
        "finalizers": [FOREGROUND],
        "resourceVersion": "7",
    }
    node = _node(meta | {"deletionTimestamp": "2026-01-01T00:00:00Z"})
    assert str(node.identity) == "[batch/v1/Job, namespace: web, name: j, uid: u1]"
    (found,) = node.owners
    assert (found.api_version, found.kind, found.name, found.uid) == ("v1", "Secret", "s", "u2")
    assert (found.controller, found.block_owner_deletion) == (True, None)
    assert node.waiting
    assert node.revision == 7


def test_metadata_may_be_null_where_it_may_be_missing() -> None:
    node = _node({"name": "j", "uid": "u1", "ownerReferences": None, "finalizers": None})
    assert not node.relevant


def test_an_object_concerns_the_collector_if_it_has_owners_or_waits_for_dependents() -> None:
    assert _concerns(b'{"metadata":{"ownerReferences":[]}}')
    assert _concerns(b'{"metadata":{"deletionTimestamp":"x","finalizers":["orphan"]}}')
    assert _concerns(b'{"metadata":{"deletionTimestamp":"x","finalizers":["foregroundDeletion"]}}')
    assert not _concerns(b'{"metadata":{"deletionTimestamp":"x","finalizers":["kubernetes"]}}')
    assert not _concerns(b'{"metadata":{"name":"x","finalizers":["orphan"]}}')


def test_what_is_nobody_s_dependent_and_what_is_gone_does_not() -> None:
    assert not _concerns(b'{"metadata":{"ownerReferences":[]}}', "/events/web/e")
    assert not _concerns(None)


def test_objects_without_owners_are_not_kept() -> None:
    graph = Graph()
    before = sys.getsizeof(graph.nodes)
    for number in range(1000):
        assert graph.put(Object(str(number)).node()).look == []
    assert not graph.nodes
    assert sys.getsizeof(graph.nodes) == before


def test_a_new_dependent_is_looked_at() -> None:
    effect = Graph().put(Object("b", (reference("a"),)).node())
    assert effect.look == ["b"]
    assert effect.fresh


def test_a_dependent_that_is_as_before_is_not_looked_at_again() -> None:
    graph = Graph()
    graph.put(Object("b", (reference("a"),)).node())
    effect = graph.put(Object("b", (reference("a"),)).node())
    assert effect.look == []
    assert not effect.fresh


def test_when_an_owner_goes_its_dependents_are_looked_at_in_the_order_in_which_they_came() -> None:
    graph = Graph()
    names = ["d", "b", "c"]
    for name in names:
        graph.put(Object(name, (reference("a"),)).node())
    assert graph.remove("a").look == names
    assert graph.absent("a")


def test_an_owner_is_forgotten_with_its_last_dependent() -> None:
    graph = Graph()
    graph.put(Object("b", (reference("a"),)).node())
    graph.remove("a")
    graph.put(Object("b").node())
    assert not graph.absent("a")
    assert not graph.nodes


def test_when_waiting_begins_dependents_are_looked_at_then_the_owner() -> None:
    graph = Graph()
    graph.put(Object("b", (reference("a"),)).node())
    assert graph.put(Object("a", finalizers=(FOREGROUND,), deleting=True).node()).look == ["b", "a"]


def test_when_a_dependent_of_one_that_waits_goes_the_owner_is_looked_at() -> None:
    graph = Graph()
    graph.put(Object("b", (reference("a", block=True),)).node())
    graph.put(Object("a", finalizers=(FOREGROUND,), deleting=True).node())
    assert graph.remove("b").look == ["a"]


def test_who_owns_itself_is_gone_when_it_is_gone() -> None:
    graph = Graph()
    graph.put(Object("a", (reference("a"),)).node())
    assert graph.remove("a").look == []
    assert not graph.absent("a")


def test_an_object_of_which_nothing_is_known_any_more_is_not_absent() -> None:
    graph = Graph()
    graph.put(Object("b", (reference("a", block=True),)).node())
    graph.put(Object("c", (reference("b"),)).node())
    graph.put(Object("a", finalizers=(FOREGROUND,), deleting=True).node())
    assert graph.forget("b").look == ["c", "a"]
    assert not graph.absent("b")
    assert graph.blocking("a") == []
