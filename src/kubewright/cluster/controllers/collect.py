"""What the garbage collector does next about an object: a function of the graph and of where its owners stand.

| the object                                             | what is done                                              |
|--------------------------------------------------------|-----------------------------------------------------------|
| goes, its dependents to be orphaned                    | they forget it; then its finalizer `orphan` is removed    |
| goes, and waits for its dependents                     | those that block it are looked at; if none is left, its   |
|                                                        | finalizer `foregroundDeletion` is removed                 |
| goes otherwise                                         | nothing: its dependents' time comes when it is gone       |
| has an owner that is there to stay                     | it forgets owners that are gone, or wait for it           |
| has none, one waits for it, and it has dependents      | deleted in the foreground                                 |
| has none                                               | deleted, as its own finalizers say about its dependents   |

A circle of objects that wait for each other is broken by making the references of one of them non-blocking.

An owner is who has the uid that a reference names, at the place the reference names: its kind and name, in the
namespace of the dependent or in none. Who is found elsewhere is absent; the dependent is told of by an event. While the
kind of a reference is unknown nothing is decided, and never if an object without a namespace refers to one in some. An
owner that nobody has seen may only not have been told of yet: the server is asked, and then it is decided.
"""

from enum import Enum, auto
from typing import NamedTuple, Protocol

from kubewright.cluster.controllers.graph import Graph, Identity, Node, Reference
from kubewright.cluster.registry.strategy import FOREGROUND, ORPHAN

__all__ = [
    "Action",
    "Ask",
    "Await",
    "Delete",
    "Look",
    "Release",
    "Report",
    "Standing",
    "Strip",
    "Unblock",
    "World",
    "decide",
]


class Standing(Enum):
    """Where the owner that a reference names stands."""

    SOLID = auto()
    #: It is being deleted, and waits for its dependents.
    WAITING = auto()
    ABSENT = auto()
    #: Nobody knows its kind.
    UNKNOWN = auto()
    #: It would be in a namespace, and the dependent is in none.
    MISPLACED = auto()
    #: It is not where the reference says, as far as is known here; the server may know better.
    UNSEEN = auto()


class World(Protocol):
    """What is asked about owners."""

    def standing(self, reference: Reference, namespace: str) -> Standing:
        """Where the owner of an object of a namespace stands."""

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        """Whether that owner is there, but in another namespace."""


class Delete(NamedTuple):
    """Delete an object, if it is still the same."""

    node: Node
    policy: str


class Strip(NamedTuple):
    """Remove the references to some owners from an object."""

    node: Node
    owners: tuple[str, ...]


class Unblock(NamedTuple):
    """Make an object block none of its owners."""

    node: Node


class Release(NamedTuple):
    """Remove a finalizer from an object."""

    node: Node
    finalizer: str


class Look(NamedTuple):
    """Decide about an object, next time round."""

    uid: str


class Await(NamedTuple):
    """Decide about an object when there are other kinds."""

    uid: str


class Ask(NamedTuple):
    """Ask the server where an owner of an object stands, then decide about that object again."""

    node: Node
    reference: Reference


class Report(NamedTuple):
    """Tell that an owner of an object is in another namespace."""

    node: Node
    owner: Identity


Action = Delete | Strip | Unblock | Release | Look | Await | Ask | Report


def decide(graph: Graph, uid: str, world: World, *, fresh: bool = False) -> list[Action]:
    """What is to be done about an object, in this order; `fresh`: it refers to owners it did not refer to before."""
    node = graph.nodes.get(uid)
    if node is None:
        return []
    if (fresh or not node.deleting) and (unseen := _unseen(graph, node, world)):
        return unseen
    reports = _reports(node, world, graph) if fresh else []
    return [*reports, *_decide(graph, node, world)]


def _decide(graph: Graph, node: Node, world: World) -> list[Action]:
    uid = node.identity.uid
    if node.orphaning:
        members = [graph.nodes[dependent] for dependent in graph.dependents(uid) if dependent in graph.nodes]
        return [*(Strip(member, (uid,)) for member in members), Release(node, ORPHAN)]
    if node.waiting:
        blocking = graph.blocking(uid)
        if not blocking:
            return [Release(node, FOREGROUND)]
        return [Look(member.identity.uid) for member in blocking if not member.waiting]
    if node.deleting or not node.owners:
        return []
    return _classify(graph, node, world)


def _classify(graph: Graph, node: Node, world: World) -> list[Action]:
    """Whether an object stays, by its owners."""
    uid, namespace = node.identity.uid, node.identity.namespace
    solid = False
    dangling: list[str] = []
    waiting: list[str] = []
    for reference in node.owners:
        match _standing(graph, world, reference, namespace):
            case Standing.SOLID:
                solid = True
            case Standing.WAITING:
                waiting.append(reference.uid)
            case Standing.ABSENT:
                dangling.append(reference.uid)
            case Standing.UNKNOWN:
                return [Await(uid)]
            case Standing.MISPLACED | Standing.UNSEEN:
                return []
    if solid:
        # The waiting ones are forgotten too, or they would wait for an object that stays.
        return [Strip(node, (*dangling, *waiting))] if dangling or waiting else []
    dependents = graph.dependents(uid)
    if waiting and dependents:
        circle = any(graph.nodes[each].waiting for each in dependents if each in graph.nodes)
        if circle and any(reference.block_owner_deletion for reference in node.owners):
            # With that its owner may go at once; what is left to do is decided anew.
            return [Unblock(node), Look(uid)]
        return [Delete(node, "Foreground")]
    policy = "Orphan" if ORPHAN in node.finalizers else "Foreground" if FOREGROUND in node.finalizers else "Background"
    return [Delete(node, policy)]


def _standing(graph: Graph, world: World, reference: Reference, namespace: str) -> Standing:
    # Who was seen to go is gone, even if its kind went with it.
    return Standing.ABSENT if graph.absent(reference.uid) else world.standing(reference, namespace)


def _unseen(graph: Graph, node: Node, world: World) -> list[Action]:
    namespace = node.identity.namespace
    return [
        Ask(node, reference)
        for reference in node.owners
        if _standing(graph, world, reference, namespace) is Standing.UNSEEN
    ]


def _reports(node: Node, world: World, graph: Graph) -> list[Action]:
    """The first owner that is in another namespace."""
    namespace = node.identity.namespace
    for reference in node.owners:
        if _standing(graph, world, reference, namespace) not in (Standing.ABSENT, Standing.MISPLACED):
            continue
        if world.elsewhere(reference, namespace):
            owner = Identity(reference.api_version, reference.kind, namespace, reference.name, reference.uid)
            return [Report(node, owner)]
    return []
