"""Requests over sockets: credentials put on, refused ones renewed, certificates worn, proxies asked."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.client.programs import program
from tests.http.certificates import Authority
from tests.http.test_dial import proxy
from tests.http.wire import serving

from kubewright.client.kubeconfig import Access, KubeconfigError
from kubewright.client.transport import HttpTransport, NoLoopError
from kubewright.http import ConnectError, Headers, Request, Response


def play(story: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(30):
            await story()

    asyncio.run(run())


def guarded(good: str, asked: list[tuple[str, bytes | None]]) -> Callable[[Request], Response]:
    """Lets in who has that token."""

    def handler(request: Request) -> Response:
        token = request.headers.get(b"authorization")
        asked.append((request.target, token))
        return Response(200 if token == f"Bearer {good}".encode() else 401, Headers(), b"{}")

    return handler


def test_a_refused_token_is_read_again_and_the_request_sent_once_more(tmp_path: Path) -> None:
    asked: list[tuple[str, bytes | None]] = []

    async def story() -> None:
        file = tmp_path / "token"
        file.write_text("old")
        async with serving(guarded("new", asked)) as port:
            transport = HttpTransport(Access(server=f"http://127.0.0.1:{port}", token_file=file))
            request = Request("POST", "/x", Headers([(b"Accept", b"*/*")]), b"body")
            assert (await transport.send(request)).status == 401
            file.write_text("new")
            answer = await transport.send(Request("POST", "/x", Headers([(b"Accept", b"*/*")]), b"body"))
            assert answer.status == 200
            await transport.close()

    play(story)
    assert [token for _, token in asked] == [b"Bearer old", b"Bearer old", b"Bearer new"]


def test_a_client_is_asked_in_its_own_loop_alone_and_is_none_the_worse_for_having_been_asked_in_another() -> None:
    asked: list[tuple[str, bytes | None]] = []

    async def story() -> None:
        async with serving(guarded("good", asked)) as port:
            transport = HttpTransport(Access(server=f"http://127.0.0.1:{port}", token="good"))

            async def elsewhere() -> None:
                await transport.send(Request("GET", "/elsewhere"))

            with pytest.raises(NoLoopError, match=r"belongs to another loop .* make one in each, or take SyncApi"):
                await asyncio.to_thread(asyncio.run, elsewhere())
            assert (await transport.send(Request("GET", "/here"))).status == 200
            await transport.close()

    play(story)
    assert [target for target, _ in asked] == ["/here"]


def test_a_token_that_no_header_can_hold_is_told_and_not_shown() -> None:
    async def story() -> None:
        transport = HttpTransport(Access(server="http://127.0.0.1:1", token="two\nlines"))
        with pytest.raises(KubeconfigError, match="a line break") as caught:
            await transport.send(Request("GET", "/"))
        assert "lines" not in str(caught.value)
        await transport.close()

    play(story)


def test_a_program_whose_credentials_are_refused_is_run_once_more(tmp_path: Path) -> None:
    asked: list[tuple[str, bytes | None]] = []

    async def story() -> None:
        plugin = program(tmp_path, 'give(str(len((here / "runs").read_text())))')
        async with serving(guarded("2", asked)) as port:
            transport = HttpTransport(Access(server=f"http://127.0.0.1:{port}", plugin=plugin))
            assert (await transport.send(Request("GET", "/x"))).status == 200
            assert (await transport.send(Request("GET", "/x"))).status == 200
            await transport.close()

    play(story)
    assert [token for _, token in asked] == [b"Bearer 1", b"Bearer 2", b"Bearer 2"]


def test_a_server_behind_a_path_gets_it_and_who_is_meant_is_said() -> None:
    asked: list[Request] = []

    def handler(request: Request) -> Response:
        asked.append(request)
        return Response(200)

    async def story() -> None:
        async with serving(handler) as port:
            access = Access(
                server=f"http://127.0.0.1:{port}/k8s/c1", token="t", impersonation=((b"Impersonate-User", b"jane"),)
            )
            transport = HttpTransport(access)
            await transport.send(Request("GET", "/api/v1/pods?limit=1"))
            await transport.close()

    play(story)
    assert asked[0].target == "/k8s/c1/api/v1/pods?limit=1"
    assert asked[0].headers.get(b"impersonate-user") == b"jane"
    assert asked[0].headers.get(b"authorization") == b"Bearer t"


def test_a_server_is_believed_whose_own_certificate_is_named(tmp_path: Path) -> None:
    async def story() -> None:
        authority = Authority(tmp_path)
        async with serving(lambda _: Response(200), context=authority.server()) as port:
            own = (tmp_path / "server.pem").read_bytes()
            transport = HttpTransport(Access(server=f"https://localhost:{port}", authority=own))
            assert (await transport.send(Request("GET", "/x"))).status == 200
            await transport.close()

    play(story)


def test_a_program_may_give_a_certificate_and_another_one_later(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    for name in ("one", "two"):
        authority.issue(name)
    seen: list[bytes | None] = []

    def handler(request: Request) -> Response:
        seen.append(request.peer.certificate)
        return Response(401 if len(seen) == 1 else 200)

    async def story() -> None:
        code = """
