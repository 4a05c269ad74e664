import pytest

from kubewright.cluster.registry.rules.quantities import added, is_whole, milli, quantity, whole

_HUGE = quantity("12E99999")


def test_numbers_are_rounded_away_from_zero() -> None:
    assert (milli(quantity("1500u")), whole(quantity("-1500m"))) == (2, -2)


@pytest.mark.parametrize(("text", "yes"), [("1", True), ("1Ki", True), ("1500m", False), ("0.1", False)])
def test_a_part_of_one_is_noticed(text: str, yes: bool) -> None:
    assert is_whole(quantity(text)) is yes


def test_what_is_larger_than_anything_counts_as_nothing() -> None:
    assert (milli(_HUGE), whole(_HUGE), is_whole(_HUGE)) == (0, 0, True)


def test_to_what_is_larger_than_anything_nothing_is_added() -> None:
    assert added(quantity("1"), quantity("500m")) == quantity("1500m")
    assert added(quantity("1"), _HUGE) == _HUGE
