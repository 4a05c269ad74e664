"""The store against a small model of it, and the promises one by one."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.store import Compacted, Conflict, Future, Record, Store


def value(text: str) -> Callable[[int], bytes]:
    """A value that holds its own revision, as an object holds its resourceVersion."""
    return lambda revision: f"{text}@{revision}".encode()


def put(store: Store, key: str, text: str = "x") -> Record:
    """Write whatever was there before."""
    found = store.get(key)
    return store.commit(key, found.revision if found else 0, value(text))


def keys(records: list[Record]) -> list[str]:
    return [record.key for record in records]


def test_every_change_has_the_next_number_and_knows_it() -> None:
    store = Store()
    assert [put(store, key).value for key in ("a", "b", "a")] == [b"x@1", b"x@2", b"x@3"]
    assert store.revision == 3


def test_a_record_knows_since_when_its_key_exists() -> None:
    store = Store()
    put(store, "a")
    assert put(store, "a").created == 1
    store.commit("a", 2, None)
    assert put(store, "a").created == 4


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_a_commit_on_an_old_reading_is_refused_and_changes_nothing(expected: int) -> None:
    store = Store()
    put(store, "a")
    put(store, "a")
    with pytest.raises(Conflict) as refused:
        store.commit("a", expected, value("y"))
    assert refused.value.found == 2
    assert (store.revision, store.get("a").value) == (2, b"x@2")  # type: ignore[union-attr]


def test_what_does_not_exist_cannot_be_deleted() -> None:
    store = Store()
    with pytest.raises(Conflict):
        store.commit("a", 0, None)


def test_a_value_that_cannot_be_made_leaves_no_trace() -> None:
    store = Store()

    def fails(revision: int) -> bytes:
        raise ValueError(revision)

    with pytest.raises(ValueError, match="1"):
        store.commit("a", 0, fails)
    assert (store.revision, store.get("a")) == (0, None)


def test_a_list_is_sorted_and_can_be_paged_at_one_revision_while_writers_go_on() -> None:
    store = Store()
    for key in ("pods/b/1", "pods/a/2", "pods/a/1", "podsx/a/1", "pod"):
        put(store, key)
    first = store.list("pods/", limit=2)
    assert (keys(first.records), first.next) == (["pods/a/1", "pods/a/2"], "pods/b/1")
    put(store, "pods/a/3")
    store.commit("pods/b/1", 1, None)
    second = store.list("pods/", revision=first.revision, start=first.next, limit=2)
    assert (keys(second.records), second.next) == (["pods/b/1"], None)
    assert keys(store.list("pods/").records) == ["pods/a/1", "pods/a/2", "pods/a/3"]


def test_a_page_that_ends_exactly_at_the_end_has_no_more() -> None:
    store = Store()
    put(store, "a/1")
    assert store.list("a/", limit=1).next is None


def test_revisions_that_are_forgotten_or_not_yet_there_are_told_apart() -> None:
    store = Store()
    for _ in range(5):
        put(store, "a")
    store.compact(3)
    assert store.get("a", 3).value == b"x@3"  # type: ignore[union-attr]
    with pytest.raises(Compacted, match="revision 2 is forgotten, the oldest one kept is 3"):
        store.get("a", 2)
    with pytest.raises(Compacted):
        store.changes("", 2)
    with pytest.raises(Future, match="revision 6 does not exist yet, the newest one is 5"):
        store.list("", revision=6)


def test_compaction_keeps_what_is_there_now_and_forgets_what_is_gone() -> None:
    store = Store()
    put(store, "a")
    put(store, "b")
    store.commit("b", 2, None)
    store.compact(99)
    assert store.compacted == 3
    assert keys(store.list("").records) == ["a"]
    assert list(store.changes("", 3)) == []
    assert put(store, "b").revision == 4


def test_changes_since_a_revision_carry_what_was_before() -> None:
    store = Store()
    put(store, "a/1")
    put(store, "b/1")
    store.compact(1)
    put(store, "a/1", "y")
    store.commit("a/1", 3, None)
    told = [(c.revision, c.value, c.previous.value if c.previous else None) for c in store.changes("a/", 1)]
    assert told == [(3, b"y@3", b"x@1"), (4, None, b"y@3")]


def test_listeners_hear_of_their_keys_in_order_until_they_end() -> None:
    store = Store()
    heard: list[tuple[str, int]] = []
    ends = [
        store.listen(prefix, lambda record, prefix=prefix: heard.append((prefix, record.revision)))  # type: ignore[misc]
        for prefix in ("pods/", "pods/a/", "pods/a/1", "nodes/")
    ]
    put(store, "pods/a/1")
    put(store, "pods/b/1")
    ends[0]()
    ends[0]()
    put(store, "pods/a/1")
    assert heard == [("pods/", 1), ("pods/a/", 1), ("pods/a/1", 1), ("pods/", 2), ("pods/a/", 3), ("pods/a/1", 3)]


def test_writers_that_interleave_at_every_await_lose_nothing() -> None:
    """Each adds one to a number, reading and writing with an await in between, until its commit takes."""

    async def add_one(store: Store) -> None:
        while True:
            found = store.get("n")
            await asyncio.sleep(0)
            more = str(int(found.value or b"0") + 1 if found else 1).encode()
            await asyncio.sleep(0)
            try:
                store.commit("n", found.revision if found else 0, lambda _, more=more: more)  # type: ignore[misc]
            except Conflict:
                continue
            return

    async def run() -> Store:
        store = Store()
        await asyncio.gather(*(add_one(store) for _ in range(50)))
        return store

    store = asyncio.run(run())
    assert store.get("n").value == b"50"  # type: ignore[union-attr]
    assert store.revision == 50


names = st.sampled_from(["a/1", "a/2", "b/1", "b/2", "ab/1"])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), names),
        st.tuples(st.just("delete"), names),
        st.tuples(st.just("compact"), st.integers(0, 40)),
    ),
    max_size=40,
)


@given(steps)
def test_the_store_agrees_with_a_model_that_keeps_every_state(script: list[tuple[str, object]]) -> None:
    store = Store()
    states: list[dict[str, int]] = [{}]  # by revision: key → the revision it was written at
    compacted = 0
    for action, argument in script:
        now = states[-1]
        if action == "compact":
            assert isinstance(argument, int)
            store.compact(argument)
            compacted = max(compacted, min(argument, len(states) - 1))
        elif action == "put":
            put(store, str(argument))
            states.append({**now, str(argument): len(states)})
        elif argument in now:
            store.commit(str(argument), now[str(argument)], None)
            states.append({key: revision for key, revision in now.items() if key != argument})
    assert (store.revision, store.compacted) == (len(states) - 1, compacted)
    for revision in range(compacted, len(states)):
        for prefix in ("", "a/", "b/", "c/"):
            wanted = sorted((k, r) for k, r in states[revision].items() if k.startswith(prefix))
            assert [(r.key, r.revision) for r in store.list(prefix, revision=revision).records] == wanted
            paged: list[Record] = []
            start = None
            while True:
                assert store.count(prefix, revision=revision, start=start) == len(wanted) - len(paged)
                page = store.list(prefix, revision=revision, start=start, limit=2)
                paged += page.records
                start = page.next
                if start is None:
                    break
            assert [(r.key, r.revision) for r in paged] == wanted
        replayed = dict(states[revision])
        for change in store.changes("", revision):
            if change.value is None:
                del replayed[change.key]
            else:
                replayed[change.key] = change.revision
        assert replayed == states[-1]
