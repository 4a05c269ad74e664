import asyncio
import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.store import Store
from kubewright.cluster.verbs.versions import (
    BadVersion,
    Token,
    asked_version,
    fresh,
    listed_version,
    read_token,
    read_version,
)
from kubewright.cluster.wire.status import Failure
from kubewright.trials.loop import run

UNFIT = "json: cannot unmarshal number %s into Go struct field continueToken.rv of type int64"


def test_an_absent_version_is_zero() -> None:
    assert (read_version(""), read_version("0"), read_version("42")) == (0, 0, 42)


@pytest.mark.parametrize("text", ["x", "-1", "1.0", "٣", str(1 << 64), "1" * 5000])
def test_a_version_that_is_no_number_of_64_bits_is_refused(text: str) -> None:
    with pytest.raises(BadVersion):
        read_version(text)
    with pytest.raises(Failure) as asked:
        asked_version(text)
    with pytest.raises(Failure) as listed:
        listed_version(text)
    assert (asked.value.code, listed.value.code) == (500, 400)  # the server's own habit


@given(st.from_regex(r"([a-z0-9]{1,9}/)?[a-z0-9.-]{0,8}[a-z0-9]", fullmatch=True), st.integers(1, 1 << 62))
def test_a_token_says_what_it_was_made_of(key: str, revision: int) -> None:
    token = Token("meta.k8s.io/v1", revision, f"/{key}\0").write()
    assert read_token(token, "/widgets") == (f"/widgets/{key}\0", revision)


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("%%%", "continue key is not valid"),
        ("e30", "server does not recognize this encoded version"),
        (Token("meta.k8s.io/v1", 0, "/a").write(), "incorrect encoded start resourceVersion"),
        (Token("meta.k8s.io/v1", 5, "").write(), "encoded start key empty"),
        (Token("meta.k8s.io/v1", 5, "../secrets/a").write(), "continue key is not valid: ../secrets/a"),
    ],
)
def test_a_token_that_was_tampered_with_is_refused(token: str, why: str) -> None:
    with pytest.raises(Failure) as caught:
        read_token(token, "/widgets")
    assert caught.value.code == 400
    assert why in caught.value.document["message"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"null", "server does not recognize this encoded version "),
        (b'{"v":null}', "server does not recognize this encoded version "),
        (b'{"v":"\\ud800"}', "server does not recognize this encoded version \ufffd"),
        (b'{"v":"\xff"}', "server does not recognize this encoded version \ufffd"),
        (b"[]", "json: cannot unmarshal array into Go value of type storage.continueToken"),
        (b"1e400", "json: cannot unmarshal number into Go value of type storage.continueToken"),
        (b'{"v":1.5}', "json: cannot unmarshal number into Go struct field continueToken.v of type string"),
        *((b'{"rv":%b}' % number, UNFIT % number.decode()) for number in (b"1e3", b"5.0", b"1e400", b"9" * 5000)),
        (b'{"rv":9223372036854775808}', UNFIT % "9223372036854775808"),
    ],
)
def test_what_is_no_token_is_told_in_the_words_of_the_server(data: bytes, why: str) -> None:
    with pytest.raises(Failure) as caught:
        read_token(base64.urlsafe_b64encode(data).rstrip(b"=").decode(), "/widgets")
    assert caught.value.document["message"] == f"invalid continue token: continue key is not valid: {why}"


@given(st.one_of(st.binary(max_size=30), st.from_regex(rb'\A\\{("(v|rv|start)":[-0-9e.ntul"\\]{1,5},?){1,3}\\}\Z')))
def test_any_token_is_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(Failure):
        read_token(base64.urlsafe_b64encode(data).rstrip(b"=").decode(), "/widgets")


def test_a_version_of_the_future_is_waited_for_and_given_up_after_three_seconds() -> None:
    async def wait() -> tuple[float, int]:
        store = Store()
        began = asyncio.get_running_loop().time()
        with pytest.raises(Failure) as caught:
            await fresh(store, 2)
        assert caught.value.document["message"] == "Timeout: Too large resource version: 2, current: 0"
        waited = asyncio.get_running_loop().time() - began
        waiting = asyncio.create_task(fresh(store, 2))
        await asyncio.sleep(1)
        store.commit("/a", 0, lambda _: b"1")
        await asyncio.sleep(0)
        assert not waiting.done()
        store.commit("/b", 0, lambda _: b"2")
        await waiting
        return waited, caught.value.code

    assert run(wait()) == (3.0, 504)
