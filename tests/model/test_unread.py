"""An object that is read part by part is the one that is read at once."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.k8s.apps.v1 import Deployment, DeploymentSpec, DeploymentStatus
from kubewright.k8s.core.v1 import ConfigMap, Secret
from kubewright.model.codec import decode, encode, unread
from kubewright.model.unread import is_unread, part_of, whole


class ShopSpec(kw.Model):
    size: int = 1
    names: list[str] = kw.field(default_factory=list)


class Shop(kw.Resource, group="web.example.com", version="v1"):
    paused: bool = False
    notes: list[str] = kw.field(default_factory=list)
    spec: ShopSpec
    status: kw.Status
    extra: msgspec.Raw | None = None


DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "labels": {"app": "web"}, "uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"},
    "spec": {"replicas": 3, "selector": {}, "template": {"spec": {"containers": [{"name": "web", "image": "i"}]}}},
    "status": {"readyReplicas": 2, "unheardOf": [1, {"a": None}]},
    "unknown": {"kept": True},
}
DOCUMENTS: list[tuple[type[kw.Resource], dict[str, Any]]] = [
    (Deployment, DEPLOYMENT),
    (Deployment, {"metadata": {"name": "bare"}}),
    (Deployment, {"metadata": {"name": "odd"}, "spec": None, "status": 5}),
    (Deployment, {"metadata": {"name": "odd"}, "spec": {"replicas": "three", "template": {}}}),
    (Deployment, {"metadata": "none at all"}),
    (ConfigMap, {"metadata": {"name": "map"}, "data": {"a": "1"}, "immutable": True}),
    (Secret, {"metadata": {"name": "key"}, "type": "Opaque", "data": {"a": "MQ=="}}),
    (Shop, {"metadata": {"name": "shop"}, "paused": True, "notes": ["n"], "spec": {"size": 2}}),
    (Shop, {"metadata": {"name": "shop"}, "paused": "perhaps", "notes": None}),
]
#: What cannot be compared: two texts that are left unread are never equal.
RAW: list[tuple[type[kw.Resource], dict[str, Any]]] = [
    (Shop, {"metadata": {"name": "shop"}, "extra": value}) for value in (None, {"a": None})
]
documents = st.sampled_from(DOCUMENTS)


def both(model: type[kw.Resource], document: dict[str, Any]) -> tuple[Any, Any]:
    raw = msgspec.json.encode(document)
    return decode(raw, model), unread(raw, model)


def names(model: Any) -> list[str]:
    return list(model.__kw__.wire_names)


@given(documents, st.data())
def test_every_field_reads_the_same_in_any_order(which: tuple[type[kw.Resource], dict[str, Any]], data: Any) -> None:
    read, lazy = both(*which)
    for name in data.draw(st.permutations(names(which[0]))):
        assert getattr(lazy, name) == getattr(read, name)
    assert encode(lazy) == encode(read)


WAYS: list[Callable[[Any], Any]] = [
    kw.to_dict,
    encode,
    repr,
    copy.copy,
    copy.deepcopy,
    lambda obj: pickle.loads(pickle.dumps(obj)),
    lambda obj: [kw.is_set(obj, name) for name in names(type(obj))],
]


@pytest.mark.parametrize("way", WAYS)
@given(which=documents, data=st.data())
def test_whatever_is_done_with_it_comes_to_the_same(
    way: Callable[[Any], Any], which: tuple[type[kw.Resource], dict[str, Any]], data: Any
) -> None:
    read, lazy = both(*which)
    for name in data.draw(st.lists(st.sampled_from(names(which[0])), unique=True)):
        getattr(read, name), getattr(lazy, name)
    assert way(lazy) == way(read)
    assert lazy == read
    assert kw.to_dict(lazy) == kw.to_dict(read)


@given(documents, st.data())
def test_what_is_changed_is_changed_and_the_rest_stays(
    which: tuple[type[kw.Resource], dict[str, Any]], data: Any
) -> None:
    read, lazy = both(*which)
    other = decode(msgspec.json.encode(data.draw(documents.filter(lambda each: each[0] is which[0]))[1]), which[0])
    for name in data.draw(st.lists(st.sampled_from(names(which[0])))):
        way = data.draw(st.sampled_from(("look", "put", "drop")))
        for obj in (read, lazy):
            if way == "look":
                getattr(obj, name)
            elif way == "put":
                setattr(obj, name, copy.deepcopy(getattr(other, name)))
            else:
                delattr(obj, name)
    for obj in (read, lazy):
        if isinstance(obj.metadata, kw.ObjectMeta):
            obj.metadata.labels["changed"] = "yes"
    assert lazy == read
    assert kw.to_dict(lazy) == kw.to_dict(read)


@pytest.mark.parametrize("which", RAW)
def test_what_is_to_stay_unread_stays_as_it_came(which: tuple[type[kw.Resource], dict[str, Any]]) -> None:
    read, lazy = both(*which)
    assert bytes(lazy.extra) == bytes(read.extra)
    assert kw.to_dict(lazy) == kw.to_dict(read) == which[1]


def test_a_copy_has_the_same_parts() -> None:
    lazy = both(Deployment, DEPLOYMENT)[1]
    assert copy.copy(lazy).spec is lazy.spec


def test_what_is_replaced_in_a_copy_is_written() -> None:
    lazy = both(Deployment, DEPLOYMENT)[1]
    other = msgspec.structs.replace(lazy, spec=DeploymentSpec(replicas=5))
    assert msgspec.json.decode(encode(other)) == kw.to_dict(other)
    assert kw.to_dict(other)["spec"]["replicas"] == 5


def test_a_pickle_can_be_read_where_its_class_was_never_used() -> None:
    lazy = both(Deployment, DEPLOYMENT)[1]
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).spec.replicas)"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(lazy), capture_output=True, check=True)
    assert done.stdout == b"3\n"


def test_what_nobody_asks_for_is_not_read() -> None:
    lazy = both(Deployment, DEPLOYMENT)[1]
    assert is_unread(lazy)
    assert isinstance(lazy.status, DeploymentStatus)
    assert lazy.status is lazy.status
    assert is_unread(lazy)
    assert lazy._kw_spec is msgspec.UNSET
    lazy.status.ready_replicas = 5
    assert kw.to_dict(lazy)["status"] == {"readyReplicas": 5, "unheardOf": [1, {"a": None}]}
    assert not is_unread(lazy)


def test_a_part_that_another_thread_has_read_meanwhile_is_that_one() -> None:
    lazy = both(Deployment, DEPLOYMENT)[1]
    whole(lazy)
    assert part_of(lazy, "spec") is lazy.spec


def test_an_object_that_was_not_looked_at_is_written_as_it_came() -> None:
    raw = b' {"metadata" : {"name":"web"} }'
    assert encode(unread(raw, Deployment)) == raw


def test_what_takes_a_closer_look_is_read_at_once() -> None:
    assert not is_unread(unread('{"metadata":{"name":"wéb"}}'.encode(), ConfigMap))
    with pytest.raises(kw.DocumentError, match="not UTF-8"):
        unread(b'{"metadata":{"name":"\xff"}}', ConfigMap)
