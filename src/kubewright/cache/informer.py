"""One selection of a kind, kept as it is on the server and told to whoever subscribes.

Reading: `get` and `list` answer at once, from memory; own writes are seen (`overlay`). Before a reader acts on what it
reads it calls `await informer.settle()`, which does nothing unless the outcome of a write is unknown.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from kubewright.cache.cached import Cached, Key
from kubewright.cache.change import Listener
from kubewright.cache.selection import Selection
from kubewright.client.endpoint import Endpoint
from kubewright.model.selectors import LabelSelector

__all__ = ["Informer", "Subscription"]


class Subscription:
    """A listener's place; `cancel` gives it up."""

    def cancel(self) -> None:
        """Tell it nothing more."""
        raise NotImplementedError


class Informer:
    """A cache of one selection, filled by watches. Handed out by `Caches.open`; shared by all who want the same."""

    selection: Selection
    endpoint: Endpoint[Any]
    #: Set once everything there was has been told; stays set.
    synced: asyncio.Event
    #: What was wrong with objects that do not fit their type, by key: a sentence with the field. Logged once.
    misfits: dict[Key, str]

    # Reading.

    def get(self, key: Key) -> Cached | None:
        """One object, or None. Raises `Unsettled` while the outcome of an own write to it is unknown."""
        raise NotImplementedError

    def list(
        self,
        namespace: str | None = None,
        labels: LabelSelector | None = None,
        index: tuple[str, str] | None = None,
    ) -> list[Cached]:
        """Those in a namespace, with labels, and with a value of an index: `index=("owner", uid)`."""
        raise NotImplementedError

    def add_index(self, name: str, values: Callable[[Cached], Iterable[str]]) -> None:
        """Keep an index; `namespace` and `owner` (by uid) are there. `label:app` indexes a label by itself."""
        raise NotImplementedError

    async def settle(self) -> None:
        """Ask the server about every key whose state is unknown since a write of ours; mostly there is none."""
        raise NotImplementedError

    # Changes.

    def subscribe(self, listener: Listener) -> Subscription:
        """Tell `listener` what is there now (`initial`), and from then on every change, none left out."""
        raise NotImplementedError

    # How it fares.

    @property
    def revision(self) -> int:
        """The resourceVersion up to which everything is known; 0 before the first list."""
        raise NotImplementedError

    @property
    def age(self) -> float:
        """Seconds since the server was last heard of (of the namespace where that is longest)."""
        raise NotImplementedError

    @property
    def state(self) -> str:
        """`streaming`, `listing`, `watching`, or what keeps it from that: `forbidden`, `missing`, `unreachable` …"""
        raise NotImplementedError

    @property
    def trouble(self) -> str:
        """The sentence of the last failure that is not over; empty when all is well."""
        raise NotImplementedError

    @property
    def retry_in(self) -> float | None:
        """Seconds until the next attempt, while it rests after a failure."""
        raise NotImplementedError

    @property
    def objects(self) -> int:
        """How many objects are kept."""
        raise NotImplementedError

    @property
    def bytes(self) -> int:
        """How many bytes of documents are kept."""
        raise NotImplementedError

    def nudge(self) -> None:
        """Try now, if it rests after a failure: a CRD has come, a role was given."""
        raise NotImplementedError

    async def reach(self, revision: int) -> None:
        """Wait until everything up to `revision` is known; what a new leader does with the watermark of the last."""
        raise NotImplementedError
