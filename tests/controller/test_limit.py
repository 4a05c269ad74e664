"""Work ends at its limit; what does not is shown until it does."""

import asyncio
import contextlib

import pytest

from kubewright.cache import Key
from kubewright.controller.limit import Limit
from kubewright.controller.outcome import TimeLimitError
from kubewright.trials.loop import run

SHOP = Key("default", "shop")


def test_work_that_ends_in_time_gives_what_it_made() -> None:
    assert run(Limit("it", 5).awaited(SHOP, asyncio.sleep(4, "made"))) == "made"


def test_work_that_hangs_is_cancelled_at_the_limit() -> None:
    async def story() -> float:
        with pytest.raises(TimeLimitError, match="it took longer than its limit of 5 s"):
            await Limit("it", 5).awaited(SHOP, asyncio.sleep(3600))
        return asyncio.get_running_loop().time()

    assert run(story()) == pytest.approx(run(_now()) + 5)


async def _now() -> float:
    return asyncio.get_running_loop().time()


def test_work_that_tidies_up_for_a_while_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    async def tidies() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            await asyncio.sleep(9)

    async def story() -> None:
        with pytest.raises(TimeLimitError):
            await Limit("it", 5).awaited(SHOP, tidies())
        await asyncio.sleep(60)

    run(story())
    assert caplog.text == ""


def test_work_that_swallows_its_cancellation_is_shown_until_it_ends_and_has_failed() -> None:
    async def deaf() -> str:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(60)
        return "made"

    async def story() -> list[str | None]:
        limit = Limit("it", 5)
        task = asyncio.create_task(limit.awaited(SHOP, deaf()))
        seen = []
        for _ in range(3):
            seen.append(limit.problem())
            await asyncio.sleep(25)
        with pytest.raises(TimeLimitError):
            await task
        return [*seen, limit.problem()]

    shown = "it: 1 reconciles are past their limit and do not end: default/shop"
    assert run(story()) == [None, shown, shown, None]


def test_a_thread_past_its_limit_is_shown_until_it_ends_and_has_failed() -> None:
    async def story() -> list[bool]:
        limit, thread = Limit("it", 5), asyncio.get_running_loop().create_future()
        task = asyncio.create_task(limit.threaded(SHOP, thread))
        await asyncio.sleep(6)
        seen = [limit.problem() is not None]
        thread.set_result(("made", None))
        with pytest.raises(TimeLimitError):
            await task
        return [*seen, limit.problem() is not None]

    assert run(story()) == [True, False]
