import asyncio
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from tests.http.certificates import Authority
from tests.observe.conftest import Run

from kubewright.http import Response, Server
from kubewright.observe import Certificates, Metrics
from kubewright.observe.certificates import CertificateError


async def name_at(port: int, context: ssl.SSLContext) -> str:
    """Whose certificate a new connection is shown."""
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
    der = writer.get_extra_info("ssl_object").getpeercert(True)
    assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "http/1.1"
    writer.close()
    return str(x509.load_der_x509_certificate(der).subject.rfc4514_string())


def client(authority: Authority) -> ssl.SSLContext:
    context = authority.client()
    context.set_alpn_protocols(["http/1.1"])
    return context


def test_new_files_are_served_to_new_connections_and_broken_ones_never(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    first, second = authority.issue("first").read_bytes(), authority.issue("second").read_bytes()
    certificate, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    certificate.write_bytes(first)
    key.write_bytes(first)
    metrics = Metrics()

    async def main() -> None:
        files = Certificates(certificate, key, metrics=metrics.certificates)
        server = Server(lambda request: Response(200))
        port = await server.listen("127.0.0.1", 0, files.start())
        context = client(authority)
        assert await name_at(port, context) == "CN=first"
        certificate.write_bytes(b"half of a cert")
        files.look()
        assert await name_at(port, context) == "CN=first"
        certificate.write_bytes(second)
        files.look()
        assert await name_at(port, context) == "CN=second"
        certificate.unlink()
        files.look()
        assert await name_at(port, context) == "CN=second"
        await files.stop()
        await server.stop(0)

    run(main)
    assert (metrics.certificates.reads.value, metrics.certificates.errors.value) == (3, 2)


def test_the_files_are_looked_at_again_by_and_by(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    first, second = authority.issue("first").read_bytes(), authority.issue("second").read_bytes()
    file = tmp_path / "both.pem"
    file.write_bytes(first)

    async def main() -> None:
        files = Certificates(file, file, interval=0.01)
        server = Server(lambda request: Response(200))
        port = await server.listen("127.0.0.1", 0, files.start())
        file.write_bytes(second)
        while await name_at(port, client(authority)) != "CN=second":
            pass
        await files.stop()
        await server.stop(0)

    run(main)


def test_a_key_that_is_another_certificates_is_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    other = tmp_path / "other.key"
    other.write_text("no key")

    async def main() -> None:
        with pytest.raises(CertificateError, match=r"other\.key are no certificate and its key"):
            Certificates(authority.issue("server"), other).start()

    run(main)


def test_files_that_are_not_there_are_said_in_a_sentence(run: Run, tmp_path: Path) -> None:
    async def main() -> None:
        with pytest.raises(CertificateError, match=r"absent\.pem"):
            Certificates(tmp_path / "absent.pem", tmp_path / "absent.pem").start()

    run(main)
