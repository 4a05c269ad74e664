"""The cluster's own certificate authority: minted at start, it vouches for the server and for its administrators.

Certificates are good for a year from the day before their minting, for clocks differ; the authority's own for ten, for
it is kept with a cluster's data and the others are minted anew at every start. Serial numbers and keys come from
the cluster's entropy, so that a seed repeats them.
"""

import ssl
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kubewright import clock
from kubewright.cluster.auth import certificate as form
from kubewright.entropy import Entropy
from kubewright.errors import KubewrightError

__all__ = ["Authority", "Credential"]

_AGO, _AHEAD, _LONG_AHEAD = timedelta(days=1), timedelta(days=365), timedelta(days=3650)


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
            own = ssl.PEM_cert_to_DER_cert(credential.certificate.decode())
            self._name, self._identifier = form.subject_of(own), form.key_identifier(own)
            key = serialization.load_pem_private_key(credential.key, None)
            good, end = form.is_authority(own), form.end(own)
        except (ValueError, TypeError, IndexError) as error:  # TypeError: the key asks for a password
            raise KubewrightError(f"the certificate authority cannot be read: {error}") from error
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise KubewrightError("the key of the certificate authority is no elliptic curve key; make one with P-256")
        if form.public_key(own) != _point(key):
            raise KubewrightError(
                "the key of the certificate authority is not that of its certificate; give both of one"
            )
        if not good:
            raise KubewrightError("the certificate is no authority's; make one with the basic constraint CA:TRUE")
        if end <= clock.now():
            raise KubewrightError(f"the certificate authority is no longer good since {end:%Y-%m-%d}; make a new one")
        self._key = key

    @classmethod
    def mint(cls, entropy: Entropy) -> "Authority":
        """A new authority."""
        pem = entropy.private_key()
        key = _key(pem)
        name, point = form.subject("kubewright"), _point(key)
        certificate = _sign(name, name, point, form.authority_extensions(point), key, entropy, _LONG_AHEAD)
        return cls(Credential(certificate, pem), entropy)

    def server(self, hosts: Iterable[str]) -> Credential:
        """A certificate for whoever serves under these names and addresses."""
        return self._credential(form.subject("kube-apiserver"), form.SERVER, tuple(hosts))

    def client(self, user: str, groups: Iterable[str] = ()) -> Credential:
        """A certificate by which a user shows who he is."""
        return self._credential(form.subject(user, groups), form.CLIENT)

    def _credential(self, name: bytes, purpose: bytes, hosts: tuple[str, ...] = ()) -> Credential:
        pem = self._entropy.private_key()
        point = _point(_key(pem))
        extensions = form.leaf_extensions(point, purpose, self._identifier, hosts)
        return Credential(_sign(name, self._name, point, extensions, self._key, self._entropy), pem)


def _sign(
    name: bytes,
    issuer: bytes,
    point: bytes,
    extensions: Iterable[bytes],
    key: ec.EllipticCurvePrivateKey,
    entropy: Entropy,
    ahead: timedelta = _AHEAD,
) -> bytes:
    now = clock.now()
    serial = int(entropy.token()[:32], 16) >> 1 | 1
    content = form.unsigned(name, issuer, point, serial, now - _AGO, now + ahead, extensions)
    signature = key.sign(content, ec.ECDSA(hashes.SHA256()))
    return ssl.DER_cert_to_PEM_cert(form.signed(content, signature)).encode()


def _key(pem: bytes) -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key of a key on a curve, uncompressed."""
    numbers, size = key.public_key().public_numbers(), (key.key_size + 7) // 8
    return b"\x04" + numbers.x.to_bytes(size) + numbers.y.to_bytes(size)
