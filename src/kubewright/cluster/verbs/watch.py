"""GET with `watch`: the changes of a collection, told as they happen, until the client has enough.

    replaying ──► live ──► over
       │ what is there, or what happened since, in slices at the reader's pace
       └ one step of the loop between the last look at the log and the first event told: nothing is missed or doubled

Everything a live watcher does happens inside the commit that it tells of, with no task between: the event is encoded
once for all watchers that want it in the same form, and each is handed the same bytes. Those who watch all of a
collection are told in one loop, for most watchers are of this kind and there may be thousands. A reader that does not
keep up is cut off, and reads anew. Only a large object that is wanted in another form than it is stored in is told
later, with what follows it, because to put it into that form takes long; who is told in the loop leaves it meanwhile.
"""

import asyncio
import logging
from collections.abc import Callable, Generator
from typing import Any

from kubewright.cluster.call import Api, Call, Document
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.store import Compacted, Record, Store
from kubewright.cluster.verbs.list import slices
from kubewright.cluster.verbs.options import ListOptions, read_list_options
from kubewright.cluster.verbs.selection import Selection
from kubewright.cluster.verbs.turn import LARGE, in_turns
from kubewright.cluster.verbs.versions import asked_version, fresh
from kubewright.cluster.wire.form import METADATA, encode, encode_in_steps, metadata_of, object_form
from kubewright.cluster.wire.media import JSON, PROTOBUF
from kubewright.cluster.wire.negotiate import Output
from kubewright.cluster.wire.revision import renumbered
from kubewright.cluster.wire.status import Failure, broken, expired
from kubewright.http import Chunk, Headers, Response, Stream

__all__ = ["Frames", "end_watches", "watch"]

logger = logging.getLogger(__name__)

#: How often a watcher that asked for it is told how far it has come, in seconds.
BOOKMARK_EVERY = 60.0
#: So long before its end it is told once more.
BOOKMARK_BEFORE = 2.0
#: A watch without a timeout of its own ends after this time, or up to twice as much.
SHORTEST = 1800
#: So many changes of the log are looked at before others run.
_STRIDE = 250
#: How many events are kept for those who tell them later than others.
_REMEMBERED = 64

#: A record, and what the key held before.
Change = tuple[Record, Record | None]

_HEADERS = {
    media: Headers([(b"Cache-Control", b"no-cache, private"), (b"Content-Type", told)])
    for media, told in ((JSON, JSON.encode()), (PROTOBUF, f"{PROTOBUF};stream=watch".encode()))
}


def watch(call: Call) -> Response:
    """The stream of events. It begins in the step in which the resource was looked up, while that is still served."""
    options = read_list_options(call.query, watching=True)
    selection = Selection(call.resource, call.namespace, call.name, options)
    version = asked_version(options.resource_version)
    watcher = Watcher(call, selection, options)
    # Who begins with what is there is told when that was all, if bookmarks are welcome.
    initial = bool(options.initial_events)
    watcher.task = asyncio.create_task(watcher.run(version, initial=initial))
    return Response(200, _HEADERS[call.output.media], watcher.stream)


def _frames(api: Api, resource: Resource, output: Output) -> "Frames":
    """The encoder that watchers of a resource who want the same form share."""
    frames = api.frames.get((resource, output))
    if frames is None:
        frames = api.frames[resource, output] = Frames(resource, output)
    return frames


