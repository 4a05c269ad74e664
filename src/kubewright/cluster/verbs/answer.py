"""Answers: an object, a list of objects, a Status, each as the client asked to have it.

Plain JSON is what is stored, byte for byte; everything else is made of the documents when it is asked for.
"""

from typing import TYPE_CHECKING

import msgspec

from kubewright.cluster.call import Call, Document
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.pieces import put_together, shown_pieces, stored_pieces
from kubewright.cluster.verbs.turn import LARGE, in_turns
from kubewright.cluster.wire.form import Columns, encode, encode_in_steps, encode_status_in_steps, object_form
from kubewright.cluster.wire.media import JSON
from kubewright.cluster.wire.negotiate import Output
from kubewright.cluster.wire.status import Failure
from kubewright.http import Headers, Response
from kubewright.model.piecemeal import decode_in_steps

if TYPE_CHECKING:
    from kubewright.cluster.verbs.list import Found

__all__ = [
    "answer_at_once",
    "answer_data",
    "answer_document",
    "answer_failure",
    "answer_list",
    "answer_long_failure",
    "answer_record",
]

_NO_CACHE = (b"Cache-Control", b"no-cache, private")
_JSON_HEADERS = Headers([_NO_CACHE, (b"Content-Type", JSON.encode())])


async def answer_record(call: Call, record: Record, status: int = 200) -> Response:
    """An object as it is stored."""
    return await answer_data(call, call.resource.view.data(record), status)


async def answer_data(call: Call, data: bytes, status: int = 200) -> Response:
    """An object of the resource, which is JSON already."""
    if (plain := answer_at_once(call, data, status)) is not None:
        return plain
    document: Document = await in_turns(decode_in_steps(data))
    call.spent.append(document)
    shown = object_form(document, call.output, call.resource.columns)
    return _response(await in_turns(encode_in_steps(shown, call.output)), call.output, status)


def answer_at_once(call: Call, data: bytes, status: int = 200) -> Response | None:
    """The same if that takes no time, or None: a large object in another form is put into it in steps."""
    output = call.output
    if output.media == JSON and not output.pretty and not output.form:
        return Response(status, _JSON_HEADERS, data + b"\n")
    return None if len(data) > LARGE else answer_document(call, msgspec.json.decode(data), status)


def answer_document(call: Call, document: Document, status: int = 200, *, columns: Columns | None = None) -> Response:
    """Any object: of the resource, a subresource's with its own `columns`, or a Status."""
    shown = object_form(document, call.output, columns or call.resource.columns)
    return _response(encode(shown, call.output), call.output, status)


def answer_failure(failure: Failure, output: Output) -> Response:
    """A refusal."""
    return _failed(failure, output, encode(failure.document, output))


async def answer_long_failure(failure: Failure, output: Output) -> Response:
    """A refusal that says much, written in steps."""
    return _failed(failure, output, await in_turns(encode_status_in_steps(failure.document, output)))


def _failed(failure: Failure, output: Output, data: bytes) -> Response:
    response = _response(data, output, failure.code)
    if failure.retry_after is not None:
        response.headers = response.headers.plus((b"Retry-After", b"%d" % failure.retry_after))
    if failure.nosniff:
        response.headers = response.headers.plus((b"X-Content-Type-Options", b"nosniff"))
    return response


def _response(data: bytes, output: Output, status: int) -> Response:
    headers = Headers([_NO_CACHE, (b"Content-Type", output.content_type)])
    return Response(status, headers, data if output.pretty or output.media != JSON else data + b"\n")


async def answer_list(call: Call, found: "Found") -> Response:
    """A list of objects."""
    resource, output = call.resource, call.output
    meta: Document = {"resourceVersion": str(found.revision)} if found.revision else {}
    if found.token or resource.custom:
        meta["continue"] = found.token
    if found.remaining is not None:
        meta["remainingItemCount"] = found.remaining
    if output.media == JSON and not output.pretty and not output.form:
        return await put_together(Response(200, _JSON_HEADERS), stored_pieces(resource, found.records, meta))
    headers = Headers([_NO_CACHE, (b"Content-Type", output.content_type)])
    return await put_together(Response(200, headers), shown_pieces(resource, found.records, meta, output))
