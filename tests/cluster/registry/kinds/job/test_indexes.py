import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.kinds.job.indexes import BadIndexes, count_indexes, find_overlap

PARTS = "violates the requirement that an index interval can have at most two parts separated by '-'"


@pytest.mark.parametrize(("text", "count"), [("", 0), ("0", 1), ("0-4", 5), ("1,3-4", 3), ("+1", 1)])
def test_indexes_are_counted(text: str, count: int) -> None:
    assert count_indexes(text, 5) == count


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5", 'too large index: "5"'),
        ("a", 'cannot convert string to integer for index: "a"'),
        ("1-", 'cannot convert string to integer for index: ""'),
        ("2,1", "non-increasing order, previous: 2, current: 1"),
        ("3-3", "non-increasing order, previous: 3, current: 3"),
        ("1-2-3", f'the fragment "1-2-3" {PARTS}'),
    ],
)
def test_what_is_no_set_of_indexes_is_explained(text: str, why: str) -> None:
    with pytest.raises(BadIndexes) as refused:
        count_indexes(text, 5)
    assert str(refused.value) == why


def written(indexes: set[int]) -> str:
    return ",".join(map(str, sorted(indexes)))


@given(st.sets(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_an_overlap_is_the_first_that_two_sets_share(one: set[int], other: set[int]) -> None:
    assert find_overlap(written(one), written(other), 10) == min(one & other, default=None)


def test_what_cannot_be_read_overlaps_nothing() -> None:
    assert find_overlap("x,1", "1-y,0-2", 5) == 1
