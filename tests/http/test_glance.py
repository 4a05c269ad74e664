"""What is read at a glance says the same as when llhttp reads it, and what is unusual is left to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.wire import mutated

from kubewright.http import Body, ClientLimits, HttpError, Response
from kubewright.http.glance import glance
from kubewright.http.parse import ResponseParser

LIMITS = ClientLimits(head=400, headers=8)
PLAIN = (
    b"HTTP/1.1 201 Created\r\nAudit-Id: 1-2\r\nCache-Control: no-cache, private\r\nContent-Type: application/json\r\n"
    b"Date: Wed, 18 Nov 2026 06:31:00 GMT\r\nContent-Length: 7\r\nX-Late:  spaced \r\n\r\n"
    b'{"a":1}'
)


def read_slowly(data: bytes) -> Response | None:
    """What llhttp makes of it: nothing but a whole packet is taken at a glance. None if that is no whole answer."""
    parser = ResponseParser(LIMITS)
    parser.expect("PATCH", "/")
    try:
        found = [response for piece in (data[:1], data[1:]) if (response := parser.feed(piece)) is not None]
    except HttpError:
        return None
    if not (found and parser.done and parser.keep_alive):
        return None
    body = found[0].body
    found[0].body = body.taken() or b"" if isinstance(body, Body) else body
    return found[0]


def told(response: Response | None) -> tuple[object, ...] | None:
    return None if response is None else (response.status, response.headers.pairs, response.body)


def test_a_plain_answer_is_read_whole() -> None:
    found = glance(PLAIN, LIMITS)
    assert found is not None
    assert (found.status, found.body) == (201, b'{"a":1}')
    assert found.headers.get(b"audit-id") == b"1-2"
    assert (b"x-late" in found.headers, b"warning" in found.headers) == (True, False)
    assert told(found) == told(read_slowly(PLAIN))


@given(mutated(PLAIN))
def test_whatever_is_taken_at_a_glance_llhttp_takes_too_and_says_the_same(data: bytes) -> None:
    found = glance(data, LIMITS)
    assert found is None or told(found) == told(read_slowly(data))


@given(
    st.sampled_from([b"Content-Length", b"Connection", b"Transfer-Encoding", b"Content-Encoding", b"Upgrade", b"X"]),
    st.sampled_from([b"7", b"close", b"chunked", b"gzip", b"", b" 7", b"a\tb", b"\xe9", b"a\r\n b"]),
    st.booleans(),
)
def test_a_field_that_says_how_to_read_on_is_not_passed_over(name: bytes, value: bytes, first: bool) -> None:
    line = b"%b: %b\r\n" % (name, value)
    place = b"Audit-Id" if first else b"X-Late"
    data = PLAIN.replace(place, line + place)
    found = glance(data, LIMITS)
    assert found is None or (name == b"X" and told(found) == told(read_slowly(data)))


@pytest.mark.parametrize(
    "data",
    [
        PLAIN + b"H",
        PLAIN[:-1],
        PLAIN.replace(b"201 Created", b"204 No Content"),
        PLAIN.replace(b"201 Created", b"101 Switching Protocols"),
        PLAIN.replace(b"HTTP/1.1", b"HTTP/1.0"),
        PLAIN.replace(b"1-2", b"x" * 400),
        PLAIN.replace(b"Audit-Id", b"A: b\r\n" * 8 + b"Audit-Id"),
        b"",
    ],
)
def test_what_is_not_one_whole_answer_within_the_limits_takes_a_closer_look(data: bytes) -> None:
    assert glance(data, LIMITS) is None
