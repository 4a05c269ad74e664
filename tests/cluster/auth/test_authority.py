import asyncio
import ssl
import subprocess
from pathlib import Path

import pytest
from cryptography import x509

from kubewright.cluster.auth.authority import Authority, Credential
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError
from kubewright.http import Origin, Pool, Request, Response, Server
from kubewright.trials.loop import run


def context(purpose: int, credential: Credential, trusted: bytes, directory: Path) -> ssl.SSLContext:
    found = ssl.SSLContext(purpose)
    (directory / "crt").write_bytes(credential.certificate)
    (directory / "key").write_bytes(credential.key)
    found.load_cert_chain(directory / "crt", directory / "key")
    found.load_verify_locations(cadata=trusted.decode())
    return found


def test_what_it_signs_is_good_for_a_handshake_both_ways(tmp_path: Path) -> None:
    authority = Authority.mint(Entropy())
    trusted = authority.credential.certificate

    async def talk() -> bytes | None:
        serving = context(ssl.PROTOCOL_TLS_SERVER, authority.server(["127.0.0.1", "localhost"]), trusted, tmp_path)
        serving.verify_mode = ssl.CERT_REQUIRED
        asking = context(ssl.PROTOCOL_TLS_CLIENT, authority.client("jane", ["dev", "ops"]), trusted, tmp_path)
        # Python 3.13 is strict by default; older versions can be made so.
        asking.verify_flags |= ssl.VERIFY_X509_STRICT
        serving.verify_flags |= ssl.VERIFY_X509_STRICT
        seen: list[bytes | None] = []

        def handler(request: Request) -> Response:
            seen.append(request.peer.certificate)
            return Response(200)

        server = Server(handler)
        port = await server.listen("127.0.0.1", 0, serving)
        pool = Pool()
        response = await pool.request(Origin.of(f"https://127.0.0.1:{port}", asking), Request("GET", "/"))
        assert response.status == 200
        await pool.close()
        await server.stop(0)
        return seen[0]

    certificate = asyncio.run(talk())
    assert certificate is not None
    subject = x509.load_der_x509_certificate(certificate).subject
    assert subject.rfc4514_string() == "CN=jane,O=ops,O=dev"


def test_a_seed_repeats_keys_and_certificates() -> None:
    async def mint() -> list[bytes]:
        authority = Authority.mint(Entropy(7))
        return [authority.credential.key, authority.client("a").key, authority.server(["localhost"]).key]

    assert run(mint()) == run(mint())


def test_an_authority_can_be_taken_up_again() -> None:
    first = Authority.mint(Entropy())
    again = Authority(first.credential, Entropy())
    leaf = x509.load_pem_x509_certificate(again.client("a").certificate)
    leaf.verify_directly_issued_by(x509.load_pem_x509_certificate(first.credential.certificate))


def test_files_that_are_no_authority_are_told() -> None:
    with pytest.raises(KubewrightError, match="cannot be read"):
        Authority(Credential(b"no", b"no"), Entropy())


def made(directory: Path, *options: str) -> Credential:
    """A pair that somebody made himself."""
    key, certificate = directory / "made.key", directory / "made.crt"
    command = ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=mine", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *options], check=True, capture_output=True)
    return Credential(certificate.read_bytes(), key.read_bytes())


CURVE = ("-newkey", "ec", "-pkeyopt")


@pytest.mark.parametrize("curve", ["P-256", "P-384"])
def test_an_authority_may_be_given(curve: str, tmp_path: Path) -> None:
    given = made(tmp_path, *CURVE, f"ec_paramgen_curve:{curve}", "-days", "10")
    leaf = x509.load_pem_x509_certificate(Authority(given, Entropy()).client("a").certificate)
    leaf.verify_directly_issued_by(x509.load_pem_x509_certificate(given.certificate))


def test_a_key_of_another_certificate_is_refused() -> None:
    certificate, key = Authority.mint(Entropy()).credential.certificate, Authority.mint(Entropy()).credential.key
    with pytest.raises(KubewrightError, match="is not that of its certificate"):
        Authority(Credential(certificate, key), Entropy())


def test_a_certificate_that_signs_no_others_is_refused() -> None:
    with pytest.raises(KubewrightError, match="no authority's"):
        Authority(Authority.mint(Entropy()).client("jane"), Entropy())


def test_an_authority_that_has_expired_is_refused() -> None:
    async def take_up(known: Credential) -> None:
        Authority(known, Entropy())

    async def mint() -> Credential:
        return Authority.mint(Entropy()).credential

    known = run(mint(), start=1_000_000_000)
    with pytest.raises(KubewrightError, match="no longer good since 2011-09-07"):
        run(take_up(known), start=2_000_000_000)


def test_a_key_with_a_password_is_refused(tmp_path: Path) -> None:
    given = made(tmp_path, *CURVE, "ec_paramgen_curve:P-256")
    locked = tmp_path / "locked"
    command = [
        "openssl",
        "pkcs8",
        "-topk8",
        "-in",
        str(tmp_path / "made.key"),
        "-out",
        str(locked),
        "-passout",
        "pass:x",
    ]
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(KubewrightError, match="cannot be read"):
        Authority(given._replace(key=locked.read_bytes()), Entropy())
