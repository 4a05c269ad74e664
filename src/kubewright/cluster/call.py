"""One request for a resource, as every verb sees it, and what stands behind all of them."""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kubewright import clock
from kubewright.cluster.auth.user import SERVER, User
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource, Subresource
from kubewright.cluster.registry.strategy import Strategy
from kubewright.cluster.store import Record, Store
from kubewright.cluster.wire.negotiate import Output
from kubewright.cluster.wire.status import Target
from kubewright.entropy import Entropy
from kubewright.http import Handler, Request

if TYPE_CHECKING:
    from kubewright.cluster.auth.access import Access
    from kubewright.cluster.verbs.watch import Frames, Watcher

__all__ = ["Api", "Call", "Document", "timestamp"]

Document = dict[str, Any]


def timestamp() -> str:
    """Now, as objects have it: in UTC, to the second."""
    return _spelled(int(clock.wall()))


@lru_cache(2)
def _spelled(second: int) -> str:
    # Every write says when it was, some twice, and thousands come in one second.
    return f"{datetime.fromtimestamp(second, UTC).isoformat()[:19]}Z"


class Api:
    """What the verbs work on."""

    def __init__(self, store: Store, registry: Registry, entropy: Entropy, chance: Entropy) -> None:
        self.store = store
        self.registry = registry
        #: Of names and identifiers; drawn from by writes alone, so that a seed gives the same ones to the same writes.
        self.entropy = entropy
        #: Of everything else that is random.
        self.chance = chance
        #: Whether every namespace gets a service account, so that every pod can have one.
        self.accounts = False
        #: Who may do what; None before there is anybody to ask.
        self.access: Access | None = None
        #: Kubelets in this process, by the names of their nodes.
        self.kubelets: dict[str, Handler] = {}
        #: The components of a control plane that do not run here.
        self.absent: frozenset[str] = frozenset()
        #: Who watches what, in the order in which they came.
        self.watchers: dict[Resource, dict[Watcher, None]] = {}
        #: The encoders of events, one for all who watch a resource in the same form.
        self.frames: weakref.WeakValueDictionary[tuple[Resource, Output], Frames] = weakref.WeakValueDictionary()


@dataclass(slots=True)
class Call:
    """One request."""

    api: Api
    request: Request
    resource: Resource
    namespace: str
    name: str
    subresource: Subresource | None
    query: Mapping[str, Sequence[str]]
    output: Output
    #: Texts for the client besides the answer.
    warnings: list[str] = field(default_factory=list)
    #: As whom it is done; the server itself, unless a client asks.
    user: User = SERVER
    #: Whether what the client sent holds lists or maps that are empty and therefore not written.
    hollow: bool = False
    #: How many bytes the object has, as it was sent or as it is stored.
    size: int = 0
    #: Large documents that were made on the way: they are kept, to be let go one by one (`verbs/turn.py`).
    spent: list[Document] = field(default_factory=list)

    @property
    def strategy(self) -> Strategy:
        """How the object is written at this path."""
        own = self.subresource.strategy if self.subresource is not None else None
        return own or self.resource.strategy

    @property
    def target(self) -> Target:
        """Who is meant, for messages."""
        return self.named(self.name)

    def named(self, name: str, said: Document | None = None) -> Target:
        """An object of this resource, for messages; as it calls itself, if it was `said`."""
        resource = self.resource
        if said is None:
            return Target(resource.group, resource.names.plural, resource.names.kind, name)
        group = said["apiVersion"].rpartition("/")[0] if resource.custom else resource.told_group
        return Target(group, resource.names.plural, said["kind"], name)

    @property
    def key(self) -> str:
        """Where the object is stored."""
        return self.resource.key(self.namespace, self.name)

    def stored(self) -> Record | None:
        """The object as it is now."""
        return self.api.store.get(self.key)
