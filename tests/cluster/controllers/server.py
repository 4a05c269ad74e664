"""A few lines of API server: objects with owners and finalizers, deleted and changed as the verbs do it. A collector
decides about them with nothing but the pure functions. Who goes next is up to the test."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kubewright.cluster.controllers.collect import (
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
from kubewright.cluster.controllers.graph import Graph, Identity, Node, Reference
from kubewright.cluster.registry.strategy import FOREGROUND, ORPHAN

__all__ = ["Object", "Server", "reference"]


def reference(uid: str, *, block: bool = False) -> Reference:
    """A reference to a ConfigMap."""
    return Reference("v1", "ConfigMap", uid, uid, None, block)


@dataclass(frozen=True)
class Object:
    """An object of the server."""

    uid: str
    owners: tuple[Reference, ...] = ()
    finalizers: tuple[str, ...] = ()
    deleting: bool = False
    namespace: str = "web"

    def node(self) -> Node:
        """What the collector sees of it."""
        identity = Identity("v1", "ConfigMap", self.namespace, self.uid, self.uid)
        return Node(identity, self.owners, self.finalizers, self.deleting)


@dataclass
class Server:
    """The objects, the graph of them, and what is still to be looked at."""

    objects: dict[str, Object] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)
    queue: dict[str, None] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)
    reports: list[str] = field(default_factory=list)
    #: Kinds that nobody knows.
    unknown: set[str] = field(default_factory=set)
    #: What happened, in order.
    log: list[str] = field(default_factory=list)

    def standing(self, reference: Reference, namespace: str) -> Standing:
        """See `World`."""
        if reference.kind in self.unknown:
            return Standing.UNKNOWN
        if not namespace:
            return Standing.MISPLACED
        owner = self.objects.get(reference.uid)
        if owner is None or owner.namespace != namespace or reference.name != owner.uid:
            return Standing.ABSENT
        return Standing.WAITING if owner.node().waiting else Standing.SOLID

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        """See `World`."""
        owner = self.objects.get(reference.uid)
        return owner is not None and owner.namespace != namespace

    def put(self, obj: Object) -> None:
        """Write an object; one that is being deleted goes with its last finalizer."""
        if obj.deleting and not obj.finalizers:
            self._remove(obj.uid)
            return
        if self.objects.get(obj.uid) == obj:
            return
        self.objects[obj.uid] = obj
        self.log.append(f"put {obj.uid}")
        effect = self.graph.put(obj.node())
        self.queue |= dict.fromkeys(effect.look)
        if effect.fresh:
            self.fresh.add(obj.uid)

    def delete(self, uid: str, policy: str) -> None:
        """DELETE with a propagation policy."""
        obj = self.objects.get(uid)
        if obj is None:
            return
        others = tuple(name for name in obj.finalizers if name not in (ORPHAN, FOREGROUND))
        added = {"Orphan": (ORPHAN,), "Foreground": (FOREGROUND,)}.get(policy, ())
        self.put(replace(obj, finalizers=others + added, deleting=True))

    def _remove(self, uid: str) -> None:
        held = [
            other.uid
            for other in self.objects.values()
            if any(owner.uid == uid and owner.block_owner_deletion for owner in other.owners)
        ]
        waited = self.objects[uid].node().waiting
        assert not (waited and held), f"{uid} did not wait for {held}"
        del self.objects[uid]
        self.log.append(f"remove {uid}")
        self.queue |= dict.fromkeys(self.graph.remove(uid).look)

    def step(self, uid: str) -> None:
        """Decide about one object, and do it."""
        self.queue.pop(uid, None)
        fresh = uid in self.fresh
        self.fresh.discard(uid)
        for action in decide(self.graph, uid, self, fresh=fresh):
            match action:
                case Delete(node, policy):
                    self.delete(node.identity.uid, policy)
                case Strip(node, owners):
                    if obj := self.objects.get(node.identity.uid):
                        self.put(replace(obj, owners=tuple(each for each in obj.owners if each.uid not in owners)))
                case Unblock(node):
                    if obj := self.objects.get(node.identity.uid):
                        free = tuple(reference(each.uid) for each in obj.owners)
                        self.put(replace(obj, owners=free))
                case Release(node, finalizer):
                    if obj := self.objects.get(node.identity.uid):
                        self.put(replace(obj, finalizers=tuple(each for each in obj.finalizers if each != finalizer)))
                case Look(other):
                    self.queue[other] = None
                case Await(other):
                    self.reports.append(f"{other} waits for a kind")
                case Report(node, owner):
                    self.reports.append(f"{node.identity.name}: {owner}")

    def run(self, choose: Callable[[list[str]], str] = lambda waiting: waiting[0], limit: int = 10_000) -> None:
        """Go on until there is nothing to do."""
        for _ in range(limit):
            if not self.queue:
                return
            self.step(choose(list(self.queue)))
        raise AssertionError("the collector does not come to rest")
