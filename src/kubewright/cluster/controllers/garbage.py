"""The garbage collector: follows the store, keeps the graph, and does what is decided about it.

A commit only leaves a note. Notes are read before every decision, so a decision is about what is there; and what it
asks for holds only for the object as it was then: whoever changed it meanwhile leaves a note, and it is decided anew.
"""

from collections import deque
from typing import Final

from kubewright import clock
from kubewright.cluster.call import Document, timestamp
from kubewright.cluster.controllers.collect import (
    Action,
    Await,
    Delete,
    Look,
    Release,
    Report,
    Standing,
    Strip,
    Unblock,
    decide,
)
from kubewright.cluster.controllers.graph import Graph, Identity, Node, Reference, concerns, read_node, read_uid
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.kinds import Kinds
from kubewright.cluster.controllers.queue import Queue, Slice
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.verbs.patch import MERGE_PATCH, STRATEGIC_PATCH
from kubewright.cluster.wire.status import Failure

__all__ = ["GarbageCollector"]

_COMPONENT: Final = "garbage-collector-controller"
#: Nobody's dependents: they go by themselves, or are no objects at all.
_IGNORED: Final = ("/events/", "/ranges/")
#: The key of the queue that stands for notes.
_NOTES: Final = ""


class GarbageCollector:
    """The controller."""

    def __init__(self, client: Internal, kinds: Kinds) -> None:
        self._client = client
        self._kinds = kinds
        self._store = client.api.store
        self._graph = Graph()
        self._queue = Queue(_COMPONENT, self._work)
        #: Changes, each with what was there before; taken along, for the log may be compacted before they are read.
        self._notes: deque[tuple[Record, Record | None]] = deque()
        self._fresh: set[str] = set()
        #: Who waits for a kind to come.
        self._awaiting: dict[str, None] = {}
        self._running = False
        self._scanned = False

    def start(self) -> None:
        """Follow the store, and read what is there."""
        self._running = True
        self._end = self._store.listen("/", self._notice)
        self._client.api.registry.on_change(self._kinds_changed)
        self._queue.add(_NOTES)
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        self._running = False
        self._end()
        await self._queue.stop()

    # -- what happens

    def _notice(self, record: Record) -> None:
        # Most changes are nothing to us; telling so here is cheaper than waking up for them.
        previous = record.previous
        if record.value is not None:
            if not concerns(record.value) and (previous is None or not previous.value or not concerns(previous.value)):
                return
        elif self._scanned and not self._notes and self._graph.empty:
            return
        if not record.key.startswith(_IGNORED):
            self._notes.append((record, previous))
            self._queue.add(_NOTES)

    def _kinds_changed(self) -> None:
        if self._running and self._awaiting:
            for uid in self._awaiting:
                self._queue.add(uid)
            self._awaiting.clear()

    async def _read_notes(self) -> None:
        """Bring the graph up to date."""
        part = Slice()
        if not self._scanned:
            await self._scan(part)
            self._scanned = True
        while self._notes:
            record, previous = self._notes.popleft()
            if record.value is None:
                if previous is not None and previous.value is not None:
                    await self._heed(self._graph.remove(read_uid(previous.value)).look, part)
            else:
                await self._put(record, part)
            await part.turn()

    async def _scan(self, part: Slice) -> None:
        """Read what was there before we came. What changes meanwhile is among the notes, which are read after."""
        start: str | None = None
        while True:
            page = self._store.list("/", start=start, limit=200)
            for record in page.records:
                if record.value is not None and concerns(record.value) and not record.key.startswith(_IGNORED):
                    await self._put(record, part)
            start = page.next
            if start is None:
                return
            await part.turn()

    async def _put(self, record: Record, part: Slice) -> None:
        node = read_node(record)
        effect = self._graph.put(node)
        if effect.fresh:
            self._fresh.add(node.identity.uid)
        await self._heed(effect.look, part)

    async def _heed(self, look: list[str], part: Slice) -> None:
        for uid in look:
            self._queue.add(uid)
            await part.turn()

    # -- what is asked about owners

    def standing(self, reference: Reference, namespace: str) -> Standing:
        """Where an owner stands; see `World`."""
        resource = self._kinds.named(reference.api_version, reference.kind)
        if resource is None:
            return Standing.UNKNOWN
        if resource.namespaced and not namespace:
            return Standing.MISPLACED
        owner = self._owner(resource, reference, namespace)
        if owner is None:
            return Standing.ABSENT
        return Standing.WAITING if owner.waiting else Standing.SOLID

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        """Whether an owner is in another namespace; see `World`."""
        resource = self._kinds.named(reference.api_version, reference.kind)
        if resource is None or not resource.namespaced:
            return False
        names = (record.key.rpartition("/")[2] for record in self._store.list("/namespaces/").records)
        return any(self._owner(resource, reference, name) is not None for name in names if name != namespace)

    def _owner(self, resource: Resource, reference: Reference, namespace: str) -> Node | None:
        record = self._store.get(resource.key(namespace if resource.namespaced else "", reference.name))
        if record is None or record.value is None:
            return None
        node = read_node(record)
        return node if node.identity.uid == reference.uid else None

    # -- what is done

    async def _work(self, uid: str) -> None:
        await self._read_notes()
        if uid == _NOTES:
            return
        fresh = uid in self._fresh
        self._fresh.discard(uid)
        part = Slice()
        for action in decide(self._graph, uid, self, fresh=fresh):
            await self._do(action)
            await part.turn()

    async def _do(self, action: Action) -> None:
        match action:
            case Look(uid):
                self._queue.add(uid)
            case Await(uid):
                self._awaiting[uid] = None
            case Report(node, owner):
                await self._report(node, owner)
            case Delete(node, policy):
                await self._delete(node, policy)
            case Strip(node, owners):
                await self._strip(node, owners)
            case Unblock(node):
                await self._unblock(node)
            case Release(node, finalizer):
                await self._release(node, finalizer)

    async def _delete(self, node: Node, policy: str) -> None:
        found = self._found(node)
        if found is None:
            return
        resource, record = found
        options = DeleteOptions(uid=node.identity.uid, resource_version=str(record.revision), propagation=policy)
        try:
            await self._client.delete(resource, node.identity.namespace, node.identity.name, options)
        except Failure as failure:
            _unless_gone(failure)

    async def _strip(self, node: Node, owners: tuple[str, ...]) -> None:
        found = self._found(node)
        if found is None:
            return
        resource, record = found
        if resource.custom:
            kept = [_written(each) for each in read_node(record).owners if each.uid not in owners]
            meta: Document = {"resourceVersion": str(record.revision), "ownerReferences": kept or None}
        else:
            gone = [{"$patch": "delete", "uid": owner} for owner in owners]
            meta = {"uid": node.identity.uid, "ownerReferences": gone}
        await self._patch(resource, node, meta)

    async def _unblock(self, node: Node) -> None:
        found = self._found(node)
        if found is None:
            return
        resource, record = found
        references = [{**_written(each), "blockOwnerDeletion": False} for each in read_node(record).owners]
        if resource.custom:
            meta: Document = {"resourceVersion": str(record.revision), "ownerReferences": references}
        else:
            blocking = {each.uid for each in node.owners if each.block_owner_deletion}
            meta = {
                "uid": node.identity.uid,
                "ownerReferences": [each for each in references if each["uid"] in blocking],
            }
        await self._patch(resource, node, meta)

    async def _release(self, node: Node, finalizer: str) -> None:
        found = self._found(node)
        if found is None:
            return
        resource, record = found
        kept = [name for name in read_node(record).finalizers if name != finalizer]
        meta: Document = {"resourceVersion": str(record.revision), "finalizers": kept or None}
        await self._patch(resource, node, meta, MERGE_PATCH)

    async def _patch(self, resource: Resource, node: Node, meta: Document, media: str = "") -> None:
        media = media or (MERGE_PATCH if resource.custom else STRATEGIC_PATCH)
        identity = node.identity
        try:
            await self._client.patch(resource, identity.namespace, identity.name, {"metadata": meta}, media)
        except Failure as failure:
            _unless_gone(failure)

    def _found(self, node: Node) -> tuple[Resource, Record] | None:
        """The object of a node, if it is still there and still the same."""
        resource, record = self._kinds.at(node.key), self._store.get(node.key)
        if resource is None or record is None or record.value is None or read_uid(record.value) != node.identity.uid:
            return None
        return resource, record

    async def _report(self, node: Node, owner: Identity) -> None:
        now = clock.now()
        identity, stamp = node.identity, timestamp()
        about = {"kind": identity.kind, "namespace": identity.namespace, "name": identity.name, "uid": identity.uid}
        event = {
            # Recorders name events by the nanosecond.
            "metadata": {"name": f"{identity.name}.{int(now.timestamp()) * 10**9 + now.microsecond * 1000:x}"},
            "involvedObject": about | {"apiVersion": identity.api_version},
            "reason": "OwnerRefInvalidNamespace",
            "message": f'ownerRef {owner} does not exist in namespace "{identity.namespace}"',
            "source": {"component": _COMPONENT},
            "firstTimestamp": stamp,
            "lastTimestamp": stamp,
            "count": 1,
            "type": "Warning",
            "reportingComponent": _COMPONENT,
        }
        try:
            await self._client.create(self._client.resource("events"), identity.namespace or "default", event)
        except Failure:
            # Events are told once and for what it is worth: one that cannot be written holds nothing up.
            return


def _unless_gone(failure: Failure) -> None:
    if failure.code != 404:
        raise failure


def _written(reference: Reference) -> Document:
    """A reference as it stands in an object."""
    document: Document = {
        "apiVersion": reference.api_version,
        "kind": reference.kind,
        "name": reference.name,
        "uid": reference.uid,
    }
    if reference.controller is not None:
        document["controller"] = reference.controller
    if reference.block_owner_deletion is not None:
        document["blockOwnerDeletion"] = reference.block_owner_deletion
    return document
