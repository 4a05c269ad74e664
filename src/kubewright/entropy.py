"""The one module through which randomness comes.

Nothing else in `kubewright` asks the system for random bits: tokens, keys and identifiers are made here, so that a
simulated run can make them from a seed.
"""

import secrets

__all__ = ["private_key", "token"]


def token() -> str:
    """A bearer token nobody can guess: 256 bits, safe in a header, a URL and a CSV field."""
    return secrets.token_urlsafe(32)


def private_key() -> bytes:
    """A new P-256 private key, PEM-encoded: what signs service account tokens."""
    # Imported here: it takes longer to load than the rest of the package, and few programs make keys.
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
