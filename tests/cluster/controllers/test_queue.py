"""Work in order, once at a time, and again after a failure."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise

from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.wire.status import Failure, bad_request
from kubewright.trials.loop import run


def _working(work: Callable[[str], Awaitable[None]], story: Callable[[Queue], Awaitable[None]]) -> None:
    async def main() -> None:
        queue = Queue("test", work)
        queue.start()
        await story(queue)
        await queue.stop()

    run(main())


def test_keys_are_worked_on_in_order_and_once() -> None:
    seen: list[str] = []

    async def work(key: str) -> None:
        seen.append(key)

    async def story(queue: Queue) -> None:
        for key in "abacb":
            queue.add(key)
        await asyncio.sleep(1)

    _working(work, story)
    assert seen == ["a", "b", "c"]


def test_a_key_that_is_added_while_it_is_worked_on_comes_once_more() -> None:
    seen: list[str] = []

    async def work(key: str) -> None:
        seen.append(key)
        await asyncio.sleep(1)

    async def story(queue: Queue) -> None:
        queue.add("a")
        await asyncio.sleep(0.5)
        queue.add("a")
        queue.add("a")
        await asyncio.sleep(5)

    _working(work, story)
    assert seen == ["a", "a"]


def test_a_failure_is_tried_again_twice_as_late_each_time_up_to_a_limit() -> None:
    times: list[float] = []

    async def work(key: str) -> None:
        times.append(asyncio.get_running_loop().time())
        if len(times) < 22:
            raise bad_request("no")

    async def story(queue: Queue) -> None:
        queue.add("a")
        await asyncio.sleep(6000)

    _working(work, story)
    waits = [round(later - earlier, 4) for earlier, later in pairwise(times)]
    assert waits == [*(0.005 * 2**number for number in range(18)), 1000.0, 1000.0, 1000.0]


def test_success_forgets_the_failures_before() -> None:
    outcomes: list[Failure | None] = [bad_request("no")] * 4 + [None] + [bad_request("no"), None]
    times: list[float] = []

    async def work(key: str) -> None:
        times.append(asyncio.get_running_loop().time())
        if (failure := outcomes.pop(0)) is not None:
            raise failure

    async def story(queue: Queue) -> None:
        queue.add("a")
        await asyncio.sleep(10)
        queue.add("a")
        await asyncio.sleep(10)

    _working(work, story)
    assert round(times[6] - times[5], 4) == 0.005


def test_a_mistake_in_the_work_does_not_end_it() -> None:
    seen: list[str] = []

    async def work(key: str) -> None:
        seen.append(key)
        if seen.count("a") == 1 and key == "a":
            raise RuntimeError("a mistake")

    async def story(queue: Queue) -> None:
        queue.add("a")
        queue.add("b")
        await asyncio.sleep(1)

    _working(work, story)
    assert seen == ["a", "b", "a"]


def test_a_key_for_later_comes_when_its_time_is_or_when_it_is_added() -> None:
    seen: list[tuple[str, float]] = []

    async def work(key: str) -> None:
        seen.append((key, round(asyncio.get_running_loop().time() - began, 3)))

    began = 0.0

    async def story(queue: Queue) -> None:
        nonlocal began
        began = asyncio.get_running_loop().time()
        queue.add_after("late", 5)
        queue.add_after("soon", 5)
        await asyncio.sleep(1)
        queue.add("soon")
        await asyncio.sleep(10)

    _working(work, story)
    assert seen == [("soon", 1.0), ("late", 5.0)]


def test_stop_ends_work_and_timers() -> None:
    seen: list[str] = []

    async def work(key: str) -> None:
        await asyncio.sleep(5)
        seen.append(key)

    async def story(queue: Queue) -> None:
        queue.add("a")
        queue.add_after("b", 1)
        await asyncio.sleep(0.5)
        await queue.stop()
        await asyncio.sleep(60)

    _working(work, story)
    assert seen == []


def test_others_run_while_there_is_much_work() -> None:
    done: list[str] = []

    async def work(key: str) -> None:
        done.append(key)
        until = time.monotonic() + 0.001
        while time.monotonic() < until:
            pass

    async def main() -> None:
        queue = Queue("test", work)
        queue.start()
        for number in range(30):
            queue.add(str(number))
        for _ in range(3):
            await asyncio.sleep(0)
        await queue.stop()

    asyncio.run(main())
    assert 0 < len(done) < 30
