"""Why a reconcile ran: which event of which object.

A reconciler never sees an event, since a level-triggered one must not depend on it. Whoever asks "why does this run all
the time?" needs them all the same: each reconcile carries its causes into the log and the trace, and nowhere else.

    why: Why[Key] = Why()
    why.note(key, Cause("updated", "Deployment", "default", "web", "4711"))   # together with queue.add(key)
    causes = why.take(key)                                                    # together with queue.get()

The queue makes one reconcile of many events; of these the first few are kept, and how many more there were.
"""

from collections.abc import Hashable
from typing import Final, Generic, Literal, TypeVar

import msgspec

__all__ = ["Cause", "Causes", "Event", "Why"]

Key = TypeVar("Key", bound=Hashable)

#: What happened. `initial`: it was there when we began. `requeued`: the reconciler asked for it. `retried`: it failed.
#: `triggered`: a timer or another source of the user's.
Event = Literal["added", "updated", "deleted", "initial", "requeued", "retried", "triggered"]

#: How many causes of one reconcile are kept.
_KEPT: Final = 8


class Cause(msgspec.Struct, frozen=True, gc=False):
    """One reason to reconcile: an event, and the object that it happened to if there is one."""

    event: Event
    kind: str = ""
    namespace: str = ""
    name: str = ""
    resource_version: str = ""
    #: More, in a word or two: what failed, which source.
    detail: str = ""

    def __str__(self) -> str:
        words: list[str] = [self.event]
        if self.kind:
            place = f"{self.namespace}/{self.name}" if self.namespace else self.name
            words.append(f"{self.kind} {place}".rstrip())
        if self.resource_version:
            words.append(f"@{self.resource_version}")
        if self.detail:
            words.append(f"({self.detail})")
        return " ".join(words)


class Causes(msgspec.Struct, frozen=True, gc=False):
    """Why one reconcile ran: the first causes, in order, and how many more there were."""

    causes: tuple[Cause, ...] = ()
    more: int = 0

    def __str__(self) -> str:
        text = ", ".join(map(str, self.causes)) or "unknown"
        return f"{text} and {self.more} more" if self.more else text


class Why(Generic[Key]):
    """The causes of what waits in a queue, by key; as many keys as wait, and a few causes each."""

    def __init__(self) -> None:
        self._waiting: dict[Key, list[Cause]] = {}
        self._more: dict[Key, int] = {}

    def note(self, key: Key, cause: Cause) -> None:
        """One more reason to reconcile `key`."""
        causes = self._waiting.get(key)
        if causes is None:
            self._waiting[key] = [cause]
        elif len(causes) < _KEPT:
            causes.append(cause)
        else:
            self._more[key] = self._more.get(key, 0) + 1

    def take(self, key: Key) -> Causes:
        """Why `key` is reconciled now; what comes from now on is for the next time."""
        return Causes(tuple(self._waiting.pop(key, ())), self._more.pop(key, 0))

    def __len__(self) -> int:
        return len(self._waiting)
