"""The one module through which randomness comes.

Nothing else in `kubewright` asks the system for random bits: identifiers, names, tokens and keys are made by an
`Entropy`. Without a seed it draws from the system and nobody can guess it; with a seed everything it makes is a
function of the seed and of the order in which it was asked, so that a simulated run can be repeated to the byte.
"""

import random
import secrets
from typing import Final

__all__ = ["SYSTEM", "Entropy"]

#: What generated names end with: no vowels, so that no words come about, and nothing that looks like something else.
_SUFFIX: Final = "bcdfghjklmnpqrstvwxz2456789"


class Entropy:
    """A source of random things; `seed` makes it repeatable, and its secrets no secrets."""

    def __init__(self, seed: int | None = None) -> None:
        self._random: random.Random = secrets.SystemRandom() if seed is None else random.Random(seed)

    def uid(self) -> str:
        """An identifier that no other object has: a UUID of version 4."""
        bits = self._random.getrandbits(128) & ~(0xF << 76 | 0x3 << 62) | 0x4 << 76 | 0x2 << 62
        text = f"{bits:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def suffix(self, length: int = 5) -> str:
        """The end of a generated name."""
        return "".join(self._random.choices(_SUFFIX, k=length))

    def fraction(self) -> float:
        """A number from 0 up to, but not including, 1."""
        return self._random.random()

    def token(self) -> str:
        """A bearer token nobody can guess: 256 bits, safe in a header, a URL and a CSV field."""
        return self._random.randbytes(32).hex()

    def private_key(self) -> bytes:
        """A new P-256 private key, PEM-encoded."""
        # Imported here: it takes longer to load than the rest of the package, and few programs make keys.
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        if isinstance(self._random, secrets.SystemRandom):
            key = ec.generate_private_key(ec.SECP256R1())
        else:
            # Any number below the order of the curve, and not 0, is a key; 248 bits are.
            key = ec.derive_private_key(self._random.getrandbits(248) | 1, ec.SECP256R1())
        return key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )


#: The system's own: for whoever needs no repetition.
SYSTEM: Final = Entropy()
