"""Reading from memory, in a reconciler and in the map of a watch."""

import asyncio
from typing import Any

import msgspec
import pytest
from tests.controller.stage import context_of, controller, stage
from tests.operator.scene import Scene, play
from tests.operator.web import WebServer, make

import kubewright as kw
from kubewright.cache.store import UnknownIndex
from kubewright.client.endpoint import endpoint_of
from kubewright.controller.reader import ContextError, Reader
from kubewright.k8s.core.v1 import ConfigMap

CONFIGS = "/api/v1/namespaces/default/configmaps"


class Named(msgspec.Struct):
    """A name."""

    name: str


class Header(msgspec.Struct):
    """Of an object, how it is called."""

    metadata: Named


async def put(scene: Scene, name: str, owner: str = "", *, controls: bool = True) -> None:
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": owner, "controller": controls}
    meta = {"name": name, "ownerReferences": [reference] if owner else []}
    await scene.client.create(CONFIGS, {"metadata": meta})


def test_what_another_owns_and_what_nobody_controls_is_listed() -> None:
    seen: dict[str, list[str]] = {}

    @kw.controller(WebServer, reads=[ConfigMap])
    async def looks(web: WebServer, ctx: kw.Context) -> None:
        config = endpoint_of(ConfigMap).view(Header)
        seen["theirs"] = [each.metadata.name for each in ctx.list(config, owner="1-2")]
        seen["nobody's"] = [each.metadata.name for each in ctx.list(config, orphans=True)]
        with pytest.raises(ContextError, match="no orphan"):
            ctx.list(config, owner="1-2", orphans=True)

    async def story(scene: Scene) -> None:
        await put(scene, "theirs", "1-2")
        await put(scene, "guest", "1-2", controls=False)
        await put(scene, "free")
        await make(scene.client, "shop")
        async with scene.running(looks) as running:
            await scene.settle(running)

    play(story)
    assert seen == {"theirs": ["guest", "theirs"], "nobody's": ["free", "guest"]}


def test_an_orphan_that_is_taken_is_none_any_more() -> None:
    seen: list[list[str]] = []

    @kw.controller(WebServer, reads=[ConfigMap], watches=[kw.watch(ConfigMap, map=lambda config: ["shop"])])
    async def looks(web: WebServer, ctx: kw.Context) -> None:
        seen.append([each.metadata.name for each in ctx.list(ConfigMap, orphans=True)])

    async def story(scene: Scene) -> None:
        await put(scene, "free")
        await make(scene.client, "shop")
        async with scene.running(looks) as running:
            await scene.settle(running)
            reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "1-2", "controller": True}
            await scene.client.patch(f"{CONFIGS}/free", "merge", {"metadata": {"ownerReferences": [reference]}})
            await scene.settle(running)

    play(story)
    assert (seen[0], seen[-1]) == (["free"], [])


def test_a_map_finds_ours_in_memory() -> None:
    seen: list[str] = []

    def all_webs(config: ConfigMap, reader: Reader) -> list[str]:
        return [web.metadata.name for web in reader.list(WebServer)]

    @kw.controller(WebServer, watches=[kw.watch(ConfigMap, map=all_webs)])
    async def looks(web: WebServer, ctx: kw.Context) -> None:
        seen.append(web.metadata.name)

    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        await make(scene.client, "bar")
        async with scene.running(looks) as running:
            await scene.settle(running)
            seen.clear()
            await put(scene, "news")
            await scene.settle(running)

    play(story)
    assert sorted(seen) == ["bar", "shop"]


def test_where_an_object_is_in_no_namespace_the_one_of_what_is_read_is_to_be_said() -> None:
    async def story(scene: Scene) -> None:
        await put(scene, "page")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            reader = Reader(world, "")
            assert reader.get(ConfigMap, "page", "default") is not None
            assert "page" in [each.metadata.name for each in reader.list(ConfigMap)]
            with pytest.raises(ContextError, match="is in a namespace: say which"):
                reader.get(ConfigMap, "page")

    play(story)


def test_where_nothing_is_in_memory_nothing_is_said_not_to_be_there() -> None:
    told: list[str] = []

    @kw.controller(WebServer, reads=[ConfigMap])
    async def looks(web: WebServer, ctx: kw.Context) -> None:
        assert ctx.get(ConfigMap, "free") is not None
        assert len(ctx.list(ConfigMap, namespace="")) == 1
        for look in (lambda: ctx.get(ConfigMap, "free", "other"), lambda: ctx.list(ConfigMap, namespace="other")):
            with pytest.raises(ContextError) as refused:
                look()
            told.append(str(refused.value))

    async def story(scene: Scene) -> None:
        await put(scene, "free")
        await make(scene.client, "shop")
        async with scene.running(looks, namespaces=["default"]) as running:
            await scene.settle(running)

    play(story)
    assert len(told) == 2
    for each in told:
        assert each.startswith(
            "of ConfigMap controller 'looks' has in memory what is in default, and nothing of 'other'"
        )


def words_of(config: ConfigMap) -> list[str]:
    if config.metadata.name == "broken":
        raise RuntimeError("no words")
    return config.data["words"].split()


def test_objects_are_found_by_what_a_function_says_of_them() -> None:
    def names(ctx: kw.Context, word: str) -> list[str]:
        return [each.metadata.name for each in ctx.list(ConfigMap, index=(words_of, word))]

    async def story(scene: Scene) -> list[list[str]]:
        for name, words in (("a", "red blue"), ("b", "red red"), ("broken", "red"), ("c", "")):
            await scene.client.create(CONFIGS, {"metadata": {"name": name}, "data": {"words": words}})
        await make(scene.client, "shop")
        async with stage(scene, controller(owns=[ConfigMap])) as world:
            ctx = context_of(world)
            found = [names(ctx, "red"), names(ctx, "blue"), names(ctx, "")]
            await scene.client.patch(f"{CONFIGS}/a", "merge", {"data": {"words": "green"}})
            await asyncio.sleep(1)
            scene.wire.wedge()
            await ctx.live.patch(ConfigMap, "c", {"data": {"words": "red"}})
            found += [names(ctx, "red"), names(ctx, "green")]
            only = ctx.list(ConfigMap, index=(lambda config: config.metadata.name, "b"))
            return [*found, [each.metadata.name for each in only]]

    assert play(story) == [["a", "b"], ["a"], [], ["b", "c"], ["a"], ["b"]]


async def late(config: ConfigMap) -> str:
    return ""


class Unhashable:
    """Never known again."""

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, config: ConfigMap) -> str:
        return ""


@pytest.mark.parametrize(
    "index", [words_of, (words_of,), (words_of, 3), ("name", "a"), (late, "a"), (Unhashable(), "a")]
)
def test_what_is_no_index_is_told(index: Any) -> None:
    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            with pytest.raises(ContextError, match="index"):
                context_of(world).list(ConfigMap, index=index)

    play(story)


def test_another_function_each_time_is_refused_before_there_are_too_many() -> None:
    async def story(scene: Scene) -> None:
        await make(scene.client, "shop")
        async with stage(scene, controller(reads=[ConfigMap])) as world:
            ctx = context_of(world)
            for _ in range(100):
                ctx.list(ConfigMap, index=(lambda config: config.metadata.name, "b"))
            others = [(lambda config, number=number: str(number), "b") for number in range(100)]
            with pytest.raises(UnknownIndex, match="give the same function each time"):
                _ = [ctx.list(ConfigMap, index=other) for other in others]

    play(story)
