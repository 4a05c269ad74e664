"""A coroutine that is run at once behaves as one that is a task from the beginning."""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any

import pytest
from tests.http.conftest import Run

from kubewright.http.eager import begin

NAME: ContextVar[str] = ContextVar("NAME", default="outside")


async def begun(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Begin `coroutine` as the loop would: from no task."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[asyncio.Task[None] | None] = loop.create_future()

    def start() -> None:
        try:
            done.set_result(begin(coroutine, loop))
        except BaseException as error:  # noqa: BLE001 - handed on
            done.set_exception(error)

    loop.call_soon(start)
    return await done


def test_what_never_waits_is_done_without_a_task(run: Run) -> None:
    seen: list[str] = []

    async def work() -> None:
        seen.append("done")

    async def main() -> None:
        assert await begun(work()) is None

    run(main)
    assert seen == ["done"]


def test_what_waits_goes_on_as_a_task(run: Run) -> None:
    seen: list[object] = []

    async def work() -> None:
        await asyncio.sleep(0)
        seen.append("slept")
        event = asyncio.Event()
        asyncio.get_running_loop().call_soon(event.set)
        await event.wait()
        seen.append("woken")
        with pytest.raises(ValueError, match="not this"):
            await asyncio.create_task(fail())

    async def fail() -> None:
        raise ValueError("not this")

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        await task

    run(main)
    assert seen == ["slept", "woken"]


def test_an_error_of_the_first_step_is_raised(run: Run) -> None:
    async def work() -> None:
        raise LookupError("at once")

    async def main() -> None:
        with pytest.raises(LookupError, match="at once"):
            await begun(work())

    run(main)


def test_what_cancels_itself_in_the_first_step_just_ends(run: Run) -> None:
    async def work() -> None:
        raise asyncio.CancelledError

    async def main() -> None:
        assert await begun(work()) is None

    run(main)


def test_a_timeout_entered_in_the_first_step_works(run: Run) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.Event().wait()
        except TimeoutError:
            seen.append("late")
        await asyncio.sleep(0)  # and the task is not cancelled
        seen.append("done")

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        await task

    run(main)
    assert seen == ["late", "done"]


@pytest.mark.parametrize("delay", [0.0, -1.0])
def test_a_timeout_that_is_over_at_once_works(run: Run, delay: float) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            async with asyncio.timeout(delay):
                await asyncio.sleep(1)
        except TimeoutError:
            seen.append("late")

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        await task

    run(main)
    assert seen == ["late"]


def test_a_group_entered_in_the_first_step_works(run: Run) -> None:
    seen: list[str] = []

    async def child() -> None:
        raise KeyError("child")

    async def work() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(child())
                await asyncio.Event().wait()
        except* KeyError:
            seen.append("failed")

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        await task

    run(main)
    assert seen == ["failed"]


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_cancelling_is_seen_where_it_waits(run: Run, turns: int) -> None:
    seen: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            await asyncio.sleep(0)
            seen.append("cleaned up")
            raise

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main)
    assert seen == ["cancelled", "cleaned up"]


def test_variables_of_the_context_are_its_own(run: Run) -> None:
    seen: list[str] = []

    async def work() -> None:
        NAME.set("inside")
        await asyncio.sleep(0)
        seen.append(NAME.get())

    async def main() -> None:
        task = await begun(work())
        assert task is not None
        assert NAME.get() == "outside"
        await task

    run(main)
    assert seen == ["inside"]


def test_inside_a_task_it_is_an_ordinary_task(run: Run) -> None:
    async def work() -> None:
        pass

    async def main() -> None:
        task = begin(work(), asyncio.get_running_loop())
        assert task is not None
        await task

    run(main)