number = len((here / "runs").read_text())
pem = (here / ("one.pem" if number == 1 else "two.pem")).read_text()
print(json.dumps({"apiVersion": info["apiVersion"], "kind": "ExecCredential",
                  "status": {"clientCertificateData": pem, "clientKeyData": pem}}))
"""
        async with serving(handler, context=authority.server()) as port:
            access = Access(
                server=f"https://localhost:{port}",
                authority=authority.file.read_bytes(),
                plugin=program(tmp_path, code),
            )
            transport = HttpTransport(access)
            assert (await transport.send(Request("GET", "/x"))).status == 200
            await transport.close()

    play(story)
    assert len(seen) == 2
    assert None not in seen
    assert seen[0] != seen[1]


def test_an_authority_that_is_replaced_in_its_file_is_believed_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a pod sees it, when its cluster gets another authority."""
    monkeypatch.setattr("kubewright.client.credentials._FILE_AGE", 0.0)
    old, new = Authority(tmp_path, "old"), Authority(tmp_path, "new")
    file, token = tmp_path / "ca.crt", tmp_path / "token"
    token.write_text("t", encoding="utf-8")
    file.write_bytes(old.file.read_bytes())

    async def story() -> None:
        async with (
            serving(lambda request: Response(200), context=old.server()) as before,
            serving(lambda request: Response(200), context=new.server()) as after,
        ):
            for port in (before, after):
                access = Access(
                    server=f"https://localhost:{port}",
                    authority=old.file.read_bytes(),
                    authority_file=file,
                    token_file=token,
                )
                transport = HttpTransport(access)
                if port == after:
                    with pytest.raises(ConnectError, match="not trusted"):
                        await transport.send(Request("GET", "/x"))
                    file.write_bytes(new.file.read_bytes())
                    assert (await transport.send(Request("GET", "/x"))).status == 200
                    file.write_bytes(new.file.read_bytes()[:-80])  # it is being written once more
                    assert (await transport.send(Request("GET", "/x"))).status == 200
                    file.write_bytes(new.file.read_bytes())
                assert (await transport.send(Request("GET", "/x"))).status == 200
                await transport.close()

    play(story)


def test_the_name_of_the_certificate_may_be_another_than_the_host(tmp_path: Path) -> None:
    authority = Authority(tmp_path)

    async def story() -> None:
        async with serving(lambda request: Response(200), context=authority.server()) as port:
            access = Access(server=f"https://127.0.0.2:{port}", authority=authority.file.read_bytes())
            strict = HttpTransport(replace(access, server=f"https://127.0.0.1:{port}", server_name="elsewhere"))
            with pytest.raises(ConnectError, match="its certificate is not trusted: Hostname mismatch"):
                await strict.send(Request("GET", "/x"))
            named = HttpTransport(replace(access, server=f"https://127.0.0.1:{port}", server_name="localhost"))
            assert (await named.send(Request("GET", "/x"))).status == 200
            await strict.close()
            await named.close()

    play(story)


def test_a_server_that_is_not_checked_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with serving(lambda request: Response(200), context=Authority(tmp_path).server()) as port:
            transport = HttpTransport(Access(server=f"https://127.0.0.1:{port}", insecure=True))
            assert (await transport.send(Request("GET", "/x"))).status == 200
            await transport.close()

    with caplog.at_level(logging.WARNING, "kubewright.client"):
        play(story)
    assert ["is not checked to be who it says" in record.getMessage() for record in caplog.records] == [True]


def test_a_proxy_is_asked_with_its_password(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    seen: list[bytes] = []

    async def story() -> None:
        async with serving(lambda request: Response(200), context=authority.server()) as port, proxy(seen) as by:
            access = Access(
                server=f"https://localhost:{port}",
                authority=authority.file.read_bytes(),
                proxy=f"http://me:secret@{by.address}",
            )
            transport = HttpTransport(access)
            assert (await transport.send(Request("GET", "/x"))).status == 200
            await transport.close()

    play(story)
    assert seen[0].startswith(b"CONNECT localhost:")
    assert b"Proxy-Authorization: Basic bWU6c2VjcmV0" in seen[0]


def test_a_peer_that_has_gone_without_a_word_is_found_in_twenty_seconds() -> None:
    async def story() -> None:
        async with serving(lambda request: Response(200)) as port:
            transport = HttpTransport(Access(server=f"http://127.0.0.1:{port}"))
            await transport.send(Request("GET", "/x"))
            (connection,) = transport._pool._open
            held = connection.transport.get_extra_info("socket")
            assert held.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert held.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
            assert held.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
            await transport.close()

    play(story)
