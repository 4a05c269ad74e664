"""Certificates and keys for TLS; of those that cannot be used, which it is and why.

OpenSSL says "PEM lib" of most of them, so what it does not take is looked at once more, part by part.
"""

import re
import ssl
import tempfile
from dataclasses import dataclass, field

from kubewright.errors import KubewrightError

__all__ = ["CertificateError", "Pem", "trusting", "wear"]

_LABEL = re.compile(rb"-----BEGIN ([A-Z0-9 ]+)-----")
#: How OpenSSL says that a key is not the certificate's; the last if it is of another algorithm.
_OTHERS_KEY = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")


class CertificateError(KubewrightError):
    """A certificate or key that cannot be used."""


@dataclass(frozen=True, slots=True)
class Pem:
    """Certificates or a key, and how messages call them: the file or the field of a kubeconfig they are from."""

    data: bytes = field(repr=False)
    source: str


def trusting(authority: Pem | None) -> ssl.SSLContext:
    """A context that believes those whom this authority vouches for; None: the system's authorities.

    It judges as Go does, and so kubectl and kube-apiserver: whatever is named is believed, be it a server's own
    certificate, and an authority may lack what the letter of RFC 5280 wants.
    """
    try:
        context = ssl.create_default_context(cadata=_ascii(authority) if authority is not None else None)
    except (ssl.SSLError, ValueError) as error:
        raise CertificateError(f"{_certificate_fault(authority)}.") from error
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def wear(context: ssl.SSLContext, certificate: Pem, key: Pem) -> None:
    """Have a context show this certificate to servers that ask for one."""
    # OpenSSL takes a certificate from a file only; this one is the owner's alone, and gone at once.
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(certificate.data + b"\n" + key.data)
        file.flush()
        try:
            # Without a passphrase OpenSSL would ask for one at the terminal, and the loop stand still.
            context.load_cert_chain(file.name, password="")
        except (ssl.SSLError, ValueError) as error:
            raise CertificateError(f"{_chain_fault(certificate, key, error)}.") from error


def _ascii(pem: Pem) -> str:
    # Between certificates there may be text in any language.
    return pem.data.decode("ascii", "ignore")


def _certificate_fault(pem: Pem | None) -> str:
    if pem is None:
        return "the authorities of this system cannot be read"
    if not _has(pem, b"CERTIFICATE"):
        return f"{pem.source} holds no certificate in PEM"
    return f"{pem.source} holds a certificate that is broken"


def _chain_fault(certificate: Pem, key: Pem, error: ssl.SSLError | ValueError) -> str:
    if not _has(certificate, b"CERTIFICATE") or not _is_whole(certificate):
        return _certificate_fault(certificate)
    if not _has(key, b"PRIVATE KEY"):
        return f"{key.source} holds no private key in PEM"
    if b"ENCRYPTED" in key.data:
        return f"{key.source} is encrypted, and nobody can be asked for the passphrase; write it without one"
    reason = getattr(error, "reason", None)
    if reason in _OTHERS_KEY:
        return f"{key.source} is not the key of {certificate.source}"
    why = reason.replace("_", " ").lower() if reason else "it is broken"
    return f"{key.source} cannot be used with {certificate.source}: {why}"


def _has(pem: Pem, what: bytes) -> bool:
    return any(label.endswith(what) for label in _LABEL.findall(pem.data))


def _is_whole(certificate: Pem) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=_ascii(certificate))
    except (ssl.SSLError, ValueError):
        return False
    return True
