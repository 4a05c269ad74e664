"""Which changes of an object are worth a reconcile.

A predicate is asked about a `Change` and answers yes or no. It must be quick and depend on the change alone; it decides
only whether to look, never what to do. Objects that come or go always pass.

By default the controller's own kind passes if something changed that a reconciler acts on (`meaningful`), so that its
own writes to the status do not bring it back; what it owns or watches passes whatever changed, since the status of a
child is what its owner waits for.
"""

import inspect
from collections.abc import Callable

from kubewright.cache import Cached, Change
from kubewright.errors import KubewrightError
from kubewright.model.selectors import LabelSelector

__all__ = [
    "Predicate",
    "PredicateError",
    "annotations_changed",
    "any_of",
    "everything",
    "generation_changed",
    "labels_changed",
    "meaningful",
    "orphaned",
    "read_predicates",
    "selected",
    "unfinalized",
]

Predicate = Callable[[Change], bool]


class PredicateError(KubewrightError):
    """What is given as a predicate and is none."""


def read_predicates(given: object) -> tuple[Predicate, ...]:
    """The predicates of a list."""
    if not isinstance(given, list | tuple):
        raise PredicateError("predicates is a list, as in predicates=[generation_changed].")
    for each in given:
        if not callable(each) or inspect.iscoroutinefunction(each):
            raise PredicateError(
                f"predicates has {each!r:.60}: a predicate is a plain function of a Change, which answers at once."
            )
    return tuple(given)


def everything(change: Change) -> bool:
    """Every change."""
    return True


def meaningful(change: Change) -> bool:
    """Spec, labels, annotations, owners, finalizers, or that it is being deleted: all but the status.

    The generation stands for the spec. A kind without one passes every change.
    """
    return _is_meaningful(change)


def unfinalized(finalizer: str) -> Predicate:
    """The same, but that an object has this finalizer now is no news to who put it there: he goes on with it."""
    return lambda change: _is_meaningful(change, finalizer)


def _is_meaningful(change: Change, known: str = "") -> bool:
    old, new = change.old, change.new
    if old is None or new is None or old.uid != new.uid or not new.generation:
        return True
    if old.generation != new.generation or old.deleting != new.deleting or old.owners != new.owners:
        return True
    before, after = old.metadata, new.metadata
    return (
        before.labels != after.labels
        or before.annotations != after.annotations
        or (before.finalizers != after.finalizers and after.finalizers != [*(before.finalizers or ()), known])
        or before.owner_references != after.owner_references
    )


def generation_changed(change: Change) -> bool:
    """The spec, or that it is being deleted."""
    return _differs(change, lambda cached: (cached.generation, cached.deleting))


def labels_changed(change: Change) -> bool:
    """The labels."""
    return _differs(change, lambda cached: cached.labels)


def annotations_changed(change: Change) -> bool:
    """The annotations."""
    return _differs(change, lambda cached: cached.metadata.annotations or {})


def orphaned(change: Change) -> bool:
    """Objects that nobody controls, or that nobody did until now; unlike others, those that go do not count."""
    old, new = change.old, change.new
    if new is None:
        return False
    if old is None:
        return not new.controller
    return not new.controller and (old.labels != new.labels or bool(old.controller))


def selected(labels: LabelSelector | str) -> Predicate:
    """Objects that have these labels, or had them until now."""
    selector = LabelSelector.parse(labels) if isinstance(labels, str) else labels

    def matches(change: Change) -> bool:
        return any(each is not None and selector.matches(each.labels) for each in (change.old, change.new))

    return matches


def any_of(*predicates: Predicate) -> Predicate:
    """What one of them passes."""
    return lambda change: any(predicate(change) for predicate in predicates)


def _differs(change: Change, aspect: Callable[[Cached], object]) -> bool:
    old, new = change.old, change.new
    return old is None or new is None or old.uid != new.uid or aspect(old) != aspect(new)
