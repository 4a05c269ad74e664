"""Indexes behave as sets of numbers, and are written as Kubernetes writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.controllers.jobs.indexes import Indexes

NUMBERS = st.sets(st.integers(0, 40))


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([3], "3"), ([0, 1], "0,1"), ([0, 1, 2], "0-2"), ([0, 2, 3, 4, 7, 8], "0,2-4,7,8")],
)
def test_two_neighbours_are_written_as_two_and_more_as_a_range(numbers: list[int], text: str) -> None:
    assert str(Indexes.of(numbers)) == text


@given(NUMBERS)
def test_what_is_written_is_read(numbers: set[int]) -> None:
    assert Indexes.parse(str(Indexes.of(numbers)), 100) == Indexes.of(numbers)


@given(NUMBERS, st.integers(0, 45))
def test_what_is_not_below_the_limit_is_not_read(numbers: set[int], below: int) -> None:
    assert Indexes.parse(str(Indexes.of(numbers)), below) == Indexes.of(each for each in numbers if each < below)


@pytest.mark.parametrize("text", [None, "", "x", "1-y", "-", ",,", "z-2"])
def test_what_cannot_be_read_is_left_out(text: str | None) -> None:
    assert not Indexes.parse(text, 10)


@given(NUMBERS, NUMBERS)
def test_they_are_sets(some: set[int], others: set[int]) -> None:
    both = Indexes.of(some) | Indexes.of(others)
    assert both == Indexes.of(some | others)
    assert len(both) == len(some | others)
    assert [each for each in range(45) if each in both] == sorted(some | others)
    assert Indexes.of(some).common(Indexes.of(others)) == len(some & others)


@given(NUMBERS, st.integers(0, 10), st.integers(0, 45))
def test_the_first_that_are_missing_are_found(numbers: set[int], count: int, below: int) -> None:
    expected = [each for each in range(below) if each not in numbers][:count]
    assert Indexes.of(numbers).missing(count, below) == expected
