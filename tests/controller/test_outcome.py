"""How reconciles end."""

import asyncio
from typing import Any

import pytest

from kubewright.controller.outcome import NonsenseError, Requeue, Retry, Terminal, judge, judge_error


def test_nothing_returned_is_success() -> None:
    outcome = judge(None, "web")
    assert outcome.done


def test_a_requeue_comes_again_and_is_no_error() -> None:
    outcome = judge(Requeue(after=30), "web")
    assert (outcome.error, outcome.after, outcome.done) == (None, 30.0, False)


def test_a_requeue_without_a_time_comes_again_after_the_back_off() -> None:
    outcome = judge(Requeue(), "web")
    assert (outcome.error, outcome.after, outcome.again, outcome.done) == (None, None, True, False)


def test_a_retry_is_the_same_returned_or_raised() -> None:
    retry = Retry("not yet", after=5)
    for outcome in (judge(retry, "web"), judge_error(retry)):
        assert (outcome.error, outcome.after, outcome.terminal) == (retry, 5.0, False)


def test_a_terminal_error_is_terminal_returned_or_raised() -> None:
    assert judge(Terminal("never"), "web").terminal
    assert judge_error(Terminal("never")).terminal


@pytest.mark.parametrize("nonsense", [42, True, {"requeue": 5}, "later", Requeue])
def test_what_means_nothing_is_an_error_that_says_what_to_return(nonsense: Any) -> None:
    outcome = judge(nonsense, "controller 'web'")
    assert "kw.Requeue" in str(outcome.error)
    assert "controller 'web'" in str(outcome.error)
    assert "<class" not in str(outcome.error)
    assert not outcome.terminal


def test_no_seconds_are_no_time_of_its_own_so_that_nothing_spins() -> None:
    outcome = judge(Requeue(after=0), "web")
    assert (outcome.error, outcome.after, outcome.again, outcome.done) == (None, None, True, False)
    assert judge(Retry("not yet", after=0), "web").after is None


def test_seconds_are_no_message() -> None:
    with pytest.raises(
        NonsenseError, match=r"Retry\(5\): its message is a text; seconds are given as Retry\(after=…\)"
    ):
        Retry(5)  # type: ignore[arg-type]


@pytest.mark.parametrize("after", [-1, float("nan"), float("inf"), "5", True, 10**400])
def test_a_time_that_is_none_is_refused(after: Any) -> None:
    with pytest.raises(NonsenseError, match="number"):
        Requeue(after=after)


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), asyncio.CancelledError()], ids=repr)
def test_what_a_function_raises_is_an_outcome_whatever_it_is(error: BaseException) -> None:
    async def story() -> BaseException | None:
        return judge_error(error).error

    assert asyncio.run(story()) is error


SOON, LATER, NEVER = Retry("soon", after=5), Retry("later", after=60), Terminal("never")
REFUSED, SURPRISE = NonsenseError("refused"), KeyError("surprise")


@pytest.mark.parametrize(
    ("group", "decides", "after", "terminal"),
    [
        ([LATER], LATER, 60.0, False),
        ([LATER, SOON], SOON, 5.0, False),
        ([NEVER, LATER], LATER, 60.0, False),
        ([NEVER, ExceptionGroup("inner", [NEVER])], NEVER, None, True),
        ([LATER, REFUSED], REFUSED, None, False),
    ],
)
def test_a_group_is_what_its_member_is_that_comes_again_first(
    group: list[Exception], decides: Exception, after: float | None, terminal: bool
) -> None:
    outcome = judge_error(ExceptionGroup("of a TaskGroup", group))
    assert (outcome.error, outcome.after, outcome.terminal) == (decides, after, terminal)


def test_of_a_surprise_in_a_group_the_whole_group_is_told() -> None:
    group = ExceptionGroup("of a TaskGroup", [NEVER, SURPRISE])
    outcome = judge_error(group)
    assert (outcome.error, outcome.after, outcome.terminal) == (group, None, False)


def test_the_end_of_the_program_is_no_outcome() -> None:
    with pytest.raises(KeyboardInterrupt):
        judge_error(KeyboardInterrupt())


def test_the_end_of_the_task_is_no_outcome() -> None:
    async def story() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError as error:
            judge_error(error)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(story())


def test_a_coroutine_that_is_thrown_away_ends() -> None:
    with pytest.raises(GeneratorExit):
        judge_error(GeneratorExit())
