import asyncio
import errno
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.http.certificates import Authority
from tests.observe.conftest import Run

from kubewright.http import Handler, Headers, Origin, Pool, Request, Response
from kubewright.http import Server as HttpServer
from kubewright.observe import Certificates, Health, Metrics, Server
from kubewright.observe.server import Address, AddressError, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (":8080", Address("", 8080)),
        ("127.0.0.1:0", Address("127.0.0.1", 0)),
        ("localhost:9443", Address("localhost", 9443)),
        ("[::1]:8080", Address("::1", 8080)),
        ("0", None),
    ],
)
def test_an_address_is_written_as_in_go(text: str, address: Address | None) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "8080", "localhost", ":", ":http", ":70000", "::1:80", ":²"])
def test_what_is_no_address_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(AddressError, match="or '0' for nowhere"):
        parse_address(text)


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse_address(text)
    except AddressError:
        return
    assert address is None or 0 <= address.port <= 65535


class Page(NamedTuple):
    status: int
    headers: Headers
    body: bytes


async def read(port: int | None, target: str, method: str = "GET", context: ssl.SSLContext | None = None) -> Page:
    assert port is not None
    async with Pool() as pool:
        response = await pool.request(Origin("localhost", port, context), Request(method, target))
        return Page(response.status, response.headers, await response.read())


def test_metrics_and_health_are_read_from_it(run: Run) -> None:
    metrics, health = Metrics(), Health()
    routes: dict[str, Handler] = {"/metrics": metrics.answer, "/readyz": health.answer}

    async def main() -> None:
        async with Server("127.0.0.1:0", routes) as server:
            page = await read(server.port, "/metrics")
            assert page.status == 200
            assert page.headers.get(b"content-type") == b"text/plain; version=0.0.4; charset=utf-8"
            assert b"\nprocess_open_fds " in page.body
            assert (await read(server.port, "/readyz/ping?verbose")).body == b"ok"
            assert (await read(server.port, "/readyzz")).status == 404
            assert (await read(server.port, "/")).status == 404
            assert (await read(server.port, "/metrics", "POST")).status == 405

    run(main)


def test_two_live_in_one_process_and_show_their_own(run: Run) -> None:
    one, other = Metrics(), Metrics()
    one.controller("mine", 1)

    async def main() -> None:
        async with (
            Server("127.0.0.1:0", {"/metrics": one.answer}) as first,
            Server("127.0.0.1:0", {"/metrics": other.answer}) as second,
        ):
            assert first.port != second.port
            assert b'controller="mine"' in (await read(first.port, "/metrics")).body
            assert b'controller="mine"' not in (await read(second.port, "/metrics")).body

    run(main)


def test_every_address_of_the_machine_is_listened_at_when_none_is_named(run: Run) -> None:
    async def main() -> int:
        async with Server(":0", {"/healthz": Health().answer}) as server:
            return (await read(server.port, "/healthz")).status

    assert run(main) == 200


def test_where_ipv6_is_switched_off_ipv4_is_listened_at(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    async def listen(self: HttpServer, host: str | None, port: int, *rest: Any) -> int:
        asked.append(host)
        if host is None:
            raise OSError(errno.EADDRNOTAVAIL, "cannot assign requested address")
        return port

    monkeypatch.setattr(HttpServer, "listen", listen)

    async def main() -> int | None:
        async with Server(":8080", {}) as server:
            return server.port

    assert run(main) == 8080
    assert asked == [None, "0.0.0.0"]


def test_nowhere_is_nowhere(run: Run) -> None:
    async def main() -> int | None:
        async with Server("0", {"/healthz": Health().answer}) as server:
            return server.port

    assert run(main) is None


def test_an_address_that_is_taken_is_said_in_a_sentence(run: Run) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(
                AddressError,
                match=f"cannot listen at 127.0.0.1:{port} for /metrics: Address already in use; name another",
            ):
                await Server(f"127.0.0.1:{port}", {"/metrics": lambda request: Response(200)}).start()

    run(main)


def test_over_tls_nobody_reads_in_the_clear(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    pair = authority.issue("server")

    async def main() -> int:
        tls = Certificates(pair, pair)
        async with Server("127.0.0.1:0", {"/healthz": Health().answer}, tls=tls) as server:
            return (await read(server.port, "/healthz", context=authority.client())).status

    assert run(main) == 200


#: Whoever runs the tests in the background has Ctrl-C ignored, and so would this.
PROGRAM = """
import asyncio, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from kubewright.observe import Health, Server, Watchdog

async def main():
    async with Server("127.0.0.1:0", {"/healthz": Health().answer}) as one:
        async with Server("127.0.0.1:0", {"/healthz": Health().answer}) as other:
            with Watchdog():
                print(one.port, other.port, flush=True)
                await asyncio.Event().wait()

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("bye")
"""


def test_control_c_ends_it_even_while_someone_is_connected() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        port = int(process.stdout.readline().split()[0])
        with socket.create_connection(("127.0.0.1", port)):
            process.send_signal(signal.SIGINT)
            try:
                assert process.wait(20) == 0
            finally:
                process.kill()
        assert process.stdout.read() == "bye\n"
        assert process.stderr.read() == ""


def test_a_server_starts_again_after_it_was_stopped(run: Run) -> None:
    async def main() -> None:
        server = Server("127.0.0.1:0", {"/healthz": Health().answer})
        for _ in range(2):
            async with server:
                assert (await read(server.port, "/healthz")).status == 200
        await server.stop()
        await asyncio.sleep(0)

    run(main)
