"""Bytes to messages: what llhttp reports, put together and checked. No sockets, no clock.

`feed` takes whatever the network delivered and returns the messages whose heads it completed; bodies arrive in them as
they are fed. However a byte stream is cut into pieces, the same messages come out. llhttp is kept strict (bare line
feeds, two lengths, a length beside chunks, folded lines are errors); on top of it come the limits it does not have and
what it lets pass: other versions, transfer codings besides `chunked`, a missing Host.

Clients repeat themselves: on one connection only the first line of most requests is new. So a packet that is one whole
request, whose header lines are byte for byte those llhttp accepted before, is not given to it again. What such a line
may be is narrower than what llhttp takes; all else takes the long way, and the verdict is the same.

After an error the parser is spent: where the next message starts is anyone's guess, and guessing is how requests are
smuggled.
"""

import re
from collections.abc import Callable

import httptools

from kubewright.http.body import Body, Source
from kubewright.http.errors import DisconnectedError, HttpError, ProtocolError, RefusedError
from kubewright.http.glance import glance
from kubewright.http.headers import EMPTY, Headers
from kubewright.http.limits import ClientLimits, ServerLimits
from kubewright.http.message import Link, Request, Response

__all__ = ["RequestParser", "ResponseParser"]

SLACK = 64 * 1024  # bytes of a head that has no end yet are counted by the packet
SLACK_LINES = 1000  # and so are its lines

CHUNKED = b"chunked"

#: The first line of a request without a body, and nothing unusual in it.
PLAIN_LINE = re.compile(rb"(GET|HEAD|DELETE|OPTIONS) (/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*) HTTP/1\.1")
WITHOUT_BODY = ("HEAD", "CONNECT")


