"""X.509 certificates of our own making, and what we want to know of others: pure, bytes to bytes.

extensions ──► unsigned ──► (the authority's key) ──► signed           subject_of, names, key_identifier ◄── any
"""

import hashlib
import socket
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from kubewright.cluster.auth import der

__all__ = [
    "CLIENT",
    "SERVER",
    "Names",
    "authority_extensions",
    "end",
    "is_authority",
    "key_identifier",
    "leaf_extensions",
    "names",
    "public_key",
    "signed",
    "subject",
    "subject_of",
    "unsigned",
]

COMMON_NAME: Final = der.oid("2.5.4.3")
ORGANIZATION: Final = der.oid("2.5.4.10")
#: What a certificate may be shown for.
SERVER: Final = der.oid("1.3.6.1.5.5.7.3.1")
CLIENT: Final = der.oid("1.3.6.1.5.5.7.3.2")

_ECDSA_SHA256: Final = der.sequence(der.oid("1.2.840.10045.4.3.2"))
_P256: Final = der.sequence(der.oid("1.2.840.10045.2.1"), der.oid("1.2.840.10045.3.1.7"))
_SUBJECT_KEY: Final = der.oid("2.5.29.14")
_AUTHORITY_KEY: Final = der.oid("2.5.29.35")
_KEY_USAGE: Final = der.oid("2.5.29.15")
_ALTERNATIVES: Final = der.oid("2.5.29.17")
_CONSTRAINTS: Final = der.oid("2.5.29.19")
_PURPOSE: Final = der.oid("2.5.29.37")
#: Key usages: the bits of keyCertSign and cRLSign, and of digitalSignature.
_SIGNS_CERTIFICATES: Final = der.bits(b"\x06", 1)
_SIGNS: Final = der.bits(b"\x80", 7)


class Names(NamedTuple):
    """Of a subject: its common names and its organisations, in their order."""

    common: tuple[str, ...]
    organizations: tuple[str, ...]


def subject(common: str, organizations: Iterable[str] = ()) -> bytes:
    """A name: the organisations, and then the common name."""
    pairs = [*((ORGANIZATION, each) for each in organizations), (COMMON_NAME, common)]
    return der.sequence(*(der.tagged(der.SET, der.sequence(kind, der.text(value))) for kind, value in pairs))


def authority_extensions(point: bytes) -> list[bytes]:
    """What is said of an authority whose public key is this point."""
    return [
        _extension(_SUBJECT_KEY, der.tagged(der.OCTETS, _identifier(point))),
        _extension(_CONSTRAINTS, der.sequence(der.boolean(True)), critical=True),
        _extension(_KEY_USAGE, _SIGNS_CERTIFICATES, critical=True),
    ]


def leaf_extensions(point: bytes, purpose: bytes, issuer: bytes | None, hosts: Sequence[str] = ()) -> list[bytes]:
    """What is said of anybody else; `issuer` is the key identifier of the authority, if it has one."""
    found = [
        _extension(_SUBJECT_KEY, der.tagged(der.OCTETS, _identifier(point))),
        _extension(_CONSTRAINTS, der.sequence(), critical=True),
        _extension(_KEY_USAGE, _SIGNS, critical=True),
        _extension(_PURPOSE, der.sequence(purpose)),
    ]
    if issuer is not None:
        found.append(_extension(_AUTHORITY_KEY, der.sequence(der.tagged(0x80, issuer))))
    if hosts:
        found.append(_extension(_ALTERNATIVES, der.sequence(*map(_host, hosts))))
    return found


def unsigned(
    name: bytes, issuer: bytes, point: bytes, serial: int, start: datetime, end: datetime, extensions: Iterable[bytes]
) -> bytes:
    """What an authority signs; `point` is the public key of `name`, on P-256."""
    return der.sequence(
        der.tagged(der.EXPLICIT, der.integer(2)),
        der.integer(serial),
        _ECDSA_SHA256,
        issuer,
        der.sequence(*(der.utc_time(f"{moment:%y%m%d%H%M%SZ}") for moment in (start, end))),
        name,
        der.sequence(_P256, der.bits(point)),
        der.tagged(der.EXPLICIT + 3, der.sequence(*extensions)),
    )


def signed(certificate: bytes, signature: bytes) -> bytes:
    """A certificate with what an authority made of it by ECDSA with SHA-256."""
    return der.sequence(certificate, _ECDSA_SHA256, der.bits(signature))


def subject_of(certificate: bytes) -> bytes:
    """The name that a certificate is for, as it stands there; ValueError if it is none."""
    return _fields(certificate)[4].whole


def names(certificate: bytes) -> Names:
    """The names that a certificate is for."""
    found: dict[bytes, list[str]] = {COMMON_NAME: [], ORGANIZATION: []}
    for group in der.read(_fields(certificate)[4].content):
        for pair in der.read(group.content):
            kind, value = der.read(pair.content)
            found.setdefault(kind.whole, []).append(der.text_of(value))
    return Names(tuple(found[COMMON_NAME]), tuple(found[ORGANIZATION]))


def key_identifier(certificate: bytes) -> bytes | None:
    """How a certificate calls its own key, if it does."""
    found = _extension_of(certificate, _SUBJECT_KEY)
    return found[0].content if found else None


def is_authority(certificate: bytes) -> bool:
    """Whether a certificate may sign others."""
    found = _extension_of(certificate, _CONSTRAINTS)
    return bool(found) and der.read(found[0].content)[:1] == der.read(der.boolean(True))


def public_key(certificate: bytes) -> bytes:
    """The key that a certificate is for; of one on a curve, its point."""
    return der.read(_fields(certificate)[5].content)[1].content[1:]  # before it, how many bits are unused: none


def end(certificate: bytes) -> datetime:
    """Until when a certificate is good."""
    last = der.read(_fields(certificate)[3].content)[1]
    text = last.content.decode("ascii")
    if last.tag == der.UTC_TIME:
        text = ("19" if text >= "50" else "20") + text
    return datetime.fromisoformat(f"{text[:8]}T{text[8:14]}Z")


def _extension_of(certificate: bytes, wanted: bytes) -> list[der.Value]:
    for field in _fields(certificate)[6:]:
        if field.tag == der.EXPLICIT + 3:
            for extension in der.read(der.read(field.content)[0].content):
                kind, *_, value = der.read(extension.content)
                if kind.whole == wanted:
                    return der.read(value.content)
    return []


def _fields(certificate: bytes) -> list[der.Value]:
    """Serial number, algorithm, issuer, validity, subject, public key, and what else there is."""
    try:
        fields = der.read(der.read(der.read(certificate)[0].content)[0].content)
    except IndexError:
        fields = []
    fields = fields[1:] if fields and fields[0].tag == der.EXPLICIT else fields
    if len(fields) < 6:
        raise ValueError("this is no certificate")
    return fields


def _identifier(point: bytes) -> bytes:
    # SHA-1 because everybody does; it is a name, and nothing rests on it.
    return hashlib.sha1(point, usedforsecurity=False).digest()


def _extension(kind: bytes, value: bytes, *, critical: bool = False) -> bytes:
    return der.sequence(kind, der.boolean(True) if critical else b"", der.tagged(der.OCTETS, value))


def _host(host: str) -> bytes:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            return der.tagged(0x87, socket.inet_pton(family, host))
        except OSError:
            continue
    return der.tagged(0x82, host.encode("ascii"))
