"""A store and its indexes agree with what is computed anew, whatever was put in and taken out."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.cache.server import THINGS

from kubewright.cache import Cached, Change, Key
from kubewright.cache.header import Header
from kubewright.cache.store import Store
from kubewright.client import Endpoint
from kubewright.model.selectors import LabelSelector


class Shop:
    """Where the objects come from."""

    endpoint: Endpoint[Any] = THINGS

    def misfit(self, cached: Cached, problem: str) -> None:
        raise AssertionError(problem)


def thing(key: Key, revision: int, uid: str = "u", app: str = "", owners: tuple[str, ...] = ()) -> Cached:
    metadata = {
        "name": key.name,
        "namespace": key.namespace,
        "uid": uid,
        "resourceVersion": str(revision),
        "labels": {"app": app} if app else {},
        "ownerReferences": [{"uid": owner} for owner in owners],
    }
    return Header(Shop()).read(msgspec.json.encode({"metadata": metadata}))


keys = st.builds(Key, st.sampled_from("xy"), st.sampled_from("abc"))
things = st.builds(
    thing,
    keys,
    st.integers(1, 9),
    st.sampled_from("uv"),
    st.sampled_from(["", "web", "db"]),
    st.lists(st.sampled_from("pqr")).map(tuple),
)
moves = st.one_of(
    st.tuples(st.just("put"), things),
    st.tuples(st.just("remove"), keys),
    st.tuples(st.just("replace"), st.sampled_from(["", "x"]), st.lists(things)),
)


@given(st.lists(moves))
def test_indexes_agree_with_what_is_computed_anew(story: list[Any]) -> None:
    store = Store()
    store.index("label:app")
    truth: dict[Key, Cached] = {}
    for what, *given_ in story:
        if what == "put":
            store.put(given_[0], [])
            old = truth.get(given_[0].key)
            if old is None or (old.uid, old.revision) != (given_[0].uid, given_[0].revision):
                truth[given_[0].key] = given_[0]
        elif what == "remove":
            assert store.remove(given_[0]) is truth.pop(given_[0], None)
        else:
            scope, listed = given_
            objects = {each.key: each for each in listed if not scope or each.key.namespace == scope}
            seen = dict(truth)
            for change in store.replace(scope, objects):
                follow(seen, change)
            kept = {key: cached for key, cached in truth.items() if scope and key.namespace != scope}
            truth = {**kept, **{key: seen[key] for key in objects}}
            assert seen == truth
    assert {cached.key: cached for cached in store} == truth
    assert store.bytes == sum(len(cached.raw) for cached in truth.values())
    for name, values in (("namespace", "xy"), ("owner", "pqr"), ("label:app", ["web", "db"])):
        functions: dict[str, Any] = {
            "namespace": lambda cached: [cached.key.namespace],
            "owner": lambda cached: cached.owners,
            "label:app": lambda cached: [cached.labels.get("app")],
        }
        index = store.index(name)
        naive = {value: {key for key, cached in truth.items() if value in functions[name](cached)} for value in values}
        assert {value: set(index.keys(value)) for value in values} == naive
        assert len(index) == sum(1 for found in naive.values() if found)


def follow(seen: dict[Key, Cached], change: Change) -> None:
    """Each change follows from those before it."""
    assert seen.get(change.key) is change.old
    if change.new is None:
        del seen[change.key]
    else:
        seen[change.key] = change.new


def test_a_label_that_is_asked_for_is_indexed_where_there_are_many_objects() -> None:
    store = Store()
    for number in range(300):
        store.put(thing(Key("x", f"t{number}"), number + 1, f"u{number}", f"app{number % 100}"), [])
    found = list(store.select("x", LabelSelector.parse("app=app7,other!=y"), None))
    assert sorted(each.key.name for each in found) == ["t107", "t207", "t7"]
    assert list(store.index("label:app").keys("app7")) == [each.key for each in found]
    for number in range(20):
        list(store.select(None, LabelSelector.parse(f"l{number}=x"), None))
    assert sum(name.startswith("label:") for name in store._indexes) == 8


def test_few_objects_are_looked_at_one_by_one() -> None:
    store = Store()
    store.put(thing(Key("x", "a"), 1, app="web"), [])
    assert len(list(store.select("x", LabelSelector.parse("app=web"), None))) == 1
    assert "label:app" not in store._indexes
