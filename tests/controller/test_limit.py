"""Work ends at its limit; what does not is shown until it does."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from kubewright.cache import Key
from kubewright.controller.limit import Limit, _is_below
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


def test_what_is_said_names_the_line_of_the_user_at_which_it_waited() -> None:
    async def waits() -> None:
        await asyncio.sleep(3600)  # here, and not in asyncio

    async def outer() -> None:
        await waits()

    async def story() -> str:
        with pytest.raises(TimeLimitError) as caught:
            await Limit("it", 5).awaited(SHOP, outer())
        return str(caught.value)

    line = waits.__code__.co_firstlineno + 1
    assert f"limit of 5 s, waiting at {__file__}:{line} in waits; wait for less" in run(story())


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

    shown = "it: past the limit of 5 s and not ended: default/shop"
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


def test_libraries_in_an_environment_of_the_program_are_not_the_users() -> None:
    home = Path("/app")
    assert _is_below(home / "web" / "fetch.py", home)
    assert not _is_below(home / ".venv" / "lib" / "python3.11" / "site-packages" / "aiohttp" / "client.py", home)
    assert not _is_below(Path("/usr/lib/python3.11/asyncio/tasks.py"), home)
    assert not _is_below(Path("/usr/lib/python3.11/asyncio/tasks.py"), Path("/"))
