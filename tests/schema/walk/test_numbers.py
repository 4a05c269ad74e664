from typing import Any

import pytest

from kubewright.schema.walk.numbers import compile_bounds
from kubewright.schema.walk.structure import read


def complaints(value: float, **schema: Any) -> list[str]:
    return [problem.text for problem in compile_bounds(read(schema))(value, "x")]


def test_an_exclusive_bound_excludes_itself() -> None:
    assert complaints(5, type="integer", maximum=5) == []
    assert complaints(5, type="integer", maximum=5, exclusiveMaximum=True) == ["x in body should be less than 5"]
    assert complaints(5, type="integer", minimum=5, exclusiveMinimum=True) == ["x in body should be greater than 5"]


def test_an_integer_is_compared_with_the_bound_cut_to_an_integer() -> None:
    assert complaints(1, type="number", minimum=1.5) == []
    assert complaints(2, type="number", maximum=1.5) == ["x in body should be less than or equal to 1"]


def test_a_float_is_compared_with_the_bound_itself() -> None:
    assert complaints(1.4, type="number", minimum=1.5) == ["x in body should be greater than or equal to 1.5"]


def test_a_bound_that_does_not_fit_its_type_is_reported_with_every_value() -> None:
    assert complaints(1, type="integer", maximum=5.5) == [
        "Maximum boundary value must be of type integer (default format) in x"
    ]


def test_a_bound_beyond_64_bits_wraps_for_integers() -> None:
    assert complaints(1, type="number", maximum=1e19) == [
        "x in body should be less than or equal to -9223372036854775808"
    ]


def test_a_fraction_in_an_integer_is_out_of_range() -> None:
    assert complaints(1.5, type="integer") == ["Checked value must be of type integer (default format) in x"]


@pytest.mark.parametrize(
    ("value", "fits"), [(2**31 - 1, True), (2**31, False), (-(2**31), True), (-(2**31) - 1, False)]
)
def test_int32_has_32_bits(value: int, fits: bool) -> None:
    assert (complaints(value, type="integer", format="int32") == []) == fits


@pytest.mark.parametrize(("value", "fits"), [(3.4028234663852886e38, True), (3.5e38, False), (-3.5e38, False)])
def test_float_has_the_range_of_float32(value: float, fits: bool) -> None:
    assert (complaints(value, type="number", format="float") == []) == fits


def test_multiples_are_counted_in_floats_where_one_is() -> None:
    assert complaints(0.3, type="number", multipleOf=0.1) == []
    assert complaints(0.35, type="number", multipleOf=0.1) == ["x in body should be a multiple of 0.1"]


def test_a_factor_below_one_is_zero_for_integers() -> None:
    assert complaints(1, type="number", multipleOf=0.5) == ["factor MultipleOf declared for x must be positive: 0"]


def test_faults_come_multiple_first_then_minimum_then_maximum() -> None:
    found = complaints(3, type="integer", multipleOf=2, minimum=5, maximum=1)
    assert [text.rsplit(" ", 1)[1] for text in found] == ["2", "5", "1"]
