"""An authority for tests: it vouches for a server and for its clients."""

import ssl
from datetime import UTC, datetime, timedelta
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

__all__ = ["Authority"]

BEGIN = datetime(2020, 1, 1, tzinfo=UTC)


@cache
def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


class Authority:
    """Certificates, written to `folder` as the ssl module wants them."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self.folder = folder
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.file = folder / f"{name}.pem"
        signs = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        certificate = (
            self._builder(self.name, self.key)
            .add_extension(x509.BasicConstraints(True, None), critical=True)
            .add_extension(signs, critical=True)
        )
        self.file.write_bytes(
            certificate.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM),
        )

    def _builder(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(BEGIN)
            .not_valid_after(BEGIN + timedelta(days=36500))
            # Python 3.13 checks by the letter of RFC 5280, which wants both.
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )

    def issue(self, name: str) -> Path:
        """A certificate and its key, good for localhost, in one file."""
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = (
            self._builder(subject, _key())
            .add_extension(names, critical=False)
            .add_extension(usage, critical=False)
            .sign(self.key, hashes.SHA256())
        )
        file = self.folder / f"{name}.pem"
        key = _key().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + key)
        return file

    def server(self) -> ssl.SSLContext:
        """A server's context that asks for client certificates."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(self.file))
        context.load_cert_chain(self.issue("server"))
        context.verify_mode = ssl.CERT_OPTIONAL
        return context

    def client(self, name: str | None = None) -> ssl.SSLContext:
        """A client's context, with a certificate if it has a name."""
        context = ssl.create_default_context(cafile=str(self.file))
        if name is not None:
            context.load_cert_chain(self.issue(name))
        return context
