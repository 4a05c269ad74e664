import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from tests.http.certificates import Authority

from kubewright.client.certificates import CertificateError, Pem, trusting, wear

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def written(key: Key, passphrase: bytes = b"") -> bytes:
    hidden: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        hidden = serialization.BestAvailableEncryption(passphrase)
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden)


def cut(text: bytes) -> bytes:
    """A text in PEM of which a part is missing."""
    first, *_, last = text.splitlines()
    return b"\n".join([first, b"MIIB", last])


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def test_a_certificate_with_its_key_is_worn(authority: Authority) -> None:
    context = trusting(Pem(authority.file.read_bytes(), "ca"))
    wear(context, Pem(authority.file.read_bytes(), "crt"), Pem(written(authority.key), "key"))
    assert [each["subject"] for each in context.get_ca_certs()] == [((("commonName", "authority"),),)]


def test_what_stands_between_certificates_may_be_in_any_language(authority: Authority) -> None:
    context = trusting(Pem("# für uns\n".encode() + authority.file.read_bytes(), "ca"))
    assert len(context.get_ca_certs()) == 1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda text: b"nonsense", "ca holds no certificate in PEM."),
        (lambda text: ssl.PEM_cert_to_DER_cert(text.decode()), "ca holds no certificate in PEM."),
        (cut, "ca holds a certificate that is broken."),
    ],
)
def test_an_authority_that_cannot_be_used_is_told(
    spoil: Callable[[bytes], bytes], message: str, authority: Authority
) -> None:
    with pytest.raises(CertificateError) as raised:
        trusting(Pem(spoil(authority.file.read_bytes()), "ca"))
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("certificate", "key", "message"),
    [
        (lambda text: b"nonsense", written, "crt holds no certificate in PEM."),
        (cut, written, "crt holds a certificate that is broken."),
        (bytes, lambda key: b"nonsense", "key holds no private key in PEM."),
        (bytes, lambda key: cut(written(key)), "key cannot be used with crt: "),
        (bytes, lambda key: written(key, b"open"), "key is encrypted, and nobody can be asked for the passphrase"),
        (bytes, lambda key: written(ec.generate_private_key(ec.SECP256R1())), "key is not the key of crt."),
        (bytes, lambda key: written(rsa.generate_private_key(65537, 2048)), "key is not the key of crt."),
    ],
)
def test_a_pair_that_cannot_be_used_is_told_by_what_is_wrong_with_it(
    certificate: Callable[[bytes], bytes], key: Callable[[Key], bytes], message: str, authority: Authority
) -> None:
    pair = Pem(certificate(authority.file.read_bytes()), "crt"), Pem(key(authority.key), "key")
    with pytest.raises(CertificateError) as raised:
        wear(trusting(None), *pair)
    assert str(raised.value).startswith(message)


def test_a_key_is_not_shown() -> None:
    assert repr(Pem(b"secret", "key")) == "Pem(source='key')"
