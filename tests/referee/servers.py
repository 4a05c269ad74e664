"""The two servers that are compared, each with the definitions that scripts take for granted."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from tests.referee.language import Script, get, post, script, until
from tests.referee.objects import GADGETS, WIDGETS
from tests.referee.run import SetupFailed, Transcript, run

from kubewright.client import HttpTransport, Transport, load_kubeconfig
from kubewright.testing.real import RealCluster

__all__ = ["embedded", "real", "run_all"]

#: The real server takes many requests at once, but two cores do not.
_AT_ONCE = 12


@contextlib.asynccontextmanager
async def real(cluster: RealCluster) -> AsyncIterator[Transport]:
    """A way to Kubernetes' own API server."""
    transport = HttpTransport(load_kubeconfig(cluster.kubeconfig))
    try:
        yield transport
    finally:
        await transport.close()


@contextlib.asynccontextmanager
async def embedded() -> AsyncIterator[Transport]:
    """A way to ours, in this process."""
    from kubewright.cluster import Cluster  # type: ignore[attr-defined]  # is being written

    async with Cluster() as cluster, cluster.client() as client:
        yield client._transport


async def run_all(
    transport: Transport, scripts: Mapping[str, Script], tell: Callable[[str], None] = lambda _: None
) -> dict[str, Transcript | SetupFailed]:
    """The transcripts of scripts on one server; those that want to be alone come first, one after the other."""
    answers: dict[str, Transcript | SetupFailed] = {}
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(key: str) -> None:
        async with places:
            try:
                answers[key] = await run(key, scripts[key], transport)
            except SetupFailed as error:
                answers[key] = error
            tell(key)

    for key in scripts:
        if scripts[key].alone:
            await one(key)
    await _prepare(transport)
    await asyncio.gather(*(one(key) for key in scripts if not scripts[key].alone))
    return {key: answers[key] for key in scripts}


async def _prepare(transport: Transport) -> None:
    """Define what all scripts share, and wait until it is served."""
    steps: list[Any] = []
    for definition in (WIDGETS, GADGETS):
        spec = definition["spec"]
        steps.append(post("{crds}", definition))
        steps += [
            until(get(f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"))
            for version in spec["versions"]
        ]
    await run("prepare/shared", script("shared", "", setup=tuple(steps)), transport)