class RequestParser:
    """One connection's requests. `tail` is what follows a request that asks for another protocol; None otherwise."""

    def __init__(self, limits: ServerLimits, link: Link | None = None, source: Source | None = None) -> None:
        self.limits = limits
        self.link = link
        self.source = source
        self.tail: bytes | None = None
        self.in_head = False  # a head has begun and not ended
        self.in_body = False  # a body has begun and not ended
        self.left: int | None = 0  # bytes of the body that are still to come, None where only its end will tell
        self._seen: list[tuple[bytes, bytes]] = []
        seen = self._seen.append
        self.on_header: Callable[[bytes, bytes], None] = lambda name, value: seen((name, value))  # called most often
        self._most = limits.target + limits.head + SLACK
        self._parser = httptools.HttpRequestParser(self)
        self._ready: list[Request] = []
        self._target = b""
        self._body: Body | None = None
        self._taken = 0  # bytes of the body so far
        self._silent = 0  # bytes fed since a head or a piece of a body was whole
        self._last = False  # the peer said it sends nothing after this request
        self._known_lines: bytes | None = None  # header lines of a request without a body, accepted before
        self._known = EMPTY

    def feed(self, data: bytes) -> list[Request]:
        """The requests that begin in `data`; `RefusedError` for what is none (`taken` has those before it)."""
        between = not (self.in_head or self.in_body or self._last)
        if between:
            line, _, lines = data.partition(b"\r\n")
            if lines == self._known_lines:
                plain = PLAIN_LINE.fullmatch(line)
                if plain is not None and len(plain[2]) <= self.limits.target:
                    return [Request(plain[1].decode(), plain[2].decode(), self._known, link=self.link)]
        found = self._fed(data)
        if between and len(found) == 1 and found[0].body == b"" and data.endswith(b"\r\n\r\n"):
            self._remember(found[0], data)
        return found

    def _remember(self, request: Request, data: bytes) -> None:
        """Know these header lines again."""
        usual = not (self.in_head or self._last or request.upgrade) and request.version == "1.1"
        line, _, lines = data.partition(b"\r\n")
        if usual and PLAIN_LINE.fullmatch(line) is not None and lines.count(b"\r\n\r\n") == 1:
            self._known_lines, self._known = lines, request.headers

    def _fed(self, data: bytes) -> list[Request]:
        self._silent += len(data)
        while True:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                data = data[upgrade.args[0] :]
                if self._body is not None:
                    self._read_body_of_upgrade()
                    continue
                self.tail = data
            except httptools.HttpParserError as error:
                self._broken(error)
            break
        if self._silent > self._most or len(self._seen) > self.limits.headers + SLACK_LINES:
            raise self.fail(RefusedError(431, "the request's head, or a line of its body, is too long"))
        return self.taken()

    def resume(self) -> list[Request]:
        """Go on after an upgrade that was declined: what follows is HTTP again."""
        data, self.tail = self.tail or b"", None
        return self._fed(data)

    def taken(self) -> list[Request]:
        """The requests whose heads are whole, each once."""
        ready, self._ready = self._ready, []
        return ready

    def _broken(self, error: httptools.HttpParserError) -> None:
        if isinstance(error.__context__, RefusedError):
            raise self.fail(error.__context__) from None
        if not self._last or self.in_body:  # what follows a last request is not read, so it cannot be wrong
            raise self.fail(RefusedError(400, f"malformed request: {error}")) from None

    def fail(self, refused: RefusedError) -> RefusedError:
        """What is being read will not become whole; its reader learns why."""
        if self._body is not None:
            self._body.fail(refused)
        return refused

    def _read_body_of_upgrade(self) -> None:
        """Replace the parser, which will not read this body, by one that will.

        Another protocol begins after a head, never after a body; so a request with both is an ordinary one whose
        `Upgrade` is ignored. llhttp leaves such a body to its caller: a new parser is told of a head with the same
        length, in silence, and goes on from there.
        """
        length = b"Content-Length: %d" % self.left if self.left is not None else b"Transfer-Encoding: chunked"
        callbacks = _AfterHead(self)
        self._parser = httptools.HttpRequestParser(callbacks)
        self._parser.feed_data(b"POST / HTTP/1.1\r\n%b\r\n\r\n" % length)
        callbacks.silent = False

    # What llhttp calls.

    def on_message_begin(self) -> None:
        self.in_head = True

    def on_url(self, part: bytes) -> None:
        self._target = self._target + part if self._target else part
        if len(self._target) > self.limits.target:
            raise RefusedError(414, f"the request's target is longer than {self.limits.target} bytes")

    def on_headers_complete(self) -> None:
        parser, limits = self._parser, self.limits
        pairs = [(name.lower(), value.rstrip(b" \t")) for name, value in self._seen]
        headers = Headers.parsed(pairs)
        request = Request(parser.get_method().decode(), self._target.decode("latin-1"), headers, link=self.link)
        self._seen.clear()
        self._target, self.in_head = b"", False
        if len(pairs) > limits.headers:
            raise RefusedError(431, f"the request has more than {limits.headers} headers")
        # The sum is needed only if what was fed could be too much.
        if self._silent > limits.head and sum(len(name) + len(value) for name, value in pairs) > limits.head:
            raise RefusedError(431, f"the request's headers are longer than {limits.head} bytes")
        self._silent = 0
        request.keep_alive = parser.should_keep_alive()
        self._last = not request.keep_alive
        version = parser.get_http_version()
        if version != "1.1":
            if version != "1.0":
                raise RefusedError(505, f"HTTP/{version} is not spoken here: use HTTP/1.1")
            request.version = version
        index = headers.index
        if len(index) != len(pairs) and len(headers.all(b"host")) > 1:
            raise RefusedError(400, "the request has more than one Host")
        if b"host" not in index and version == "1.1":
            raise RefusedError(400, "the request has no Host")
        if (expected := index.get(b"expect")) is not None and expected.lower() != b"100-continue":
            raise RefusedError(417, "nothing but 100-continue can be expected here")
        length = index.get(b"content-length")
        if length is not None:
            self.left = int(length)
        elif b"transfer-encoding" in index:
            if index[b"transfer-encoding"].lower() != CHUNKED:
                raise RefusedError(501, "a transfer coding besides chunked is not spoken here")
            if version != "1.1":
                raise RefusedError(400, "an HTTP/1.0 request has no Transfer-Encoding")
            self.left = None
        else:
            self.left = 0
        if self.left != 0:
            request.body = self._body = Body(self.source)
            self.in_body = True
            self._taken = 0
            request.expects = version == "1.1" and index.get(b"expect", b"").lower() == b"100-continue"
            if self.left is not None and self.left > self.limits.body:
                self._body.fail(self._too_large())
        else:
            request.upgrade = parser.should_upgrade()
        self._ready.append(request)

    def on_body(self, data: bytes) -> None:
        body = self._body
        self._silent = 0
        if body is None:
            return
        self._taken += len(data)
        if self.left is not None:
            self.left -= len(data)
        if self._taken > self.limits.body:
            body.fail(self._too_large())
        else:
            body.feed(data)

    def on_chunk_complete(self) -> None:
        self._silent = 0

    def on_message_complete(self) -> None:
        self._silent = 0
        if self._body is not None:
            if self._parser.should_upgrade():
                return  # llhttp calls a message complete whose body it did not read
            self._body.finish()
            self._body = None
            self.in_body = False
            self._seen.clear()  # trailers, which nobody asks for

    def _too_large(self) -> RefusedError:
        return RefusedError(413, f"the request's body is longer than {self.limits.body} bytes")


class _AfterHead:
    """The callbacks of a parser that takes over after a head: silent while it is fed one that was read already."""

    def __init__(self, parser: RequestParser) -> None:
        self.parser = parser
        self.silent = True
        self.on_body = parser.on_body
        self.on_chunk_complete = parser.on_chunk_complete
        self.on_message_complete = parser.on_message_complete

    def on_message_begin(self) -> None:
        if not self.silent:
            self.parser.on_message_begin()

    def on_url(self, part: bytes) -> None:
        if not self.silent:
            self.parser.on_url(part)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.silent:
            self.parser.on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self.silent:
            self.parser.on_headers_complete()


