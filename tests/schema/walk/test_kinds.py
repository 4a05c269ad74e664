import pytest

from kubewright.schema.walk.kinds import is_integral, kind_of, mismatch


@pytest.mark.parametrize("number", [0.0, 1.0, -3.0, 2.0**53 - 1, 1000000000.5])
def test_a_float_near_a_whole_number_is_integral(number: float) -> None:
    assert is_integral(number)


@pytest.mark.parametrize("number", [0.5, -0.5, 1.5, -1000000000.5, 2.0**53, 1e300, float("inf"), float("nan")])
def test_other_floats_are_not(number: float) -> None:
    assert not is_integral(number)


def test_a_boolean_is_no_integer() -> None:
    assert kind_of(True) is bool
    assert mismatch(("integer",), "", True, bool) == ("integer", "boolean")


def test_an_integer_is_a_number_but_not_the_other_way() -> None:
    assert mismatch(("number",), "", 1, int) is None
    assert mismatch(("integer",), "", 1.5, float) == ("integer", "number")


def test_where_a_format_is_given_it_is_what_was_wanted() -> None:
    assert mismatch(("string",), "date", 1, int) == ("date", "int64")
    assert mismatch(("integer",), "int32", True, bool) == ("int32", "")


def test_a_format_of_strings_lets_lists_through() -> None:
    assert mismatch(("string",), "date", [], list) is None
    assert mismatch(("string",), "", [], list) == ("string", "array")


def test_without_type_and_format_anything_goes() -> None:
    assert mismatch((), "", object(), object) is None
