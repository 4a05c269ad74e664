"""Go's client against our server, and our client against Go's server: what Kubernetes itself is written with."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.http.certificates import Authority
from tests.http.conftest import Run
from tests.http.wire import echo, serving

from kubewright.http import DisconnectedError, Origin, Pool, Request, Response, Stream
from kubewright.http.compress import compressed

PEERS = Path(__file__).parent / "peers"

pytestmark = pytest.mark.deep


async def built(name: str, folder: Path) -> Path:
    """A peer, compiled."""
    go = shutil.which("go")
    assert go is not None, "these tests build their peers: install Go"
    program = folder / name
    process = await asyncio.create_subprocess_exec(go, "build", "-o", program, PEERS / f"{name}.go")
    assert await process.wait() == 0
    return program


def test_gos_client_is_served(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    closed = asyncio.Event()

    async def handler(request: Request) -> Response:
        if request.target == "/watch":
            stream = Stream()
            stream.on_close(closed.set)
            for turn in range(3):
                stream.write(b"event %d\n" % turn)
            return Response(200, body=stream)
        if request.target == "/gzip":
            return await compressed(request.headers, Response(200, body=bytes(1_000_000)))
        return await echo(request)

    async def main() -> list[str]:
        client = await built("client", tmp_path)
        async with serving(handler, context=authority.server()) as port:
            url, pair = f"https://localhost:{port}", authority.issue("ada")
            process = await asyncio.create_subprocess_exec(
                client, url, authority.file, pair, stdout=asyncio.subprocess.PIPE
            )
            heard, _ = await process.communicate()
            await closed.wait()
            return heard.decode().splitlines()

    assert run(main) == [
        "HTTP/1.1 200 GET /0 ",
        "HTTP/1.1 200 GET /1 ",
        "HTTP/1.1 200 GET /2 ",
        "200 2000013",
        "200 POST /chunked abc",
        "200 11",
        "true 1000000",
        "event 0",
        "event 1",
        "event 2",
    ]


def test_gos_server_is_asked(run: Run, tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield bytes(10_000)

    async def main() -> None:
        process = await asyncio.create_subprocess_exec(
            await built("server", tmp_path), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        assert process.stdout is not None
        try:
            origin = Origin("127.0.0.1", int(await process.stdout.readline()))
            async with Pool() as pool:
                for method, body in (("GET", b""), ("POST", bytes(1_000_000)), ("DELETE", b"x"), ("POST", pieces())):
                    size = len(body) if isinstance(body, bytes) else 1_000_000
                    response = await pool.request(origin, Request(method, "/echo?a=%20b", body=body))
                    assert await response.read() == f"{method} /echo?a=%20b {size}".encode()
                response = await pool.request(origin, Request("GET", "/pieces"))
                assert await response.read() == b"piece 0\npiece 1\npiece 2\n"
                assert response.trailers.get(b"x-sum") == b"3"
                assert (await pool.request(origin, Request("POST", "/early", body=bytes(50_000_000)))).status == 403
                with pytest.raises(DisconnectedError):
                    await pool.request(origin, Request("GET", "/hang-up"))
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    run(main)
