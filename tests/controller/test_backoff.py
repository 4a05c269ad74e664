"""How long a key that fails has to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.controller.backoff import Backoff
from kubewright.entropy import Entropy


class Never(Entropy):
    """Chance that adds nothing."""

    def fraction(self) -> float:
        return 0.0


class Always(Entropy):
    """Chance that adds nearly all it may."""

    def fraction(self) -> float:
        return 1 - 2**-53


def delays(backoff: Backoff[str], count: int) -> list[float]:
    return [backoff.failed("key") for _ in range(count)]


def test_the_delay_doubles_from_five_milliseconds() -> None:
    assert delays(Backoff(entropy=Never()), 15) == [0.005 * 2**n for n in range(15)]


def test_chance_adds_up_to_a_quarter() -> None:
    assert delays(Backoff(entropy=Always()), 3) == [0.005 * 2**n * (1 + 0.25 * (1 - 2**-53)) for n in range(3)]


@given(st.integers(0, 2**32), st.integers(1, 400))
def test_no_delay_is_under_the_base_or_over_the_cap(seed: int, failures: int) -> None:
    assert all(0.005 <= delay <= 1000 for delay in delays(Backoff(entropy=Entropy(seed)), failures))


def test_a_failure_that_may_only_wait_for_less_counts_no_further() -> None:
    backoff = Backoff[str](entropy=Always())
    assert [backoff.failed("key", 0.02) for _ in range(4)] == [pytest.approx(0.00625), 0.0125, 0.02, 0.02]
    assert backoff.failed("key") == pytest.approx(0.025)


def test_delays_at_the_cap_differ_too() -> None:
    backoff = Backoff[str](entropy=Entropy(1))
    delays(backoff, 30)
    assert len(set(delays(backoff, 5))) == 5


def test_ten_thousand_failures_in_a_row_are_no_overflow() -> None:
    assert 800 <= delays(Backoff(), 10_000)[-1] <= 1000


def test_what_was_forgotten_begins_anew() -> None:
    backoff = Backoff[str](entropy=Never())
    delays(backoff, 5)
    backoff.forget("key")
    assert backoff.failures("key") == 0
    assert backoff.failed("key") == 0.005


def test_keys_are_counted_apart() -> None:
    backoff = Backoff[str](entropy=Never())
    delays(backoff, 5)
    assert backoff.failed("other") == 0.005
    assert (backoff.failures("key"), backoff.failures("other")) == (5, 1)
