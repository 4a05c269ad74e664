"""Our controllers take only steps that the real ones were seen to take, and come to the same end."""

import asyncio
import json
from typing import Any

import pytest
from tests.cluster.controllers.workshop import OTHERS, workshop
from tests.traces.record import RECORDED
from tests.traces.recorder import record
from tests.traces.scenario import DELAYS, SCENARIOS, Play

from kubewright.cluster import Cluster
from kubewright.trials.loop import run

CASES = [(name, delays) for name in SCENARIOS for delays in DELAYS]


def played(name: str, delays: str) -> tuple[dict[str, Any], int]:
    """What was seen on a cluster of ours, and how much is written when it is at rest."""

    async def story() -> tuple[dict[str, Any], int]:
        async with Cluster(port=None, seed=3, controllers=OTHERS, nodes=1) as cluster, workshop(cluster, None):
            client = cluster.client()
            await asyncio.sleep(1)
            seen = await record(SCENARIOS[name], Play(client, "default", DELAYS[delays]), 5.0)
            before = cluster.store.revision
            await asyncio.sleep(5)
            return seen, cluster.store.revision - before

    return run(story())


@pytest.mark.parametrize(("name", "delays"), CASES)
def test_every_step_is_one_of_the_real_controllers(name: str, delays: str) -> None:
    recorded = json.loads((RECORDED / f"{name}.json").read_text())
    seen, written = played(name, delays)
    assert [step for step in seen["steps"] if step not in recorded["steps"]] == []
    assert seen["final"] in recorded["finals"]
    assert seen["events"] in recorded["events"]
    assert written == 0


@pytest.mark.parametrize("name", SCENARIOS)
def test_milestones_are_passed_in_their_order_on_either_side(name: str) -> None:
    recorded = json.loads((RECORDED / f"{name}.json").read_text())
    for conditions in (played(name, "uneven")[0]["conditions"], *recorded["conditions"]):
        left = iter(conditions)
        assert [each for each in SCENARIOS[name].milestones if each not in left] == []
