"""Anything may happen in any order, and still: no ghost, nothing lost, own writes always seen, no way back.

A run is a list of steps drawn by hypothesis, played on the small server in simulated time. After every step the reader
checks what it sees against its own writes; at the end the faults stop, and everything must be as the server has it.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cache.server import THINGS, Server, Viewer, caches_of
from tests.seeds import seeds

from kubewright.cache import Caches, Informer, Key, Selection, Unsettled
from kubewright.errors import KubewrightError
from kubewright.model.selectors import LabelSelector
from kubewright.trials.loop import run

NAMES = ("a", "b", "c")
NAMESPACES = ("default", "other")
LABELS: tuple[dict[str, str], ...] = ({"app": "web"}, {"app": "db"}, {})
REFUSALS: tuple[Any, ...] = (401, 403, 404, 410, 429, 500, 503, None)

keys = st.builds(Key, st.sampled_from(NAMESPACES), st.sampled_from(NAMES))
labels = st.sampled_from(LABELS)
steps = st.one_of(
    st.tuples(st.just("put"), keys, labels),
    st.tuples(st.just("remove"), keys),
    st.tuples(st.just("write"), keys, labels, st.booleans()),
    st.tuples(st.just("delete"), keys, st.booleans()),
    st.tuples(st.just("lose"), keys, labels, st.booleans()),
    st.tuples(st.just("make"), keys, labels, st.booleans()),
    st.tuples(st.just("clear"), st.sampled_from((*NAMESPACES, "")), st.booleans(), st.booleans()),
    st.tuples(st.just("forget")),
    st.tuples(st.just("cut")),
    st.tuples(st.just("end")),
    st.tuples(st.just("pause")),
    st.tuples(st.just("resume")),
    st.tuples(st.just("drip")),
    st.tuples(st.just("bookmark")),
    st.tuples(st.just("garbage")),
    st.tuples(st.just("refuse"), st.lists(st.sampled_from(REFUSALS), min_size=1, max_size=3)),
    st.tuples(st.just("subscribe")),
    st.tuples(st.just("slow"), st.sampled_from((0.0, 0.005, 0.5))),
    st.tuples(st.just("ask")),
    st.tuples(st.just("wait"), st.sampled_from((0.0, 0.01, 1.0, 30.0, 100.0))),
)
selections = st.sampled_from(
    (
        {},
        {"labels": LabelSelector.parse("app=web")},
        {"namespaces": ("default",)},
        {"namespaces": ("default", "other")},
    )
)


class Run:
    """One run: the server, the cache, and what the writer knows of its own writes."""

    def __init__(self, server: Server, caches: Caches, selection: Selection) -> None:
        self.server, self.caches, self.selection = server, caches, selection
        self.informer: Informer = caches.open(selection)
        self.informer.add_index("app", lambda cached: [cached.labels.get("app", "")])
        self.viewers: list[Viewer] = []
        #: The last own write of a key: its revision, and for a delete, whose end it was.
        self.wrote: dict[Key, int] = {}
        self.ended: dict[Key, str] = {}
        self.revision = 0
        self.count = 0
        self.asking: list[asyncio.Task[None]] = []

    async def step(self, what: str, *given: Any) -> None:
        server = self.server
        moves: dict[str, Callable[[], None]] = {
            "forget": server.forget,
            "cut": server.cut,
            "end": server.end,
            "pause": lambda: server.pause(True),
            "resume": lambda: server.pause(False),
            "drip": server.drip,
            "bookmark": server.bookmark,
            "garbage": lambda: server.say(b"garbage\n"),
        }
        if what in moves:
            moves[what]()
        elif what == "wait":
            await asyncio.sleep(given[0])
        elif what == "slow":
            server.latency = given[0]
        elif what == "ask":  # beside everything else that goes on
            self.asking.append(asyncio.create_task(self.informer.settle()))
        elif what == "refuse":
            server.refusals.extend(given[0])
        elif what == "subscribe":
            self.viewers.append(Viewer())
            self.informer.subscribe(self.viewers[-1])
        elif what == "put":
            self._put(*given)
        elif what == "remove":
            server.remove(given[0].name, given[0].namespace)
        elif what == "write":
            await self._write(*given)
        elif what == "delete":
            await self._delete(*given)
        elif what == "make":
            self._lose(*given, named=False)
        elif what == "clear":
            await self._clear(*given)
        else:
            self._lose(*given)
        await self.check()

    def _put(self, key: Key, labels: dict[str, str]) -> dict[str, Any]:
        self.count += 1
        return self.server.put(key.name, key.namespace, labels=labels, spec=self.count)

    async def _write(self, key: Key, labels: dict[str, str], late: bool) -> None:
        document = self._put(key, labels)
        if late:  # the answer takes longer than the watch
            await asyncio.sleep(0.01)
        self.caches.wrote(THINGS, msgspec.json.encode(document))
        self.wrote[key] = int(document["metadata"]["resourceVersion"])
        self.ended.pop(key, None)

    async def _delete(self, key: Key, late: bool) -> None:
        before = self.server.remove(key.name, key.namespace)
        if before is not None:
            if late:
                await asyncio.sleep(0.01)
            self.caches.deleted(THINGS, key, before["metadata"]["uid"])
            self.wrote[key] = self.server.revision
            self.ended[key] = before["metadata"]["uid"]

    async def _clear(self, namespace: str, done: bool, answered: bool) -> None:
        """A delete of all there is; with no answer, the server may or may not have done it."""
        for key in self.server.state() if done or answered else ():
            if not namespace or key.namespace == namespace:
                before = self.server.remove(key.name, key.namespace)
                assert before is not None
                self.wrote[key] = self.server.revision
                self.ended[key] = before["metadata"]["uid"]
        if answered:
            await self.caches.look(THINGS, Key(namespace, ""))
        else:
            self.caches.unsure(THINGS, Key(namespace, ""))

    def _lose(self, key: Key, labels: dict[str, str], done: bool, *, named: bool = True) -> None:
        """A write whose answer is lost; the server may or may not have done it. If not named, who can say to what?"""
        if done:
            self._put(key, labels)
            self.wrote[key] = self.server.revision
            self.ended.pop(key, None)
        self.caches.unsure(THINGS, key if named else Key(key.namespace, ""))

    def selected(self, key: Key, document: dict[str, Any] | None) -> bool:
        return (
            document is not None
            and self.selection.scope_of(key.namespace) is not None
            and self.selection.labels.matches(document["metadata"]["labels"])
        )

    async def check(self) -> None:
        """What is seen is not older than the own last write, and was so on the server."""
        assert self.informer.revision >= self.revision
        self.revision = self.informer.revision
        if not self.informer.synced.is_set():
            return
        try:
            await self.informer.settle()
        except KubewrightError:
            return  # the server refuses; the keys stay unsettled, and raise when they are read
        for name in NAMES:
            for namespace in NAMESPACES:
                self._check_key(Key(namespace, name))

    def _check_key(self, key: Key) -> None:
        try:
            seen = self.informer.get(key)
        except Unsettled:
            raise AssertionError("it has been settled") from None
        floor = self.wrote.get(key, 0)
        states = [record for record in self.server.log if record.key == key]
        if seen is None:
            # Never there, or gone, or out of the selection, at some moment since the own last write.
            since = [record.document for record in states if record.revision >= floor]
            before = [record.document for record in states if record.revision < floor]
            if not floor:
                since.append(None)
            assert any(not self.selected(key, document) for document in since) or not (since or before)
        else:
            assert seen.revision >= floor
            assert seen.uid != self.ended.get(key)
            assert any(
                record.document is not None
                and record.revision == seen.revision
                and record.document["spec"] == seen.document()["spec"]
                for record in states
            )

    async def finish(self) -> None:
        """The faults stop, and after a while all is as the server has it."""
        self.server.refusals.clear()
        self.server.latency = 0.0
        self.server.pause(False)
        await asyncio.gather(*self.asking, return_exceptions=True)
        await asyncio.sleep(400)
        self.server.bookmark()
        await asyncio.sleep(1)
        await self.informer.settle()
        assert not self.informer._overlay, "nothing is laid over what the watch has told"
        truth = {key: document for key, document in self.server.state().items() if self.selected(key, document)}
        assert self.informer.state == "watching"
        assert {cached.key: cached.document()["spec"] for cached in self.informer.list()} == {
            key: document["spec"] for key, document in truth.items()
        }
        assert self.informer.objects == len(truth)
        assert self.informer.bytes == sum(len(cached.raw) for cached in self.informer.list())
        for viewer in self.viewers:
            assert viewer.objects == {cached.key: cached for cached in self.informer.list()}
        for namespace in NAMESPACES:
            assert sorted(cached.key for cached in self.informer.list(namespace)) == sorted(
                key for key in truth if key.namespace == namespace
            )
        for value in ("web", "db", ""):
            assert sorted(cached.key for cached in self.informer.list(index=("app", value))) == sorted(
                key for key, document in truth.items() if document["metadata"]["labels"].get("app", "") == value
            )


stories = st.lists(steps, max_size=40)


def played(selection: dict[str, Any], streams: bool, story: list[Any]) -> None:
    async def play() -> None:
        server = Server()
        server.streams = streams
        server.jitter = 1.0
        for name in NAMES[:2]:
            server.put(name, labels=LABELS[0], spec=0)
        async with caches_of(server) as caches:
            played = Run(server, caches, Selection(THINGS, **selection))
            for step in story:
                await played.step(*step)
            await played.finish()

    run(play())


@given(selections, st.booleans(), stories)
def test_whatever_happens_the_cache_ends_as_the_server_and_never_forgets_an_own_write(
    selection: dict[str, Any], streams: bool, story: list[Any]
) -> None:
    played(selection, streams, story)


def drawn(seed: int) -> tuple[dict[str, Any], bool, list[Any]]:
    """A story of a seed: longer than those that are searched for, and with a server that is always slow."""
    chance = random.Random(seed)

    def key() -> Key:
        return Key(chance.choice(NAMESPACES), chance.choice(NAMES))

    def some() -> bool:
        return chance.random() < 0.5

    steps: dict[str, Callable[[], tuple[Any, ...]]] = {
        "put": lambda: (key(), chance.choice(LABELS)),
        "remove": lambda: (key(),),
        "write": lambda: (key(), chance.choice(LABELS), some()),
        "delete": lambda: (key(), some()),
        "lose": lambda: (key(), chance.choice(LABELS), some()),
        "make": lambda: (key(), chance.choice(LABELS), some()),
        "clear": lambda: (chance.choice((*NAMESPACES, "")), some(), some()),
        "refuse": lambda: ([chance.choice(REFUSALS) for _ in range(chance.randint(1, 3))],),
        "slow": lambda: (chance.choice((0.001, 0.05, 1.0, 10.0)),),
        "wait": lambda: (chance.choice((0.0, 0.01, 1.0, 30.0)),),
        **dict.fromkeys(("forget", "cut", "end", "pause", "resume", "drip", "bookmark", "garbage", "subscribe"), tuple),
        "ask": tuple,
    }
    story: list[Any] = [("slow", chance.choice((0.001, 0.05, 1.0)))]
    for _ in range(chance.randint(20, 120)):
        name = chance.choice([*steps])
        story.append((name, *steps[name]()))
    selection = chance.choice(({}, {"labels": LabelSelector.parse("app=web")}, {"namespaces": ("default", "other")}))
    return selection, some(), story


def test_hundreds_of_lives_with_random_latencies_end_well() -> None:
    for seed in range(200):
        played(*drawn(seed))


@pytest.mark.deep
def test_thousands_of_lives_with_random_latencies_end_well() -> None:
    for seed in seeds(5000):
        played(*drawn(seed))


@pytest.mark.deep
@settings(max_examples=len(seeds(5000)), suppress_health_check=[HealthCheck.too_slow])
@given(selections, st.booleans(), stories)
def test_thousands_of_stories_end_well(selection: dict[str, Any], streams: bool, story: list[Any]) -> None:
    played(selection, streams, story)
