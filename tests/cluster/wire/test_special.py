"""Values that read JSON in their own way."""

from typing import Any

import pytest

from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.literal import Literal
from kubewright.cluster.wire.special import READERS, number


def read(name: str, value: Any) -> Any:
    return READERS[name](value, None, Findings())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("2024-01-01T01:30:00.999+01:30", "2024-01-01T00:00:00Z"),
        ("0001-01-01T00:00:00Z", None),
        (None, None),
    ],
)
def test_times_are_seconds_of_utc(text: str | None, written: str | None) -> None:
    assert read("meta/v1.Time", text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00.123456Z"),
        ("2024-01-01T00:00:00,123456-01:00", "2024-01-01T01:00:00.123456Z"),
        ("0001-01-01T00:00:00.000000Z", None),
        (None, None),
    ],
)
def test_micro_times_have_six_places(text: str | None, written: str | None) -> None:
    assert read("meta/v1.MicroTime", text) == written


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("meta/v1.Time", "2024-02-30T00:00:00Z", ": day out of range"),
        ("meta/v1.MicroTime", "2024-02-30T00:00:00.000000Z", ": day out of range"),
        (
            "meta/v1.MicroTime",
            "2024-01-01T00:00:00Z",
            ' as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
        ),
        (
            "meta/v1.MicroTime",
            "2024-01-01T00:00:00.1234567Z",
            ' as "2006-01-02T15:04:05.000000Z07:00": cannot parse "7Z" as "Z07:00"',
        ),
    ],
)
def test_a_text_that_is_no_time_is_refused(name: str, text: str, wrong: str) -> None:
    with pytest.raises(Undecodable) as refused:
        read(name, text)
    assert str(refused.value) == f'parsing time "{text}"{wrong}'


@pytest.mark.parametrize(
    ("value", "written"),
    [("1000m", "1"), (" 2 ", "2"), (5, "5"), (Literal("1e3"), "1e3"), (Literal("1.50"), "1500m"), (None, "0")],
)
def test_quantities_are_read_from_texts_and_numbers(value: Any, written: str) -> None:
    assert read("resource.Quantity", value) == written


@pytest.mark.parametrize("value", ["", "x", True, {}, ["1"]])
def test_a_value_that_is_no_quantity_is_refused(value: Any) -> None:
    with pytest.raises(Undecodable, match=r"^quantities must match the regular expression"):
        read("resource.Quantity", value)


@pytest.mark.parametrize(("value", "written"), [(5, 5), ("50%", "50%"), ("5", "5"), (None, 0)])
def test_an_int_or_string_stays_what_it_is(value: Any, written: Any) -> None:
    assert read("intstr.IntOrString", value) == written


@pytest.mark.parametrize(
    ("value", "what"), [(1.5, "number 1.5"), (2**31, f"number {2**31}"), (True, "bool"), ([], "array")]
)
def test_what_is_neither_int_nor_string_is_refused(value: Any, what: str) -> None:
    with pytest.raises(Undecodable, match=f"cannot unmarshal {what} into Go value of type int32"):
        read("intstr.IntOrString", value)


def test_raw_json_stays_as_it_is() -> None:
    value = {"z": [1, None, Literal("1.0")], "a": "x"}
    assert list(read("runtime.RawExtension", value)) == ["z", "a"]
    assert type(read("runtime.RawExtension", value)["z"][2]) is float


def test_json_of_a_schema_is_written_anew() -> None:
    found = read("apiextensions/v1.JSON", {"z": Literal("1.0"), "a": [{"c": 1, "b": None}]})
    assert (list(found), repr(found["z"]), list(found["a"][0])) == (["a", "z"], "1", ["b", "c"])


@pytest.mark.parametrize(
    ("value", "written"), [(10.0, "10"), (1e20, f"{10**20}"), (1e21, "1e+21"), (-0.0, "-0.0"), (0.5, "0.5")]
)
def test_whole_floats_are_integers(value: float, written: str) -> None:
    assert repr(number(value)) == written
