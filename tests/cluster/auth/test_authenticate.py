import asyncio
from dataclasses import dataclass

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from kubewright.cluster.auth.authenticate import Authenticator
from kubewright.cluster.auth.authority import Authority
from kubewright.cluster.auth.user import ANONYMOUS, User
from kubewright.cluster.verbs.status import Failure
from kubewright.entropy import Entropy
from kubewright.http import Headers, Peer, Request

JANE = User("jane", ("dev",))
AUTHENTICATOR = Authenticator({"secret": JANE}, User("admin"))


@dataclass
class Link:
    peer: Peer

    @property
    def lost(self) -> asyncio.Event:
        return asyncio.Event()


def asked(*headers: tuple[bytes, bytes], secure: bool = True, certificate: bytes | None = None) -> Request:
    return Request("GET", "/", Headers(headers), link=Link(Peer(None, certificate, secure)))


def test_a_token_names_its_user() -> None:
    user = AUTHENTICATOR.user(asked((b"authorization", b"Bearer secret")))
    assert user == User("jane", ("dev", "system:authenticated"))


@pytest.mark.parametrize("value", [b"Bearer wrong", b"bearer  other"])
def test_a_token_nobody_knows_is_refused_even_where_none_would_do(value: bytes) -> None:
    with pytest.raises(Failure) as caught:
        AUTHENTICATOR.user(asked((b"authorization", value)))
    assert caught.value.code == 401


@pytest.mark.parametrize("headers", [[], [(b"authorization", b"Basic YTpi")], [(b"authorization", b"Bearer")]])
def test_who_says_nothing_is_nobody(headers: list[tuple[bytes, bytes]]) -> None:
    assert AUTHENTICATOR.user(asked(*headers)) == ANONYMOUS


def test_who_cannot_say_is_the_administrator() -> None:
    assert AUTHENTICATOR.user(asked(secure=False)).name == "admin"
    assert AUTHENTICATOR.user(Request("GET", "/")).name == "admin"


def test_a_certificate_names_user_and_groups() -> None:
    pem = Authority.mint(Entropy()).client("joe", ["a", "b"]).certificate
    der = x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)
    assert AUTHENTICATOR.user(asked(certificate=der)) == User("joe", ("a", "b", "system:authenticated"))
