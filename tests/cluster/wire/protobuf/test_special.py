"""Values that are messages in protobuf and one word in JSON."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.protobuf.scan import Malformed
from kubewright.cluster.wire.protobuf.special import PACK, UNPACK
from kubewright.cluster.wire.protobuf.write import message

TIME, MICRO, QUANTITY = "meta/v1.Time", "meta/v1.MicroTime", "resource.Quantity"
EITHER, RAW, JSON, FIELDS = (
    "intstr.IntOrString",
    "runtime.RawExtension",
    "apiextensions/v1.JSON",
    "meta/v1.FieldsV1",
)


@given(st.datetimes(datetime(1, 1, 2)))
def test_a_time_counts_seconds_since_1970(moment: datetime) -> None:
    seconds = (moment - datetime(1970, 1, 1)) // timedelta(seconds=1)
    written = moment.replace(microsecond=0).isoformat() + "Z"
    assert UNPACK[TIME](message(seconds, 999)) == written
    assert PACK[TIME](written) == message(seconds, 0)


@given(st.datetimes(datetime(1, 1, 2)))
def test_a_micro_time_has_microseconds(moment: datetime) -> None:
    written = moment.isoformat(timespec="microseconds") + "Z"
    assert UNPACK[MICRO](PACK[MICRO](written)) == written


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (-62135596801, "0000-12-31T23:59:59Z"),
        (253402300800, "10000-01-01T00:00:00Z"),
        (2**62, "146138514283-06-19T07:45:04Z"),
        (-(2**40), "-32873-11-12T23:23:44Z"),
    ],
)
def test_a_time_may_be_of_any_year(seconds: int, expected: str) -> None:
    assert UNPACK[TIME](message(seconds)) == expected


@given(st.integers(-(2**62), 2**62))
def test_a_time_of_any_year_is_written_as_it_was_read(seconds: int) -> None:
    read = UNPACK[TIME](message(seconds, 0))
    assert read is None or PACK[TIME](read) == message(seconds, 0)


@pytest.mark.parametrize(
    ("nanos", "expected"),
    [(1999, "00.000001"), (-5, "00.000000"), (1_999_999_999, "01.999999"), (999, "00.000000")],
)
def test_of_nanoseconds_whole_microseconds_count(nanos: int, expected: str) -> None:
    assert UNPACK[MICRO](message(0, nanos)) == f"1970-01-01T00:00:{expected}Z"


@pytest.mark.parametrize("name", [TIME, MICRO])
@pytest.mark.parametrize("data", [b"", message(-62135596800), message(-62135596800, 0)])
def test_the_time_zero_is_null(name: str, data: bytes) -> None:
    assert UNPACK[name](data) is None
    assert PACK[name](None) == b""


@pytest.mark.parametrize(
    ("data", "expected"), [(b"", "0"), (message(b"1024Mi"), "1Gi"), (b"\x1a\x00" + message(b"0.5"), "500m")]
)
def test_a_quantity_is_a_text_in_its_shortest_form(data: bytes, expected: str) -> None:
    assert UNPACK[QUANTITY](data) == expected


@pytest.mark.parametrize("text", [b"", b"x", b"1e"])
def test_what_is_no_quantity_is_refused_as_in_json(text: bytes) -> None:
    with pytest.raises(Malformed, match="quantit"):
        UNPACK[QUANTITY](message(text))


@pytest.mark.parametrize(("data", "expected"), [(message(0, 5), 5), (message(1, 5, b"5%"), "5%"), (b"", 0)])
def test_the_type_says_whether_it_is_a_number_or_a_text(data: bytes, expected: object) -> None:
    assert UNPACK[EITHER](data) == expected


@pytest.mark.parametrize("value", [0, 5, 127, 128, -1, "5%", "", "a" * 127, "a" * 128, "a" * 133, "a" * 300])
def test_a_number_or_text_is_read_as_it_was_written(value: object) -> None:
    assert UNPACK[EITHER](PACK[EITHER](value)) == value


@pytest.mark.parametrize("value", [5, "5%"])
def test_one_that_is_cut_off_is_refused_or_read_as_far_as_it_goes(value: object) -> None:
    whole = PACK[EITHER](value)
    for end in (1, 3, 5, *range(7, len(whole))):
        with pytest.raises(Malformed, match="unexpected EOF"):
            UNPACK[EITHER](whole[:end])
    assert UNPACK[EITHER](whole[:4]) in (value, "")


def test_neither_a_number_nor_a_text_is_refused() -> None:
    with pytest.raises(Malformed, match="impossible IntOrString"):
        UNPACK[EITHER](message(7))


@pytest.mark.parametrize("name", [RAW, JSON, FIELDS])
@pytest.mark.parametrize("value", [{"a": [1, 2.5, None, "x", {}]}, [], "text", True, 0])
def test_json_is_kept_as_a_text(name: str, value: Any) -> None:
    assert UNPACK[name](PACK[name](value)) == value
    assert UNPACK[name](b"") is None


@pytest.mark.parametrize("name", [RAW, JSON])
@pytest.mark.parametrize(
    ("text", "why"),
    [(b"nonsense", "invalid character 'o'"), (b"{", "unexpected end"), (b"[" * 600 + b"]" * 600, "exceeded max depth")],
)
def test_what_is_no_json_is_refused(name: str, text: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        UNPACK[name](message(text))


def test_managed_fields_that_cannot_be_read_are_none() -> None:
    assert UNPACK[FIELDS](message(b"nonsense")) is None
