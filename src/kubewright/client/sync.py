"""The typed client for programs without a loop: scripts, notebooks, a shell.

    with SyncApi.connect() as api:
        for pod in api.list(Pod, namespace="default"):
            print(pod.metadata.name)
        api.delete(Pod, "web")
        for line in api.logs("job", follow=True):
            print(line)

Every call is that of `Api`, run to its end on a loop in a thread of its own; it works inside a running loop too, which
then stands still meanwhile. Ctrl-C ends the call, not the client.
"""

import asyncio
import contextlib
import threading
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack

from kubewright.client.api import Api
from kubewright.client.client import Settings
from kubewright.client.kubeconfig import Access
from kubewright.client.listing import Listing, Page
from kubewright.client.logs import Log
from kubewright.client.watch import TypedEvent, TypedWatch
from kubewright.http import ClientClosedError

__all__ = ["SyncApi", "SyncListing", "SyncLog", "SyncWatch"]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class _Loop:
    """A loop in a thread of its own; both end when it is closed, or when nobody has it any more."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        #: Whether it is to end; nothing is begun any more then.
        self._closing = False
        self._beginning = threading.Lock()
        #: What is to be awaited there before it ends.
        self.endings: list[Callable[[], Awaitable[None]]] = []
        self._thread = threading.Thread(target=_run, args=(self._loop,), name="kubewright-sync", daemon=True)
        self._thread.start()
        weakref.finalize(self, _end, self._loop, self.endings).atexit = False

    def run(self, coming: Coroutine[Any, Any, R]) -> R:
        """Run to the end; if that is not waited for any more, it is cancelled."""
        with self._beginning:
            if self._closing:
                coming.close()
                raise ClientClosedError("this client is closed")
            future = asyncio.run_coroutine_threadsafe(coming, self._loop)
        try:
            return future.result()
        except BaseException as error:
            future.cancel()
            if self._closing and isinstance(error, CancelledError):
                raise ClientClosedError("this client was closed meanwhile") from None
            raise

    def soon(self, function: Callable[[], None]) -> None:
        """Call it in the loop's thread, without waiting; not at all once that has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """End what still runs, then the thread."""
        with self._beginning:
            begins, self._closing = not self._closing, True
        if begins:
            _end(self._loop, self.endings)
        self._thread.join()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """What the thread does. It does not know the `_Loop`, which would never be given up else."""
    loop.run_forever()
    loop.close()


def _end(loop: asyncio.AbstractEventLoop, endings: list[Callable[[], Awaitable[None]]]) -> None:
    """Have a loop end all that it has begun, and itself."""

    def leave() -> None:
        loop.create_task(_end_all(endings)).add_done_callback(lambda _: loop.stop())

    with contextlib.suppress(RuntimeError):  # it was closed
        loop.call_soon_threadsafe(leave)


class SyncListing(Generic[T]):
    """A list: iterate over its objects or its `pages()`, read anew each time, or take all of one moment.

    `items` and `resource_version` are of one reading, the first that either is asked for; `all()` is of a new one.
    """

    def __init__(self, loop: _Loop, listing: Listing[T]) -> None:
        self._loop = loop
        self._listing = listing

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def pages(self) -> Iterator[Page[T]]:
        """Page by page."""
        pages = self._listing.pages()
        while (page := self._loop.run(_next(pages))) is not None:
            yield page

    def all(self) -> Page[T]:
        """All objects, of one moment."""
        return self._loop.run(_awaited(self._listing))

    @property
    def items(self) -> list[T]:
        """All objects, of one moment."""
        return self._page.items

    @property
    def resource_version(self) -> str:
        """The version that `items` are of; a watch from there on misses nothing."""
        return self._page.resource_version

    @cached_property
    def _page(self) -> Page[T]:
        return self.all()


class SyncWatch(Generic[T]):
    """A watch: iterate over its events; `with` or `close()` ends it."""

    def __init__(self, loop: _Loop, watch: TypedWatch[T]) -> None:
        self._loop = loop
        self._watch = watch

    def __iter__(self) -> Iterator[TypedEvent[T]]:
        while (event := self._loop.run(_next(self._watch))) is not None:
            yield event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._loop.soon(self._watch.close)

    def __del__(self) -> None:
        self.close()  # in the loop's thread, to which the connection belongs


class SyncLog:
    """A log: iterate over its lines, as they come if it is followed, or take the whole `text()`."""

    def __init__(self, loop: _Loop, log: Log) -> None:
        self._loop = loop
        self._log = log

    def __iter__(self) -> Iterator[str]:
        # If the reader leaves before the end, the generator is dropped, and its loop closes the connection.
        lines = aiter(self._log)
        while (line := self._loop.run(_next(lines))) is not None:
            yield line

    def text(self) -> str:
        """All that was written; of a log that is followed, until its end."""
        return self._loop.run(_awaited(self._log))


