"""What runs beside a test, in a thread of its own: the embedded cluster, or nodes for a real one.

A test may block: it waits for kubectl, or holds its own loop for a while. A server in the same loop would stand still
with it, and the two would wait for each other; so it has its own loop, in its own thread, and is reached over TLS like
any other.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeVar

from kubewright.errors import KubewrightError

__all__ = ["BesideError", "beside", "node"]

Value = TypeVar("Value")


class BesideError(KubewrightError):
    """What should run beside a test did not start, or failed."""


@contextlib.contextmanager
def beside(manager: AbstractAsyncContextManager[Value]) -> Iterator[Value]:
    """Be inside an asynchronous context, in another thread, until the end of the block."""
    ready: threading.Event = threading.Event()
    failure: list[BaseException] = []
    handle: list[tuple[asyncio.AbstractEventLoop, asyncio.Event, Value]] = []

    async def stay() -> None:
        over = asyncio.Event()
        async with manager as value:
            handle.append((asyncio.get_running_loop(), over, value))
            ready.set()
            await over.wait()

    def run() -> None:
        try:
            asyncio.run(stay())
        except BaseException as error:  # noqa: BLE001 - told to whoever started it
            failure.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="beside", daemon=True)
    thread.start()
    ready.wait()
    if not handle:
        thread.join()
        raise BesideError(f"{type(manager).__name__} did not start: {failure[0]}") from failure[0]
    loop, over, value = handle[0]
    try:
        yield value
    finally:
        if not failure:
            loop.call_soon_threadsafe(over.set)
        thread.join()
    if failure:
        raise BesideError(f"{type(manager).__name__} failed: {failure[0]}") from failure[0]


@contextlib.asynccontextmanager
async def node(kubeconfig: Path) -> AsyncIterator[None]:
    """A node of ours on any cluster: pods are bound to it, and run."""
    from kubewright.client import Client, load_kubeconfig
    from kubewright.cluster.nodes import Nodes

    async with Client.connect(load_kubeconfig(kubeconfig)) as client, Nodes(client, 1, serve=True):
        yield
