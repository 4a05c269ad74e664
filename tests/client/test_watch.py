import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.client import Access, Client
from kubewright.client.errors import Expired
from kubewright.client.retry import Retry
from kubewright.client.watch import Event, Frames, Watch, WatchError
from kubewright.http import Body, ClientClosedError, DisconnectedError, Headers, Request, Response, Server, Stream


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


def watch(*pieces: bytes) -> tuple[Watch, Response]:
    stream = Stream()
    response = Response(200, Headers(), stream)
    for piece in pieces:
        stream.write(piece)

    async def begin() -> Response:
        return response

    return Watch(begin), response


LINE = b'{"type": "ADDED", "object": {"n": %d}}\n'


def test_events_before_an_error_are_given_out_first() -> None:
    status = {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}
    lines = LINE % 1 + json.dumps({"type": "ERROR", "object": status}).encode() + b"\n"

    async def story() -> None:
        events, response = watch(lines)
        assert (await anext(events)).type == "ADDED"
        with pytest.raises(Expired):
            await anext(events)
        assert isinstance(response.body, Body)
        assert response.body.dropped

    asyncio.run(story())


def test_a_batch_is_all_that_has_come() -> None:
    async def story() -> None:
        events, response = watch(LINE % 1 + LINE % 2, LINE % 3 + b'{"type"')
        assert [bytes(each.object) for each in await events.batch()] == [b'{"n": 1}', b'{"n": 2}', b'{"n": 3}']
        events.close()
        assert isinstance(response.body, Body)
        assert response.body.dropped
        assert await events.batch() == []

    asyncio.run(story())


def test_half_an_event_at_the_end_is_told() -> None:
    with pytest.raises(WatchError, match="ended in the middle of an event"):
        read([LINE % 1 + b'{"type": "ADD'])


def test_a_watch_that_nobody_holds_lets_go_of_its_stream() -> None:
    async def story() -> None:
        events, response = watch(LINE % 1)
        async for _ in events:
            break
        assert isinstance(response.body, Body)
        assert not response.body.dropped
        del events
        assert response.body.dropped

    asyncio.run(story())


def test_a_watch_whose_waiting_is_cancelled_lets_go_of_its_stream() -> None:
    async def story() -> None:
        events, response = watch()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await anext(events)
        assert isinstance(response.body, Body)
        assert response.body.dropped
        assert [each async for each in events] == []

    asyncio.run(story())


def test_a_last_event_whose_line_has_no_end_is_given_out() -> None:
    assert [bytes(each.object) for each in read([LINE % 1 + (LINE % 2).rstrip()])] == [b'{"n": 1}', b'{"n": 2}']
    status = {"kind": "Status", "code": 410, "reason": "Expired", "message": "too old"}
    with pytest.raises(Expired):
        read([json.dumps({"type": "ERROR", "object": status}).encode()])


def test_a_watch_that_is_closed_while_it_is_waited_for_ends() -> None:
    async def story() -> None:
        events, _ = watch(LINE % 1)
        asyncio.get_running_loop().call_later(0.01, events.close)
        async with asyncio.timeout(5):
            assert [bytes(each.object) async for each in events] == [b'{"n": 1}']

    asyncio.run(story())


def test_a_watch_that_is_closed_while_it_begins_lets_go_of_its_stream() -> None:
    async def story() -> None:
        response = Response(200, Headers(), Stream())
        begun = asyncio.Event()

        async def begin() -> Response:
            begun.set()
            await asyncio.sleep(0)
            return response

        events = Watch(begin)
        first = asyncio.ensure_future(anext(events, None))
        await begun.wait()
        events.close()
        assert await first is None
        assert isinstance(response.body, Stream)
        assert response.body.closed

    asyncio.run(story())


def test_who_closes_a_watch_or_the_client_does_not_blame_the_server() -> None:
    async def endless(request: Request) -> Response:
        return Response(200, Headers(), Stream())

    async def story() -> None:
        server = Server(endless)
        port = await server.listen("127.0.0.1", 0)
        client = Client.connect(Access(server=f"http://127.0.0.1:{port}"), retry=Retry())
        events = client.watch("/api/v1/pods")
        await events.start()
        asyncio.get_running_loop().call_later(0.01, events.close)
        async with asyncio.timeout(5):
            assert [each async for each in events] == []
            events = client.watch("/api/v1/pods")
            await events.start()
            waiting = asyncio.ensure_future(anext(events))
            await asyncio.sleep(0)
            await client.close()
            with pytest.raises(DisconnectedError, match="this client was closed"):
                await waiting
        async with asyncio.timeout(0.05):  # at once: nothing is tried again
            with pytest.raises(ClientClosedError, match="this client is closed"):
                await client.get("/api/v1/pods")
        await server.stop(grace=0)

    asyncio.run(story())
