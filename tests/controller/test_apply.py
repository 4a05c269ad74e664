"""Applying children: what is sent, and what is not."""

from typing import Any

import pytest
from tests.controller.stage import MAPS, WEB, Scene, controller, informer_of, play, read, stage
from tests.operator.web import WebServer, make

import kubewright as kw
from kubewright.cache import Key
from kubewright.client import endpoint_of
from kubewright.client.errors import ApiError, Conflict
from kubewright.controller.apply import Applier, Look, digest_of, look
from kubewright.controller.children import ChildError, Owner, configure
from kubewright.controller.context import World
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.model.codec import decode

KEY = Key("default", "made")
CONFIG = endpoint_of(ConfigMap)


class Bench:
    """A WebServer's applier."""

    def __init__(self, scene: Scene, world: World) -> None:
        self.scene, self.world = scene, world
        self.applier = Applier(world.writes, "op/web")
        self.owner = Owner(WEB, Key("default", "shop"), read(world, WebServer, "shop").uid)

    async def apply(self, applier: Applier | None = None, adopt: bool = False, **data: str) -> bool:
        """Apply the child with these data; whether it was sent."""
        _, config = configure(ConfigMap(metadata=kw.ObjectMeta(name="made"), data=data), CONFIG, self.owner, "op")
        informer, sign = informer_of(self.world, ConfigMap), digest_of(config)
        before = informer.get(KEY)
        await (applier or self.applier).apply(informer, CONFIG, KEY, config, self.owner, sign=sign, adopt=adopt)
        return informer.get(KEY) is not before


def on_bench(story: Any) -> Any:
    async def staged(scene: Scene) -> Any:
        await make(scene.client, "shop")
        async with stage(scene, controller(owns=[ConfigMap], name="web")) as world:
            return await story(Bench(scene, world))

    return play(staged)


def test_a_child_is_sent_once_and_again_when_it_differs() -> None:
    async def story(bench: Bench) -> list[bool]:
        return [await bench.apply(a=value) for value in ("1", "1", "2", "2")]

    assert on_bench(story) == [True, False, True, False]


def test_who_remembers_nothing_finds_by_the_fields_that_nothing_would_change() -> None:
    async def story(bench: Bench) -> list[bool]:
        await bench.apply(a="1")
        fresh = Applier(bench.world.writes, "op/web")
        other = Applier(bench.world.writes, "op/other")
        return [await bench.apply(fresh, a="1"), await bench.apply(other, a="1")]

    assert on_bench(story) == [False, True]


def test_what_somebody_changed_is_sent_again() -> None:
    async def story(bench: Bench) -> list[bool]:
        await bench.apply(a="1")
        await bench.world.api.raw.patch(f"{MAPS}/made", "merge", {"data": {"a": "theirs"}})
        return [await bench.apply(a="1"), await bench.apply(a="1")]

    assert on_bench(story) == [True, False]


def test_it_knows_whether_it_has_changed_a_child_since() -> None:
    async def story(bench: Bench) -> list[bool]:
        informer = informer_of(bench.world, ConfigMap)
        told: list[bool] = []

        async def apply(value: str) -> None:
            before = informer.get(KEY)
            await bench.apply(a=value)
            revision = before.revision if before is not None else 0
            told.append(bench.applier.has_changed(CONFIG, KEY, revision))

        for value in ("1", "2", "2", "3"):
            await apply(value)
        return told

    assert on_bench(story) == [False, True, False, True]  # what is made was not there to be changed


def test_to_a_child_that_is_being_deleted_nothing_is_said() -> None:
    async def story(bench: Bench) -> bool:
        await bench.apply(a="1")
        raw = bench.world.api.raw
        await raw.patch(f"{MAPS}/made", "merge", {"metadata": {"finalizers": ["example.com/hold"]}})
        await raw.delete(f"{MAPS}/made")
        return await bench.apply(a="2")

    assert on_bench(story) is False


def test_an_object_of_the_same_name_that_is_not_ours_is_refused_unless_adopted() -> None:
    async def story(bench: Bench) -> bool:
        await bench.world.api.raw.create(MAPS, {"metadata": {"name": "made"}})
        with pytest.raises(ChildError, match="adopt=True"):
            await bench.apply(a="1")
        return await bench.apply(adopt=True, a="1")

    assert on_bench(story) is True


