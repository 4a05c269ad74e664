"""What comes of the stories with kube-controller-manager, and by which steps, written down; ours must do the same.

`python -m tests.cluster.controllers.record` tells them on a real cluster, twenty times each, with pods that are quicker
or slower, and adds to what is written down what came of them and all the steps that were seen.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cluster.controllers.endpoints import stories as endpoints
from tests.cluster.controllers.ground import Around, Story, play_real
from tests.cluster.controllers.jobs import stories as jobs
from tests.cluster.controllers.steps import following

from kubewright.cluster.controllers.endpoints.controller import endpoints_controller, endpointslice_controller
from kubewright.cluster.controllers.jobs.controller import job_controller
from kubewright.cluster.controllers.jobs.orphans import job_orphan_pods
from kubewright.cluster.controllers.jobs.ttl import ttl_after_finished_controller
from kubewright.controller.declaration import Controller
from kubewright.testing.real import RealCluster

__all__ = ["COLLECTED", "endpoint_controllers", "job_controllers", "named", "noting", "plain", "recorded"]

#: What is looked at in the stories of a room.
FOLLOWED: dict[str, tuple[str, ...]] = {"jobs": ("jobs",), "endpoints": ("endpointslices", "endpoints")}
_HERE = Path(__file__).parent
_TIMES = 20
#: Seconds that the kubelet takes to look.
_DELAYS = (0.05, 0.1, 0.3, 0.7)

#: Stories in which dependents go with their owners, for which somebody must look.
COLLECTED = frozenset(
    [
        jobs.is_deleted_after_a_while,
        jobs.leaves_its_pods_when_it_is_deleted,
        jobs.takes_its_pods_along,
        endpoints.goes_with_its_service,
    ]
)


def job_controllers() -> list[Controller[Any, Any]]:
    """Those of Jobs."""
    return [job_controller(), job_orphan_pods, ttl_after_finished_controller]


def endpoint_controllers() -> list[Controller[Any, Any]]:
    """Those of Services."""
    return [endpointslice_controller(), endpoints_controller()]


def named(stories: Sequence[Story[Any]]) -> dict[str, Story[Any]]:
    """Stories by names that namespaces can have."""
    return {story.__name__.replace("_", "-"): story for story in stories}


def plain(value: Any) -> Any:
    """The same as it is after it was written down."""
    return json.loads(json.dumps(value))


def noting(room: str, steps: set[str]) -> Around:
    """Have the steps of a story noted."""
    return lambda ground: following(ground, FOLLOWED[room], steps)


def recorded(room: str) -> dict[str, Any]:
    """What came of the stories of `jobs` or `endpoints`, by name: the `outcomes` that were seen, and the `steps`."""
    found: dict[str, Any] = json.loads((_HERE / room / "recorded.json").read_text())
    return found


def _record(room: str, stories: dict[str, Story[Any]], cluster: RealCluster) -> None:
    known = recorded(room)
    steps: dict[str, set[str]] = {name: set(known.get(name, {}).get("steps", ())) for name in stories}
    outcomes: dict[str, list[Any]] = {name: known.get(name, {}).get("outcomes", []) for name in stories}
    for number in range(_TIMES):
        arounds = {name: noting(room, seen) for name, seen in steps.items()}
        told = plain(play_real(stories, cluster.kubeconfig, (), _DELAYS[number % len(_DELAYS)], arounds))
        for name, outcome in told.items():
            if outcome not in outcomes[name]:
                outcomes[name].append(outcome)
        found = {name: {"outcomes": outcomes[name], "steps": sorted(steps[name])} for name in stories}
        (_HERE / room / "recorded.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        print(room, number + 1, sum(map(len, steps.values())), "steps", sum(map(len, outcomes.values())), "outcomes")


if __name__ == "__main__":
    with RealCluster.start(controllers=True) as started:
        for chosen in sys.argv[1:] or FOLLOWED:
            _record(chosen, named(jobs.STORIES if chosen == "jobs" else endpoints.STORIES), started)