class ResponseParser:
    """One connection's responses, one for each `expect`. `tail` is what follows a `101`; None otherwise."""

    def __init__(self, limits: ClientLimits, source: Source | None = None) -> None:
        self.limits = limits
        self.source = source
        self.tail: bytes | None = None
        self.done = True  # no response is awaited
        self.keep_alive = False  # another request may follow on the connection
        self._method = "GET"
        self._about = ""
        self._ready: Response | None = None
        self._response: Response | None = None
        self._seen: list[tuple[bytes, bytes]] = []
        seen = self._seen.append
        self.on_header: Callable[[bytes, bytes], None] = lambda name, value: seen((name, value))  # called most often
        self._parser = httptools.HttpResponseParser(self)
        self._body: Body | None = None
        self._until_close = False
        self._begun = False  # llhttp has seen some of the answer
        self._silent = 0  # bytes fed since a head or a piece of a body was whole

    def expect(self, method: str, about: str) -> None:
        """A request was sent; what comes next is its answer. Errors begin with `about`."""
        if self._method in WITHOUT_BODY:  # llhttp still waits for the body that such an answer only announces
            self._parser = httptools.HttpResponseParser(self)
        self._method, self._about, self.done, self.keep_alive = method, about, False, False
        self._ready = self._response = self._body = None
        self._begun = method in WITHOUT_BODY  # of such an answer the length says nothing

    def feed(self, data: bytes) -> Response | None:
        """The response whose head `data` completes; `ProtocolError` for what is none."""
        if not (self._begun or self.done):
            self._begun = True
            if (plain := glance(data, self.limits)) is not None:
                self.done = self.keep_alive = True
                return plain
        self._silent += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self.tail = data[upgrade.args[0] :]
        except httptools.HttpParserError as error:
            found = error.__context__
            problem = str(found) if isinstance(found, ProtocolError) else f"malformed response: {error}"
            raise self.fail(ProtocolError(f"{self._about}: {problem}")) from None
        if self._silent > self.limits.head + SLACK or len(self._seen) > self.limits.headers + SLACK_LINES:
            raise self.fail(ProtocolError(f"{self._about}: the response's head, or a line of its body, is too long"))
        ready, self._ready = self._ready, None
        return ready

    def eof(self) -> None:
        """The peer sends no more: the end of a body that has no other end, or an error."""
        if self._until_close and self._body is not None:
            self._body.finish()
            self._over(False)
        elif not self.done:
            gone = "the server closed the connection before its answer was whole"
            raise self.fail(DisconnectedError(f"{self._about}: {gone}"))

    def fail(self, error: HttpError) -> HttpError:
        """The answer will not become whole; its reader learns why."""
        self.done = True
        self.keep_alive = False
        if self._body is not None:
            self._body.fail(error)
        return error

    def _over(self, keep_alive: bool) -> None:
        self.done = True
        self.keep_alive = keep_alive
        self._until_close = False
        self._body = None

    def _fields(self) -> list[tuple[bytes, bytes]]:
        """The header or trailer fields that have come."""
        fields = [(name.lower(), value.rstrip(b" \t")) for name, value in self._seen]
        self._seen.clear()
        return fields

    # What llhttp calls.

    def on_message_begin(self) -> None:
        if self.done:
            raise ProtocolError("the server sent an answer to nothing")

    def on_headers_complete(self) -> None:
        status, limits = self._parser.get_status_code(), self.limits
        pairs = self._fields()
        # The sum is needed only if what was fed could be too much.
        long = self._silent > limits.head and sum(len(name) + len(value) for name, value in pairs) > limits.head
        if long or len(pairs) > limits.headers:
            raise ProtocolError(f"the response's headers are more than {limits.headers}, or {limits.head} bytes")
        headers = Headers.parsed(pairs)
        self._silent = 0
        if 100 <= status < 200 and status != 101:
            return  # an interim answer; the answer follows
        self._ready = self._response = response = Response(status, headers)
        if self._method == "CONNECT" and status < 300:  # a proxy that refuses says why
            self._over(True)  # whatever is said of the connection: it is a tunnel from here on
            return
        if self._method == "HEAD":
            closing = b"close" in headers.tokens(b"connection")
            self._over(not closing and self._parser.get_http_version() == "1.1")
            return
        length = headers.get(b"content-length")
        coded = headers.get(b"transfer-encoding")
        if coded is not None and coded.lower() != CHUNKED:
            raise ProtocolError(f"the response's transfer coding is {coded.decode('latin-1')}, not chunked")
        self._until_close = length is None and coded is None and status not in (101, 204, 304)
        if self._until_close or coded is not None or (length is not None and length != b"0"):
            response.body = self._body = Body(self.source)
            if headers.get(b"content-encoding") in (b"gzip", b"x-gzip"):
                self._body.inflate()

    def on_body(self, data: bytes) -> None:
        self._silent = 0
        if self._body is None:
            raise ProtocolError("the server sent a body where there is none")
        self._body.feed(data)

    def on_chunk_complete(self) -> None:
        self._silent = 0

    def on_message_complete(self) -> None:
        response = self._response
        if response is None or self.done:
            return  # an interim answer
        if self._seen:
            response.trailers = Headers(self._fields())
        if self._body is not None:
            self._body.finish()
        self._over(self._parser.should_keep_alive())
