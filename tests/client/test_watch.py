import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.client.errors import Expired
from kubewright.client.watch import Event, Frames, Watch, WatchError
from kubewright.http import Headers, Response


def read(pieces: list[bytes]) -> list[Event]:
    async def stream() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    async def begin() -> Response:
        return Response(200, Headers(), stream())

    async def run() -> list[Event]:
        return [event async for event in Watch(begin)]

    return asyncio.run(run())


@given(st.lists(st.dictionaries(st.text(), st.integers(), max_size=3), max_size=5), st.data())
def test_pieces_may_end_anywhere(objects: list[dict[str, int]], data: st.DataObject) -> None:
    lines = b"".join(json.dumps({"type": "ADDED", "object": each}).encode() + b"\n" for each in objects)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=8)))
    pieces = [lines[start:end] for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
    frames = Frames()
    found = [json.loads(line)["object"] for piece in pieces for line in frames.feed(piece)]
    assert found == objects


def test_events_keep_their_objects_raw() -> None:
    (event,) = read([b'{"type": "ADDED", "object": {"a":  1}}\n'])
    assert (event.type, bytes(event.object)) == ("ADDED", b'{"a":  1}')


def test_an_error_is_raised_as_what_it_is() -> None:
    status = {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old resource version: 5 (100)"}
    with pytest.raises(Expired, match="too old resource version") as raised:
        read([json.dumps({"type": "ERROR", "object": status}).encode() + b"\n"])
    assert raised.value.code == 410


@pytest.mark.parametrize(
    "line", [b"nonsense\n", b"{}\n", b"[]\n", b'{"type": 3, "object": {}}\n', b'{"type": "\xff"}\n']
)
def test_what_is_no_event_is_told(line: bytes) -> None:
    with pytest.raises(WatchError, match="which is no event"):
        read([line])
