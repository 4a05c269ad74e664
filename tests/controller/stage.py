"""The world of one controller on a cluster in simulated time, without the operator around it."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from tests.operator.scene import Scene, play
from tests.operator.web import WebServer

import kubewright as kw
from kubewright.cache import Cached, Caches, Informer, Key
from kubewright.client import Client, endpoint_of
from kubewright.client.api import Api
from kubewright.controller.children import Owner
from kubewright.controller.context import Context, World
from kubewright.controller.declaration import Controller
from kubewright.controller.wants import Wants
from kubewright.controller.writes import WritingClient

__all__ = ["MAPS", "WEB", "Notes", "Scene", "context_of", "controller", "informer_of", "play", "read", "stage"]

MAPS = "/api/v1/namespaces/default/configmaps"
WEB = endpoint_of(WebServer)


class Notes:
    """A recorder that keeps what is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str, str]] = []

    def record(self, owner: Owner, type: Any, reason: str, note: str, action: str, controller: str = "") -> None:  # noqa: A002
        self.told.append((str(owner.key), type, reason, note))


def controller(**options: Any) -> Controller[Any, Any]:
    """A controller for WebServers that does nothing."""

    async def web(obj: WebServer, ctx: kw.Context) -> None:
        """Nothing."""

    return kw.controller(WebServer, **options)(web)


@contextlib.asynccontextmanager
async def stage(
    scene: Scene, declared: Controller[Any, Any], notes: Notes | None = None, **options: Any
) -> AsyncIterator[World]:
    """Its world, with caches that are complete; every write is in `scene.wire.writes`."""
    client = Api(Client(scene.wire)).raw
    async with Caches(client, manager="op") as caches:
        wants = Wants(declared)
        informers = {endpoint: caches.open(wanted) for endpoint, wanted in wants.all().items()}
        for informer in informers.values():
            await informer.synced.wait()
        api = Api(WritingClient.of(client, caches), field_manager=f"op/{declared.name}")
        yield World("op", declared.name, api, informers, wants, notes or Notes(), caches.open, **options)


def informer_of(world: World, kind: Any) -> Informer:
    """The cache of a kind."""
    return world.informers[endpoint_of(kind)]


def read(world: World, kind: Any, name: str) -> Cached:
    """An object as it is in memory."""
    found = informer_of(world, kind).get(Key("default", name))
    assert found is not None
    return found


def context_of(world: World, name: str = "shop") -> Context:
    """The context of a reconcile of a WebServer."""
    cached = read(world, WebServer, name)
    return Context(world, Owner(WEB, cached.key, cached.uid), "id")
