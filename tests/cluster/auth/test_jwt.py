import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import PEM

from kubewright.cluster.auth.jwt import Key, Token, read_token
from kubewright.entropy import Entropy

KEY = Key(lambda: PEM)
TEXT = KEY.sign({"sub": "bob", "n": 1})


def decoded(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def read(text: str) -> Token:
    token = read_token(text)
    assert token is not None
    return token


def test_a_token_says_what_was_signed() -> None:
    token = read(TEXT)
    assert (token.header, token.claims) == ({"alg": "ES256", "kid": KEY.id}, {"n": 1, "sub": "bob"})
    assert KEY.signed(token)


def test_anybody_can_check_it_by_the_public_key() -> None:
    x, y = (int.from_bytes(decoded(KEY.public[name])) for name in "xy")
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    content, _, signature = TEXT.rpartition(".")
    numbers = decoded(signature)
    pair = encode_dss_signature(int.from_bytes(numbers[:32]), int.from_bytes(numbers[32:]))
    public.verify(pair, content.encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(decoded(content.split(".")[0]))["kid"] == KEY.public["kid"]


def test_the_same_claims_give_the_same_token() -> None:
    assert KEY.sign({"sub": "bob", "n": 1}) == TEXT


def test_the_key_is_asked_for_when_it_is_needed() -> None:
    asked: list[int] = []

    def make() -> bytes:
        asked.append(1)
        return PEM

    key = Key(make)
    assert not asked
    assert key.sign({}) == KEY.sign({})
    assert asked == [1]


def test_another_key_did_not_sign_it() -> None:
    assert not Key(lambda: Entropy(2).private_key()).signed(read(TEXT))


@pytest.mark.parametrize("change", [{"alg": "none"}, {"alg": "HS256"}, {"crit": ["x"]}, {"alg": ["ES256"]}])
def test_what_the_header_says_is_not_trusted(change: dict[str, Any]) -> None:
    token = read(TEXT)
    assert not KEY.signed(token._replace(header=token.header | change))


@pytest.mark.parametrize(
    "text",
    ["", ".", "..", "a.b", "a.b.c.d", "e30.e30.=", "e30.e30.+/", "W10.e30.", "e30.W10.", "e30.\u00e9.", "e30.e30"],
)
def test_what_is_no_token_is_none(text: str) -> None:
    assert read_token(text) is None


@given(
    st.text(max_size=80)
    | st.lists(st.binary(max_size=20), min_size=3, max_size=3).map(lambda parts: b".".join(parts).decode("latin-1"))
)
def test_whatever_it_is_it_is_read_or_none_and_not_ours(text: str) -> None:
    token = read_token(text)
    assert token is None or not KEY.signed(token)


@given(st.integers(0, len(TEXT) - 1), st.sampled_from("AZaz09-_.="))
def test_one_character_changed_and_it_is_not_ours(at: int, char: str) -> None:
    changed = TEXT[:at] + char + TEXT[at + 1 :]
    token = read_token(changed)
    if token is not None and token != read(TEXT):
        assert not KEY.signed(token)