def _sync(method: Callable[Concatenate[Api, P], Coroutine[Any, Any, R]]) -> "Callable[Concatenate[SyncApi, P], R]":
    def call(self: "SyncApi", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._loop.run(method(self._api, *args, **kwargs))

    call.__doc__ = method.__doc__
    return call


def _listed(method: Callable[Concatenate[Api, P], Listing[T]]) -> "Callable[Concatenate[SyncApi, P], SyncListing[T]]":
    def call(self: "SyncApi", /, *args: P.args, **kwargs: P.kwargs) -> SyncListing[T]:
        return SyncListing(self._loop, method(self._api, *args, **kwargs))

    call.__doc__ = "Objects: iterate over them, or take `items` with their `resource_version`. See `Api.list`."
    return call


def _watched(
    method: Callable[Concatenate[Api, P], TypedWatch[T]],
) -> "Callable[Concatenate[SyncApi, P], SyncWatch[T]]":
    def call(self: "SyncApi", /, *args: P.args, **kwargs: P.kwargs) -> SyncWatch[T]:
        return SyncWatch(self._loop, method(self._api, *args, **kwargs))

    call.__doc__ = method.__doc__
    return call


def _logged(method: Callable[Concatenate[Api, P], Log]) -> "Callable[Concatenate[SyncApi, P], SyncLog]":
    def call(self: "SyncApi", /, *args: P.args, **kwargs: P.kwargs) -> SyncLog:
        return SyncLog(self._loop, method(self._api, *args, **kwargs))

    call.__doc__ = "The log of a pod's container: iterate over its lines, or take its `text()`. See `Api.logs`."
    return call


class SyncApi:
    """Objects of an API, typed, one call after the other."""

    def __init__(self, make: Callable[[], Api]) -> None:
        self._loop = _Loop()
        try:
            self._api = self._loop.run(_called(make))
            self._loop.endings.append(self._api.raw.close)
        except BaseException:
            self._loop.close()
            raise

    @classmethod
    def connect(
        cls,
        access: Access | None = None,
        *,
        kubeconfig: Path | str | None = None,
        context: str | None = None,
        field_manager: str = "kubewright",
        **settings: Unpack[Settings],
    ) -> Self:
        """As `Api.connect`."""
        return cls(
            lambda: Api.connect(access, kubeconfig=kubeconfig, context=context, field_manager=field_manager, **settings)
        )

    def but(self, **settings: Unpack[Settings]) -> Self:
        """The same API with these settings different: `api.but(timeout=5)`. Closing either closes both."""
        other = type(self).__new__(type(self))
        other._loop = self._loop
        other._api = self._api.but(**settings)
        return other

    def gated(self, gate: Callable[[], None]) -> Self:
        """As `Api.gated`; the gate is asked in the client's thread."""
        return self.but(gate=gate)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections, and of the thread."""
        self._loop.close()

    @property
    def namespace(self) -> str:
        """The namespace that is meant where none is said of one object."""
        return self._api.namespace

    @property
    def field_manager(self) -> str:
        """Who owns what is written, unless a call says otherwise."""
        return self._api.field_manager

    resource = _sync(Api.resource)
    get = _sync(Api.get)
    create = _sync(Api.create)
    update = _sync(Api.update)
    apply = _sync(Api.apply)
    patch = _sync(Api.patch)
    delete = _sync(Api.delete)
    delete_collection = _sync(Api.delete_collection)
    post = _sync(Api.post)
    scale = _sync(Api.scale)
    evict = _sync(Api.evict)
    list = _listed(Api.list)
    watch = _watched(Api.watch)
    logs = _logged(Api.logs)
    exec = _sync(Api.exec)

    @contextlib.contextmanager
    def port_forward(self, name: str, port: int, namespace: str | None = None, *, local_port: int = 0) -> Iterator[int]:
        """Lead connections to a port of this machine to that of a pod, while the block runs; the port, a free one if 0.

        with api.port_forward("web", 80) as port:
            urlopen(f"http://127.0.0.1:{port}")
        """
        listening = self._api.port_forward(name, port, namespace).listening(local_port)
        here = self._loop.run(listening.__aenter__())
        try:
            yield here
        finally:
            self._loop.run(listening.__aexit__(None, None, None))


async def _next(items: AsyncIterator[T]) -> T | None:
    return await anext(items, None)


async def _awaited(coming: Awaitable[R]) -> R:
    return await coming


async def _end_all(endings: list[Callable[[], Awaitable[None]]]) -> None:
    for end in endings:
        await end()
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


async def _called(function: Callable[[], R]) -> R:
    return function()
