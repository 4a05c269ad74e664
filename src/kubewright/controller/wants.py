"""What one controller wants of each kind, and what for. Pure.

Caches are shared, so one may hold more than a controller asked for; it sees its own all the same. What that is differs
by use: a controller for the gold ones may read all of its kind.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubewright.cache import Cached, Change, Selection
from kubewright.client.endpoint import Endpoint, endpoint_of
from kubewright.controller.declaration import Controller
from kubewright.controller.source import Only, Watch

__all__ = ["View", "Wants", "merge", "seen", "view"]

Selections = Mapping[Endpoint[Any], Selection]
#: Whether a controller sees an object; None where it sees all that its cache holds.
View = Callable[[Cached], bool] | None


class Wants:
    """The selections of one controller; `namespaces` are the operator's, for where it names none itself."""

    def __init__(self, controller: Controller[Any, Any], namespaces: Sequence[str] = ()) -> None:
        self._usual = controller.namespaces or tuple(namespaces)
        #: Which objects it reconciles.
        self.own = self._selection(controller.endpoint, Only(controller.endpoint, controller.labels))
        #: Which children it follows.
        self.owned = {each: self._selection(each, controller.limits.get(("owns", each))) for each in controller.owns}
        reads = {each: self._selection(each, controller.limits.get(("reads", each))) for each in controller.reads}
        #: What it may read from memory.
        self.read = merge({controller.endpoint: self.own}, self.owned, reads)
        self._watched = [self.watched(each) for each in controller.watches]

    def watched(self, watch: Watch) -> Selection:
        """Which objects a watch follows; of a kind that is only watched metadata is enough."""
        return self._selection(endpoint_of(watch.kind), watch.only, metadata_only=True)

    def all(self) -> dict[Endpoint[Any], Selection]:
        """What caches must hold for it."""
        return merge(self.read, *({each.endpoint: each} for each in self._watched))

    def _selection(self, endpoint: Endpoint[Any], only: Only | None, *, metadata_only: bool = False) -> Selection:
        places = (only.namespaces if only is not None else ()) or self._usual
        only = only or Only(endpoint)
        return Selection(
            endpoint, places if endpoint.namespaced else (), only.labels, only.fields, metadata_only=metadata_only
        )


def merge(*wanted: Selections) -> dict[Endpoint[Any], Selection]:
    """What holds all of these."""
    found: dict[Endpoint[Any], Selection] = {}
    for each in wanted:
        for endpoint, selection in each.items():
            found[endpoint] = found[endpoint] | selection if endpoint in found else selection
    return found


def view(wanted: Selection, cache: Selection) -> View:
    """How to tell what was wanted in a cache that may hold more."""
    if (wanted.namespaces, wanted.labels, wanted.fields) == (cache.namespaces, cache.labels, cache.fields):
        return None
    return lambda cached: wanted.holds(cached) is not False


def seen(change: Change, sees: Callable[[Cached], bool]) -> Change | None:
    """A change as a cache of its own would tell it: what is selected from now on comes, what is no longer goes."""
    old = change.old if change.old is not None and sees(change.old) else None
    new = change.new if change.new is not None and sees(change.new) else None
    if old is new:  # neither
        return None
    if old is change.old and new is change.new:
        return change
    return Change("added" if old is None else "deleted", change.key, old, new, change.initial)
