"""What readers found out about a record and may want again. It lives as long as the record does."""

from collections.abc import Hashable
from typing import TYPE_CHECKING

from kubewright.cluster.store import Record

if TYPE_CHECKING:
    from kubewright.cluster.registry.view import View

__all__ = ["Memo", "memo"]


class Memo:
    """Of one record: its labels, how it is seen where that is not as it is stored, and what does not change it."""

    __slots__ = ("idle", "labels", "seen")

    def __init__(self) -> None:
        self.labels: dict[str, str] | None = None
        self.seen: dict[View, bytes] = {}
        #: What was applied and changed nothing, with the warnings that were answered; the last few.
        self.idle: dict[Hashable, list[str]] = {}


def memo(record: Record) -> Memo:
    """The memo of a record, begun if there is none."""
    found = record.memo
    if found is None:
        found = record.memo = Memo()
    assert isinstance(found, Memo), "nobody else keeps anything there"
    return found
