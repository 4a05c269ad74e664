from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.registry.rules.agreement import Agreement
from kubewright.model.steps import counted

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=60)


@given(LINES, LINES, st.integers(1, 4), st.integers(0, 200))
def test_what_is_found_in_steps_is_what_difflib_finds(one: list[str], other: list[str], times: int, most: int) -> None:
    one, other = one * times, other * times
    agreement = Agreement(None, one, other)
    counted(agreement.find_in_steps(most))
    plain = SequenceMatcher(None, one, other)
    assert agreement.get_matching_blocks() == plain.get_matching_blocks()
    assert agreement.get_opcodes() == plain.get_opcodes()


def test_the_same_line_over_and_over_is_looked_at_in_steps() -> None:
    agreement = Agreement(None, ["a"] * 1800, ["a"] * 199)
    assert counted(agreement.find_in_steps())[1] > 20
    assert agreement.ratio() == SequenceMatcher(None, ["a"] * 1800, ["a"] * 199).ratio()


def test_short_texts_are_looked_at_at_once() -> None:
    lines = [f"{number}" for number in range(200)]
    assert counted(Agreement(None, lines, lines[::-1]).find_in_steps())[1] == 0
