from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cel.evaluation import error, evaluate

from kubewright.cel.arithmetic import divide_int, modulo
from kubewright.cel.values import INT_MAX, INT_MIN

_INTS = st.one_of(st.integers(-5, 5), st.integers(INT_MIN, INT_MAX))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-7 / 2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("5u / 2u == 2u", True),
        ("1.0 / 0.0 == double('Infinity')", True),
        ("'a' + 'b'", "ab"),
        ("b'a' + b'b'", b"ab"),
        ("[1] + [2]", [1, 2]),
        ("duration('1m') + duration('1s') == duration('61s')", True),
        ("timestamp(0) + duration('1s') == timestamp(1) && duration('1s') + timestamp(0) == timestamp(1)", True),
        ("timestamp(2) - timestamp(1) == duration('1s') && timestamp(2) - duration('1s') == timestamp(1)", True),
    ],
)
def test_what_operators_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 / 0", "division by zero"),
        ("1 % 0", "modulus by zero"),
        ("1u / 0u", "division by zero"),
        ("9223372036854775807 + 1", "integer overflow"),
        ("-9223372036854775808 - 1", "integer overflow"),
        ("9223372036854775807 * 2", "integer overflow"),
        ("-9223372036854775808 / -1", "integer overflow"),
        ("-(-9223372036854775808 + 0)", "integer overflow"),
        ("1u - 2u", "unsigned integer overflow"),
        ("timestamp('9999-12-31T23:59:59Z') + duration('1h')", "timestamp overflow"),
        ("duration('2540400h') + duration('2540400h')", "integer overflow"),
        ("timestamp('0001-01-01T00:00:00Z') - timestamp('9999-01-01T00:00:00Z')", "integer overflow"),
        ("dyn(1) + dyn('a')", "no such overload"),
        ("dyn(true) + dyn(1)", "no such overload: _+_"),
        ("dyn(1) * dyn(1.0)", "no such overload"),
    ],
)
def test_in_which_words_they_fail(text: str, words: str) -> None:
    assert error(text) == words


@given(_INTS, _INTS.filter(bool))
def test_quotient_and_rest_make_the_number_again(a: int, b: int) -> None:
    if (a, b) != (INT_MIN, -1):
        assert divide_int(a, b) * b + modulo(a, b) == a
