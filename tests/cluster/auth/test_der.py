import contextlib

import pytest
from cryptography.x509 import ObjectIdentifier
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.auth import der


@given(st.integers(0, 255).filter(lambda tag: tag & 0x1F != 0x1F), st.lists(st.binary(max_size=300), max_size=3))
def test_what_is_written_is_read(tag: int, contents: list[bytes]) -> None:
    wholes = [der.tagged(tag, content) for content in contents]
    found = der.read(b"".join(wholes))
    assert [(value.tag, value.content, value.whole) for value in found] == [
        (tag, content, whole) for content, whole in zip(contents, wholes, strict=True)
    ]


@given(st.binary(max_size=60))
def test_bytes_that_are_no_der_are_refused_and_nothing_worse(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert b"".join(value.whole for value in der.read(data)) == data


@pytest.mark.parametrize(
    ("number", "written"), [(0, "020100"), (127, "02017f"), (128, "02020080"), (65537, "0203010001")]
)
def test_integers_are_as_short_as_they_can_be_and_not_negative(number: int, written: str) -> None:
    assert der.integer(number).hex() == written


@pytest.mark.parametrize(
    ("dotted", "written"), [("2.5.4.3", "0603550403"), ("1.2.840.10045.4.3.2", "06082a8648ce3d040302")]
)
def test_identifiers_are_written_in_groups_of_seven_bits(dotted: str, written: str) -> None:
    assert ObjectIdentifier(dotted).dotted_string == dotted
    assert der.oid(dotted).hex() == written


@pytest.mark.parametrize(("tag", "charset"), [(0x0C, "utf-8"), (0x13, "ascii"), (0x1E, "utf-16-be"), (0x14, "latin-1")])
def test_a_text_is_read_by_its_kind(tag: int, charset: str) -> None:
    content = "ab".encode(charset)
    assert der.text_of(der.read(der.tagged(tag, content))[0]) == "ab"
