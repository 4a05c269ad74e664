"""Work in steps."""

from collections.abc import Generator

import pytest

from kubewright.model.steps import counted, finish, gathered, thinned


def adding(numbers: list[int]) -> Generator[None, None, int]:
    total = 0
    for number in numbers:
        total += number
        yield
    return total


def test_it_is_done_at_one_go() -> None:
    assert finish(adding([1, 2, 3])) == 6


def test_its_steps_are_counted() -> None:
    assert counted(adding([1, 2, 3])) == (6, 3)
    assert counted(adding([])) == (0, 0)


def test_what_it_raises_is_raised() -> None:
    def broken() -> Generator[None, None, None]:
        yield
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        finish(broken())


def pausing(found: str) -> Generator[str | None, None, None]:
    for each in found:
        yield from (None,) * 60
        yield each


def test_of_many_pauses_a_step_is_made() -> None:
    assert counted(gathered(pausing("abcde"))) == ([*"abcde"], 6)
    assert counted(gathered(pausing("a"))) == (["a"], 1)
    assert counted(thinned(adding([1] * 250))) == (250, 5)
