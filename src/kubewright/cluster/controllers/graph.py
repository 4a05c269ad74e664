"""Who owns whom: what the garbage collector knows of the objects that are there.

    nodes        objects with owner references, and objects that wait for their dependents before they go
    dependents   owner's uid ──► the uids of those that refer to it, whether or not it is there
    absent       owners that were seen to go, while somebody still refers to them

An object without owners that nobody refers to and that is not being deleted costs nothing: it is never kept, and never
decoded beyond a search for two words in its bytes. Owners are not kept either; they are looked up where a reference
says they are.

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
    "read_uid",
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

    #: Where it is stored.
    key: str
    identity: Identity
    owners: tuple[Reference, ...] = ()
    finalizers: tuple[str, ...] = ()
    deleting: bool = False

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

    @property
    def empty(self) -> bool:
        """Whether nobody has an owner, and nobody waits."""
        return not self.nodes

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


class _Head(msgspec.Struct, rename="camel"):
    api_version: str
    kind: str
    metadata: _Meta


class _Uid(msgspec.Struct):
    uid: str = ""


class _Named(msgspec.Struct):
    metadata: _Uid


_head = msgspec.json.Decoder(_Head).decode
_named = msgspec.json.Decoder(_Named).decode


def concerns(value: bytes) -> bool:
    """Whether an object can be anything to the collector; told without decoding it."""
    return b'"ownerReferences"' in value or b'"deletionTimestamp"' in value


def read_node(record: Record) -> Node:
    """The node of an object that is stored."""
    assert record.value is not None
    head = _head(record.value)
    meta = head.metadata
    identity = Identity(head.api_version, head.kind, meta.namespace, meta.name, meta.uid)
    owners, finalizers = tuple(meta.owner_references or ()), tuple(meta.finalizers or ())
    return Node(record.key, identity, owners, finalizers, meta.deletion_timestamp is not None)


def read_uid(value: bytes) -> str:
    """The identifier of an object that is stored."""
    return _named(value).metadata.uid
