from hypothesis import given
from hypothesis import strategies as st

from kubewright.cel.ranges import LARGEST, UNKNOWN, Range, add, exactly, multiply, scale, union

NUMBERS = st.integers(0, LARGEST) | st.integers(0, 100) | st.just(LARGEST)
RANGES = st.tuples(NUMBERS, NUMBERS).map(lambda pair: (min(pair), max(pair)))


@given(RANGES, RANGES)
def test_a_result_is_a_range_of_64_bits(one: Range, other: Range) -> None:
    for least, most in (add(one, other), multiply(one, other), union(one, other), scale(one, 0.1), scale(one, 2.0)):
        assert 0 <= least <= most <= LARGEST


@given(RANGES, RANGES, RANGES)
def test_sums_and_products_do_not_depend_on_the_order(one: Range, other: Range, third: Range) -> None:
    assert add(add(one, other), third) == add(one, add(other, third))
    assert multiply(multiply(one, other), third) == multiply(one, multiply(other, third))


def test_a_part_of_a_unit_counts_as_one() -> None:
    assert scale((0, 1), 0.1) == (0, 1)
    assert scale(exactly(11), 0.1) == (2, 2)


def test_what_is_unknown_stays_large() -> None:
    assert add(UNKNOWN, exactly(1)) == (1, LARGEST)
    assert scale(UNKNOWN, 1) == UNKNOWN
