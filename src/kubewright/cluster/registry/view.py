"""How what is stored is seen in one version of a kind, and how what is written in that version is stored.

A kind is stored in one version. For most resources that is the one they are served in, and the bytes of the store are
the bytes of the answer. Where it is not, a view converts; and where a webhook converts, it can only do so while others
run: then `remote` says that `fetch` must be awaited before anything is shown.
"""

from collections.abc import Generator, Sequence
from typing import Any

import msgspec

from kubewright.cluster.store import Record
from kubewright.model.piecemeal import decode_in_steps

__all__ = ["ConversionFailed", "View"]

Document = dict[str, Any]

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class ConversionFailed(Exception):
    """An object cannot be had in the version that is wanted; the text is the server's."""


class View:
    """Objects are served as they are stored."""

    #: Whether seeing takes a call to somebody else.
    remote = False

    def data(self, record: Record) -> bytes:
        """The object as JSON in this version."""
        assert record.value is not None
        return record.value

    def document(self, record: Record) -> Document:
        """The object in this version, to be changed by whoever asked for it."""
        return _decode(self.data(record))

    def document_in_steps(self, record: Record) -> Generator[None, None, Document]:
        """The same in steps, for a large object."""
        document: Document = yield from decode_in_steps(self.data(record))
        return document

    async def fetch(self, records: Sequence[Record]) -> None:
        """Convert ahead, so that `data` and `document` of these records answer; only if `remote`."""

    async def stored(self, obj: Document) -> Document:
        """An object of this version as it is to be stored."""
        return obj

    def note_write(self, revision: int) -> None:
        """An object as `stored` made it is being written, at a revision."""
