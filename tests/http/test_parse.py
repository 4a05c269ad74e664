"""However bytes are cut into packets, the same messages come out; and nothing else ever does."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.wire import cut, get, mutated

from kubewright.http import Body, ClientLimits, HttpError, RefusedError, Request, Response, ServerLimits
from kubewright.http.parse import RequestParser, ResponseParser

LIMITS = ServerLimits(target=200, head=400, headers=10, body=50)

REQUESTS = (
    get("/1?a=%C3%A9")
    + b"\r\n"
    + get("/2", "Content-Length: 5", "X-Long:  spaced \t", method="POST", body=b"hello")
    + get("/3", "Transfer-Encoding: chunked", method="PUT", body=b"3;e=1\r\nabc\r\n1\r\nd\r\n0\r\nT: x\r\n\r\n")
    + get("/4", "Connection: upgrade", "Upgrade: x", "Content-Length: 3", method="POST", body=b"abc")
    + get("/5", "Expect: 100-continue", "Content-Length: 0", method="PATCH")
    + get("http://h/6", "Host2: b", version="1.0")
)

RESPONSES: list[tuple[str, bytes]] = [
    ("GET", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: \xe9\r\n\r\nabc"),
    ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"),
    ("PUT", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"),
    ("GET", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nT: x\r\n\r\n"),
    ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n"),
    ("PATCH", b"HTTP/1.1 409 Conflict\r\nAudit-Id: 1\r\nContent-Length: 4\r\n\r\nnope"),
    ("GET", b"HTTP/1.1 200 \r\nConnection: close\r\n\r\nto the end"),
]


def read(body: object) -> bytes:
    """A body that has arrived."""
    return body if isinstance(body, bytes) else asyncio.run(_read(body))


async def _read(body: object) -> bytes:
    assert isinstance(body, Body)
    return await body.read()


def requests(pieces: list[bytes]) -> list[Request]:
    """What a parser makes of `pieces`."""
    parser = RequestParser(LIMITS)
    return [request for piece in pieces for request in parser.feed(piece)]


def told(request: Request) -> tuple[object, ...]:
    """Everything a request says."""
    return (
        request.method,
        request.target,
        request.headers.pairs,
        request.version,
        request.keep_alive,
        request.upgrade,
        request.expects,
        read(request.body),
    )


WHOLE = [told(request) for request in requests([REQUESTS])]


def test_requests_are_read() -> None:
    assert [(found[0], found[1], found[-1]) for found in WHOLE] == [
        ("GET", "/1?a=%C3%A9", b""),
        ("POST", "/2", b"hello"),
        ("PUT", "/3", b"abcd"),
        ("POST", "/4", b"abc"),
        ("PATCH", "/5", b""),
        ("GET", "http://h/6", b""),
    ]
    assert (b"x-long", b"spaced") in WHOLE[1][2]  # type: ignore[operator]  # the list of pairs


def test_a_cut_anywhere_makes_no_difference() -> None:
    for at in range(len(REQUESTS)):
        assert [told(request) for request in requests([REQUESTS[:at], REQUESTS[at:]])] == WHOLE, at


def test_byte_by_byte_makes_no_difference() -> None:
    assert [told(request) for request in requests([bytes([byte]) for byte in REQUESTS])] == WHOLE


@given(st.lists(st.integers(min_value=0, max_value=len(REQUESTS))))
def test_no_cuts_make_a_difference(cuts: list[int]) -> None:
    assert [told(request) for request in requests(cut(REQUESTS, cuts))] == WHOLE


def verdict(pieces: list[bytes]) -> tuple[list[tuple[str, str]], int | None]:
    """The requests found before an error, and its status."""
    parser = RequestParser(LIMITS)
    found: list[Request] = []
    status = None
    for piece in pieces:
        try:
            found += parser.feed(piece)
        except RefusedError as refused:
            found += parser.taken()
            status = refused.status
            break
        if parser.tail is not None:
            break
    return [(request.method, request.target) for request in found], status


@given(st.one_of(st.binary(max_size=300), mutated(REQUESTS)), st.lists(st.integers(0, 2000), max_size=10))
def test_whatever_comes_is_refused_or_understood_however_it_is_cut(data: bytes, cuts: list[int]) -> None:
    whole = verdict([data])
    assert verdict(cut(data, cuts)) == whole
    assert whole[1] in (None, 400, 413, 414, 417, 431, 501, 505)


@pytest.mark.parametrize(("expected", "status"), [("100-continue", None), ("100-Continue", None), ("much", 417)])
def test_nothing_but_to_go_on_can_be_expected(expected: str, status: int | None) -> None:
    assert verdict([get("/", f"Expect: {expected}", "Content-Length: 1")])[1] == status


@pytest.mark.parametrize(
    "lines",
    [[f"Impersonate-Group: g{number}" for number in range(4000)], ["X-Long: " + "x" * 1_000_000]],
    ids=["many", "long"],
)
def test_long_heads_are_taken(lines: list[str]) -> None:
    found = RequestParser(ServerLimits()).feed(get("/" + "x" * 250_000, *lines))
    assert len(found[0].headers.pairs) == len(lines) + 1


LINES = st.lists(
    st.sampled_from(["Host: a", "Accept: b", "Content-Length: 0", "Connection: close", "Upgrade: x"]), max_size=3
)


@given(
    st.lists(
        st.builds(
            lambda method, target, version, lines: get(target, *lines, method=method, version=version),
            st.sampled_from(["GET", "DELETE", "POST", "OPTIONS", "get"]),
            st.one_of(st.sampled_from(["/", "/a?b=%20", "*", "/" + "x" * 300]), st.text(max_size=3)),
            st.sampled_from(["1.1", "1.1", "1.0"]),
            st.one_of(st.just([]), LINES),
        ),
        max_size=6,
    )
)
def test_a_request_like_the_one_before_is_read_as_if_it_were_the_first(packets: list[bytes]) -> None:
    assert verdict(packets) == verdict([b"".join(packets)])


def test_a_request_like_the_one_before_has_a_target_of_its_own() -> None:
    parser = RequestParser(LIMITS)
    found = [request for target in ("/1", "/2?x", "/3") for request in parser.feed(get(target, "Accept: a"))]
    assert [request.target for request in found] == ["/1", "/2?x", "/3"]
    assert [request.headers.get(b"accept") for request in found] == [b"a"] * 3


def responses(cuts: list[int]) -> list[tuple[object, ...]]:
    """What a parser makes of the answers, each cut in pieces."""
    parser = ResponseParser(ClientLimits())
    found: list[tuple[object, ...]] = []
    for method, data in RESPONSES:
        parser.expect(method, "/")
        [response] = [response for piece in cut(data, cuts) if (response := parser.feed(piece))]
        if not parser.done:
            parser.eof()
        assert parser.done
        body = read(response.body)
        found.append((response.status, response.headers.pairs, body, response.trailers.pairs, parser.keep_alive))
    return found


ANSWERED = responses([])


def test_responses_are_read() -> None:
    assert [(status, body, keep) for status, _, body, _, keep in ANSWERED] == [
        (200, b"abc", True),
        (200, b"", True),
        (204, b"", True),
        (200, b"ab", True),
        (304, b"", True),
        (409, b"nope", True),
        (200, b"to the end", False),
    ]
    assert ANSWERED[3][3] == [(b"t", b"x")]


@given(st.lists(st.integers(0, 200)))
def test_no_cuts_make_a_difference_to_responses(cuts: list[int]) -> None:
    assert responses(cuts) == ANSWERED


@given(
    st.sampled_from(["GET", "HEAD", "CONNECT"]),
    st.one_of(st.binary(max_size=200), mutated(b"".join(data for _, data in RESPONSES))),
    st.lists(st.integers(0, 500), max_size=6),
)
def test_whatever_a_server_sends_is_an_answer_or_an_error(method: str, data: bytes, cuts: list[int]) -> None:
    parser = ResponseParser(ClientLimits(head=400))
    parser.expect(method, "/")
    found: list[Response] = []
    try:
        for piece in cut(data, cuts):
            if parser.done:
                break
            if response := parser.feed(piece):
                found.append(response)
        parser.eof()
    except HttpError:
        assert not parser.keep_alive
    assert len(found) <= 1


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "malformed response"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", "malformed response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer coding"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 500 + b"\r\n\r\n", "headers are more than"),
        (b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "an answer to nothing"),
        (b"SSH-2.0-OpenSSH\r\n", "malformed response"),
        (b"HTTP/1.1 200 OK\r\nX: a\r\n\tb\r\n\r\n", "malformed response"),
    ],
)
def test_what_is_no_response_is_told(data: bytes, problem: str) -> None:
    parser = ResponseParser(ClientLimits(head=400))
    parser.expect("GET", "/")
    with pytest.raises(HttpError, match=problem):
        parser.feed(data)


@pytest.mark.parametrize(
    "data", [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", RESPONSES[3][1][:-4]]
)
def test_an_end_before_the_end_is_an_error(data: bytes) -> None:
    parser = ResponseParser(ClientLimits())
    parser.expect("GET", "/")
    parser.feed(data)
    with pytest.raises(HttpError, match="before its answer was whole"):
        parser.eof()


def test_what_follows_a_switch_of_protocols_is_kept() -> None:
    parser = ResponseParser(ClientLimits())
    parser.expect("GET", "/")
    switching = b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nother bytes"
    response = parser.feed(switching)
    assert response is not None
    assert (response.status, parser.tail) == (101, b"other bytes")