class Frames:
    """Events of one resource in one form, encoded once for all watchers."""

    def __init__(self, resource: Resource, output: Output) -> None:
        self.resource = resource
        self.output = output
        #: The last events: each watcher who tells of a large object goes on by himself for a while.
        self._last: dict[tuple[int, str, bool], Chunk] = {}
        self._feeds: dict[str, Feed] = {}
        #: Whether the first event of a watch looks different from all others.
        self.ordered = output.form == "Table"
        #: Whether objects are told as they are stored.
        self._plain = not output.form and output.media == JSON
        #: Events that are being encoded in turns.
        self._coming: dict[tuple[int, str, bool], asyncio.Future[Chunk]] = {}

    def feed(self, store: Store, prefix: str, stream: Stream, alone: Callable[[Record], None]) -> Callable[[], None]:
        """Tell a stream of all changes under a prefix from now on; returns what ends it.

        `alone` is called with the first of them that takes more than one step to encode, and with no more after it.
        """
        feed = self._feeds.get(prefix)
        if feed is None:
            feed = self._feeds[prefix] = Feed(self, store, prefix, lambda: self._feeds.pop(prefix))
        return feed.join(stream, alone)

    def event(self, kind: str, record: Record, previous: Record | None, *, first: bool) -> Chunk:
        """What happened to an object that was `previous`. The first event of a Table tells its columns."""
        last, key = self._last, (record.revision, kind, first and self.ordered)
        chunk = last.get(key)
        if chunk is None:
            chunk = last[key] = self._encode(kind, record, previous, key[2])
            if len(last) > _REMEMBERED:
                del last[next(iter(last))]
        return chunk

    def is_slow(self, record: Record) -> bool:
        """Whether to encode what happened to an object takes more than one step."""
        last = record if record.value is not None else record.previous
        return not self._plain and last is not None and len(last.value or b"") > LARGE

    async def event_in_turns(self, kind: str, record: Record, previous: Record | None, *, first: bool) -> Chunk:
        """The same as `event` for a large object, while others have their turn; for all who want it meanwhile."""
        first = first and self.ordered
        key = record.revision, kind, first
        coming = self._coming.get(key)
        if coming is None:
            coming = asyncio.ensure_future(in_turns(self._encode_in_steps(kind, record, previous, first)))
            self._coming[key] = coming
            coming.add_done_callback(lambda _: self._coming.pop(key))
        return await asyncio.shield(coming)

    def bookmark(self, revision: int, *, end: bool = False, first: bool = False) -> Chunk:
        """How far the watch has come; `end`: what was there at its begin has been told."""
        meta: Document = {"resourceVersion": str(revision)}
        if end:
            meta["annotations"] = {"k8s.io/initial-events-end": "true"}
        resource = self.resource
        obj: Document = {"kind": resource.names.kind, "apiVersion": resource.api_version, "metadata": meta}
        if not resource.custom and self.output.form != METADATA:  # metadata looks the same in every kind
            obj = resource.codec.read(obj).object
        return self._framed("BOOKMARK", self._shown(obj, first=first))

    def failure(self, document: Document) -> Chunk:
        """Why the watch is at its end."""
        return self._framed("ERROR", encode(document, self.output))

    def _encode(self, kind: str, record: Record, previous: Record | None, first: bool) -> Chunk:
        resource, view, plain = self.resource, self.resource.view, self._plain
        if kind != "DELETED":
            if plain:
                return self._framed(kind, view.data(record))
            # The metadata of built-in kinds is stored as it is shown; of others it is arranged differently.
            cut = metadata_of(view.data(record), self.output) if not resource.custom else None
            return self._framed(kind, cut or self._shown(view.document(record), first=first))
        # The last state, under the number of the change that ended it.
        assert previous is not None
        if plain and (data := renumbered(view.data(previous), previous.revision, record.revision)) is not None:
            return self._framed(kind, data)
        obj = view.document(previous)
        obj["metadata"]["resourceVersion"] = str(record.revision)
        return self._framed(kind, resource.codec.write(obj) if plain else self._shown(obj, first=first))

    def _encode_in_steps(
        self, kind: str, record: Record, previous: Record | None, first: bool
    ) -> Generator[None, None, Chunk]:
        """The same for a large object in a form of its own."""
        resource, view = self.resource, self.resource.view
        if kind != "DELETED":
            cut = metadata_of(view.data(record), self.output) if not resource.custom else None
            if cut is not None:
                return self._framed(kind, cut)
            obj = yield from view.document_in_steps(record)
        else:
            assert previous is not None
            obj = yield from view.document_in_steps(previous)
            obj["metadata"]["resourceVersion"] = str(record.revision)
        yield
        text = yield from encode_in_steps(self._form(obj, first=first), self.output)
        yield
        return self._framed(kind, text)

    def _shown(self, obj: Document, *, first: bool) -> bytes:
        return encode(self._form(obj, first=first), self.output)

    def _form(self, obj: Document, *, first: bool) -> Document:
        shown = object_form(obj, self.output, self.resource.columns)
        if self.output.form == "Table" and not first:
            shown["columnDefinitions"] = None
        return shown

    def _framed(self, kind: str, data: bytes) -> Chunk:
        if self.output.media == JSON:
            return Chunk(b'{"type":"%b","object":%b}\n' % (kind.encode(), data))
        # Loaded when it is needed, as few clients ask for it.
        from kubewright.cluster.wire.protobuf.write import message

        frame = message(kind.encode(), message(data))
        return Chunk(len(frame).to_bytes(4) + frame)


