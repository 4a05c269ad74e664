"""What the cache keeps of an object: its bytes without managed fields, and a header."""

import tracemalloc
from typing import Any

import msgspec
import pytest
from bench.pod import pod
from hypothesis import given
from hypothesis import strategies as st
from tests.cache.server import THINGS

from kubewright.cache import Cached, Key, hide_owners
from kubewright.cache.header import Header, UnreadableError, revision_of
from kubewright.cache.store import Store
from kubewright.client import Endpoint

META: dict[str, Any] = {"name": "web", "namespace": "shop", "uid": "u1", "resourceVersion": "17", "generation": 3}


class Shop:
    """Where the objects come from."""

    endpoint: Endpoint[Any] = THINGS

    def misfit(self, cached: Cached, problem: str) -> None:
        raise AssertionError(problem)


def read(manager: str = "", spec: Any = None, **meta: Any) -> Cached:
    return Header(Shop(), manager).read(msgspec.json.encode({"metadata": {**META, **meta}, "spec": spec}))


def entry(manager: str, **fields: Any) -> dict[str, Any]:
    return {"manager": manager, "operation": "Apply", "apiVersion": "v1", "fieldsV1": fields}


def test_the_header_says_who_it_is_and_which_version() -> None:
    cached = read(ownerReferences=[{"uid": "o1"}, {"uid": "o2"}], deletionTimestamp="2026-01-01T00:00:00Z")
    assert (cached.key, cached.uid, cached.revision, cached.generation) == (Key("shop", "web"), "u1", 17, 3)
    assert (cached.owners, cached.deleting) == (("o1", "o2"), True)


def test_labels_and_the_like_are_read_when_they_are_asked_for() -> None:
    cached = read(labels={"app": "web"}, annotations={"a": "b"}, finalizers=["f"])
    assert cached.labels == {"app": "web"}
    assert cached.metadata.annotations == {"a": "b"}
    assert cached.metadata.finalizers == ["f"]


def test_an_object_in_no_namespace_has_a_key_of_its_name_alone() -> None:
    assert str(read(namespace="").key) == "web"


def test_every_reader_has_an_object_of_its_own() -> None:
    cached = read(spec={"size": 1})
    cached.object()["spec"]["size"] = 2
    assert cached.object()["spec"] == {"size": 1}
    assert cached.object()["kind"] == "Thing"


def test_of_managed_fields_our_own_are_kept_aside() -> None:
    ours, other = entry("shop/web", **{"f:spec": {}}), entry("kubectl", **{"f:data": {}})
    cached = read("shop", managedFields=[other, ours, entry("shop"), entry("shopping")])
    assert [(each.manager, each.fields) for each in cached.managed] == [("shop/web", b'{"f:spec":{}}'), ("shop", b"{}")]
    assert b"managedFields" not in cached.raw


def test_objects_that_own_alike_share_what_they_own() -> None:
    header = Header(Shop(), "shop")
    raw = msgspec.json.encode(
        {"metadata": {**META, "managedFields": [entry("shop")], "ownerReferences": [{"uid": "o"}]}}
    )
    one, two = header.read(raw), header.read(raw)
    assert one.managed is two.managed
    assert one.owners is two.owners


json = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | st.text(max_size=5) | st.just('"managedFields":[{}]'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "managedFields"]), inner),
)


@given(json, json, st.sampled_from(["first", "middle", "last", "alone"]), st.integers(0, 2))
def test_cutting_managed_fields_leaves_everything_else(before: Any, spec: Any, place: str, count: int) -> None:
    managed = {"managedFields": [entry("a", **{"f:spec": {}})] * count}
    metas = {
        "first": {**managed, **META},
        "middle": {"labels": {"x": "y"}, **managed, **META},
        "last": {**META, **managed},
        "alone": {"name": "web", "resourceVersion": "1", **managed},
    }
    document = {"a": before, "metadata": metas[place], "spec": spec}
    cached = Header(Shop()).read(msgspec.json.encode(document))
    del document["metadata"]["managedFields"]
    assert msgspec.json.decode(cached.raw) == document


def test_json_with_spaces_is_cut_too() -> None:
    raw = b'{ "metadata" : { "name" : "a", "resourceVersion" : "1", "managedFields" : [ {} ] } }'
    assert msgspec.json.decode(Header(Shop()).read(raw).raw) == {"metadata": {"name": "a", "resourceVersion": "1"}}


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "metadata"),
        ({"metadata": {"resourceVersion": "1"}}, "name"),
        ({"metadata": {**META, "resourceVersion": 5}}, "$.metadata.resourceVersion"),
        ({"metadata": {**META, "resourceVersion": "x1"}}, "'x1' is no number"),
        ([], "object"),
    ],
)
def test_what_is_no_object_is_refused_with_the_field(document: Any, field: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        Header(Shop()).read(msgspec.json.encode(document))
    assert field in str(refused.value)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "٣", "0x1"])
