import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.floats import format_float, parse_float


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "-0"),
        (123456.0, "123456"),
        (999999.5, "999999.5"),
        (1000000.0, "1e+06"),
        (12345678.5, "1.23456785e+07"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e100, "1e+100"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (math.nan, "NaN"),
    ],
)
def test_how_a_double_is_written(value: float, text: str) -> None:
    assert format_float(value) == text


@given(st.floats(allow_nan=False))
def test_what_is_written_reads_back_the_same(value: float) -> None:
    assert parse_float(format_float(value)) == value


@pytest.mark.parametrize(("text", "value"), [("1_0", 10.0), ("0x1p4", 16.0), (".5e1", 5.0), ("Infinity", math.inf)])
def test_what_is_read_as_a_double(text: str, value: float) -> None:
    assert parse_float(text) == value


@pytest.mark.parametrize("text", ["", "1__0", "_1", "1e400", "0x1", "1.5f", " 1", "infinit"])
def test_what_is_not(text: str) -> None:
    assert parse_float(text) is None
