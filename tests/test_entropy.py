import re
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from kubewright.entropy import SYSTEM, Entropy


def drawn(entropy: Entropy) -> list[str | bytes]:
    return [entropy.uid(), entropy.suffix(), entropy.token(), entropy.private_key(), entropy.uid()]


def test_no_two_draws_from_the_system_are_the_same() -> None:
    assert len({SYSTEM.token() for _ in range(100)}) == 100
    assert len({SYSTEM.uid() for _ in range(100)}) == 100


def test_a_seed_repeats_everything_in_order() -> None:
    assert drawn(Entropy(7)) == drawn(Entropy(7))
    assert drawn(Entropy(7)) != drawn(Entropy(8))


@pytest.mark.parametrize("entropy", [SYSTEM, Entropy(1)])
def test_what_is_made_has_the_form_others_expect(entropy: Entropy) -> None:
    assert uuid.UUID(entropy.uid()).version == 4
    assert re.fullmatch("[bcdfghjklmnpqrstvwxz2456789]{5}", entropy.suffix())
    key = load_pem_private_key(entropy.private_key(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    assert isinstance(key.curve, ec.SECP256R1)
