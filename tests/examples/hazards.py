"""An operator in simulated time whose every write goes wrong once: it is killed, refused, or never hears the answer.

A story is told in steps: somebody does something, and something must come true. It is told once without a fault, which
counts the operator's writes; then once for each write and each fault. Whatever happened, every step must come true, and
in the end the operator rests.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

import kubewright as kw
from kubewright.cli.apps import own_kinds
from kubewright.client import Client
from kubewright.client.errors import NotFound
from kubewright.client.transport import Transport
from kubewright.cluster import Cluster
from kubewright.entropy import Entropy
from kubewright.http import DisconnectedError, Headers, Request, Response
from kubewright.schema.crd import crds_of
from kubewright.trials.loop import run

__all__ = ["FAULTS", "Fault", "Step", "tell"]

Fault = Literal["killed before", "killed after", "unheard", "500", "409"]
FAULTS: Final[tuple[Fault, ...]] = get_args(Fault)

#: Simulated seconds for a step to come true: longer than an operator that was refused sleeps.
_PATIENCE: Final = 600.0
#: Simulated seconds in which an operator that has done everything writes nothing.
_REST: Final = 1200.0

Deed = Callable[[Client], Awaitable[Any]]
Truth = Callable[[Client], Awaitable[bool]]


class Step(NamedTuple):
    """What somebody does, and what must come of it."""

    what: str
    do: Deed
    holds: Truth


@dataclass
class Count:
    """The writes of an operator, over all its lives."""

    fault: Fault | None
    at: int
    writes: int = 0


class Wire:
    """The transport of one life of an operator."""

    def __init__(self, transport: Transport, count: Count) -> None:
        self._transport = transport
        self._count = count
        self.host = transport.host
        self.dead = asyncio.Event()

    async def send(self, request: Request) -> Response:
        """Let a request pass, or have it go wrong."""
        if self.dead.is_set():
            raise DisconnectedError("the operator is dead")
        if request.method == "GET":
            return await self._transport.send(request)
        if "/events" in request.path:  # news, which is written in its own time, and may be lost
            return await self._transport.send(request)
        self._count.writes += 1
        if self._count.writes != self._count.at or self._count.fault is None:
            return await self._transport.send(request)
        fault = self._count.fault
        if fault.isdecimal():
            status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": int(fault), "message": "no"}
            return Response(int(fault), Headers([(b"Content-Type", b"application/json")]), msgspec.json.encode(status))
        if fault in ("killed after", "unheard"):
            await (await self._transport.send(request)).read()
        if fault.startswith("killed"):
            self.dead.set()
        raise DisconnectedError("the connection is lost")

    async def close(self) -> None:
        """The cluster's is not ours to close."""


def tell(
    app: kw.Operator, steps: Sequence[Step], fault: Fault | None = None, at: int = 0, *, controllers: str = "all"
) -> int:
    """Tell a story, in which the write of that number goes wrong; how often the operator wrote."""

    async def story() -> int:
        async with Cluster(port=None, seed=1, controllers=controllers, nodes=int(controllers == "all")) as cluster:
            client = cluster.client()
            for crd in crds_of(own_kinds(app)):
                await client.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd)
            count = Count(fault, at)
            lives = asyncio.create_task(_live(app, client, count))
            try:
                for step in steps:
                    await step.do(client)
                    await _come_true(client, step)
                before = count.writes
                await asyncio.sleep(_REST)
                assert count.writes == before, f"it still writes after all is done: {count.writes - before} times"
            finally:
                lives.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await lives
            return before

    return run(story())


async def _live(app: kw.Operator, client: Client, count: Count) -> None:
    """An operator, and another one after it whenever it is killed."""
    number = 0
    while True:
        number += 1
        wire = Wire(client._transport, count)
        async with app.running(Client(wire), entropy=Entropy(number)):
            await wire.dead.wait()


async def _come_true(client: Client, step: Step) -> None:
    try:
        async with asyncio.timeout(_PATIENCE):
            while True:
                with contextlib.suppress(NotFound):
                    if await step.holds(client):
                        return
                await asyncio.sleep(1)
    except TimeoutError:
        raise AssertionError(f"{step.what}: that has not come true in {_PATIENCE:g} s") from None
