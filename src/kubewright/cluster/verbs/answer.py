"""Answers: an object, a list of objects, a Status, each as the client asked to have it.

Plain JSON is what is stored, byte for byte; everything else is made of the documents when it is asked for.
"""

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from kubewright.cluster.registry.columns import Columns
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.call import Call, Document
from kubewright.cluster.verbs.status import Failure
from kubewright.cluster.wire.form import encode, list_form, object_form
from kubewright.cluster.wire.media import JSON
from kubewright.cluster.wire.negotiate import Output
from kubewright.http import Headers, Response

if TYPE_CHECKING:
    from kubewright.cluster.verbs.list import Found

__all__ = ["answer_data", "answer_document", "answer_failure", "answer_list", "answer_record"]

_NO_CACHE = (b"Cache-Control", b"no-cache, private")
_JSON_HEADERS = Headers([_NO_CACHE, (b"Content-Type", JSON.encode())])
#: So many bytes of a list are put together before others run.
_BATCH = 1_000_000
#: So many objects are decoded before others run.
_DECODED = 100


def answer_record(call: Call, record: Record, status: int = 200) -> Response:
    """An object as it is stored."""
    return answer_data(call, call.resource.view.data(record), status)


def answer_data(call: Call, data: bytes, status: int = 200) -> Response:
    """An object of the resource, which is JSON already."""
    output = call.output
    if output.media == JSON and not output.pretty and not output.form:
        return Response(status, _JSON_HEADERS, data + b"\n")
    return answer_document(call, msgspec.json.decode(data), status)


def answer_document(call: Call, document: Document, status: int = 200, *, columns: Columns | None = None) -> Response:
    """Any object: of the resource, a subresource's with its own `columns`, or a Status."""
    shown = object_form(document, call.output, columns or call.resource.columns)
    return _written(shown, call.output, status)


def answer_failure(failure: Failure, output: Output) -> Response:
    """A refusal."""
    response = _written(failure.document, output, failure.code)
    if failure.retry_after is not None:
        response.headers = response.headers.plus((b"Retry-After", b"%d" % failure.retry_after))
    return response


def _written(document: Any, output: Output, status: int) -> Response:
    headers = Headers([_NO_CACHE, (b"Content-Type", output.content_type)])
    data = encode(document, output)
    return Response(status, headers, data if output.pretty or output.media != JSON else data + b"\n")


async def answer_list(call: Call, found: "Found") -> Response:
    """A list of objects."""
    resource, output = call.resource, call.output
    meta: Document = {"resourceVersion": str(found.revision)}
    if found.token or resource.custom:
        meta["continue"] = found.token
    if found.remaining is not None:
        meta["remainingItemCount"] = found.remaining
    if output.media == JSON and not output.pretty and not output.form:
        return Response(200, _JSON_HEADERS, await _joined(call, found.records, meta))
    items: list[Document] = []
    for number, record in enumerate(found.records, 1):
        items.append(resource.item(resource.view.document(record)))
        if number % _DECODED == 0:
            await asyncio.sleep(0)
    document = {"kind": resource.names.list_kind, "apiVersion": resource.api_version, "metadata": meta, "items": items}
    return _written(list_form(document, output, resource.columns), output, 200)


async def _joined(call: Call, records: list[Record], meta: Document) -> bytes:
    """The bytes of the items, one after the other."""
    resource = call.resource
    data, cut = resource.view.data, len(resource.item_prefix)
    head = b'{"kind":%b,"apiVersion":%b,"metadata":%b,"items":[' % tuple(
        msgspec.json.encode(part) for part in (resource.names.list_kind, resource.api_version, meta)
    )
    pieces = [head]
    size = 0
    for record in records:
        item = data(record)
        if cut:
            item = b"{" + item[cut:]
        pieces.append(item)
        pieces.append(b",")
        size += len(item)
        if size > _BATCH:
            size = 0
            await asyncio.sleep(0)
    if records:
        pieces.pop()
    pieces.append(b"]}\n")
    return b"".join(pieces)
