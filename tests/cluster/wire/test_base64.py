"""Bytes as Go reads and writes them."""

import base64 as python
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.base64 import Base64Error, encode, normalise, size


@given(st.binary())
def test_what_is_written_is_read_as_it_is(data: bytes) -> None:
    text = encode(data)
    assert text == python.b64encode(data).decode()
    assert normalise(text) == text


@given(st.binary(), st.data())
def test_line_breaks_are_nothing(data: bytes, draw: st.DataObject) -> None:
    text = encode(data)
    at = draw.draw(st.integers(0, len(text)))
    assert normalise(f"{text[:at]}\r\n{text[at:]}") == text


def test_bits_too_many_are_dropped() -> None:
    assert normalise("YR==") == "YQ=="


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("?", 0),
        ("Y Q=", 1),
        ("Y", 0),
        ("YWJjY", 4),
        ("YQ", 0),
        ("YQ=", 3),
        ("YQ=a", 2),
        ("YWJj=", 4),
        ("=", 0),
        ("Y===", 1),
        ("YQ==YQ==", 4),
        ("YWI=YQ==", 4),
        ("YWJj-_8=", 4),
        ("é", 0),
    ],
)
def test_what_is_wrong_is_told_by_its_place(text: str, at: int) -> None:
    with pytest.raises(Base64Error, match=rf"^illegal base64 data at input byte {at}$"):
        normalise(text)


@given(st.lists(st.binary(max_size=5)))
def test_the_size_of_many_is_that_of_their_bytes(blobs: list[bytes]) -> None:
    assert size(map(encode, blobs)) == sum(map(len, blobs))


@given(st.text("YQ=\n?", max_size=12))
def test_any_text_is_bytes_or_refused(text: str) -> None:
    with contextlib.suppress(Base64Error):
        assert normalise(normalise(text)) == normalise(text)
