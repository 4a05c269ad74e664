"""Rovers: work that is for no kind, on kinds that are only known when it runs."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import kubewright as kw
from kubewright.cache import Change, Informer
from kubewright.client import Client
from kubewright.client.endpoint import Endpoint
from kubewright.cluster import Cluster
from kubewright.controller.children import Owner
from kubewright.controller.declaration import WiringError
from kubewright.controller.rover import Rover, Terrain
from kubewright.entropy import Entropy
from kubewright.operator import Running
from kubewright.trials.loop import run

MAPS: Endpoint[dict[str, Any]] = Endpoint("", "v1", "configmaps", "ConfigMap", True)
PATH = "/api/v1/namespaces/default/configmaps"


class Rounds:
    """Follows ConfigMaps, and works on their uids."""

    stumbles: type[BaseException] = RuntimeError

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.worked: list[str] = []
        self.followed: list[Informer] = []
        self.fails = 0

    async def follow(self) -> None:
        if not self.followed:
            self.followed.append(self.terrain.follow(MAPS, self.changed))
        await self.followed[0].synced.wait()
        self.terrain.ready.set()
        if self.fails:
            self.fails -= 1
            raise self.stumbles("it stumbles")
        await asyncio.Event().wait()

    def changed(self, change: Change) -> None:
        if change.new is not None and change.new.key.namespace == "default":
            self.terrain.add(kw.Key("", change.new.uid))

    async def work(self, key: kw.Key) -> kw.Requeue | None:
        self.worked.append(key.name)
        return None


def play(story: Callable[[Client, Running, Rounds], Awaitable[None]], kind: type[Rounds] = Rounds) -> None:
    async def main() -> None:
        begun: list[Rounds] = []

        def begin(terrain: Terrain) -> Rounds:
            begun.append(kind(terrain))
            return begun[-1]

        async with Cluster(port=None, seed=1, nodes=0, controllers="none") as cluster:
            client = cluster.client()
            operator = kw.Operator("rovers", [Rover("rover", begin, timeout=10.0)])
            async with operator.running(client, entropy=Entropy(1)) as running:
                await story(client, running, begun[0])

    run(main())


async def make(client: Client, name: str) -> str:
    made = await client.create(PATH, {"metadata": {"name": name}, "data": {"a": "b"}})
    return str(made["metadata"]["uid"])


def test_it_works_on_keys_of_its_own() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        uids = [await make(client, "one"), await make(client, "two")]
        await asyncio.sleep(1)
        assert rounds.worked == uids

    play(story)


def test_no_key_is_worked_on_before_it_is_ready() -> None:
    class Late(Rounds):
        async def follow(self) -> None:
            self.terrain.add(kw.Key("", "early"))
            await asyncio.sleep(10)
            assert not self.worked
            self.terrain.ready.set()
            await asyncio.Event().wait()

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.idle()
        assert rounds.worked == ["early"]

    play(story, Late)


def test_what_it_follows_has_metadata_alone() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        await make(client, "one")
        await asyncio.sleep(1)
        (informer,) = rounds.followed
        found = informer.get(kw.Key("default", "one"))
        assert found is not None
        assert "data" not in found.document()

    play(story)


def test_what_is_left_is_told_no_more_and_is_no_concern_of_health() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        await rounds.terrain.leave(rounds.followed[0])
        await make(client, "one")
        await asyncio.sleep(200)  # by then a watch that is not followed would count as stale
        assert not rounds.worked
        assert not running.informers
        assert not running.health.problems()

    play(story)


def test_a_kind_may_have_several_listeners_and_is_left_by_all() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        heard: list[str] = []
        await running.synced()
        again = rounds.terrain.follow(MAPS, lambda change: heard.append(change.key.name))
        assert again is rounds.followed[0]
        heard.clear()
        await make(client, "one")
        await asyncio.sleep(1)
        assert (len(rounds.worked), heard) == (1, ["one"])
        await rounds.terrain.leave(again)
        await make(client, "two")
        await asyncio.sleep(1)
        assert (len(rounds.worked), heard) == (1, ["one"])
        assert not running.informers

    play(story)


def test_a_key_that_fails_comes_back_and_one_that_asks_for_it_too() -> None:
    class Failing(Rounds):
        async def work(self, key: kw.Key) -> kw.Requeue | None:
            self.worked.append(key.name)
            if len(self.worked) == 1:
                raise kw.Retry("not yet")
            return kw.Requeue(after=5) if len(self.worked) == 2 else None

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        uid = await make(client, "one")
        await asyncio.sleep(4)
        assert rounds.worked == [uid] * 2
        await asyncio.sleep(4)
        assert rounds.worked == [uid] * 3

    play(story, Failing)


class Reading(Rounds):
    """Works on names, and reads them."""

    def __init__(self, terrain: Terrain) -> None:
        super().__init__(terrain)
        self.read: list[str] = []

    async def work(self, key: kw.Key) -> kw.Requeue | None:
        self.worked.append(key.name)
        for informer in self.followed:
            found = informer.get(key)
            if found is not None:
                self.read.append(found.uid)
        return None


def test_what_became_of_its_writes_is_asked_before_it_reads_them() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        assert isinstance(rounds, Reading)
        await running.synced()
        uid = await make(client, "one")
        rounds.followed[0].unsure(kw.Key("default", "one"))
        rounds.terrain.add(kw.Key("default", "one"))
        await asyncio.sleep(1)
        assert rounds.read == [uid]
        assert not rounds.followed[0].unsettled

    play(story, Reading)


def test_writes_to_a_kind_that_does_not_answer_keep_it_from_what_reads_them_alone() -> None:
    things: Endpoint[dict[str, Any]] = Endpoint("example.com", "v1", "things", "Thing", True)

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        assert isinstance(rounds, Reading)
        await running.synced()
        uids = [await make(client, name) for name in ("lost", "one")]
        rounds.followed.append(rounds.terrain.follow(things, lambda change: None))
        rounds.followed[1].unsure(kw.Key("default", "lost"))
        rounds.worked.clear()
        for name in ("lost", "one"):
            rounds.terrain.add(kw.Key("default", name))
        await asyncio.sleep(1)
        assert uids[1] in rounds.read
        assert rounds.worked.count("one") == 1
        assert rounds.worked.count("lost") > 2

    play(story, Reading)


def test_a_key_that_takes_too_long_is_given_up_and_comes_back(caplog: pytest.LogCaptureFixture) -> None:
    class Hanging(Rounds):
        async def work(self, key: kw.Key) -> kw.Requeue | None:
            self.worked.append(key.name)
            if len(self.worked) == 1:
                await asyncio.Event().wait()
            return None

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        uid = await make(client, "one")
        await asyncio.sleep(30)
        assert rounds.worked == [uid] * 2

    with caplog.at_level(logging.WARNING, "kubewright"):
        play(story, Hanging)
    assert "controller 'rover' took longer than its limit of 10 s" in caplog.text


def test_work_that_swallows_its_cancellation_is_seen_until_it_ends() -> None:
    class Deaf(Rounds):
        async def work(self, key: kw.Key) -> kw.Requeue | None:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(3600)
            await asyncio.sleep(50)
            return None

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        uid = await make(client, "one")
        await asyncio.sleep(30)
        assert uid in (running.runners["rover"].problem() or "")
        await asyncio.sleep(31)
        assert running.runners["rover"].problem() is None

    play(story, Deaf)


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), asyncio.CancelledError()], ids=repr)
def test_no_error_of_one_key_ends_the_work_on_others(error: BaseException) -> None:
    class Raising(Rounds):
        async def work(self, key: kw.Key) -> kw.Requeue | None:
            self.worked.append(key.name)
            if len(self.worked) == 1:
                raise error
            return None

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await running.synced()
        uid = await make(client, "one")
        await asyncio.sleep(5)
        assert rounds.worked == [uid] * 2

    play(story, Raising)


@pytest.mark.parametrize("error", [RuntimeError, asyncio.CancelledError])
def test_rounds_that_stumble_begin_anew(error: type[BaseException], caplog: pytest.LogCaptureFixture) -> None:
    class Stumbling(Rounds):
        stumbles = error

        def __init__(self, terrain: Terrain) -> None:
            super().__init__(terrain)
            self.fails = 2

    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        await asyncio.sleep(10)
        assert rounds.fails == 0
        uid = await make(client, "one")
        await asyncio.sleep(1)
        assert rounds.worked == [uid]

    play(story, Stumbling)
    assert "begins anew in 2 s" in caplog.text


def test_it_tells_events_about_any_object() -> None:
    async def story(client: Client, running: Running, rounds: Rounds) -> None:
        rounds.terrain.event(Owner(MAPS, kw.Key("default", "one"), "u"), "Seen", "it is there", type="Warning")
        await asyncio.sleep(1)
        (event,) = (await client.get("/apis/events.k8s.io/v1/namespaces/default/events"))["items"]
        assert (event["reason"], event["type"], event["regarding"]["name"]) == ("Seen", "Warning", "one")

    play(story)


def test_its_name_is_one_of_a_controller() -> None:
    with pytest.raises(WiringError, match="lower-case letters"):
        Rover("No Name", Rounds)
    with pytest.raises(WiringError, match="two controllers called 'rover'"):
        kw.Operator("rovers", [Rover("rover", Rounds), Rover("rover", Rounds)])
