"""The embedded cluster for a test, in a thread of its own.

A test may block: it waits for kubectl, or holds its own loop for a while. A server in the same loop would stand still
with it, and the two would wait for each other; so it has its own loop, in its own thread, and is reached over TLS like
any other.
"""

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from kubewright.cluster import Cluster
from kubewright.errors import KubewrightError

__all__ = ["EmbeddedClusterError", "start_embedded"]


class EmbeddedClusterError(KubewrightError):
    """The embedded cluster did not start."""


@contextlib.contextmanager
def start_embedded(cluster: Cluster) -> Iterator[Cluster]:
    """Run a cluster until the end of the block; it is ready when the block begins."""
    ready: threading.Event = threading.Event()
    failure: list[BaseException] = []
    handle: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        over = asyncio.Event()
        async with cluster:
            handle.append((asyncio.get_running_loop(), over))
            ready.set()
            await over.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001 - told to whoever started it
            failure.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="kubewright-cluster", daemon=True)
    thread.start()
    ready.wait()
    if not handle:
        thread.join()
        raise EmbeddedClusterError(f"the embedded cluster did not start: {failure[0]}") from failure[0]
    loop, over = handle[0]
    try:
        yield cluster
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
    if failure:
        raise EmbeddedClusterError(f"the embedded cluster failed: {failure[0]}") from failure[0]
