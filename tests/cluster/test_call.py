import asyncio
import re

from kubewright.cluster.call import timestamp
from kubewright.trials.loop import run


def test_now_is_told_to_the_second_in_utc() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", timestamp())


def test_it_is_the_time_of_the_loop() -> None:
    async def told() -> list[str]:
        first = timestamp()
        await asyncio.sleep(61)
        return [first, timestamp(), timestamp()]

    first, *then = run(told())
    assert [first[14:], *(each[14:] for each in then)] == ["00:00Z", "01:01Z", "01:01Z"]
