"""Scripts run against a handler in this process."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.referee.language import Script, ask, close, events, get, post, script, until, watch
from tests.referee.run import SetupFailed, Transcript, run

from kubewright.client import LocalTransport
from kubewright.http import Headers, Request, Response
from kubewright.trials.loop import run as simulate

JSON = Headers([(b"Content-Type", b"application/json"), (b"Cache-Control", b"no-cache, private")])


class Server:
    """Answers what it is told to, by path, and remembers what it was asked."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {"api/v1/namespaces": (201, {})} | {path.replace("_", "/"): to for path, to in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, request: Request) -> Response:
        self.asked.append(f"{request.method} {request.target} {(await request.read()).decode()}".strip())
        answer = self.answers[request.path.strip("/")]
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        code, body = answer
        return Response(code, JSON, body if not isinstance(body, dict) else json.dumps(body).encode())


def transcript(server: Server, *steps: Any, setup: tuple[Any, ...] = ()) -> Transcript:
    made: Script = script("it", "X-1", *steps, setup=setup)
    return simulate(run("family/it", made, LocalTransport(server)))


def test_a_step_is_written_down_with_code_and_body() -> None:
    server = Server(a=(200, {"x": 1}))
    assert transcript(server, get("/a?q=1")) == [{"ask": "GET /a?q=1", "code": 200, "body": {"x": 1}}]


def test_what_is_kept_can_be_sent() -> None:
    server = Server(a=(200, {"metadata": {"uid": "u-1"}}), b=(200, {}))
    transcript(server, get("/a", keep="a"), post("/b", {"uid": "{a.metadata.uid}"}))
    assert server.asked[1] == 'POST /b {"uid": "u-1"}'


def test_a_namespace_is_made_for_scripts_that_use_one() -> None:
    server = Server(**{"api_v1_namespaces_family-it_configmaps": (200, {})})
    transcript(server, get("{configmaps}"))
    assert server.asked[0].startswith("POST /api/v1/namespaces")
    transcript(other := Server(a=(200, {})), get("/a"))
    assert other.asked == ["GET /a"]


def test_a_setup_that_fails_is_told() -> None:
    with pytest.raises(SetupFailed, match="GET /a answered"):
        transcript(Server(a=(500, {})), setup=(get("/a"),))


def test_until_takes_the_first_answer_that_has_what_is_wanted() -> None:
    server = Server(a=[(404, {}), (200, {"c": [{"t": "x"}]}), (200, {"c": [{"t": "x"}, {"t": "y", "s": 1}], "d": 2})])
    (step,) = transcript(server, until(get("/a", only="d"), has={"c": [{"t": "y"}]}))
    assert step["body"] == {"d": 2}


def test_until_gives_up_at_last() -> None:
    (step,) = transcript(Server(a=(404, {})), until(get("/a")))
    assert step["timeout"]
    assert step["last"]["code"] == 404


def test_a_tuple_is_had_by_a_list_as_long() -> None:
    server = Server(a=[(200, {"c": [1, 2]}), (200, {"c": [2]})])
    (step,) = transcript(server, until(get("/a"), has={"c": (2,)}))
    assert step["body"] == {"c": [2]}


async def _stream() -> AsyncIterator[bytes]:
    yield b'{"type":"ADDED","object":{"n":1}}\n{"type":"BOOKMARK","obj'
    yield b'ect":{}}\n{"type":"ADDED","object":{"n":2}}\n{"type":"DELETED","object":{"n":3}}\n'


def test_events_are_read_as_they_are_asked_for() -> None:
    server = Server(a=[(200, _stream()), (200, _stream()), (200, _stream())])
    steps = transcript(
        server,
        watch("w", "/a?watch=1"),
        events("w", 2),
        events("w"),
        watch("v", "/a?watch=1"),
        events("v", stop="BOOKMARK"),
        close("v"),
        events("nobody", 1),
    )
    assert [event["object"].get("n") for event in steps[1]["events"]] == [1, 2]
    assert [event["type"] for event in steps[2]["events"]] == ["DELETED"]
    assert steps[2]["ended"]
    assert [event["type"] for event in steps[4]["events"]] == ["ADDED", "BOOKMARK"]
    assert steps[6]["closed"]


async def _silent() -> AsyncIterator[bytes]:
    yield b'{"type":"ADDED","object":{}}\n'
    await asyncio.get_running_loop().create_future()


def test_an_event_that_does_not_come_is_a_timeout() -> None:
    _, step = transcript(Server(a=(200, _silent())), watch("w", "/a?watch=1"), events("w", 2))
    assert step["timeout"]
    assert len(step["events"]) == 1


def test_a_watch_that_is_refused_is_an_answer() -> None:
    (step,) = transcript(Server(a=(410, {"reason": "Expired"})), watch("w", "/a?watch=1"))
    assert step == {"ask": "GET /a?watch=1", "code": 410, "body": {"reason": "Expired"}}


def test_parts_are_kept_left_out_sorted_and_masked() -> None:
    body = {"l": [{"x": 2}, {"x": 1}], "m": "secret", "d": {"description": "a", "e": [{"description": "b", "f": 1}]}}
    server = Server(a=(200, body))
    (step,) = transcript(server, get("/a", unordered="l", masked="m", without="** description"))
    assert step["body"] == {"l": [{"x": 1}, {"x": 2}], "m": "<masked>", "d": {"e": [{"f": 1}]}}
    (step,) = transcript(server, get("/a", only=("l * x", "d e 0")))
    assert step["body"] == {"l * x": [2, 1], "d e 0": {"description": "b", "f": 1}}


def test_the_causes_of_a_custom_resource_are_put_in_order() -> None:
    causes = [{"field": "b", "message": "B"}, {"field": "a", "message": "A"}]
    status = {"kind": "Status", "message": "no: [b: B, a: A]", "details": {"group": "x.example.com", "causes": causes}}
    (step,) = transcript(Server(a=(422, status)), ask("POST", "/a"))
    assert step["body"]["message"] == "no: [a: A, b: B]"
    assert step["body"]["details"]["causes"][0]["field"] == "a"


def test_headers_that_are_unusual_are_written_down() -> None:
    async def handler(request: Request) -> Response:
        return Response(299, Headers([(b"Warning", b"one"), (b"warning", b"two"), (b"Date", b"now")]), b"text")

    made = script("it", "X-1", get("/a"))
    (step,) = simulate(run("family/it", made, LocalTransport(handler)))
    assert step == {"ask": "GET /a", "code": 299, "headers": {"Warning": ["one", "two"]}, "text": "text"}


def test_a_server_that_asks_to_come_back_is_asked_again() -> None:
    answers = [b'{"message":"storage is (re)initializing"}', b'{"message":"too many"}']

    async def handler(request: Request) -> Response:
        return Response(429, Headers([(b"Content-Type", b"application/json")]), answers.pop(0))

    (step,) = simulate(run("family/it", script("it", "X-1", get("/a")), LocalTransport(handler)))
    assert step["code"] == 429
    assert step["body"] == {"message": "too many"}
