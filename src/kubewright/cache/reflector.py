"""Follows what the server has in one namespace (or in all): asks what the machine says, hands on what comes.

The decisions are all in `machine`; here are the requests, the clock and the one open stream. A stream of which nothing
is heard for `SILENCE` seconds is given up: real servers send a bookmark about once a minute, so it hangs. That the peer
is dead altogether TCP finds out sooner (`http.ClientLimits`).

No failure ends a reflector, not even a fault of our own: it rests and tries again, and `trouble` says why.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any, Final, Protocol

import msgspec

from kubewright.cache.bulletin import Bulletin
from kubewright.cache.cached import Cached, Key
from kubewright.cache.header import Header, UnreadableError, revision_of
from kubewright.cache.machine import (
    LATE,
    Ended,
    Failed,
    Machine,
    Opened,
    Page,
    Phase,
    Renew,
    Rested,
    Signal,
    Trouble,
    Whole,
    advance,
)
from kubewright.cache.selection import Selection
from kubewright.cache.trouble import RestoredError, failure, is_end, is_trouble
from kubewright.client.answer import AnswerError, ListHead, check_list, kind_of
from kubewright.client.client import JSON, METADATA, METADATA_LIST, Client
from kubewright.client.errors import error_from
from kubewright.client.watch import Frames, WatchError
from kubewright.entropy import Entropy

__all__ = ["PAGE", "SILENCE", "Reflector", "Sink"]

_log = logging.getLogger(__name__)

#: Seconds without a word after which a stream is given up.
SILENCE: Final = 90.0
#: How often at most the alarm for that is set anew.
_ARM: Final = 5.0
#: Objects of a page, as client-go asks for them.
PAGE: Final = 500
#: A server that gives so many empty pages in a row will give them for ever.
_EMPTY: Final = 1000
#: So many frames are taken before others run.
_STRIDE: Final = 128
#: How long the server may keep a watch: this much, or up to twice that, so that not all end together.
_LASTS: Final = 300

_END: Final = "k8s.io/initial-events-end"

_KINDS: Final = {
    ord("A"): ("ADDED", b'{"type":"ADDED","object":'),
    ord("M"): ("MODIFIED", b'{"type":"MODIFIED","object":'),
    ord("D"): ("DELETED", b'{"type":"DELETED","object":'),
}
_TYPES: Final = frozenset(("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"))


class _Frame(msgspec.Struct):
    type: str
    object: msgspec.Raw


class _Mark(msgspec.Struct, rename="camel"):
    resource_version: str
    annotations: dict[str, str] | None = None


class _Bookmark(msgspec.Struct):
    metadata: _Mark


class _ListMeta(msgspec.Struct, rename="camel"):
    resource_version: str = ""
    continue_: str = msgspec.field(default="", name="continue")


class _Page(ListHead, kw_only=True):
    metadata: _ListMeta


_frame = msgspec.json.Decoder(_Frame).decode
_bookmark = msgspec.json.Decoder(_Bookmark).decode
_page = msgspec.json.Decoder(_Page).decode

#: A change as it came: its type, and the object.
Told = tuple[str, Cached]


class Sink(Protocol):
    """Who is told."""

    def known(self, key: Key) -> Cached | None:
        """What there is under a key now."""

    async def replaced(self, namespace: str, objects: dict[Key, Cached], revision: int) -> None:
        """These, and no others, were there at that revision."""

    async def happened(self, namespace: str, events: list[Told]) -> None:
        """These changes followed."""

    def marked(self, namespace: str, revision: int) -> None:
        """Up to there, nothing else has happened."""

    def unreadable(self, problem: str) -> None:
        """An object came that cannot be kept; it is left out."""


class Reflector:
    """One watched collection."""

    #: Who is told, while it runs.
    _sink: Sink

    def __init__(self, client: Client, selection: Selection, namespace: str, header: Header, entropy: Entropy) -> None:
        self.namespace = namespace
        self.machine = Machine()
        self.revision = 0
        #: When the server was last heard of, on the loop's clock.
        self.heard = asyncio.get_running_loop().time()
        #: Until when it rests.
        self.rests_until = 0.0
        #: What the last failure was, in a sentence; empty when all is well.
        self.problem = ""
        self._client, self._selection = client, selection
        self._header, self._entropy = header, entropy
        self._what = selection.endpoint.resource + (f" in {namespace}" if namespace else "")
        self._bulletin = Bulletin(self._what)
        self._path = selection.endpoint.path(namespace or None)
        self._query: dict[str, Any] = dict(selection.query())
        self._accepts = (METADATA, METADATA_LIST) if selection.metadata_only else (JSON, JSON)
        self._wake = asyncio.Event()
        self._limit: asyncio.Timeout | None = None
        #: Whether it waits for more of the stream: only then may it be interrupted.
        self._waiting = False
        #: Whether it is to begin anew, and has not yet.
        self.renewing = False
        self._events = 0

    @property
    def state(self) -> str:
        """The name of what it does, or of what keeps it from that."""
        return str(self.machine.trouble or self.machine.phase)

    async def run(self, sink: Sink) -> None:
        """Tell somebody what there is, until cancelled."""
        self._sink = sink
        try:
            await self._go_on()
        finally:
            self._bulletin.close()
            # It has us, and our end has this frame. With no way back it goes with its last user, and need not wait for
            # the collector, which does not look at what was there when programs froze it.
            del self._sink, sink

    async def _go_on(self) -> None:
        while True:
            try:
                await self._step()
            except BaseException as error:
                if is_end(error) or isinstance(error, GeneratorExit):
                    raise
                # A fault of ours, or of a listener's: a reflector that ends unseen is worse than any. The state here is
                # as the server told it up to then.
                _log.exception("following %s failed; it goes on in a while.", self._what)
                self.problem = f"{type(error).__name__}: {error}"
                self._signal(Failed(Trouble.FAILING))

    def nudge(self) -> None:
        """If it rests, have it try now."""
        self._wake.set()

    def renew(self) -> None:
        """Begin anew, now."""
        self.renewing = True
        self._wake.set()
        if self._limit is not None and self._waiting:
            self._limit.reschedule(asyncio.get_running_loop().time())

    async def _step(self) -> None:
        if self.renewing:
            self.renewing = False
            self._signal(Renew())
        phase = self.machine.phase
        if phase is Phase.RESTING:
            await self._rest()
        elif phase is Phase.LISTING:
            await self._list()
        else:
            await self._watch()

    def _signal(self, signal: Signal) -> None:
        time = asyncio.get_running_loop().time()
        self.machine = machine = advance(self.machine, signal, time, self._entropy.fraction())
        if machine.phase is Phase.RESTING:
            self.rests_until = time + machine.rest
        if machine.trouble is None:
            self.problem = ""
            self._bulletin.well()
        else:
            self._bulletin.trouble(machine.trouble, self.problem)

    async def _rest(self) -> None:
        self._wake.clear()
        try:
            async with asyncio.timeout_at(self.rests_until):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._signal(Rested())

    async def _list(self) -> None:
        collected: dict[Key, Cached] = {}
        tokens: set[str] = set()
        revision = empty = 0
        while True:
            machine = self.machine
            query = {**self._query, "limit": None if machine.unpaged else PAGE, "continue": machine.token or None}
            try:
                page = self._read_page(await self._client.ask("GET", self._path, query, accept=self._accepts[1]))
                revision = revision or revision_of(page.metadata.resource_version)
                news = [self._collect(collected, bytes(raw)) for raw in page.items or ()]
                token = page.metadata.continue_
                # A page may be empty, if nothing on it is selected; then the next is another.
                empty = 0 if news else empty + 1
                if token in tokens or (token and (empty > _EMPTY or (news and not any(news)))):
                    raise WatchError(f"the list of {self._what} has no end: a page of it brought nothing new.")
                tokens.add(token)
            except is_trouble as error:
                self.problem = str(error) or "no answer in time"
                self._signal(failure(error))
                return
            self.heard = asyncio.get_running_loop().time()
            if not token:
                break
            self._signal(Page(token))
        self.revision = revision
        await self._sink.replaced(self.namespace, collected, revision)
        self._signal(Whole())

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        query = {
            **self._query,
            "watch": True,
            "allowWatchBookmarks": True,
            "timeoutSeconds": int(_LASTS * (1 + self._entropy.fraction())),
        }
        streaming = self.machine.phase is Phase.STREAMING
        if streaming:
            # With no resourceVersion: what is there now, not what some cache of the server has.
            query |= {"sendInitialEvents": True, "resourceVersionMatch": "NotOlderThan"}
        else:
            query["resourceVersion"] = str(self.revision)
        self._events = 0
        # Of a server that did not stream before we have an older state, or none, for as long as it is asked again.
        patience = LATE if streaming and self.machine.doubt else SILENCE
        response = late = None
        try:
            async with asyncio.timeout(patience) as self._limit:
                response = await self._client.open("GET", self._path, query, accept=self._accepts[0])
                self._signal(Opened())
                late = loop.call_later(LATE, self._wonder)
                await self._follow(aiter(response), self._limit)
        except is_trouble as error:
            if not self.renewing:
                heard = "nothing was heard for" if patience == SILENCE else "not all there is was told in"
                self.problem = str(error) or f"{heard} {patience:g} seconds"
                # A first state is asked for as it is, however far the server has come.
                behind = isinstance(error, TimeoutError) and not self._events and not streaming
                if behind and await self._is_behind():
                    error = RestoredError(self._what)
                    self.problem = str(error)
                self._signal(failure(error, loop.time() - began, self._events))
        else:
            self.problem = "the server ended the watch"
            self._signal(Ended(loop.time() - began, self._events))
        finally:
            self._limit = None
            if response is not None:
                response.close()
            if late is not None:
                late.cancel()

    def _wonder(self) -> None:
        if self.machine.phase is Phase.STREAMING:
            self._bulletin.late(self._events)

    async def _follow(self, pieces: AsyncIterator[bytes], limit: asyncio.Timeout) -> None:
        """Take what comes until the end."""
        loop = asyncio.get_running_loop()
        frames = Frames()
        collected: dict[Key, Cached] | None = {} if self.machine.phase is Phase.STREAMING else None
        armed = loop.time()
        taken = 0
        while True:
            if self.renewing:
                raise TimeoutError
            self._waiting = True
            try:
                piece = await anext(pieces, None)
            finally:
                self._waiting = False
            self.heard = now = loop.time()
            if now - armed > _ARM and (collected is None or not self.machine.doubt):
                limit.reschedule(now + SILENCE)
                armed = now
            told: list[Told] = []
            lines = frames.feed(piece) if piece is not None else frames.end()
            try:
                for line in lines:
                    kind, raw = _open(line)
                    if not self._events and kind != "ERROR":
                        self._check_stream(raw)
                    if kind == "BOOKMARK":
                        mark = _bookmark(raw).metadata
                        await self._pass_on(told)
                        told = []
                        self._bulletin.bookmark()
                        if collected is None:
                            self._mark(revision_of(mark.resource_version))
                        elif (mark.annotations or {}).get(_END) == "true":
                            limit.reschedule(None)  # telling everybody of everything may take its time
                            self.revision = revision_of(mark.resource_version)
                            await self._sink.replaced(self.namespace, collected, self.revision)
                            collected = None
                            armed = loop.time()
                            limit.reschedule(armed + SILENCE)
                            self._signal(Whole())
                    elif kind == "ERROR":
                        raise error_from(0, raw, f"the watch of {self._what}")
                    elif not kind:
                        self._sink.unreadable(f"the watch of {self._what} sent {line[:80]!r}, of a type nobody knows.")
                    elif collected is not None:
                        self._collect(collected, raw, gone=kind == "DELETED")
                    else:
                        self._read(told, kind, raw)
                    self._events += 1
            finally:
                # What came before a line that cannot be read is good.
                await self._pass_on(told)
            if piece is None:
                return
            taken += len(lines)
            if taken >= _STRIDE:
                taken = 0
                await asyncio.sleep(0)

    def _read_page(self, data: bytes) -> _Page:
        """A page of our kind: another's, taken for ours, would say that there is nothing any more."""
        page = _page(data)
        about = f"the answer to a list of {self._what}"
        check_list(self._selection.endpoint, page, data, about, metadata_only=self._selection.metadata_only)
        return page

    def _check_stream(self, raw: bytes) -> None:
        """Whether a stream is of our kind, by the first object on it."""
        kind = kind_of(raw)
        if kind not in (None, self._selection.endpoint.kind, "PartialObjectMetadata"):
            raise AnswerError(f"the watch of {self._what} tells of the kind {kind!r:.60}: it is another's.")

    def _read(self, told: list[Told], kind: str, raw: bytes) -> None:
        try:
            told.append((kind, self._header.read_event(raw)))
        except UnreadableError as error:
            self._sink.unreadable(str(error))

    def _collect(self, collected: dict[Key, Cached], raw: bytes, *, gone: bool = False) -> bool:
        """Note an object, or that it is gone; whether it was not there before."""
        try:
            new = self._header.read(raw)
        except UnreadableError as error:
            self._sink.unreadable(str(error))
            return True
        if gone:
            collected.pop(new.key, None)
            return False
        fresh = new.key not in collected
        # What has not changed is not kept twice while the new list comes.
        old = self._sink.known(new.key)
        same = old is not None and old.revision == new.revision and old.uid == new.uid
        collected[new.key] = old if same and old is not None else new
        return fresh

    async def _pass_on(self, told: list[Told]) -> None:
        if told:
            await self._sink.happened(self.namespace, told)
            for _, cached in told:
                if cached.revision > self.revision:  # not always: DELETED carries an older one from some servers
                    self.revision = cached.revision

    def _mark(self, revision: int) -> None:
        if revision < self.revision:
            raise RestoredError(self._what)
        self.revision = revision
        self._sink.marked(self.namespace, revision)

    async def _is_behind(self) -> bool:
        """Whether the server has not come as far as we know it.

        Asked for what comes after a revision that it has not reached, kube-apiserver says nothing until it gets there.
        """
        try:
            body = await self._client.ask("GET", self._path, {**self._query, "limit": 1}, accept=self._accepts[1])
            return revision_of(self._read_page(body).metadata.resource_version) < self.revision
        except is_trouble:
            return False


def _open(line: bytes) -> tuple[str, bytes]:
    """The type and the object of a frame. As servers write them the object is cut out as it stands, unread.

    The type is empty if it is none that we know.
    """
    kind = _KINDS.get(line[9]) if len(line) > 9 else None
    if kind is not None and line.startswith(kind[1]) and line.endswith(b"}}"):
        return kind[0], line[len(kind[1]) : -1]
    try:
        frame = _frame(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WatchError(f"a watch sent {line[:80]!r}, which is no event: {error}.") from error
    return frame.type if frame.type in _TYPES else "", bytes(frame.object)
