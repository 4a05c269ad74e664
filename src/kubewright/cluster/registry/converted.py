"""Built-in kinds seen in a version that is not the stored one: each object is converted, once for all who see it so."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from kubewright.cluster.registry.kinds.versions import Elsewhere
from kubewright.cluster.registry.memo import memo
from kubewright.cluster.registry.view import View
from kubewright.cluster.store import Record
from kubewright.cluster.wire.codec import Codec
from kubewright.cluster.wire.form import Columns

__all__ = ["ConvertedColumns", "ConvertedView"]

Document = dict[str, Any]

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class ConvertedView(View):
    """Objects are converted when they are seen, and before they are stored.

    `default` fills in what is filled in when an object of the stored version is read.
    """

    def __init__(self, codec: Codec, elsewhere: Elsewhere, default: Callable[[Document], None]) -> None:
        self._codec = codec
        self._elsewhere = elsewhere
        self._default = default

    def data(self, record: Record) -> bytes:
        """The object as JSON in this version."""
        seen = memo(record).seen
        data = seen.get(self)
        if data is None:
            assert record.value is not None
            data = seen[self] = self._codec.write(self._elsewhere.from_stored(_decode(record.value)))
        return data

    async def stored(self, obj: Document) -> Document:
        """An object of this version as it is to be stored."""
        made = self._elsewhere.to_stored(obj)
        self._default(made)
        return made


class ConvertedColumns:
    """The columns of a kind, whose cells are read off objects as they are stored."""

    def __init__(self, columns: Columns, elsewhere: Elsewhere) -> None:
        self._columns = columns
        self._elsewhere = elsewhere

    @property
    def definitions(self) -> Sequence[Document]:
        """See `Columns`."""
        return self._columns.definitions

    @property
    def null_when_empty(self) -> bool:
        """See `Columns`."""
        return self._columns.null_when_empty

    def cells(self, obj: Document, now: datetime) -> list[Any]:
        """See `Columns`."""
        return self._columns.cells(self._elsewhere.to_stored(obj), now)

    def conditions(self, obj: Document) -> list[Document]:
        """See `Columns`."""
        return self._columns.conditions(self._elsewhere.to_stored(obj))
