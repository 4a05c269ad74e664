"""The two servers that are compared, each with the definitions that scripts take for granted."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.referee.drawn import drawn
from tests.referee.families import family, scripts
from tests.referee.language import Script, get, post, script, until
from tests.referee.objects import GADGETS, WIDGETS
from tests.referee.run import Compaction, SetupFailed, Transcript, run, run_each
from tests.referee.webhook import webhooks

from kubewright.client import HttpTransport, Transport, load_kubeconfig
from kubewright.client.transport import LocalTransport
from kubewright.http import Headers, Peer, Request, Response
from kubewright.testing.real import RealCluster
from kubewright.trials.loop import run as simulate

__all__ = ["Answers", "ask_embedded", "ask_real", "draw_embedded", "draw_real", "run_all"]

Answers = dict[str, Transcript | SetupFailed]
#: A way to ask, and a way to have the store compacted.
Server = tuple[Transport, Compaction]

#: The real server takes many requests at once, but two cores do not.
_AT_ONCE = 12
#: When virtual time begins: behind every date that a script names, so that ages are none of the future.
_LATER = 1_900_000_000


class Doors:
    """Two ways in: the administrator's, and a stranger's for requests that say themselves who asks."""

    def __init__(self, admin: Transport, stranger: Transport) -> None:
        self._admin, self._stranger = admin, stranger
        self.host = admin.host

    async def send(self, request: Request) -> Response:
        """Through the stranger's door if the request has an `Authorization`; one that is empty is taken off."""
        said = request.headers.get(b"authorization")
        if said is None:
            return await self._admin.send(request)
        if not said:
            request.headers = Headers([pair for pair in request.headers.pairs if pair[0].lower() != b"authorization"])
        return await self._stranger.send(request)

    async def close(self) -> None:
        """Close both."""
        await self._admin.close()
        await self._stranger.close()


class Secure:
    """The link of a request that did not come over a connection, and is to be taken as if it came over TLS."""

    peer = Peer(None, secure=True)

    @property
    def lost(self) -> asyncio.Event:
        """It is never lost."""
        return asyncio.Event()


