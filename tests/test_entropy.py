from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from kubewright import entropy


def test_no_two_tokens_are_the_same() -> None:
    assert len({entropy.token() for _ in range(100)}) == 100


def test_a_private_key_is_on_the_curve_that_signs_es256() -> None:
    key = load_pem_private_key(entropy.private_key(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    assert isinstance(key.curve, ec.SECP256R1)
