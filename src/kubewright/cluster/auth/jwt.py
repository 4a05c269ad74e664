"""JSON Web Tokens, signed with ES256: what a token says, and whether one key signed it.

header.claims.signature          each in base64, with the alphabet for URLs and no padding
"""

import binascii
import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec

__all__ = ["Key", "Token", "read_token"]

_ALGORITHM: Final = "ES256"
_HALF: Final = 32  # bytes in each of the two numbers of a signature on P-256
#: What stands before a point on P-256 to say that it is a public key on that curve.
_PREFIX: Final = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")


class Token(NamedTuple):
    """What a token says; nothing of it has been proven."""

    header: dict[str, Any]
    claims: dict[str, Any]
    signed: bytes
    signature: bytes


def read_token(text: str) -> Token | None:
    """A token taken apart; None if it is none."""
    parts = text.split(".")
    if len(parts) != 3 or not text.isascii():
        return None
    try:
        header, claims, signature = map(_decode, parts)
        found = Token(
            msgspec.json.decode(header), msgspec.json.decode(claims), text.rpartition(".")[0].encode(), signature
        )
    except (binascii.Error, ValueError, RecursionError):
        return None
    return found if isinstance(found.header, dict) and isinstance(found.claims, dict) else None


def _decode(text: str) -> bytes:
    if any(char in "+/=" for char in text):
        raise ValueError("another alphabet")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


class Key:
    """A private key on P-256; `make` gives it, PEM-encoded, when it is first used."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        self._make = make

    @cached_property
    def _key(self) -> "ec.EllipticCurvePrivateKey":
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = serialization.load_pem_private_key(self._make(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return key

    @cached_property
    def _point(self) -> tuple[bytes, bytes]:
        numbers = self._key.public_key().public_numbers()
        return numbers.x.to_bytes(_HALF), numbers.y.to_bytes(_HALF)

    @cached_property
    def id(self) -> str:
        """Its name, by which a token says who signed it."""
        x, y = self._point
        return _encode(hashlib.sha256(_PREFIX + b"\x04" + x + y).digest())

    @cached_property
    def public(self) -> dict[str, str]:
        """The public half, as a JSON Web Key."""
        x, y = map(_encode, self._point)
        return {"use": "sig", "kty": "EC", "kid": self.id, "crv": "P-256", "alg": _ALGORITHM, "x": x, "y": y}

    def sign(self, claims: Mapping[str, Any]) -> str:
        """A token. The same claims give the same token, so that a seeded run repeats it."""
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        header = {"alg": _ALGORITHM, "kid": self.id}
        text = ".".join(_encode(msgspec.json.encode(part, order="sorted")) for part in (header, claims))
        try:
            algorithm = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        except UnsupportedAlgorithm:  # by an older OpenSSL; the token is as good, and another each time
            algorithm = ec.ECDSA(hashes.SHA256())
        signature = decode_dss_signature(self._key.sign(text.encode(), algorithm))
        return f"{text}.{_encode(b''.join(number.to_bytes(_HALF) for number in signature))}"

    def signed(self, token: Token) -> bool:
        """Whether this key signed a token."""
        if token.header.get("alg") != _ALGORITHM or "crit" in token.header or len(token.signature) != 2 * _HALF:
            return False
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

        numbers = (int.from_bytes(half) for half in (token.signature[:_HALF], token.signature[_HALF:]))
        try:
            self._key.public_key().verify(encode_dss_signature(*numbers), token.signed, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        return True
