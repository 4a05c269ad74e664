"""A small server to be nasty with: one collection with a history, and every fault that a test wants.

It knows lists with pages, watches with bookmarks and first states, and what has been forgotten. It is a model, so it is
written to be plain: the state at a revision is computed from the log.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec

from kubewright.cache import Cached, Caches, Informer, Key, Selection
from kubewright.client import Client, Endpoint, LocalTransport
from kubewright.entropy import Entropy
from kubewright.http import ConnectError, Headers, Request, Response, Stream
from kubewright.model.selectors import FieldSelector, LabelSelector
from kubewright.trials.loop import run

__all__ = ["JSON", "THINGS", "Record", "Server", "Viewer", "caches_of", "play"]

Value = TypeVar("Value")
Document = dict[str, Any]

THINGS: Endpoint[Document] = Endpoint("example.com", "v1", "things", "Thing", True)
JSON = Headers([(b"Content-Type", b"application/json")])


@dataclass(frozen=True)
class Record:
    """One change of one object; no document: it was deleted."""

    revision: int
    key: Key
    document: Document | None
    before: Document | None


@dataclass(eq=False)
class Watcher:
    """One stream."""

    stream: Stream
    labels: LabelSelector
    namespace: str
    waiting: deque[bytes] = field(default_factory=deque)


class Server:
    """The server. `refusals` are answered before anything else: a code, or why there is no connection."""

    def __init__(self) -> None:
        self.log: list[Record] = []
        self.revision = 100
        self.forgotten = 0
        self.served = True
        self.streams = True
        self.latency = 0.0
        #: By how much requests are slower or faster than that: with 1, from at once to twice as slow.
        self.jitter = 0.0
        self.paused = False
        self.refusals: deque[int | str | Document | None] = deque()
        self.requests: list[str] = []
        self.watchers: list[Watcher] = []
        self._uids, self._chances = Entropy(7), Entropy(8)

    # What others do.

    def put(self, name: str, namespace: str = "default", uid: str = "", **fields: Any) -> Document:
        """Make or change an object."""
        key = Key(namespace, name)
        before = self.state().get(key)
        self.revision += 1
        metadata = {
            **fields.pop("metadata", {}),
            "name": name,
            "namespace": namespace,
            "uid": uid or (before["metadata"]["uid"] if before else self._uids.uid()),
            "resourceVersion": str(self.revision),
            "labels": fields.pop("labels", {}),
        }
        document = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, **fields}
        self._commit(Record(self.revision, key, document, before))
        return document

    def remove(self, name: str, namespace: str = "default") -> Document | None:
        """Delete an object, if there is one."""
        key = Key(namespace, name)
        before = self.state().get(key)
        if before is not None:
            self.revision += 1
            self._commit(Record(self.revision, key, None, before))
        return before

    def forget(self) -> None:
        """Compact: nothing older than now can be watched or paged."""
        self.forgotten = self.revision

    def cut(self) -> None:
        """Lose every connection."""
        for watcher in self._open():
            watcher.stream.abort()

    def end(self) -> None:
        """End every watch in an orderly way; what waits is sent before."""
        for watcher in self._open():
            self._flush(watcher)
            watcher.stream.close()

    def pause(self, paused: bool) -> None:
        """Hold back what watchers should be told, or let it go."""
        self.paused = paused
        if not paused:
            for watcher in self._open():
                self._flush(watcher)

    def drip(self) -> None:
        """Of what is held back, tell each watcher one thing."""
        for watcher in self._open():
            if watcher.waiting:
                watcher.stream.write(watcher.waiting.popleft())

    def bookmark(self) -> None:
        """Tell all watchers how far they are."""
        for watcher in self._open():
            self._send(watcher, "BOOKMARK", {"kind": "Thing", "metadata": {"resourceVersion": str(self.revision)}})

    def say(self, line: bytes) -> None:
        """Send all watchers anything."""
        for watcher in self._open():
            if not self.paused:
                watcher.stream.write(line)

    def fail(self, status: Document) -> None:
        """Send all watchers an error, and end them."""
        for watcher in self._open():
            self._flush(watcher)
            self._send(watcher, "ERROR", {"kind": "Status", **status})
            self._flush(watcher)
            watcher.stream.close()

    def state(self, revision: int | None = None) -> dict[Key, Document]:
        """The objects as they were at a revision."""
        found: dict[Key, Document] = {}
        for record in self.log:
            if revision is not None and record.revision > revision:
                break
            if record.document is None:
                del found[record.key]
            else:
                found[record.key] = record.document
        return found

    # What is asked of it.

    async def __call__(self, request: Request) -> Response:
        self.requests.append(request.target)
        if self.latency:
            await asyncio.sleep(self.latency * (1 + self.jitter * (2 * self._chances.fraction() - 1)))
        if self.refusals:
            refusal = self.refusals.popleft()
            if refusal is None or isinstance(refusal, str):
                raise ConnectError(refusal or "nobody listens there")
            return _status(refusal if isinstance(refusal, dict) else {"code": refusal})
        if not self.served:
            return Response(404, Headers(), b"404 page not found\n")
        url = urlsplit(request.target)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        parts = url.path.split("/")
        namespace = parts[5] if len(parts) > 5 and parts[4] == "namespaces" else ""
        labels = LabelSelector.parse(query.get("labelSelector", ""))
        return (self._watch if query.get("watch") else self._list)(query, namespace, labels)

    def _list(self, query: Document, namespace: str, labels: LabelSelector) -> Response:
        revision, start = self.revision, 0
        if token := query.get("continue"):
            revision, start = map(int, token.split("-"))
            if revision < self.forgotten:
                return _status({"code": 410, "reason": "Expired", "message": "the pages are gone"})
        name = FieldSelector.parse(query.get("fieldSelector", "")).exact("metadata.name")
        items = [
            document
            for key, document in sorted(self.state(revision).items())
            if (not namespace or key.namespace == namespace)
            and labels.matches(document["metadata"]["labels"])
            and (name is None or key.name == name)
        ]
        limit = int(query.get("limit", 0)) or len(items) or 1
        meta = {"resourceVersion": str(revision)}
        if start + limit < len(items):
            meta["continue"] = f"{revision}-{start + limit}"
        body = {"kind": "ThingList", "metadata": meta, "items": items[start : start + limit]}
        return Response(200, JSON, msgspec.json.encode(body))

    def _watch(self, query: Document, namespace: str, labels: LabelSelector) -> Response:
        watcher = Watcher(Stream(), labels, namespace)
        if query.get("sendInitialEvents") == "true":
            if not self.streams:
                return _status({"code": 422, "reason": "Invalid", "message": "sendInitialEvents is forbidden"})
            for key, document in self.state().items():
                if (not namespace or key.namespace == namespace) and labels.matches(document["metadata"]["labels"]):
                    self._send(watcher, "ADDED", document)
            end = {"resourceVersion": str(self.revision), "annotations": {"k8s.io/initial-events-end": "true"}}
            self._send(watcher, "BOOKMARK", {"kind": "Thing", "metadata": end})
        else:
            since = int(query["resourceVersion"])
            if since < self.forgotten:
                return _status({"code": 410, "reason": "Expired", "message": "too old resource version"})
            for record in self.log:
                if record.revision > since:
                    self._tell(watcher, record)
        self.watchers.append(watcher)
        asyncio.get_running_loop().call_later(float(query["timeoutSeconds"]), watcher.stream.close)
        return Response(200, JSON, watcher.stream)

    def _commit(self, record: Record) -> None:
        self.log.append(record)
        for watcher in self._open():
            self._tell(watcher, record)

    def _open(self) -> list[Watcher]:
        self.watchers = [watcher for watcher in self.watchers if not watcher.stream.closed]
        return self.watchers

    def _tell(self, watcher: Watcher, record: Record) -> None:
        """Tell a watcher of a record, as its selection sees it."""
        if watcher.namespace and record.key.namespace != watcher.namespace:
            return
        sees, saw = (
            document is not None and watcher.labels.matches(document["metadata"]["labels"])
            for document in (record.document, record.before)
        )
        if sees:
            assert record.document is not None
            self._send(watcher, "MODIFIED" if saw else "ADDED", record.document)
        elif saw:
            assert record.before is not None
            meta = {**record.before["metadata"], "resourceVersion": str(record.revision)}
            self._send(watcher, "DELETED", {**record.before, "metadata": meta})

    def _send(self, watcher: Watcher, kind: str, document: Document) -> None:
        watcher.waiting.append(msgspec.json.encode({"type": kind, "object": document}) + b"\n")
        self._flush(watcher)

    def _flush(self, watcher: Watcher) -> None:
        while watcher.waiting and not self.paused:
            watcher.stream.write(watcher.waiting.popleft())


def _status(status: Document) -> Response:
    code = status["code"]
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": f"refused with {code}", **status}
    return Response(code, JSON, msgspec.json.encode(body))


class Viewer:
    """A subscriber that puts together from changes alone what there is; each change must follow from the last."""

    def __init__(self) -> None:
        self.objects: dict[Key, Cached] = {}
        self.told: list[str] = []
        self.initial: list[str] = []

    def __call__(self, change: Any) -> None:
        self.told.append(f"{change.kind} {change.key.name}")
        if change.initial:
            self.initial.append(change.key.name)
        have = self.objects.get(change.key)
        if change.kind == "added":
            assert have is None
            assert change.old is None
            self.objects[change.key] = change.new
        elif change.kind == "updated":
            assert have is change.old
            assert have is not None
            assert have.uid == change.new.uid
            assert have.revision < change.new.revision
            self.objects[change.key] = change.new
        else:
            assert have is not None
            assert change.old.uid == have.uid
            assert change.new is None
            del self.objects[change.key]


def caches_of(server: Server) -> Caches:
    """Caches filled from a server."""
    return Caches(Client(LocalTransport(server)), manager="tester", entropy=Entropy(1))


def play(
    story: Callable[[Server, Caches, Informer], Awaitable[Value]],
    *,
    server: Server | None = None,
    synced: bool = True,
    **selection: Any,
) -> Value:
    """Run a story in simulated time, on a server and an informer that follows it."""

    async def staged() -> Value:
        world = server or Server()
        async with caches_of(world) as caches:
            informer = caches.open(Selection(THINGS, **selection))
            if synced:
                await informer.synced.wait()
            return await story(world, caches, informer)

    return run(staged())
