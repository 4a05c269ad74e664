import asyncio
from datetime import UTC, datetime

import pytest

from kubewright import clock
from kubewright.trials.loop import Deadlock, run


def test_waiting_takes_no_time_and_the_clock_moves_by_what_was_waited() -> None:
    async def main() -> tuple[float, datetime]:
        await asyncio.sleep(3600)
        return clock.monotonic(), clock.now()

    assert run(main()) == (3600.0, datetime(2000, 1, 1, 1, tzinfo=UTC))


def test_timers_fire_in_order_of_their_deadlines() -> None:
    async def main() -> list[int]:
        order: list[int] = []

        async def wait(seconds: int) -> None:
            await asyncio.sleep(seconds)
            order.append(seconds)

        await asyncio.gather(*(wait(seconds) for seconds in (30, 10, 20, 10)))
        return order

    assert run(main()) == [10, 10, 20, 30]


def test_timeouts_are_in_simulated_time() -> None:
    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(100):
                await asyncio.Event().wait()
        return clock.monotonic()

    assert run(main()) == 100.0


def test_a_run_in_which_nothing_can_happen_any_more_ends() -> None:
    async def main() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Deadlock, match="every task waits for another one"):
        run(main())


def test_blocking_functions_run_on_the_spot() -> None:
    async def main() -> tuple[int, str]:
        number = await asyncio.to_thread(lambda: 7)
        with pytest.raises(ValueError, match="no"):
            await asyncio.to_thread(int, "no")
        return number, clock.now().isoformat()

    assert run(main(), start=0) == (7, "1970-01-01T00:00:00+00:00")


def test_outside_a_simulated_loop_time_is_the_systems() -> None:
    async def main() -> datetime:
        return clock.now()

    before = datetime.now(UTC)
    assert before <= asyncio.run(main()) <= datetime.now(UTC)
    assert before <= clock.now()
    assert clock.monotonic() <= clock.monotonic()


def test_many_small_waits_add_up_exactly_the_same_every_time() -> None:
    async def main() -> list[float]:
        times = []
        for number in range(1, 200):
            await asyncio.sleep(1 / number)
            times.append(clock.monotonic())
        return times

    assert run(main()) == run(main())