def test_another_object_that_took_the_name_meanwhile_is_not_touched() -> None:
    """The cache still has the one before: its uid keeps us from the other."""

    async def story(bench: Bench) -> Any:
        await bench.apply(a="1")
        bench.scene.wire.wedge()  # nothing more is told
        await bench.scene.client.delete(f"{MAPS}/made")
        await bench.scene.client.create(MAPS, {"metadata": {"name": "made"}, "data": {"a": "theirs"}})
        with pytest.raises(ApiError) as raised:
            await bench.apply(a="2")
        found = await bench.scene.client.get(f"{MAPS}/made")
        return raised.value.code, found["data"]

    code, data = on_bench(story)
    assert code in (409, 422)
    assert data == {"a": "theirs"}


def test_an_object_that_somebody_made_and_no_watch_has_told_of_is_not_touched() -> None:
    async def story(bench: Bench) -> Any:
        bench.scene.wire.wedge()
        await bench.scene.client.create(MAPS, {"metadata": {"name": "made"}, "data": {"a": "theirs"}})
        with pytest.raises(Conflict):
            await bench.apply(a="1")
        return (await bench.scene.client.get(f"{MAPS}/made"))["data"]

    assert on_bench(story) == {"a": "theirs"}


def test_what_is_forgotten_is_compared_anew() -> None:
    async def story(bench: Bench) -> tuple[int, int]:
        await bench.apply(a="1")
        known = len(bench.applier._known)
        bench.applier.forget(CONFIG, KEY)
        assert await bench.apply(a="1") is False  # by its fields
        return known, len(bench.applier._known)

    assert on_bench(story) == (1, 1)


def test_it_knows_what_it_applied_and_what_others_did() -> None:
    async def story(bench: Bench) -> list[bool]:
        await bench.apply(a="1")
        cached = read(bench.world, ConfigMap, "made")
        return [Applier(bench.world.writes, name).is_applied_by_us(cached) for name in ("op/web", "op/other")]

    assert on_bench(story) == [True, False]


def test_what_looks_as_it_did_is_recalled_until_something_happens_to_it() -> None:
    async def story(bench: Bench) -> list[bool]:
        informer, applier = informer_of(bench.world, ConfigMap), bench.applier

        async def give(value: str) -> bool:
            """Whether it was recalled."""
            child = ConfigMap(metadata=kw.ObjectMeta(name="made"), data={"a": value})
            seen = look(child, CONFIG, bench.owner)
            assert seen is not None
            if applier.recall(informer, CONFIG, seen) is not None:
                return True
            _, config = configure(child, CONFIG, bench.owner, "op")
            await applier.apply(informer, CONFIG, KEY, config, bench.owner, sign=seen.sign)
            return False

        found = [await give(value) for value in ("1", "1", "2", "2")]
        await bench.world.api.raw.patch(f"{MAPS}/made", "merge", {"data": {"a": "theirs"}})
        found += [await give(value) for value in ("2", "2")]
        applier.forget(CONFIG, KEY)
        return [*found, await give("2")]

    assert on_bench(story) == [False, True, False, True, False, True, False]


def test_a_child_looks_the_same_only_for_the_same_owner_and_content() -> None:
    shop, other = (Owner(WEB, Key("default", name), name) for name in ("shop", "other"))

    def seen(owner: Owner, **data: str) -> Look | None:
        return look(ConfigMap(metadata=kw.ObjectMeta(name="made"), data=data), CONFIG, owner)

    assert seen(shop, a="1") == seen(shop, a="1") != seen(shop, a="2")
    assert seen(shop, a="1") != seen(other, a="1")
    found = seen(shop, a="1")
    assert found is not None
    assert found.key == KEY


class Bundle(kw.Resource, group="x.example.com", version="v1"):
    """Has an object of any kind inside."""

    template: Any = None


def test_some_have_no_look() -> None:
    """What was read, a document, one whose metadata is none, one that may hold objects of any kind."""
    owner = Owner(WEB, Key("default", "shop"), "u")
    assert look(decode(b'{"metadata":{"name":"made"},"new":1}', ConfigMap), CONFIG, owner) is None
    assert look({"metadata": {"name": "made"}}, CONFIG, owner) is None
    assert look(ConfigMap(metadata={"name": "made"}), CONFIG, owner) is None  # type: ignore[arg-type]
    inside = ConfigMap(metadata=kw.ObjectMeta(name="inside"))
    bundle = Bundle(metadata=kw.ObjectMeta(name="made"), template=inside)
    assert look(bundle, endpoint_of(Bundle), owner) is None