class Feed:
    """Those who are told the same: all changes under a prefix, in one form that looks the same to all."""

    def __init__(self, frames: Frames, store: Store, prefix: str, over: Callable[[], object]) -> None:
        self._frames = frames
        self._streams: dict[Stream, Callable[[Record], None]] = {}
        self._end = store.listen(prefix, self._notice)
        self._over = over

    def join(self, stream: Stream, alone: Callable[[Record], None]) -> Callable[[], None]:
        """Be told from now on; returns what ends it."""
        self._streams[stream] = alone

        def leave() -> None:
            if stream in self._streams:
                del self._streams[stream]
                if not self._streams:
                    self._end()
                    self._over()

        return leave

    def _notice(self, record: Record) -> None:
        if self._frames.is_slow(record):
            for alone in tuple(self._streams.values()):
                alone(record)
            return
        try:
            chunk = self._frames.event(_happened(record), record, record.previous, first=False)
        except Exception as error:  # noqa: BLE001 - the log is told
            _untold(f"a change of {record.key}", error, *self._streams)
            return
        for stream in tuple(self._streams):  # one that is cut off leaves meanwhile
            stream.write(chunk)


def _happened(record: Record) -> str:
    """What a change is to those who see everything."""
    if record.value is None:
        return "DELETED"
    return "ADDED" if record.created == record.revision else "MODIFIED"


