"""One revision of one key.

Records of a key form a chain, newest first, by `previous`; the log of all changes is a row of the same records. A
record never changes, but for one thing: compaction cuts its `previous` once nobody can ask for what lay before.
"""

__all__ = ["Record"]


class Record:
    """What a key held from a revision on; `value` is None where it was deleted."""

    __slots__ = ("created", "key", "memo", "previous", "revision", "value")

    def __init__(self, key: str, value: bytes | None, revision: int, created: int, previous: "Record | None") -> None:
        self.key = key
        self.value = value
        self.revision = revision
        #: The revision at which the key came into being, the last time it did.
        self.created = created
        self.previous = previous
        #: What a reader found out about the value and may want again; the store leaves it alone.
        self.memo: object = None

    def at(self, revision: int) -> "Record | None":
        """What the key held at a revision; None if nothing. The revision must not be compacted."""
        record: Record | None = self
        while record is not None and record.revision > revision:
            record = record.previous
        return record if record is not None and record.value is not None else None

    def __repr__(self) -> str:
        what = "deleted" if self.value is None else f"{len(self.value)} bytes"
        return f"Record({self.key!r}, {what}, revision={self.revision})"
