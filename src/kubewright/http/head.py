"""Messages to bytes: start lines and the lines that say where a message ends."""

import asyncio
import re
from datetime import datetime
from http import HTTPStatus

from kubewright import clock
from kubewright.http.headers import Headers

__all__ = [
    "BODILESS",
    "CONTINUE",
    "JOINED",
    "LAST_CHUNK",
    "Date",
    "request_head",
    "response_head",
    "whole_head",
    "written",
]

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"

#: Bytes of a body that are copied behind the head, so that one packet holds both.
JOINED = 64 * 1024

#: Answers that have no body, and say no length.
BODILESS = frozenset((*range(100, 200), 204, 304))

STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus}


#: All characters but blanks and those that control; in half the time that asking for each property of a text takes.
TARGET = re.compile("[!-~]+")

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def written(at: datetime) -> str:
    """A time in UTC as HTTP writes it: in English whatever the locale. (`email.utils` takes 6 ms to load.)"""
    day, month = DAYS[at.weekday()], MONTHS[at.month - 1]
    return f"{day}, {at.day:02} {month} {at.year:04} {at.hour:02}:{at.minute:02}:{at.second:02} GMT"


class Date:
    """The Date line, written anew once a second."""

    __slots__ = ("_line", "_loop", "_until")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._until = 0.0
        self._line = b""

    def line(self) -> bytes:
        """The line for a message sent now."""
        at = self._loop.time()
        if at >= self._until:
            now = clock.now()
            self._until = at + 1 - now.microsecond / 1_000_000
            self._line = f"Date: {written(now)}\r\n".encode()
        return self._line


def response_head(status: int, headers: Headers, framing: bytes) -> bytes:
    """A response up to its body; `framing` is the last lines, each with its line end."""
    line = STATUS_LINES.get(status) or b"HTTP/1.1 %d \r\n" % status
    return b"%b%b%b\r\n" % (line, headers.block, framing)


def whole_head(status: int, headers: Headers, framing: bytes, length: int) -> bytes:
    """The head of a response whose body is there and `length` bytes long."""
    if status in BODILESS:
        return response_head(status, headers, framing)
    line = STATUS_LINES.get(status) or b"HTTP/1.1 %d \r\n" % status
    return b"%b%b%bContent-Length: %d\r\n\r\n" % (line, headers.block, framing, length)


def request_head(method: str, target: str, lines: bytes, framing: bytes) -> bytes:
    """A request up to its body; a `ValueError` for a method or target that would break out of its line.

    `lines` are its fields, `framing` those that say where it ends, each with its line end.
    """
    if not method.isalpha() or not method.isascii():
        raise ValueError(f"{method!r} is no HTTP method")
    if TARGET.fullmatch(target) is None:
        raise ValueError(f"the target {target!r} holds what must be percent-encoded, or nothing")
    return f"{method} {target} HTTP/1.1\r\n".encode() + lines + framing + b"\r\n"
