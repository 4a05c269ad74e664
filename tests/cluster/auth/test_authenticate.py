import asyncio
import contextlib
import hashlib
from dataclasses import dataclass

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.auth.world import World

from kubewright.cluster.auth.authenticate import Authenticator
from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.wire.status import Failure
from kubewright.entropy import Entropy
from kubewright.http import Headers, Peer, Request

JANE = User("jane", ("dev",))
WORLD = World()
AUTHENTICATOR = Authenticator({"secret": JANE}, User("admin"), lambda: WORLD.accounts)


@dataclass
class Link:
    peer: Peer

    @property
    def lost(self) -> asyncio.Event:
        return asyncio.Event()


def asked(*headers: tuple[bytes, bytes], secure: bool = True, certificate: bytes | None = None) -> Request:
    return Request("GET", "/", Headers(headers), link=Link(Peer(None, certificate, secure)))


def user(*headers: tuple[bytes, bytes], secure: bool = True, certificate: bytes | None = None) -> User:
    return AUTHENTICATOR.user(asked(*headers, secure=secure, certificate=certificate), [])


@pytest.mark.parametrize("value", [b"Bearer secret", b"bearer secret", b"BEARER secret more", b" Bearer secret "])
def test_a_token_names_its_user(value: bytes) -> None:
    assert user((b"authorization", value)) == User("jane", ("dev", "system:authenticated"))


def test_only_what_was_good_is_kept() -> None:
    authenticator = Authenticator({"secret": JANE}, User("admin"), lambda: WORLD.accounts)
    for token in (b"Bearer secret", b"Bearer made-up"):
        with contextlib.suppress(Failure):
            authenticator.user(asked((b"authorization", token)), [])
    assert [*authenticator._headers] == [b"Bearer secret"]


def test_the_token_of_an_account_names_its_user() -> None:
    token = WORLD.token().encode()
    assert user((b"authorization", b"Bearer " + token)).name == "system:serviceaccount:web:bob"


@pytest.mark.parametrize("value", [b"Bearer wrong", b"bearer other", b"Bearer a.b.c", b"Bearer \xff"])
def test_a_token_nobody_knows_is_refused_even_where_none_would_do(value: bytes) -> None:
    with pytest.raises(Failure) as caught:
        user((b"authorization", value))
    assert caught.value.code == 401


@pytest.mark.parametrize("value", [b"Basic YTpi", b"Bearer", b"Bearer ", b"", b"bearersecret"])
def test_who_says_nothing_is_nobody(value: bytes) -> None:
    assert user() == ANONYMOUS
    assert user((b"authorization", value)) == ANONYMOUS


def test_who_says_it_with_too_many_spaces_is_warned() -> None:
    warnings: list[str] = []
    assert AUTHENTICATOR.user(asked((b"authorization", b"Bearer  secret")), warnings) == ANONYMOUS
    assert warnings == [
        "the provided Authorization header contains extra space before the bearer token, and is ignored"
    ]


@given(st.binary(max_size=60).map(lambda rest: b"Bearer " + rest) | st.binary(max_size=60))
def test_whatever_stands_in_the_header_somebody_or_nobody_asks(value: bytes) -> None:
    with contextlib.suppress(Failure):
        user((b"authorization", value))


def test_a_browser_shows_its_token_among_subprotocols() -> None:
    request = asked((b"sec-websocket-protocol", b"base64url.bearer.authorization.k8s.io.c2VjcmV0,v1"))
    assert AUTHENTICATOR.user(request, []) == ANONYMOUS
    request.upgrade = True
    assert AUTHENTICATOR.user(request, []).name == "jane"
    assert request.headers.get(b"sec-websocket-protocol") == b"v1"


def test_who_cannot_say_is_the_administrator() -> None:
    assert user(secure=False).name == "admin"
    assert AUTHENTICATOR.user(Request("GET", "/"), []).name == "admin"


def test_a_certificate_names_user_and_groups_and_is_told_itself() -> None:
    pem = Authority.mint(Entropy()).client("joe", ["a", "b"]).certificate
    der = x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)
    print_ = hashlib.sha256(der).hexdigest()
    extra = (("authentication.kubernetes.io/credential-id", (f"X509SHA256={print_}",)),)
    assert user(certificate=der) == User("joe", ("a", "b", "system:authenticated"), extra=extra)


def test_a_certificate_of_no_name_is_nobodys() -> None:
    pem = Authority.mint(Entropy()).client("").certificate
    der = x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)
    assert user(certificate=der) == ANONYMOUS
