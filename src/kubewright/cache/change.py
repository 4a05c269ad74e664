"""What subscribers are told: one object came, changed or went."""

from collections.abc import Callable
from typing import Literal

import msgspec

from kubewright.cache.cached import Cached, Key

__all__ = ["Change", "Listener"]


class Change(msgspec.Struct, frozen=True, gc=False):
    """One change of a cache.

    `added` has `new`, `updated` both, `deleted` has `old`: the last state that is known. Where a deletion itself was
    missed (its watch was interrupted) that state may be older than the object's end. An object that was deleted and
    made anew under the same name is two changes.
    """

    kind: Literal["added", "updated", "deleted"]
    key: Key
    old: Cached | None
    new: Cached | None
    #: Whether the object was there before the subscriber: it is no news, it only begins with it.
    initial: bool = False


#: Called in the loop, one change after the other, in the order of the server: quick, as it only adds to a queue.
Listener = Callable[[Change], None]