def test_a_revision_is_a_number(text: str) -> None:
    with pytest.raises(UnreadableError):
        revision_of(text)


def test_a_cached_pod_of_3_kilobytes_takes_no_more_than_4() -> None:

    document = {**pod(), "status": ""}
    document["status"] = "x" * (3200 - len(msgspec.json.encode(document)))
    raw = msgspec.json.encode(document)
    assert len(raw) == 3200
    header, store, count = Header(Shop()), Store(), 2000
    raws = [raw.replace(b"x2xkq", b"%05d" % n).replace(b"18823417", b"%08d" % (n + 10**7)) for n in range(count)]
    tracemalloc.start()
    try:
        for each in raws:
            # As from a stream: the bytes that are kept are a copy of their own.
            store.put(header.read(bytes(bytearray(each))), [])
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / count <= 4096


def test_what_answered_a_write_is_not_read_again_when_the_watch_tells_of_it() -> None:
    header = Header(Shop(), "web")
    raw = msgspec.json.encode({"metadata": {**META, "managedFields": [entry("web")]}})
    answer = header.read_answer(raw + b"\n")
    assert b"managedFields" not in answer.raw
    assert header.read_event(raw) is answer
    assert header.read_event(raw) is not answer  # it is remembered for one event


def test_what_the_watch_told_is_not_read_again_when_it_answers_the_write() -> None:
    header = Header(Shop(), "web")
    raw = msgspec.json.encode({"metadata": {**META, "managedFields": [entry("web")]}})
    told = header.read_event(raw)
    assert header.read_answer(raw + b"\n") is told
    assert header.read_answer(raw + b"\n") is not told


def test_what_others_wrote_is_not_remembered() -> None:
    header = Header(Shop(), "web")
    raw = msgspec.json.encode({"metadata": {**META, "managedFields": [entry("kubectl")]}})
    told = header.read_event(raw)
    assert header.read_answer(raw) is not told


def test_objects_that_begin_alike_are_told_apart() -> None:
    header = Header(Shop(), "web")
    long = [entry("web", **{f"f:{number}": {} for number in range(100)})]
    metas = [{"managedFields": long, **META, "resourceVersion": version} for version in ("17", "18")]
    raws = [msgspec.json.encode({"metadata": meta}) for meta in metas]
    answers = [header.read_answer(raw) for raw in raws]
    assert [header.read_event(raw) for raw in raws] == answers


def test_another_version_of_what_answered_a_write_is_read() -> None:
    header = Header(Shop())
    answer = header.read_answer(msgspec.json.encode({"metadata": META}))
    assert header.read_event(msgspec.json.encode({"metadata": {**META, "resourceVersion": "18"}})).revision == 18
    assert header.read_event(msgspec.json.encode({"metadata": META})) is answer


def test_what_is_long_is_not_kept_to_be_told_again() -> None:
    header = Header(Shop(), "op")
    meta = {**META, "managedFields": [entry("op/shop")]}
    raw = msgspec.json.encode({"metadata": meta, "spec": "s" * 100_000})
    assert header.read_answer(raw) is not header.read_event(raw)
    assert header.read_event(raw) is not header.read_answer(raw)


def test_answers_that_no_watch_tells_of_are_forgotten() -> None:
    header = Header(Shop())
    raws = [msgspec.json.encode({"metadata": {**META, "resourceVersion": str(number)}}) for number in range(1000)]
    answers = [header.read_answer(raw) for raw in raws]
    assert header.read_event(raws[0]) is not answers[0]
    assert header.read_event(raws[-1]) is answers[-1]


def test_objects_of_different_owners_share_what_is_owned_of_them() -> None:
    header = Header(Shop(), "web")

    def child(uid: str) -> Cached:
        owners: Any = {"f:ownerReferences": {f'k:{{"uid":"{uid}"}}': {}}}
        meta = {**META, "ownerReferences": [{"uid": uid}], "managedFields": [entry("web", **{"f:metadata": owners})]}
        return header.read(msgspec.json.encode({"metadata": meta}))

    one, other = child("a-1"), child("b-2")
    assert one.owners != other.owners
    assert one.managed is other.managed


def test_owners_are_hidden_alike_in_documents_and_in_fields() -> None:
    uid = "a-1"
    fields: Any = {"f:metadata": {"f:ownerReferences": {f'k:{{"uid":"{uid}"}}': {}}}}
    reference = {"uid": uid, "name": "shop"}
    cached = read("web", ownerReferences=[reference], managedFields=[entry("web", **fields)])
    (hidden,) = hide_owners([reference], cached.owners)
    assert hidden["name"] == "shop"
    assert (
        msgspec.json.encode({"uid": hidden["uid"]}).decode()
        in msgspec.json.decode(cached.managed[0].fields)["f:metadata"]["f:ownerReferences"].popitem()[0]
    )


def test_an_owner_that_the_object_does_not_have_is_not_hidden() -> None:
    assert hide_owners([{"uid": "stranger"}], ("a-1",)) == [{"uid": "stranger"}]
