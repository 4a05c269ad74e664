"""A list, piece by piece: however long it is, no piece takes the loop for more than a moment.

    head ── items ── items ── … ── tail

What is served as it is stored is put together of the bytes of its items. For every other form some items at a time are
decoded, shown and encoded, and their text is cut out of what stands around it; what that is, is found by encoding the
list with a mark in the place of its items.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, Final

import msgspec

from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.turn import in_turns
from kubewright.cluster.wire.form import encode, encode_in_steps, list_form
from kubewright.cluster.wire.media import JSON, PROTOBUF, YAML
from kubewright.cluster.wire.negotiate import Output
from kubewright.http import Response
from kubewright.model.piecemeal import decode_in_steps

__all__ = ["put_together", "shown_pieces", "stored_pieces"]

Document = dict[str, Any]
Pieces = AsyncGenerator[bytes, None]

#: About so many bytes are a piece.
_SIZE: Final = 128 * 1024
#: So many items are decoded for a piece.
_ITEMS: Final = 64
#: To put one into protobuf or YAML, or to make it pretty, takes longer.
_FEW: Final = 12
_DEAR: Final = 64 * 1024
_MARK: Final = "mark"


async def put_together(response: Response, pieces: Pieces) -> Response:
    """The response with these pieces as its body; with their bytes, if it is but a few.

    The first of them are made here: what is wrong with a list is found while it can still be said.
    """
    begun: list[bytes] = []
    async for piece in pieces:
        begun.append(piece)
        if sum(map(len, begun)) > _SIZE:
            response.body = _go_on(b"".join(begun), pieces)
            return response
    response.body = b"".join(begun)
    return response


async def _go_on(begun: bytes, pieces: Pieces) -> Pieces:
    yield begun
    async for piece in pieces:
        yield piece


async def stored_pieces(resource: Resource, records: list[Record], meta: Document) -> Pieces:
    """Of a list in plain JSON."""
    cut = len(resource.item_prefix)
    pieces = [
        b'{"kind":%b,"apiVersion":%b,"metadata":%b,"items":['
        % tuple(msgspec.json.encode(part) for part in (resource.names.list_kind, resource.api_version, meta))
    ]
    size = 0
    for start in range(0, len(records), _ITEMS):
        for item in await _seen(resource, records[start : start + _ITEMS]):
            pieces += (b"{" + item[cut:] if cut else item, b",")
            size += len(item)
            if size > _SIZE:
                comma = pieces.pop()
                yield b"".join(pieces)
                await asyncio.sleep(0)
                pieces, size = [comma], 0
    if pieces[-1] == b",":
        pieces.pop()
    yield b"".join(pieces)
    yield b"]}\n"


async def _seen(resource: Resource, records: list[Record]) -> list[bytes]:
    """Some objects as JSON, seen in one step: what a webhook converted is forgotten when its definition is replaced."""
    if resource.view.remote:
        await resource.view.fetch(records)
    return [resource.view.data(record) for record in records]


async def _decoded(some: list[bytes]) -> list[Document]:
    if sum(map(len, some)) <= _SIZE:
        return [msgspec.json.decode(data) for data in some]
    documents: list[Document] = []
    size = 0
    for data in some:
        size += len(data)
        if size > _SIZE:
            await asyncio.sleep(0)
            size = 0
        documents.append(await in_turns(decode_in_steps(data)))
    return documents


async def shown_pieces(resource: Resource, records: list[Record], meta: Document, output: Output) -> Pieces:
    """Of a list in any other form: a Table, metadata alone, pretty, YAML, protobuf."""
    head: Document = {"kind": resource.names.list_kind, "apiVersion": resource.api_version, "metadata": meta}

    few = _ITEMS if output.media == JSON and not output.pretty else _FEW

    async def shown(start: int) -> Document:
        some = await _seen(resource, records[start : start + few])
        items = await _decoded(some)
        return list_form(head | {"items": [resource.item(each) for each in items]}, output, resource.columns)

    if output.media == PROTOBUF:
        async for piece in _packed(shown, records):
            yield piece
        return
    end = b"" if output.pretty or output.media != JSON else b"\n"
    first = await shown(0)
    if len(records) <= few:
        yield await in_turns(encode_in_steps(first, output)) + end
        return
    key = "rows" if "rows" in first else "items"
    before, _, after = _around({}, key, output)
    opening, between, closing = _around(first, key, output)
    text = await in_turns(encode_in_steps({key: first[key]}, output))
    yield opening + text[len(before) : -len(after)]
    for start in range(few, len(records), few):
        await asyncio.sleep(0)
        text = await in_turns(encode_in_steps({key: (await shown(start))[key]}, output))
        yield between + text[len(before) : -len(after)]
    yield closing + end


async def _packed(shown: Callable[[int], Coroutine[Any, Any, Document]], records: list[Record]) -> Pieces:
    """Of a list in protobuf, which begins with its length."""
    from kubewright.cluster.wire.protobuf.envelope import enclose, pack, pack_in_steps

    pieces: list[bytes] = []
    for start in range(0, len(records) or 1, _FEW):
        some = await shown(start)
        api_version, kind = some["apiVersion"], some["kind"]
        # What all parts have in common is told once.
        part = {"items": some["items"]} if pieces else some
        if sum(len(record.value or b"") for record in records[start : start + _FEW]) > _DEAR:
            pieces.append(await in_turns(pack_in_steps(api_version, kind, part)))
        else:
            pieces.append(pack(api_version, kind, part))
        await asyncio.sleep(0)
    for piece in enclose(api_version, kind, pieces):
        yield piece


def _around(document: Document, key: str, output: Output) -> list[bytes]:
    """What stands before, between and behind the members of a list in a document."""
    mark = _MARK
    while mark.encode() in encode(document | {key: []}, output):
        mark += "k"
    spelled = mark if output.media == YAML else f'"{mark}"'
    return encode(document | {key: [mark, mark]}, output).split(spelled.encode())
