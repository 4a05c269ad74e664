"""Our controllers take only steps that the real ones were seen to take, and come to the same end."""

import asyncio
import functools
from typing import Any

import pytest
from tests.traces.record import recorded
from tests.traces.recorder import record
from tests.traces.scenario import DELAYS, Play
from tests.traces.scenarios import SCENARIOS

from kubewright.cluster import Cluster
from kubewright.trials.loop import run

#: Pods that are all alike lie between those that are quick and those that are uneven.
CASES = [
    pytest.param(name, delays, marks=pytest.mark.deep if delays == "slow" else ())
    for name in SCENARIOS
    for delays in DELAYS
]


@functools.cache
def played(name: str, delays: str) -> tuple[dict[str, Any], list[str]]:
    """What was seen on a cluster of ours, and what is written when it is at rest, but for the heartbeats of nodes."""

    async def story() -> tuple[dict[str, Any], list[str]]:
        async with Cluster(port=None, seed=3) as cluster:
            client = cluster.client()
            await asyncio.sleep(1)
            seen = await record(SCENARIOS[name], Play(client, "default", DELAYS[delays]), 5.0)
            before = cluster.store.revision
            await asyncio.sleep(5)
            written = [each.key for each in cluster.store.changes("/", before)]
            return seen, [key for key in written if not key.startswith("/leases.coordination.k8s.io/")]

    return run(story())


@pytest.mark.parametrize(("name", "delays"), CASES)
def test_every_step_is_one_of_the_real_controllers(name: str, delays: str) -> None:
    known = recorded(name)
    seen, written = played(name, delays)
    assert [step for step in seen["steps"] if step not in known["steps"]] == []
    assert seen["final"] in known["finals"]
    assert seen["events"] in known["events"]
    assert written == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_milestones_are_passed_in_their_order_on_either_side(name: str) -> None:
    for news in (played(name, "uneven")[0]["news"], *recorded(name)["news"]):
        left = iter(news)
        assert [each for each in SCENARIOS[name].milestones if each not in left] == []
