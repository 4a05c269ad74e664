"""Circles: an object that its own reconcile brings back, again and again.

A reconciler that changes its object or a child each time, be it an annotation with the time, is told of the change, and
so runs for ever, as fast as the server answers. Nothing fails then, so nothing would be said. Here it is counted how
often each object was reconciled with success; when that is far too often because of its own changes, or of those of a
child that was then changed again, the log says so.

It stands on the way of every reconcile: an addition in a dictionary, which stays small.
"""

import logging
from collections.abc import Callable
from typing import Final

from kubewright.cache import Key
from kubewright.observe import Cause, Run

__all__ = ["Circles"]

_log = logging.getLogger(__name__)

#: So many reconciles of one object within so many seconds are too many.
_MANY: Final = 100
_WITHIN: Final = 10.0
#: Seconds until the same object is told of again.
_PAUSE: Final = 600.0
#: Where more objects than these come and go there is a crowd, and counting begins anew: nobody in it goes in circles.
_CROWD: Final = 1000

_OWN: Final = (
    "If its reconciler changes it each time, this never ends: have it write only what differs, or leave such changes "
    "out (predicates=[…])."
)
_CHILD: Final = (
    "Its reconciler has changed that again; if it does so each time, this never ends: have it apply the same as long "
    "as nothing else has changed, and leave to others what they set."
)


class Circles:
    """How often the objects of one controller were reconciled lately."""

    def __init__(self, changes: Callable[[Cause], bool] = lambda cause: False) -> None:
        """`changes`: whether the reconcile that a change of a child caused has changed that child again."""
        self._changes = changes
        self._counts: dict[Key, int] = {}
        self._since = 0.0
        self._told: dict[Key, float] = {}

    def count(self, key: Key, run: Run, now: float) -> None:
        """An object was reconciled with success, for the reasons of that run."""
        counts = self._counts
        if now - self._since > _WITHIN or len(counts) > _CROWD:
            self._begin(now)
        counts[key] = many = counts.get(key, 0) + 1
        if many >= _MANY and key not in self._told:
            self._suspect(key, run, now)

    def _begin(self, now: float) -> None:
        self._counts.clear()
        self._since = now
        if self._told:
            self._told = {key: at for key, at in self._told.items() if now - at < _PAUSE}

    def _suspect(self, key: Key, run: Run, now: float) -> None:
        for cause in reversed(run.causes.causes):
            if _is_own(cause, run):
                hence = _OWN
                break
            if cause.event == "updated" and self._changes(cause):
                hence = _CHILD
                break
        else:  # others keep it busy: what becomes of its children, a stream
            return
        self._told[key] = now
        _log.warning(
            "%s %s was reconciled %d times within %.3g s, the last time because of: %s. %s",
            run.kind,
            key,
            self._counts[key],
            max(now - self._since, 0.1),
            cause,
            hence,
        )


def _is_own(cause: Cause, run: Run) -> bool:
    return (cause.event, cause.kind, cause.namespace, cause.name) == ("updated", run.kind, run.namespace, run.name)
