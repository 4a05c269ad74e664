"""The cluster's own certificate authority: minted at start, it vouches for the server and for its administrators.

Certificates are good for a year from the day before their minting, for clocks differ. Serial numbers and keys come from
the cluster's entropy, so that a seed repeats them.
"""

from collections.abc import Iterable
from datetime import timedelta
from ipaddress import ip_address
from typing import NamedTuple

# Half of what starting takes: whoever imports this module means to mint.
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from kubewright import clock
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError

__all__ = ["Authority", "Credential"]

_AGO, _AHEAD = timedelta(days=1), timedelta(days=365)


class Credential(NamedTuple):
    """A certificate and its key, PEM-encoded."""

    certificate: bytes
    key: bytes


class Authority:
    """Signs certificates."""

    def __init__(self, credential: Credential, entropy: Entropy) -> None:
        self.credential = credential
        self._entropy = entropy
        try:
            self._certificate = x509.load_pem_x509_certificate(credential.certificate)
            key = serialization.load_pem_private_key(credential.key, None)
        except ValueError as error:
            raise KubewrightError(f"the certificate authority cannot be read: {error}") from error
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise KubewrightError("the key of the certificate authority is no elliptic curve key; make one with P-256")
        self._key = key

    @classmethod
    def mint(cls, entropy: Entropy) -> "Authority":
        """A new authority."""
        pem = entropy.private_key()
        key = _key(pem)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kubewright")])
        usage = _usage(key_cert_sign=True, crl_sign=True)
        certificate = (
            _builder(name, name, key.public_key(), entropy)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .sign(key, hashes.SHA256())
        )
        return cls(Credential(certificate.public_bytes(serialization.Encoding.PEM), pem), entropy)

    def server(self, hosts: Iterable[str]) -> Credential:
        """A certificate for whoever serves under these names and addresses."""
        names = [_host(host) for host in hosts]
        return self._sign("kube-apiserver", (), ExtendedKeyUsageOID.SERVER_AUTH, names)

    def client(self, user: str, groups: Iterable[str] = ()) -> Credential:
        """A certificate by which a user shows who he is."""
        return self._sign(user, groups, ExtendedKeyUsageOID.CLIENT_AUTH, [])

    def _sign(
        self, name: str, groups: Iterable[str], purpose: x509.ObjectIdentifier, hosts: list[x509.GeneralName]
    ) -> Credential:
        pem = self._entropy.private_key()
        public = _key(pem).public_key()
        attributes = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
        subject = x509.Name([*attributes, x509.NameAttribute(NameOID.COMMON_NAME, name)])
        issuer = self._certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
        builder = (
            _builder(subject, self._certificate.subject, public, self._entropy)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(digital_signature=True), critical=True)
            .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer.value), critical=False)
        )
        if hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        certificate = builder.sign(self._key, hashes.SHA256())
        return Credential(certificate.public_bytes(serialization.Encoding.PEM), pem)


def _builder(
    subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey, entropy: Entropy
) -> x509.CertificateBuilder:
    now = clock.now().replace(microsecond=0)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(int(entropy.token()[:32], 16) >> 1 | 1)
        .not_valid_before(now - _AGO)
        .not_valid_after(now + _AHEAD)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _key(pem: bytes) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def _usage(**granted: bool) -> x509.KeyUsage:
    names = (
        "digital_signature",
        "content_commitment",
        "key_encipherment",
        "data_encipherment",
        "key_agreement",
        "key_cert_sign",
        "crl_sign",
        "encipher_only",
        "decipher_only",
    )
    return x509.KeyUsage(**{name: granted.get(name, False) for name in names})


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
