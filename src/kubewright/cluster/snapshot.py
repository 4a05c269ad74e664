"""All that a cluster holds as bytes, and back.

A snapshot is brought back by going on, not by going back: what came since is deleted, what changed or went is written
again, under new revisions. So whoever follows the store (watches, what CRDs serve, roles, controllers) is told of it as
of any other change, and no resourceVersion ever stands for two states.
"""

from typing import Final, NamedTuple

import msgspec

from kubewright.cluster.store import Record, Store
from kubewright.errors import KubewrightError

__all__ = ["BadSnapshot", "Change", "differences", "take_snapshot"]

#: Which form the bytes have; another is refused rather than misread.
_FORM: Final = "kubewright/1"
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode: Final = msgspec.json.Encoder().encode


class _Row(msgspec.Struct, array_like=True, frozen=True):
    key: str
    value: bytes
    revision: int


class _Snapshot(msgspec.Struct, array_like=True, frozen=True):
    form: str
    rows: list[_Row]


class BadSnapshot(KubewrightError):
    """Bytes that are no snapshot."""


class Change(NamedTuple):
    """What is to be done to a key; a value of None deletes it."""

    key: str
    value: bytes | None

    def commit(self, store: Store) -> None:
        """Do it."""
        there, value = store.get(self.key), self.value
        made = None if value is None else lambda revision: _numbered(value, revision)
        store.commit(self.key, there.revision if there is not None else 0, made)


def take_snapshot(store: Store) -> bytes:
    """All that there is now."""
    rows = [_Row(record.key, record.value or b"", record.revision) for record in store.list("/").records]
    return msgspec.msgpack.encode(_Snapshot(_FORM, rows))


def differences(store: Store, snapshot: bytes) -> list[Change]:
    """What has to be done, in this order, so that the store holds what it held.

    Things go in the reverse of the order in which they were last written, and come in that order: a namespace is there
    before what is in it, a CRD before the objects that were written under it, and those that it found come before it.
    """
    try:
        form, rows = msgspec.structs.astuple(msgspec.msgpack.decode(snapshot, type=_Snapshot))
    except msgspec.MsgspecError as error:
        raise BadSnapshot(f"these bytes are no snapshot of a cluster: {error}.") from error
    if form != _FORM:
        raise BadSnapshot(f"the snapshot is of another version of kubewright ({form!r}): take a new one with this one.")
    now = {record.key: record for record in store.list("/").records}
    wanted: dict[str, _Row] = {row.key: row for row in rows}
    gone = [record for key, record in now.items() if key not in wanted or not _is_one(record, wanted[key])]
    left = now.keys() - {record.key for record in gone}
    come = [row for row in rows if row.key not in left or not _is_same(now[row.key], row)]
    return [
        *(Change(record.key, None) for record in sorted(gone, key=lambda record: -record.revision)),
        *(Change(row.key, row.value) for row in sorted(come, key=lambda row: row.revision)),
    ]


def _is_one(record: Record, row: _Row) -> bool:
    """Whether it is still the same object, changed or not, and not another of its name."""
    return _meta(record.value or b"").get("uid") == _meta(row.value).get("uid")


def _is_same(record: Record, row: _Row) -> bool:
    """Whether nothing in it has changed but its number."""
    return record.value == row.value or record.value == _numbered(row.value, record.revision)


def _meta(value: bytes) -> dict[str, msgspec.Raw]:
    return _members(_members(value)["metadata"])


def _numbered(value: bytes, revision: int) -> bytes:
    """The text of an object under another number; all else in it stays as it is, byte for byte."""
    meta = _meta(value)
    if "resourceVersion" not in meta:  # a note of the server's own, such as whose a port is
        return value
    meta["resourceVersion"] = msgspec.Raw(b'"%d"' % revision)
    return _encode(_members(value) | {"metadata": msgspec.Raw(_encode(meta))})
