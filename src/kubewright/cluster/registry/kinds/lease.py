"""Leases: who holds something, since when, and for how long without a word."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["LeaseStrategy"]

Document = dict[str, Any]

#: Fields of coordinated election, which is not served: who sets one is not told, and it is not kept.
_COORDINATED = ("strategy", "preferredHolder")


class LeaseStrategy(PlainStrategy):
    """What is particular to Leases."""

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        _drop(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        _drop(obj)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"])]


def _drop(obj: Document) -> None:
    for name in _COORDINATED:
        obj["spec"].pop(name, None)


def _check(spec: Document) -> Iterator[FieldError]:
    duration, transitions = spec.get("leaseDurationSeconds"), spec.get("leaseTransitions")
    if duration is not None and duration <= 0:
        yield invalid("spec.leaseDurationSeconds", duration, "must be greater than 0")
    if transitions is not None and transitions < 0:
        yield invalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0")
