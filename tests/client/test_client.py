"""The client against a handler in this process, and against a real server."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from kubewright.client import Api, ApiError, Attempt, Client, LocalTransport, Retry, load_kubeconfig
from kubewright.client.errors import AlreadyExists, HeldBack, Invalid, NotFound, ServiceUnavailable, TooManyRequests
from kubewright.client.keywords import KeywordError
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError
from kubewright.http import DisconnectedError, Headers, Request, Response, Stream, TimedOutError
from kubewright.model.documents import DocumentError, UnsayableError
from kubewright.testing.real import RealCluster
from kubewright.trials.loop import run


def test_a_request_reaches_a_handler_in_this_process_as_it_would_a_server() -> None:
    asked: list[tuple[str, str, bytes | None, bytes]] = []

    async def handler(request: Request) -> Response:
        asked.append((request.method, request.target, request.headers.get(b"content-type"), await request.read()))
        return Response(200, Headers(), b'{"kind": "Thing"}')

    async def story() -> Any:
        async with Client(LocalTransport(handler)) as client:
            await client.patch("/apis/x", "merge", {"a": 1}, fieldManager="me & you", force=True, dryRun=None)
            return await client.get("/apis/x")

    assert asyncio.run(story()) == {"kind": "Thing"}
    assert asked == [
        ("PATCH", "/apis/x?fieldManager=me+%26+you&force=true", b"application/merge-patch+json", b'{"a":1}'),
        ("GET", "/apis/x", None, b""),
    ]


def test_a_watch_in_this_process_streams() -> None:
    async def handler(request: Request) -> Response:
        async def lines() -> AsyncIterator[bytes]:
            for name in ("a", "b"):
                yield json.dumps({"type": "ADDED", "object": {"metadata": {"name": name}}}).encode() + b"\n"

        return Response(200, Headers(), lines())

    async def story() -> list[str]:
        client = Client(LocalTransport(handler))
        return [json.loads(bytes(event.object))["metadata"]["name"] async for event in client.watch("/api/v1/pods")]

    assert asyncio.run(story()) == ["a", "b"]


def scripted(*answers: Response | Exception) -> tuple[Client, list[Request]]:
    """A client of a server that gives those answers, and what it was asked."""
    asked: list[Request] = []
    coming = iter(answers)

    def handler(request: Request) -> Response:
        asked.append(request)
        answer = next(coming)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Client(LocalTransport(handler)), asked


BUSY = Response(429, Headers([(b"retry-after", b"3")]), b"busy")
RETRY = Retry(entropy=Entropy(1))


def test_a_busy_server_is_asked_again_when_it_said() -> None:
    client, asked = scripted(BUSY, BUSY, Response(200, Headers(), b"{}"))

    async def story() -> float:
        assert await client.but(retry=RETRY).ask("POST", "/x", body=b"{}") == b"{}"
        return asyncio.get_running_loop().time()

    assert 6 <= run(story()) <= 6.6
    assert len(asked) == 3


def test_nothing_is_repeated_unless_the_client_was_told_to() -> None:
    client, asked = scripted(BUSY)

    async def story() -> None:
        with pytest.raises(TooManyRequests, match="busy") as refused:
            await client.ask("GET", "/x")
        assert refused.value.retry_after == 3

    run(story())
    assert len(asked) == 1


def test_a_server_that_asks_for_more_than_the_time_limit_is_not_waited_for() -> None:
    slow = Response(503, Headers([(b"retry-after", b"100")]), b"")
    client, asked = scripted(slow)

    async def story() -> float:
        with pytest.raises(ServiceUnavailable):
            await client.but(retry=RETRY).ask("GET", "/x")
        return asyncio.get_running_loop().time()

    assert run(story()) == 0
    assert len(asked) == 1


def test_a_read_is_repeated_after_a_lost_connection_and_a_write_is_not() -> None:
    client, asked = scripted(DisconnectedError("gone"), Response(200, Headers(), b"{}"), DisconnectedError("gone"))

    async def story() -> None:
        again = client.but(retry=RETRY)
        assert await again.ask("GET", "/x") == b"{}"
        with pytest.raises(DisconnectedError):
            await again.ask("PATCH", "/x", body=b"{}")

    run(story())
    assert [request.method for request in asked] == ["GET", "GET", "PATCH"]


@pytest.mark.parametrize("code", [200, 422])
def test_what_a_server_warns_of_is_logged_be_the_request_refused_or_not(
    code: int, caplog: pytest.LogCaptureFixture
) -> None:
    """That a field is not known may be why it is refused."""

    async def story() -> None:
        client, _ = scripted(Response(code, Headers([(b"Warning", b'299 - "unknown field \\"dota\\""')]), b"{}"))
        with contextlib.suppress(Invalid):
            await client.create("/api/v1/namespaces/default/configmaps", {})

    run(story())
    assert 'the server warns: unknown field "dota"' in caplog.text


def test_a_request_has_a_time_limit_over_all_its_parts() -> None:
    stream = Stream()

    async def slow(request: Request) -> Response:
        await asyncio.sleep(8)
        return Response(200, Headers(), stream)

    async def story() -> None:
        client = Client(LocalTransport(slow), timeout=10)
        with pytest.raises(TimedOutError, match="GET /x: not answered within 10 seconds"):
            await client.ask("GET", "/x")
        assert asyncio.get_running_loop().time() == 10

    run(story())
    assert stream.closed


def test_a_stream_is_limited_only_until_it_begins() -> None:
    async def story() -> None:
        stream = Stream()
        client = Client(LocalTransport(lambda request: Response(200, Headers(), stream)), timeout=1)
        async with client.watch("/x") as watch:
            asyncio.get_running_loop().call_later(100, stream.write, b'{"type": "ADDED", "object": {}}\n')
            assert (await anext(watch)).type == "ADDED"

    run(story())


def test_a_cancelled_request_gives_up_what_was_coming() -> None:
    stream = Stream()

    async def story() -> None:
        client = Client(LocalTransport(lambda request: Response(200, Headers(), stream)))
        task = asyncio.create_task(client.ask("GET", "/x"))
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    run(story())
    assert stream.closed


def test_every_attempt_is_told() -> None:
    told: list[Attempt] = []
    client, _ = scripted(BUSY, Response(200, Headers(), b"{}"), DisconnectedError("gone"))

    async def story() -> None:
        watched = client.but(retry=RETRY, observer=told.append)
        await watched.ask("POST", "/x", body=b"[1]")
        with pytest.raises(DisconnectedError):
            await watched.ask("DELETE", "/x")

    run(story())
    assert [msgspec.structs.replace(each, seconds=0) for each in told] == [
        Attempt("POST", "local", 429, 0, 3, 4, 1),
        Attempt("POST", "local", 200, 0, 3, 2, 2),
        Attempt("DELETE", "local", 0, 0, 0, 0, 1),
    ]


def test_a_gate_holds_back_writes_and_lets_reads_pass() -> None:
    client, asked = scripted(Response(200, Headers(), b"{}"), BUSY)
    opened = [True]

    def gate() -> None:
        if not opened.pop():
            raise RuntimeError("the lease is over")
        opened.append(False)

    async def story() -> None:
        gated = client.but(gate=gate, retry=RETRY)
        await gated.ask("GET", "/x")
        with pytest.raises(RuntimeError, match="the lease is over"):  # asked before the second attempt too
            await gated.ask("PATCH", "/x", body=b"{}")

    run(story())
    assert [request.method for request in asked] == ["GET", "PATCH"]


def test_a_write_waits_at_a_gate_that_says_when_it_may_open_and_no_longer_than_it_has_time() -> None:
    client, asked = scripted(Response(200, Headers(), b"{}"))
    told: list[Attempt] = []
    shut = 3

    def gate() -> None:
        nonlocal shut
        shut -= 1
        if shut >= 0:
            raise HeldBack("the lease is over", 2)

    async def story() -> float:
        nonlocal shut
        started = asyncio.get_running_loop().time()
        await client.but(gate=gate, observer=told.append).ask("PATCH", "/x", body=b"{}")
        shut = 100
        with pytest.raises(HeldBack, match="the lease is over"):
            await client.but(gate=gate, timeout=5).ask("PATCH", "/x", body=b"{}")
        return asyncio.get_running_loop().time() - started

    assert 9.9 < run(story()) < 10.1
    assert len(asked) == 1
    assert [(each.code, each.number) for each in told] == [(200, 1)]


def test_what_is_urgent_and_what_may_last_takes_no_place_from_others() -> None:
    client, asked = scripted(*(Response(200, Headers(), b"{}") for _ in range(3)))

    async def story() -> None:
        await client.ask("GET", "/x")
        await client.but(urgent=True).ask("GET", "/x")
        (await client.open("GET", "/x")).close()

    run(story())
    assert [request.lasting for request in asked] == [False, True, True]


def test_a_patch_of_no_kind_is_refused_before_anything_is_sent() -> None:
    client, asked = scripted()
    bogus: Any = "bogus"
    with pytest.raises(KubewrightError, match="PATCH /x: a patch is of the kind json, merge, strategic, apply, not"):
        run(client.patch("/x", bogus, {}))
    assert asked == []


def test_what_json_cannot_say_is_refused_before_anything_is_sent() -> None:
    client, asked = scripted()
    nothing = {"spec": {"share": float("nan")}}
    for sending in (client.create("/x", nothing), client.update("/x", nothing), client.patch("/x", "merge", nothing)):
        with pytest.raises(UnsayableError, match=r"spec\.share is nan"):
            run(sending)
    with pytest.raises(UnsayableError, match=r"'fieldSelector', 'metadata\.name=.*udc80': a lone"):
        run(client.get("/x", fieldSelector="metadata.name=\udc80"))
    assert asked == []


def test_a_setting_that_no_client_has_is_refused() -> None:
    client, _ = scripted()
    makes: list[Callable[..., object]] = [client.but, Api(client).but, partial(Client, client._transport)]
    for make in makes:
        with pytest.raises(KeywordError) as raised:
            make(timeot=1)
        assert str(raised.value) == "a client has no option 'timeot'; did you mean 'timeout'?"


@pytest.mark.parametrize("timeout", ["5", True, -1, float("nan")])
def test_a_time_limit_that_is_none_is_refused(timeout: Any) -> None:
    client, _ = scripted()
    with pytest.raises(KubewrightError, match=r"timeout=.* must be seconds, 0 or more, or None for no limit"):
        client.but(timeout=timeout)


@pytest.mark.parametrize(
    ("response", "kind", "message"),
    [
        (Response(502, Headers(), b"<html>bad gateway</html>"), ApiError, "GET /x: the server answered 502: <html>bad"),
        (Response(302, Headers(), b""), ApiError, "GET /x: the server answered 302"),
        (Response(404, Headers(), b"404 page not found"), NotFound, "404 page not found"),
        (Response(200, Headers(), b"<html>"), DocumentError, "the answer to GET /x, byte 0"),
        (Response(200, Headers(), b'{"kind": "Po'), DocumentError, "the answer to GET /x, byte 12"),
    ],
)
def test_a_server_that_answers_garbage_is_told_as_what_it_is(
    response: Response, kind: type[Exception], message: str
) -> None:
    async def story() -> None:
        client, _ = scripted(response)
        with pytest.raises(kind, match=message):
            await client.get("/x")

    run(story())


@pytest.mark.real
def test_the_verbs_work_on_a_real_server(real_cluster: RealCluster) -> None:
    maps = "/api/v1/namespaces/default/configmaps"

    async def story() -> list[str]:
        async with Client.connect(load_kubeconfig(real_cluster.kubeconfig)) as client:
            made = await client.create(maps, {"metadata": {"name": "client-test"}, "data": {"a": "é"}})
            with pytest.raises(AlreadyExists):
                await client.create(maps, {"metadata": {"name": "client-test"}})
            with pytest.raises(Invalid) as invalid:
                await client.create(maps, {"metadata": {"name": "No!"}})
            assert invalid.value.causes[0]["field"] == "metadata.name"
            seen: list[str] = []
            version = made["metadata"]["resourceVersion"]
            watch = client.watch(maps, resourceVersion=version, fieldSelector="metadata.name=client-test")
            await client.patch(f"{maps}/client-test", "json", [{"op": "add", "path": "/data/b", "value": "c"}])
            await client.update(f"{maps}/client-test", {"metadata": {"name": "client-test"}, "data": {"d": "e"}})
            await client.delete(f"{maps}/client-test", {"propagationPolicy": "Background"})
            async for event in watch:
                seen.append(event.type)
                if event.type == "DELETED":
                    break
            with pytest.raises(NotFound):
                await client.get(f"{maps}/client-test")
            return seen

    assert asyncio.run(story()) == ["MODIFIED", "MODIFIED", "DELETED"]
