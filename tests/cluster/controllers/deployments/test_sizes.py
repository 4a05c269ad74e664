"""How many pods each ReplicaSet shall have."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.controllers.deployments.sizes import Bounds, Size, bounds, grow, proportions, shrink
from kubewright.cluster.controllers.deployments.views import Strategy


def strategy(surge: int | str, unavailable: int | str, kind: str = "RollingUpdate") -> Strategy:
    rolling = {"maxSurge": surge, "maxUnavailable": unavailable}
    return msgspec.convert({"type": kind, "rollingUpdate": rolling}, Strategy)


@pytest.mark.parametrize(
    ("surge", "unavailable", "replicas", "expected"),
    [
        ("25%", "25%", 3, (1, 0)),
        ("25%", "25%", 10, (3, 2)),
        ("0%", "1%", 2, (0, 1)),
        (0, "10%", 5, (0, 1)),
        (2, 5, 3, (2, 3)),
        ("100%", "100%", 4, (4, 4)),
        ("25%", "25%", 0, (0, 0)),
    ],
)
def test_surge_is_rounded_up_and_unavailable_down(
    surge: int | str, unavailable: int | str, replicas: int, expected: tuple[int, int]
) -> None:
    assert bounds(strategy(surge, unavailable), replicas) == expected


def test_recreate_has_no_bounds() -> None:
    assert bounds(strategy("25%", "25%", "Recreate"), 10) == Bounds(0, 0)


@pytest.mark.parametrize(
    ("replicas", "surge", "total", "new", "expected"),
    [(10, 0, 0, 0, 10), (10, 3, 10, 0, 3), (10, 3, 13, 3, 3), (10, 3, 11, 9, 10), (10, 20, 10, 2, 10)],
)
def test_the_new_one_grows_into_the_room_that_there_is(
    replicas: int, surge: int, total: int, new: int, expected: int
) -> None:
    assert grow(replicas, surge, total, new) == expected


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (Size(3, 0), [Size(10, 10)], [8]),
        (Size(5, 0), [Size(8, 8)], [8]),
        (Size(5, 3), [Size(8, 8)], [5]),
        (Size(5, 0), [Size(8, 7)], [8]),
        (Size(10, 10), [Size(2, 2)], [0]),
        (Size(0, 0), [Size(8, 8), Size(5, 0)], [8, 0]),
    ],
    ids=["two may be missing", "new ones count", "as many as are new", "no room", "all", "unhealthy first"],
)
def test_old_ones_shrink_as_far_as_ten_may_lack_two(new: Size, old: list[Size], expected: list[int]) -> None:
    assert shrink(10, 2, new, old) == expected


numbers = st.integers(0, 30)
sizes = st.builds(lambda total, share: Size(total, total * share // 100), numbers, st.integers(0, 100))


@given(numbers, numbers, numbers, sizes, st.lists(sizes, max_size=4))
def test_no_step_leaves_the_bounds(replicas: int, surge: int, missing: int, new: Size, old: list[Size]) -> None:
    least = replicas - min(missing, replicas)
    total = new.replicas + sum(each.replicas for each in old)
    grown = grow(replicas, surge, total, new.replicas) if new.replicas < replicas else new.replicas
    assert grown - new.replicas <= max(0, replicas + surge - total)
    assert grown <= max(replicas, new.replicas)
    shrunk = shrink(replicas, replicas - least, new, old)
    assert all(0 <= after <= before.replicas for after, before in zip(shrunk, old, strict=True))
    # Those that are not available go first, so what is left of each is available as far as it was.
    left = new.available + sum(min(after, before.available) for after, before in zip(shrunk, old, strict=True))
    assert left >= min(least, new.available + sum(each.available for each in old))


@given(st.integers(1, 20), st.integers(0, 5), st.integers(0, 5), st.integers(1, 20))
def test_an_update_comes_to_its_end_within_its_bounds(replicas: int, surge: int, missing: int, start: int) -> None:
    missing = min(missing, replicas) or (1 if surge == 0 else 0)
    new, old = Size(0, 0), [Size(start, start)]
    for _ in range(200):
        total = new.replicas + old[0].replicas
        if new.replicas < replicas and (more := grow(replicas, surge, total, new.replicas)) > new.replicas:
            new = Size(more, more)
        else:
            (less,) = shrink(replicas, missing, new, old)
            old = [Size(less, less)]
        assert new.replicas + old[0].replicas <= max(replicas + surge, total)
        assert new.available + old[0].available >= min(replicas - missing, total)
        if (new.replicas, old[0].replicas) == (replicas, 0):
            return
    pytest.fail("it does not end")


@pytest.mark.parametrize(
    ("given_sizes", "most", "replicas", "surge", "expected"),
    [
        ([5, 5], [10, 10], 20, 0, [10, 10]),
        ([8, 5], [13, 13], 15, 4, [12, 7]),
        ([6, 3, 1], [10, 10, 10], 5, 0, [2, 2, 1]),
        ([3, 2], [5, 5], 0, 2, [0, 0]),
        ([4, 2], [None, 6], 12, 0, [8, 4]),
        ([5, 5], [10, 10], 10, 0, [5, 5]),
    ],
)
def test_each_keeps_its_share(
    given_sizes: list[int], most: list[int | None], replicas: int, surge: int, expected: list[int]
) -> None:
    assert proportions(given_sizes, most, replicas, surge, sum(given_sizes)) == expected


@given(st.lists(st.integers(1, 30), min_size=2, max_size=5), numbers, st.integers(0, 5))
def test_shares_add_up(given_sizes: list[int], replicas: int, surge: int) -> None:
    ordered = sorted(given_sizes, reverse=True)
    result = proportions(ordered, [sum(ordered)] * len(ordered), replicas, surge, sum(ordered))
    # What rounding leaves is the largest one's to bear, as far as it goes.
    wanted = replicas + surge if replicas else 0
    assert sum(result) == wanted or (result[0] == 0 and sum(result) > wanted)
    assert all(each >= 0 for each in result)
