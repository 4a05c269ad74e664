"""TLS between a TCP connection and whoever speaks on it: to the one it is the protocol, to the other the transport.

    GREETING ──certificates exchanged──► OPEN ──close, or the peer's farewell──► CLOSED
        └──────── refused, too late, lost ─────────────────────────────────────────▲

Loops have TLS of their own, which costs as much as all the rest of an exchange: it asks after every read whether there
is more, and learns that from an exception. Here a record that was taken whole is known to be, what is read is allotted
no more room than it needs, and one call of the loop writes what was encrypted. Connections are not renegotiated, as
Go's are not; so encrypting never waits for the peer.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, cast

__all__ = ["Tls"]

#: The longest record that OpenSSL hands out at once.
_RECORD: Final = 16 * 1024
#: What a client hears that has mistaken the port for a plain one; Go's servers say the same.
_PLAIN: Final = b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"


class _Phase(Enum):
    GREETING = auto()
    OPEN = auto()
    CLOSED = auto()


_GREETING, _OPEN, _CLOSED = _Phase  # by their own names, since a class of an Enum is slow to ask


class Tls(asyncio.Transport, asyncio.Protocol):
    """One end of one connection. `protocol` hears of it once both ends trust each other; else never.

    `patience`: seconds for that; None is no limit.
    """

    def __init__(
        self,
        protocol: asyncio.Protocol,
        context: ssl.SSLContext,
        *,
        server_side: bool = False,
        server_name: str | None = None,
        patience: float | None = None,
    ) -> None:
        super().__init__()
        context.options |= ssl.OP_NO_RENEGOTIATION
        self._protocol = protocol
        self._tcp: asyncio.Transport = cast("asyncio.Transport", None)  # until connection_made
        self._phase = _GREETING
        self._coming, self._going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._object = context.wrap_bio(self._coming, self._going, server_side=server_side, server_hostname=server_name)
        self._patience = patience
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._problem: Exception | None = None

    async def greeted(self) -> None:
        """Wait until it is open; raises what keeps it from that, an `OSError`. Cancelled, the connection is cut."""
        if self._phase is _GREETING:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            except BaseException:
                self.abort()
                raise
        if self._problem is not None:
            raise self._problem

    # What the connection calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._tcp = cast("asyncio.Transport", transport)
        if self._patience is not None:
            self._timer = asyncio.get_running_loop().call_later(self._patience, self._late)
        self._greet()

    def data_received(self, data: bytes) -> None:
        coming = self._coming
        coming.write(data)
        if self._phase is _GREETING:
            self._greet()
            if not coming.pending:
                return
        if self._phase is not _OPEN:
            return
        plain, ended = b"", False
        try:
            # What is encrypted is longer than what it says; unless a part of the record has come before.
            size = min(len(data), _RECORD)
            plain = self._object.read(size)
            ended = not plain
            if plain and (coming.pending or (len(plain) == size and self._object.pending())):
                plain, ended = self._read_on(plain)
        except ssl.SSLWantReadError:
            pass  # half a record
        except ssl.SSLError:
            self.abort()  # what comes is not from whom it was
            return
        if self._going.pending:
            self._tcp.write(self._going.read())
        if plain:
            self._protocol.data_received(plain)
        if ended:
            self._farewell()

    def eof_received(self) -> bool:
        if self._phase is _GREETING:
            self._refuse(ConnectionResetError("the peer closed the connection during the TLS handshake"))
        else:
            self._farewell()
        return False

    def connection_lost(self, error: Exception | None) -> None:
        if self._phase is _GREETING:
            self._refuse(error or ConnectionResetError("the connection was lost during the TLS handshake"))
            return
        self._phase = _CLOSED
        self._protocol.connection_lost(error)

    def pause_writing(self) -> None:
        if self._phase is not _GREETING:
            self._protocol.pause_writing()

    def resume_writing(self) -> None:
        if self._phase is not _GREETING:
            self._protocol.resume_writing()

    # What the protocol calls.

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._phase is _OPEN:
            self._seal(data)
            self._tcp.write(self._going.read())

    def write_gated(self, data: bytes, gate: Callable[[], None]) -> None:
        """Write, if `gate` does not raise when nothing else is left to do; if it does, the connection is of no use."""
        if self._phase is _OPEN:
            self._seal(data)
            sealed = self._going.read()
            gate()
            self._tcp.write(sealed)

    def can_write_eof(self) -> bool:
        """Of TLS there is no half."""
        return False

    def close(self) -> None:
        if self._phase is _OPEN:
            self._phase = _CLOSED
            with contextlib.suppress(ssl.SSLError):  # the peer's farewell is not waited for
                self._object.unwrap()
            self._tcp.write(self._going.read())
        self._tcp.close()

    def abort(self) -> None:
        self._phase = _CLOSED if self._phase is _OPEN else self._phase
        self._tcp.abort()

    def is_closing(self) -> bool:
        return self._phase is _CLOSED or self._tcp.is_closing()

    def pause_reading(self) -> None:
        self._tcp.pause_reading()

    def resume_reading(self) -> None:
        self._tcp.resume_reading()

    def get_write_buffer_size(self) -> int:
        return self._tcp.get_write_buffer_size()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._tcp.set_write_buffer_limits(high, low)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = cast("asyncio.Protocol", protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._object if name == "ssl_object" else self._tcp.get_extra_info(name, default)

    # How it goes on, begins and ends.

    def _seal(self, data: bytes | bytearray | memoryview) -> None:
        sent = self._object.write(data)
        if sent < len(data):  # a record at a time
            rest = memoryview(data)
            while sent < len(rest):
                sent += self._object.write(rest[sent:])

    def _read_on(self, plain: bytes) -> tuple[bytes, bool]:
        """What has come, of which this is the first; and whether the peer has said farewell."""
        pieces = [plain]
        with contextlib.suppress(ssl.SSLWantReadError):  # half a record
            while pieces[-1] and (self._coming.pending or self._object.pending()):
                pieces.append(self._object.read(_RECORD))
        return b"".join(pieces), not pieces[-1]

    def _greet(self) -> None:
        try:
            self._object.do_handshake()
        except ssl.SSLWantReadError:
            self._tcp.write(self._going.read())
        except ssl.SSLError as error:
            # In TLS it is said why; but who speaks plain HTTP does not read that.
            self._tcp.write(_PLAIN if error.reason == "HTTP_REQUEST" else self._going.read())
            self._refuse(error)
        else:
            self._tcp.write(self._going.read())
            self._phase = _OPEN
            self._end_greeting()
            self._protocol.connection_made(self)

    def _late(self) -> None:
        self._timer = None
        self._refuse(TimeoutError(f"the TLS handshake took more than {self._patience:g} seconds"))

    def _refuse(self, error: Exception) -> None:
        self._phase = _CLOSED
        self._problem = error
        self._protocol = asyncio.Protocol()  # who was not told of the beginning is not told of the end
        self._end_greeting()
        self._tcp.close()

    def _end_greeting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _farewell(self) -> None:
        """The peer sends no more."""
        if self._phase is _OPEN:
            self._protocol.eof_received()
            self.close()
