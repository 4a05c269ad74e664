"""Heads as they are sent."""

import asyncio
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright import clock
from kubewright.http import Headers
from kubewright.http.head import Date, request_head, response_head, whole_head, written

HEADERS = Headers([(b"A", b"b")])


@given(st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)))
def test_a_time_is_written_as_the_standard_library_writes_it(at: datetime) -> None:
    assert written(at) == format_datetime(at, usegmt=True)


def test_the_date_is_written_anew_when_the_second_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.new_event_loop()
    passed = 100.0
    monkeypatch.setattr(loop, "time", lambda: passed)
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 1, 1, 0, 0, int(passed) - 100, 250_000, UTC))
    date = Date(loop)
    assert date.line() == b"Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
    passed = 100.7
    assert date.line() is date.line()
    passed = 101.0
    assert date.line() == b"Date: Thu, 01 Jan 2026 00:00:01 GMT\r\n"
    loop.close()


def test_heads_end_where_the_body_begins() -> None:
    assert response_head(200, HEADERS, b"X: y\r\n") == b"HTTP/1.1 200 OK\r\nA: b\r\nX: y\r\n\r\n"
    assert whole_head(404, HEADERS, b"", 3) == b"HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 3\r\n\r\n"
    assert whole_head(204, HEADERS, b"", 0) == b"HTTP/1.1 204 No Content\r\nA: b\r\n\r\n"
    assert whole_head(599, HEADERS, b"", 0) == b"HTTP/1.1 599 \r\nA: b\r\nContent-Length: 0\r\n\r\n"
    assert request_head("GET", "/a", HEADERS.block, b"") == b"GET /a HTTP/1.1\r\nA: b\r\n\r\n"
