"""One informer for each selection, shared by all who want it, gone with the last of them."""

import asyncio
import gc
import weakref
from dataclasses import replace

import msgspec
import pytest
from tests.cache.server import THINGS, Server, caches_of, play

from kubewright.cache import Caches, Informer, Key, Selection
from kubewright.cache.selection import SelectionError
from kubewright.client import endpoint_of
from kubewright.k8s.core.v1 import Pod
from kubewright.model.selectors import LabelSelector
from kubewright.trials.loop import run

ALL = Selection(THINGS)
WEB = Selection(THINGS, labels=LabelSelector.parse("app=web"))


def test_equal_selections_share_one_watch() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert caches.open(Selection(THINGS)) is informer
        assert caches.open(WEB) is not informer
        assert caches.open(Selection(THINGS, labels=LabelSelector.parse("app in (web)"))) is not None
        await asyncio.sleep(0.1)
        assert len(server.requests) == len(list(caches))

    play(story)


def test_who_wants_metadata_alone_shares_whole_objects_where_they_are_kept() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        assert caches.open(replace(ALL, metadata_only=True)) is informer
        assert caches.open(replace(WEB, metadata_only=True)) is not informer

    play(story)


def test_an_informer_stops_when_its_last_user_goes() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        caches.open(ALL)
        await caches.close(informer)
        await asyncio.sleep(0)
        assert not server.watchers[0].stream.closed
        await caches.close(informer)
        assert server.watchers[0].stream.closed
        assert list(caches) == []
        assert caches.open(ALL) is not informer

    play(story)


def test_what_nobody_uses_any_more_is_forgotten_without_the_collector() -> None:
    async def story() -> None:
        server = Server()
        server.put("t", spec=1)
        async with caches_of(server) as caches:
            informer = caches.open(ALL)
            informer.subscribe(lambda change: None)
            await informer.synced.wait()
            caches.wrote(THINGS, msgspec.json.encode(server.put("t", spec=2)))
            kept, gone = informer.get(Key("default", "t")), weakref.ref(informer._store)
            await caches.close(informer)
            assert informer.get(Key("default", "t")) is kept
            del informer
            assert gone() is None
            assert kept is not None
            assert kept.object()["spec"] == 2

    gc.collect()
    gc.disable()
    try:
        run(story())
    finally:
        gc.enable()


def test_a_write_is_found_its_kind_by_path_while_there_is_a_cache_of_it_in_whatever_version() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        prefix, plural = THINGS.prefix, THINGS.plural
        caches.open(WEB)
        assert caches.endpoint(prefix, plural) == THINGS
        assert caches.endpoint(f"{prefix}beta1", plural) == replace(THINGS, version="v1beta1")
        assert caches.endpoint(prefix, "others") is None
        assert caches.endpoint("/api/v1", plural) is None
        await caches.close(informer)
        assert caches.endpoint(prefix, plural) == THINGS
        await caches.stop()
        assert caches.endpoint(prefix, plural) is None
        caches.open(Selection(endpoint_of(Pod)))
        assert caches.endpoint("/api/v1", "pods") == endpoint_of(Pod)

    play(story)


def test_closing_once_too_often_harms_nobody() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        await caches.close(informer)
        await caches.close(informer)
        assert list(caches) == []

    play(story)


def test_stopping_ends_every_watch() -> None:
    async def story(server: Server, caches: Caches, informer: Informer) -> None:
        caches.open(WEB)
        await asyncio.sleep(0.1)
        await caches.stop()
        assert all(watcher.stream.closed for watcher in server.watchers)
        assert len(server.watchers) == 2

    play(story)


def test_a_kind_in_no_namespace_cannot_be_selected_in_one() -> None:
    with pytest.raises(SelectionError, match=r"things\.example\.com are in no namespace"):
        Selection(replace(THINGS, namespaced=False), namespaces=("a",))


def test_an_empty_namespace_is_none() -> None:
    with pytest.raises(SelectionError, match="for all of them give none"):
        Selection(THINGS, namespaces=("",))
