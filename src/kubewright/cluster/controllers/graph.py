"""Who owns whom: what the garbage collector knows of the objects that are there.

    nodes        objects with owner references, and objects that wait for their dependents before they go
    dependents   owner's uid ──► the uids of those that refer to it, whether or not it is there
    absent       owners that were seen to go, while somebody still refers to them

An object without owners that nobody refers to and that is not being deleted costs nothing: it is never kept, and its
metadata never read. Owners are not kept either; they are looked up where a reference says they are.

A change of the graph answers who is to be looked at because of it. Everything is kept in the order in which it came,
so the same changes give the same answer in every run.
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from kubewright.cluster.registry.strategy import FOREGROUND, ORPHAN
from kubewright.cluster.store import Record

__all__ = [
    "Effect",
    "Graph",
    "Identity",
    "Node",
    "Reference",
    "concerns",
    "read_node",
]


class Reference(msgspec.Struct, frozen=True, rename="camel"):
    """An owner reference, as it stands in the dependent."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class Identity(NamedTuple):
    """An object: what it is, where it is, and which one."""

    api_version: str
    kind: str
    namespace: str
    name: str
    uid: str

    def __str__(self) -> str:
        where = f"namespace: {self.namespace}, name: {self.name}, uid: {self.uid}"
        return f"[{self.api_version}/{self.kind}, {where}]"


class Node(NamedTuple):
    """An object, as far as the collector is concerned."""

    identity: Identity
    owners: tuple[Reference, ...] = ()
    finalizers: tuple[str, ...] = ()
    deleting: bool = False
    #: Its resourceVersion: what is decided holds for this one alone.
    revision: int = 0

    @property
    def orphaning(self) -> bool:
        """Whether it goes once its dependents have forgotten it."""
        return self.deleting and ORPHAN in self.finalizers

    @property
    def waiting(self) -> bool:
        """Whether it goes once the dependents that block it are gone."""
        return self.deleting and FOREGROUND in self.finalizers

    @property
    def relevant(self) -> bool:
        """Whether it must be kept in mind."""
        return bool(self.owners) or self.orphaning or self.waiting


class Effect(NamedTuple):
    """What follows from a change."""

    #: The uids of those to be looked at.
    look: list[str]
    #: Whether the object refers to an owner it did not refer to before.
    fresh: bool = False


class Graph:
    """Objects and their owners."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        #: Sets in the order in which they grew.
        self._dependents: dict[str, dict[str, None]] = {}
        self._absent: set[str] = set()

    def put(self, node: Node) -> Effect:
        """An object is there, new or changed."""
        uid = node.identity.uid
        old = self.nodes.get(uid)
        look: dict[str, None] = {}
        before = {reference.uid: reference for reference in old.owners} if old is not None else {}
        now = {reference.uid: reference for reference in node.owners}
        for owner, reference in before.items():
            kept = now.get(owner)
            if kept is None:
                self._unlink(owner, uid)
            if reference.block_owner_deletion and (kept is None or not kept.block_owner_deletion):
                look[owner] = None
        for owner in now:
            self._dependents.setdefault(owner, {})[uid] = None
        fresh = any(before.get(owner) != reference for owner, reference in now.items())
        if fresh:
            look[uid] = None
        if node.relevant:
            self.nodes[uid] = node
        else:
            self.nodes.pop(uid, None)
        if node.orphaning and not (old is not None and old.orphaning):
            look[uid] = None
        elif node.waiting and not (old is not None and old.waiting):
            look |= dict.fromkeys(self.dependents(uid))
            look[uid] = None
        return Effect(list(look), fresh)

    def remove(self, uid: str) -> Effect:
        """An object is gone."""
        look = dict.fromkeys(self.dependents(uid))
        if look:
            self._absent.add(uid)
        node = self.nodes.pop(uid, None)
        for reference in node.owners if node is not None else ():
            self._unlink(reference.uid, uid)
            owner = self.nodes.get(reference.uid)
            if owner is not None and owner.waiting:
                look[reference.uid] = None
        look.pop(uid, None)
        return Effect(list(look))

    def forget(self, uid: str) -> Effect:
        """Nothing is known of an object any more: its kind is not served. Whoever it owns keeps it in mind."""
        known = self.absent(uid)
        effect = self.remove(uid)
        if not known:
            self._absent.discard(uid)
        return effect

    def dependents(self, uid: str) -> Iterable[str]:
        """Who refers to an object."""
        return tuple(self._dependents.get(uid, ()))

    def blocking(self, uid: str) -> list[Node]:
        """The dependents that an object must wait for, if it waits."""
        return [
            node
            for dependent in self.dependents(uid)
            if (node := self.nodes.get(dependent)) is not None
            and any(reference.uid == uid and reference.block_owner_deletion for reference in node.owners)
        ]

    def absent(self, uid: str) -> bool:
        """Whether an owner was seen to go; False says nothing."""
        return uid in self._absent

    def _unlink(self, owner: str, dependent: str) -> None:
        members = self._dependents.get(owner)
        if members is not None:
            members.pop(dependent, None)
            if not members:
                del self._dependents[owner]
                self._absent.discard(owner)


class _Meta(msgspec.Struct, rename="camel"):
    name: str = ""
    namespace: str = ""
    uid: str = ""
    owner_references: list[Reference] | None = None
    finalizers: list[str] | None = None
    deletion_timestamp: str | None = None
    resource_version: str = "0"


class _Head(msgspec.Struct):
    metadata: _Meta


_head = msgspec.json.Decoder(_Head).decode


def concerns(record: Record) -> bool:
    """Whether an object that is stored can be anything to the collector; told without decoding it."""
    value = record.value
    if value is None or (b'"ownerReferences"' not in value and not _waits(value)):
        return False
    # Nobody's dependents: they go by themselves, or are no objects at all.
    return not record.key.startswith(("/events/", "/ranges/"))


def _waits(value: bytes) -> bool:
    return b'"deletionTimestamp"' in value and (b'"foregroundDeletion"' in value or b'"orphan"' in value)


def read_node(api_version: str, kind: str, raw: bytes) -> Node:
    """The node of an object, from its JSON or that of its metadata."""
    meta = _head(raw).metadata
    identity = Identity(api_version, kind, meta.namespace, meta.name, meta.uid)
    owners, finalizers = tuple(meta.owner_references or ()), tuple(meta.finalizers or ())
    return Node(identity, owners, finalizers, meta.deletion_timestamp is not None, int(meta.resource_version))