@contextlib.asynccontextmanager
async def _real(cluster: RealCluster) -> AsyncIterator[Server]:
    access = load_kubeconfig(cluster.kubeconfig)
    transport = Doors(HttpTransport(access), HttpTransport(replace(access, token="")))

    async def compact(version: int) -> None:
        """As kube-apiserver has etcd compacted every five minutes; over the socket that is ours alone."""
        reader, writer = await asyncio.open_unix_connection(cluster.kubeconfig.parent / "etcd.sock")
        body = json.dumps({"revision": str(version), "physical": True}).encode()
        head = (
            f"POST /v3/kv/compaction HTTP/1.1\r\nHost: etcd\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await reader.read()
        writer.close()
        if not answer.startswith(b"HTTP/1.1 200"):
            raise SetupFailed(f"etcd does not compact: {answer.decode(errors='replace')}")

    try:
        yield transport, compact
    finally:
        await transport.close()


@contextlib.asynccontextmanager
async def _embedded(controllers: bool) -> AsyncIterator[Server]:
    from kubewright.cluster.cluster import Cluster  # here: to record, the real server is enough

    async with Cluster(port=None, controllers="all" if controllers else "none", nodes=0, seed=1) as cluster:
        cluster.api.accounts = True  # as the real server, which never asks who makes them

        async def compact(version: int) -> None:
            cluster.store.compact(version)

        admin = cluster.client()._transport
        assert isinstance(admin, LocalTransport)
        front = admin._handler

        def stranger(request: Request) -> Response | Coroutine[Any, Any, Response]:
            request.link = Secure()
            return front(request)

        yield Doors(admin, LocalTransport(stranger)), compact


def ask_embedded(chosen: str = "") -> Answers:
    """What our server answers, in this process, in virtual time where no sockets are needed."""

    async def ask(wanted: Mapping[str, Script], controllers: bool) -> Answers:
        async with _embedded(controllers) as server:
            return await run_all(server, wanted)

    answers: Answers = {}
    for controllers in (False, True):
        if wanted := scripts(chosen, controllers=controllers, sockets=False):
            answers |= simulate(ask(wanted, controllers), start=_LATER)
        if wanted := scripts(chosen, controllers=controllers, sockets=True):
            answers |= asyncio.run(ask(wanted, controllers))
    return answers


def ask_real(chosen: str = "", binaries: Path | None = None) -> Answers:
    """What Kubernetes' own server answers: two of them at once, with and without controllers beside."""

    async def ask(controllers: bool) -> Answers:
        wanted = scripts(chosen, controllers=controllers)
        if not wanted:
            return {}
        with contextlib.ExitStack() as stack:
            start = RealCluster.start(binaries, controllers=controllers)
            cluster = await asyncio.to_thread(stack.enter_context, start)
            async with _real(cluster) as server:
                return await run_all(server, wanted)

    async def ask_both() -> Answers:
        plain, controlled = await asyncio.gather(ask(controllers=False), ask(controllers=True))
        return plain | controlled

    return asyncio.run(ask_both())


@contextlib.asynccontextmanager
async def _nothing() -> AsyncIterator[dict[str, str]]:
    yield {}


async def run_all(server: Server, wanted: Mapping[str, Script]) -> Answers:
    """The transcripts of scripts on one server; those that want to be alone come first, one after the other."""
    answers: Answers = {}
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(key: str, known: Mapping[str, str] | None = None) -> None:
        async with places:
            try:
                answers[key] = await run(key, wanted[key], *server, known)
            except SetupFailed as error:
                answers[key] = error

    for key in wanted:
        if wanted[key].alone:
            await one(key)
    with contextlib.suppress(SetupFailed):  # whoever needs the definitions will tell
        await _prepare(server)
    async with webhooks() if any(family(key.partition("/")[0]).sockets for key in wanted) else _nothing() as known:
        await asyncio.gather(*(one(key, known) for key in wanted if not wanted[key].alone))
    return {key: answers[key] for key in wanted}


def draw_embedded(chosen: str = "", every: int = 1) -> Answers:
    """What our server answers to the drawn requests of a kind, or of all; to one of every so many."""

    async def ask() -> Answers:
        async with _embedded(controllers=False) as server:
            return await run_drawn(server, _drawn(chosen), every)

    return simulate(ask(), start=_LATER)


def draw_real(chosen: str = "", binaries: Path | None = None, every: int = 1) -> Answers:
    """What Kubernetes' own server answers to them, or to one of so many."""

    async def ask(cluster: RealCluster) -> Answers:
        async with _real(cluster) as server:
            return await run_drawn(server, _drawn(chosen), every)

    with RealCluster.start(binaries) as cluster:
        return asyncio.run(ask(cluster))


def _drawn(chosen: str) -> dict[str, Script]:
    return {key: script for key, script in drawn().items() if key.startswith(chosen)}


async def run_drawn(server: Server, wanted: Mapping[str, Script], every: int = 1) -> Answers:
    """The answers to drawn requests."""
    answers: Answers = {}
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(key: str) -> None:
        async with places:
            try:
                answers[key] = await run_each(f"drawn/{key}", wanted[key], server[0], every)
            except SetupFailed as error:
                answers[key] = error

    with contextlib.suppress(SetupFailed):
        await _prepare(server)
    await asyncio.gather(*map(one, wanted))
    return {key: answers[key] for key in wanted}


async def _prepare(server: Server) -> None:
    """Define what all scripts share, and wait until it is served."""
    steps: list[Any] = []
    for definition in (WIDGETS, GADGETS):
        spec = definition["spec"]
        steps.append(post("{crds}", definition))
        steps += [
            until(get(f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"))
            for version in spec["versions"]
        ]
    await run("prepare/shared", script("shared", "", setup=tuple(steps)), *server)