class Watcher:
    """One watch."""

    def __init__(self, call: Call, selection: Selection, options: ListOptions) -> None:
        api, output = call.api, call.output._replace(pretty=False)
        self.api = api
        self.stream = Stream()
        self.task: asyncio.Task[None] | None = None
        self._frames = _frames(api, call.resource, output)
        self._selection = selection
        self._bookmarks = options.bookmarks
        self._first = True
        #: What happened up to here is told already, or is not to be told.
        self._after = api.store.revision
        self._live = False
        self._end: Callable[[], None] = lambda: None
        self._timers: list[asyncio.TimerHandle] = []
        #: What waits to be told if it must be converted before, or is large and must be put into another form: changes,
        #: and bookmarks in their place among them.
        self._queue: asyncio.Queue[Change | int] | None = asyncio.Queue() if call.resource.view.remote else None
        self._loop = asyncio.get_running_loop()
        timeout = options.timeout or SHORTEST * (1 + api.chance.fraction())
        self._later(timeout, self.stream.close)
        if self._bookmarks and timeout > BOOKMARK_BEFORE:
            self._later(timeout - BOOKMARK_BEFORE, self._mark)
        api.watchers.setdefault(call.resource, {})[self] = None
        self.stream.on_close(lambda: self._over(call.resource))

    async def run(self, version: int, *, initial: bool) -> None:
        """Tell what was, then what happens."""
        try:
            await self._replay(version, initial=initial)
            while self._queue is not None:
                await self._tell_news(await self._queue.get())
        except Failure as failure:
            self._fail(failure)
        except ConversionFailed as failed:
            self._fail(broken(str(failed)))
        except Compacted as error:
            self._fail(expired(f"too old resource version: {version} ({error.compacted})"))
        except Exception:
            self.stream.abort()
            raise

    async def _catch_up(self) -> None:
        """Tell what waits; then tell what happens at once again."""
        while self._queue is not None:
            news = self._queue.get_nowait()
            try:
                await self._tell_news(news)
            except Exception as error:  # noqa: BLE001 - the log is told
                _untold("a bookmark" if isinstance(news, int) else f"a change of {news[0].key}", error, self.stream)
                return
            if self._queue.empty():
                self._queue = None
                self._listen()

    async def _tell_news(self, news: Change | int) -> None:
        if isinstance(news, int):
            self._send(self._frames.bookmark(news, first=self._first))
        else:
            await self._fetch(news)
            await self._tell_in_turns(news)

    async def _replay(self, version: int, *, initial: bool) -> None:
        store, stream = self.api.store, self.stream
        view = self._selection.resource.view
        if initial:
            await fresh(store, version)
            at = store.revision
            async for records in slices(store, self._selection.prefix, at):
                if view.remote and self._selection.looks_inside:
                    await view.fetch(records)
                chosen = [record for record in records if self._selection.matches(record)]
                if view.remote:
                    await view.fetch(chosen)
                for record in chosen:
                    await self._send_event("ADDED", record, None)
                await stream.drained()
            if self._bookmarks:
                self._send(self._frames.bookmark(at, end=True, first=self._first))
        else:
            at = version or self._after
        # The log may grow while this is told; once it has not, being told by it follows in the same step.
        while at < store.revision and not stream.closed:
            until = min(at + _STRIDE, store.revision)
            # With what was there before, which compaction may cut off meanwhile.
            changes = [(record, record.previous) for record in store.changes(self._selection.prefix, at, until)]
            at = until
            for change in changes:
                await self._fetch(change)
                await self._tell_in_turns(change)
            await asyncio.sleep(0)
            await stream.drained()
        if stream.closed:
            return
        self._after, self._live = at, True
        self._listen()
        if self._bookmarks:
            self._later(BOOKMARK_EVERY, self._mark_and_go_on)

    def _listen(self) -> None:
        """Be told of what happens from now on: with others, if all of them are told the same, and at once."""
        self._end()
        if self.stream.closed:  # by what was just told: its reader did not keep up
            return
        store, selection = self.api.store, self._selection
        at_once = self._queue is None and self._after <= store.revision
        if selection.everything and at_once and not self._frames.ordered:
            self._end = self._frames.feed(store, selection.prefix, self.stream, self._leave)
        else:
            self._end = store.listen(selection.prefix, self._notice)

    def _leave(self, record: Record) -> None:
        """What happened is told later than to others: it waits, and what follows it, until all of it is told."""
        self._notice(record)
        self._listen()

    def _notice(self, record: Record) -> None:
        """A change has been committed."""
        if record.revision <= self._after:
            return
        change = (record, record.previous)
        if self._queue is None and self._frames.is_slow(record):
            self._queue = asyncio.Queue()
            self.task = asyncio.create_task(self._catch_up())
        if self._queue is not None:
            self._queue.put_nowait(change)
            return
        try:
            self._tell(change)
        except Exception as error:  # noqa: BLE001 - the log is told
            _untold(f"a change of {record.key}", error, self.stream)

    def _tell(self, change: Change) -> None:
        """Tell of a change, if it is one as seen through the selection."""
        if kind := self._kind(change):
            self._send(self._frames.event(kind, *change, first=self._first))

    async def _tell_in_turns(self, change: Change) -> None:
        """The same; others have their turn while a large object is put into another form."""
        if kind := self._kind(change):
            await self._send_event(kind, *change)

    async def _send_event(self, kind: str, record: Record, previous: Record | None) -> None:
        if self._frames.is_slow(record):
            self._send(await self._frames.event_in_turns(kind, record, previous, first=self._first))
        else:
            self._send(self._frames.event(kind, record, previous, first=self._first))

    def _kind(self, change: Change) -> str:
        """What a change is, as seen through the selection: what comes into it is new, what leaves it is gone."""
        selection, (record, previous) = self._selection, change
        if selection.everything:
            return _happened(record)
        now = record.value is not None and selection.matches(record)
        before = previous is not None and previous.value is not None and selection.matches(previous)
        if now:
            return "MODIFIED" if before else "ADDED"
        return "DELETED" if before else ""

    async def _fetch(self, change: Change) -> None:
        if self._queue is not None:
            states = [each for each in change if each is not None and each.value is not None]
            await self._selection.resource.view.fetch(states)

    def _send(self, chunk: Chunk) -> None:
        self._first = False
        self.stream.write(chunk)

    def _mark(self) -> None:
        if not self._live:
            return
        revision = self.api.store.revision
        if self._queue is not None:
            self._queue.put_nowait(revision)  # what happened until then may still have to be told
        else:
            self._send(self._frames.bookmark(revision, first=self._first))

    def _mark_and_go_on(self) -> None:
        self._mark()
        self._later(BOOKMARK_EVERY, self._mark_and_go_on)

    def _fail(self, failure: Failure) -> None:
        self.stream.write(self._frames.failure(failure.document))
        self.stream.close()

    def _later(self, seconds: float, call: Callable[[], Any]) -> None:
        if not self.stream.closed:
            self._timers = [timer for timer in self._timers if timer.when() > self._loop.time()]
            self._timers.append(self._loop.call_later(seconds, call))

    def _over(self, resource: Resource) -> None:
        self._end()
        if self.task is not None:
            self.task.cancel()
        for timer in self._timers:
            timer.cancel()
        watchers = self.api.watchers.get(resource, {})
        watchers.pop(self, None)
        if not watchers:
            self.api.watchers.pop(resource, None)


def _untold(what: str, error: Exception, *streams: Stream) -> None:
    """A mistake of ours is no concern of the writer, nor of others who watch: those who cannot be told look again."""
    logger.error("%s cannot be told", what, exc_info=error)
    for stream in streams:
        stream.abort()


def end_watches(api: Api, *resources: Resource) -> None:
    """These resources are no more, or not as they were: who watches them must look again. Without any, all of them."""
    for resource in resources or tuple(api.watchers):
        for watcher in tuple(api.watchers.get(resource, ())):
            watcher.stream.close()
