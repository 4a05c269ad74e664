"""How objects of a CRD are seen in one of its versions.

    stored ──► pruned and defaulted by the version it is stored in ──► converted ──► pruned by the one asked for

While a CRD has one version, what was written under its present schema is stored as it is shown, and is never looked
into. Everything else is seen once and remembered with its record.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.memo import memo
from kubewright.cluster.registry.view import ConversionFailed, View
from kubewright.cluster.store import Record
from kubewright.schema.walk.values import copy

__all__ = ["CustomView"]

Document = dict[str, Any]

_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode
#: So many objects are converted in one request.
_BATCH: Final = 100


class CustomView(View):
    """Objects as one version of a CRD has them."""

    def __init__(self, definition: Definition, version: str) -> None:
        self.definition = definition
        self._api_version = definition.api_version(version)
        self._codec = definition.codecs[self._api_version]
        self._is_stored = version == definition.storage
        self.remote = definition.webhook is not None and not definition.plain

    def data(self, record: Record) -> bytes:
        """The object as JSON in this version."""
        value, definition = record.value, self.definition
        assert value is not None
        if definition.plain and record.revision > definition.since:
            return value
        seen = memo(record).seen.get(self)
        if seen is not None:
            return seen
        document = self._stored_form(value)
        if document["apiVersion"] != self._api_version:
            assert not self.remote, "what a webhook converts is fetched before"
            document["apiVersion"] = self._api_version
            self._codec.reread(document)
        return self._remember(record, document)

    async def fetch(self, records: Sequence[Record]) -> None:
        """Convert ahead what only the webhook can."""
        if not self.remote:
            return
        waiting: list[tuple[Record, Document]] = []
        for record in records:
            if self in memo(record).seen:
                continue
            assert record.value is not None
            document = self._stored_form(record.value)
            if document["apiVersion"] == self._api_version:
                self._remember(record, document)
            else:
                waiting.append((record, document))
        webhook = self.definition.webhook
        assert webhook is not None
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            converted = await webhook.convert([document for _, document in batch], self._api_version)
            for (record, _), document in zip(batch, converted, strict=True):
                self._codec.reread(document)
                self._remember(record, document)

    async def stored(self, obj: Document) -> Document:
        """An object of this version as it is to be stored."""
        if self._is_stored:
            return obj
        definition = self.definition
        wanted = definition.api_version(definition.storage)
        if definition.webhook is not None:
            [document] = await definition.webhook.convert([obj], wanted)
        else:
            document = {name: copy(value) for name, value in obj.items()} | {"apiVersion": wanted}
        definition.codecs[wanted].reread(document)
        return document

    def note_write(self, revision: int) -> None:
        """A request may have begun under a definition that was replaced before it came to its end."""
        self.definition.note_write(revision)

    def _stored_form(self, value: bytes) -> Document:
        """What is stored, as the version it is stored in has it today."""
        document = _decode(value)
        codec = self.definition.codecs.get(document["apiVersion"])
        if codec is None:
            raise ConversionFailed(f"request to convert CR from an invalid group/version: {document['apiVersion']}")
        codec.reread(document)
        codec.walk.default(document)
        return document

    def _remember(self, record: Record, document: Document) -> bytes:
        data = self._codec.write(document)
        seen = memo(record).seen
        for view in [view for view in seen if isinstance(view, CustomView) and view.definition.retired]:
            del seen[view]
        # Most often nothing is to be changed, and the bytes are there already.
        seen[self] = data = record.value if data == record.value else data
        return data
