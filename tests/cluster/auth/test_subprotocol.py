from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.auth.subprotocol import take_token
from kubewright.cluster.auth.token import BadToken
from kubewright.http import Headers

FIELD = b"Sec-WebSocket-Protocol"
PREFIX = b"base64url.bearer.authorization.k8s.io."


def bearer(token: bytes) -> bytes:
    return PREFIX + urlsafe_b64encode(token).rstrip(b"=")


def test_the_token_is_taken_off_and_the_other_stays() -> None:
    token, rest = take_token(Headers([(b"Origin", b"x"), (FIELD, bearer(b"secret") + b", v1")]))
    assert token == "secret"
    assert rest.all(FIELD.lower()) == [b"v1"]
    assert rest.get(b"origin") == b"x"


def test_without_a_token_nothing_changes() -> None:
    headers = Headers([(FIELD, b"v1, v2")])
    assert take_token(headers) == ("", headers)


@pytest.mark.parametrize(
    ("offered", "why"),
    [
        (bearer(b"secret"), "missing additional subprotocol"),
        (bearer(b"a") + b"," + bearer(b"b"), "multiple base64.bearer.authorization tokens specified"),
        (PREFIX + b"a,v1", "invalid base64.bearer.authorization token encoding"),
        (bearer(b"\xff") + b",v1", "invalid base64.bearer.authorization token encoding"),
    ],
)
def test_a_token_that_cannot_be_is_refused(offered: bytes, why: str) -> None:
    with pytest.raises(BadToken, match=why):
        take_token(Headers([(FIELD, offered)]))


@given(st.lists(st.binary(max_size=20) | st.binary(max_size=10).map(lambda rest: PREFIX + rest), max_size=3))
def test_whatever_is_offered_a_token_is_found_or_refused(offered: list[bytes]) -> None:
    try:
        token, rest = take_token(Headers([(FIELD, b",".join(offered))]))
    except BadToken:
        return
    assert not token or PREFIX not in b"".join(rest.all(FIELD.lower()))
