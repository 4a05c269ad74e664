"""The last of some objects is gone: told once, and only then."""

import asyncio
import contextlib

from tests.cluster.stage import CONFIGMAPS, Stage, play

from kubewright.client.endpoint import Document, Endpoint
from kubewright.cluster.controllers.empty import Left
from kubewright.cluster.controllers.vigil import Vigil

MAPS: Endpoint[Document] = Endpoint("", "v1", "configmaps", "ConfigMap", True)


async def _left(stage: Stage, *names: str) -> Left:
    for name in names:
        await stage.client.create(CONFIGMAPS, {"metadata": {"name": name}})
    listed = await stage.client.get(CONFIGMAPS)
    return Left(MAPS, "default", frozenset(names), listed["metadata"]["resourceVersion"])


def test_a_namespace_is_told_when_the_last_is_gone() -> None:
    async def story(stage: Stage) -> None:
        vigil = Vigil()
        async with contextlib.aclosing(vigil.news()) as news:
            coming = asyncio.ensure_future(anext(news))
            vigil.keep(stage.client, "default", [await _left(stage, "a", "b")])
            await stage.client.delete(f"{CONFIGMAPS}/a")
            await asyncio.sleep(60)
            assert not coming.done()
            await stage.client.delete(f"{CONFIGMAPS}/b")
            assert await coming == "default"

    play(story)


def test_what_went_before_the_watch_began_counts() -> None:
    async def story(stage: Stage) -> None:
        vigil = Vigil()
        left = await _left(stage, "a")
        await stage.client.delete(f"{CONFIGMAPS}/a")
        vigil.keep(stage.client, "default", [left])
        async with contextlib.aclosing(vigil.news()) as news:
            assert await anext(news) == "default"

    play(story)


def test_of_a_past_that_is_forgotten_nothing_is_told() -> None:
    async def story(stage: Stage) -> None:
        vigil = Vigil()
        async with contextlib.aclosing(vigil.news()) as news:
            coming = asyncio.ensure_future(anext(news))
            left = await _left(stage, "a")
            await stage.client.delete(f"{CONFIGMAPS}/a")
            await stage.client.create(CONFIGMAPS, {"metadata": {"name": "later"}})
            stage.cluster.compact()
            vigil.keep(stage.client, "default", [left])
            await asyncio.sleep(60)
            assert not coming.done()
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)

    play(story)


def test_with_the_news_all_watching_ends() -> None:
    async def story(stage: Stage) -> None:
        vigil = Vigil()
        before = asyncio.all_tasks()
        async with contextlib.aclosing(vigil.news()) as news:
            coming = asyncio.ensure_future(anext(news))
            vigil.keep(stage.client, "default", [await _left(stage, "a")])
            await asyncio.sleep(1)
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
        await asyncio.sleep(1)
        assert asyncio.all_tasks() == before

    play(story)
