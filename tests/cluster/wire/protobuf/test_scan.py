"""The grammar of protobuf, and what is wrong with bytes that do not follow it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.protobuf.scan import Malformed, extent, fields, signed, skip, stray, text, varint
from kubewright.cluster.wire.protobuf.write import message, number

KNOWN = {1: ("Name", 2), 2: ("Count", 0)}


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_number_is_read_as_it_was_written(value: int) -> None:
    written = number(value)
    assert varint(written + b"rest", 0, len(written)) == (value % 2**64, len(written))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "unexpected EOF"),
        (b"\x80", "unexpected EOF"),
        (b"\xff" * 10 + b"\x01", "proto: integer overflow"),
    ],
)
def test_a_number_without_an_end_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        varint(data, 0, len(data))
    assert str(refused.value) == why


def test_of_a_number_that_is_too_long_the_lower_bits_count() -> None:
    assert varint(b"\xff" * 9 + b"\x7f", 0, 10) == (2**64 - 1, 10)


@pytest.mark.parametrize(("bits", "value", "expected"), [(32, 2**32 - 1, -1), (64, 2**64 - 1, -1), (32, 2**40 + 5, 5)])
def test_the_highest_bit_is_the_sign(bits: int, value: int, expected: int) -> None:
    assert signed(value, bits) == expected


@pytest.mark.parametrize(
    ("length", "why"),
    [(3, "unexpected EOF"), (2**63, "proto: negative length found during unmarshaling"), (2**62, "unexpected EOF")],
)
def test_a_length_beyond_the_end_is_refused(length: int, why: str) -> None:
    data = number(length) + b"ab"
    with pytest.raises(Malformed) as refused:
        extent(data, 0, len(data))
    assert str(refused.value) == why


@pytest.mark.parametrize(
    "field",
    [
        b"\x08\x96\x01",
        b"\x09" + b"x" * 8,
        b"\x0a\x03abc",
        b"\x0b\x08\x01\x13\x14\x0c",
        b"\x0d" + b"x" * 4,
    ],
)
def test_a_field_that_nobody_knows_is_passed_over(field: bytes) -> None:
    assert skip(field + b"\x08\x01", 0, len(field) + 2) == len(field)


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (b"\x0b\x08\x01", "unexpected EOF"),
        (b"\x0c", "proto: unexpected end of group"),
        (b"\x0e", "proto: illegal wireType 6"),
        (b"\x09abc", "unexpected EOF"),
        (b"\x0a\x7fabc", "unexpected EOF"),
        (b"\x0a" + number(2**63), "proto: negative length found during unmarshaling"),
    ],
)
def test_a_field_that_nobody_can_know_is_refused(field: bytes, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        skip(field, 0, len(field))
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("field", "why"),
    [
        (b"\x0c", "proto: Thing: wiretype end group for non-group"),
        (b"\x02", "proto: Thing: illegal tag 0 (wire type 2)"),
        (number(2**31 << 3), f"proto: Thing: illegal tag -2147483648 (wire type {2**31 << 3})"),
        (b"\x08\x01", "proto: wrong wireType = 0 for field Name"),
    ],
)
def test_a_field_that_is_not_as_it_should_be_is_told_by_name(field: bytes, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        stray(field, 0, len(field), "Thing", {1: "Name"})
    assert str(refused.value) == why


def test_of_a_message_the_known_fields_are_given() -> None:
    assert [*fields(message(b"a", 5, b"unknown"), "Thing", KNOWN)] == [(1, b"a"), (2, 5)]


def test_every_byte_that_is_no_utf_8_is_replaced() -> None:
    assert text(b"a\xff\xfeb\xe2\x82") == "a��b��"
