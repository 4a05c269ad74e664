"""TLS without sockets: what one end writes is carried to the other by hand, cut anywhere."""

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.certificates import Authority

from kubewright.http.tls import Tls
from kubewright.trials.loop import run


class Cable(asyncio.Transport):
    """Keeps what is written, until it is carried."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.end = ""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)

    def close(self) -> None:
        self.end = self.end or "closed"

    def abort(self) -> None:
        self.end = "aborted"

    def is_closing(self) -> bool:
        return bool(self.end)


class Ear(asyncio.Protocol):
    def __init__(self) -> None:
        self.heard = b""
        self.told: list[str] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.told.append("made")

    def data_received(self, data: bytes) -> None:
        assert data, "nothing is no data"
        self.heard += data

    def eof_received(self) -> None:
        self.told.append("end")

    def connection_lost(self, error: Exception | None) -> None:
        self.told.append("lost")


class Side:
    def __init__(self, context: ssl.SSLContext, *, server: bool = False, patience: float | None = None) -> None:
        self.ear, self.cable = Ear(), Cable()
        name = None if server else "localhost"
        self.tls = Tls(self.ear, context, server_side=server, server_name=name, patience=patience)


class Pair:
    """A client and a server, and what lies between them."""

    def __init__(self, client: ssl.SSLContext, server: ssl.SSLContext) -> None:
        self.client, self.server = Side(client), Side(server, server=True)
        for side in (self.server, self.client):
            side.tls.connection_made(side.cable)

    def carry(self, cuts: Iterator[int] | None = None) -> None:
        """Bring everything to the other end, in pieces as long as `cuts` says, until nobody has more to say."""
        while self.client.cable.sent or self.server.cable.sent:
            for here, there in ((self.client, self.server), (self.server, self.client)):
                data, here.cable.sent = here.cable.sent, b""
                while data:
                    length = next(cuts, len(data)) if cuts is not None else len(data)
                    there.tls.data_received(data[:length])
                    data = data[length:]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def contexts(authority: Authority) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    return authority.client("me"), authority.server()


@pytest.fixture
def pair(contexts: tuple[ssl.SSLContext, ssl.SSLContext]) -> Pair:
    pair = Pair(*contexts)
    pair.carry()
    return pair


@given(
    messages=st.lists(st.tuples(st.booleans(), st.integers(0, 70_000)), max_size=6),
    cuts=st.lists(st.integers(1, 40_000), max_size=60),
)
def test_what_is_said_is_heard_however_it_is_cut(
    contexts: tuple[ssl.SSLContext, ssl.SSLContext], messages: list[tuple[bool, int]], cuts: list[int]
) -> None:
    pair = Pair(*contexts)
    lengths = iter(cuts)
    pair.carry(lengths)
    said = {True: b"", False: b""}
    for by_client, length in messages:
        data = bytes([length % 251]) * length
        said[by_client] += data
        (pair.client if by_client else pair.server).tls.write(data)
    pair.carry(lengths)
    assert (pair.server.ear.heard, pair.client.ear.heard) == (said[True], said[False])


def test_each_end_hears_of_the_other_when_it_is_trusted(pair: Pair) -> None:
    assert (pair.client.ear.told, pair.server.ear.told) == (["made"], ["made"])
    secure: ssl.SSLObject = pair.server.tls.get_extra_info("ssl_object")
    assert secure.getpeercert() != {}


def test_who_closes_says_farewell_and_the_other_closes_too(pair: Pair) -> None:
    pair.client.tls.write(b"last words")
    pair.client.tls.close()
    pair.client.tls.write(b"too late")
    pair.carry()
    assert (pair.server.ear.heard, pair.server.ear.told) == (b"last words", ["made", "end"])
    assert (pair.client.cable.end, pair.server.cable.end) == ("closed", "closed")
    assert pair.client.tls.is_closing()
    assert pair.server.tls.is_closing()


def test_what_a_gate_holds_back_is_not_sent(pair: Pair) -> None:
    def shut() -> None:
        raise RuntimeError("not now")

    pair.client.tls.write_gated(b"passes", lambda: None)
    with pytest.raises(RuntimeError, match="not now"):
        pair.client.tls.write_gated(b"does not", shut)
    pair.carry()
    assert pair.server.ear.heard == b"passes"


def test_a_connection_that_ends_without_farewell_is_ended(pair: Pair) -> None:
    assert not pair.server.tls.eof_received()
    pair.server.tls.connection_lost(None)
    assert pair.server.ear.told == ["made", "end", "lost"]


def test_what_is_not_from_the_peer_cuts_the_connection(pair: Pair) -> None:
    pair.client.tls.write(b"x" * 100)
    forged = bytearray(pair.client.cable.sent)
    forged[-1] ^= 1
    pair.server.tls.data_received(bytes(forged))
    assert (pair.server.ear.heard, pair.server.cable.end) == (b"", "aborted")


def test_a_stranger_is_refused_and_nobody_hears_of_him(authority: Authority, tmp_path: Path) -> None:
    async def story() -> None:
        pair = Pair(Authority(tmp_path, "stranger").client(), authority.server())
        waiting = asyncio.ensure_future(pair.client.tls.greeted())
        await asyncio.sleep(0)
        pair.carry()
        with pytest.raises(ssl.SSLCertVerificationError):
            await waiting
        pair.client.tls.connection_lost(None)
        assert (pair.client.ear.told, pair.client.cable.end) == ([], "closed")
        assert (pair.server.ear.told, pair.server.cable.end) == ([], "closed")

    run(story())


def test_who_speaks_plain_http_to_it_is_told_so_in_plain_http(authority: Authority) -> None:
    side = Side(authority.server(), server=True)
    side.tls.connection_made(side.cable)
    side.tls.data_received(b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert side.cable.sent.startswith(b"HTTP/1.0 400 Bad Request\r\n")
    assert (side.cable.end, side.ear.told) == ("closed", [])


def test_a_handshake_that_takes_too_long_is_given_up(authority: Authority) -> None:
    async def story() -> None:
        side = Side(authority.server(), server=True, patience=10)
        side.tls.connection_made(side.cable)
        await asyncio.sleep(9)
        assert side.cable.end == ""
        await asyncio.sleep(2)
        assert (side.cable.end, side.ear.told) == ("closed", [])

    run(story())


def test_who_gives_up_waiting_cuts_the_connection(contexts: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    async def story() -> None:
        side = Side(contexts[0])
        side.tls.connection_made(side.cable)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await side.tls.greeted()
        assert side.cable.end == "aborted"

    run(story())


@pytest.mark.parametrize("end", ["eof_received", "connection_lost"])
def test_a_connection_that_is_lost_before_it_is_open_is_told(
    contexts: tuple[ssl.SSLContext, ssl.SSLContext], end: str
) -> None:
    async def story() -> None:
        side = Side(contexts[0])
        side.tls.connection_made(side.cable)
        waiting = asyncio.ensure_future(side.tls.greeted())
        await asyncio.sleep(0)
        if end == "eof_received":
            side.tls.eof_received()
        else:
            side.tls.connection_lost(None)
        with pytest.raises(ConnectionResetError):
            await waiting

    run(story())
