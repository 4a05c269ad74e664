"""Every test here runs on asyncio's own loop and on uvloop, and none for longer than it must."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
import uvloop

Run = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Call a coroutine function on a loop of its own; a test that hangs fails."""
    with asyncio.Runner(loop_factory=request.param) as runner:

        def within(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
            async def bounded() -> Any:
                async with asyncio.timeout(30):
                    return await main()

            return runner.run(bounded())

        yield within
