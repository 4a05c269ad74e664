from typing import Any

import pytest
from tests.cel.evaluation import error, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("quantity('5E').add(quantity('9E')).sub(9223372036854775807).isInteger()", False),
        ("quantity('999999999999999999').sub(quantity('100m')).asApproximateFloat()", 1e18),
        ("quantity('1') == quantity('1000m')", True),
        ("isQuantity('1.5Gi') && !isQuantity('x')", True),
        ("sign(quantity('-1m'))", -1),
        ("quantity('2Gi').isGreaterThan(quantity('1Gi'))", True),
        ("quantity('1').isLessThan(quantity('1'))", False),
        ("quantity('1').compareTo(quantity('2'))", -1),
        ("quantity('1k').sub(3).asInteger()", 997),
        ("quantity('1').add(quantity('2')).asInteger()", 3),
        ("quantity('1').add(quantity('1')) == quantity('2')", True),
        ("quantity('0.3').asApproximateFloat()", 0.30000000000000004),
        ("quantity('1e3').asInteger()", 1000),
        # What the server holds in its larger form, or with a fraction, is no integer to it.
        ("quantity('1000m').isInteger()", False),
        ("quantity('1234567890123456789').isInteger()", False),
        ("quantity('123456789012345678').isInteger()", True),
        ("quantity('1Pi').isInteger()", False),
        ("quantity('1Ti').isInteger()", True),
    ],
)
def test_what_functions_of_quantities_give(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "quantity('abc')",
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
        ("quantity('1.5').asInteger()", "cannot convert value to integer"),
        ("quantity('1') == dyn(1)", "no such overload"),
        # A sum is known for a quantity only on the left.
        ("quantity('2') == quantity('1').add(quantity('1'))", "no such overload"),
    ],
)
def test_in_which_words_they_fail(text: str, words: str) -> None:
    assert error(text) == words
