"""What comes of the stories with kube-controller-manager, written down; ours must come to the same.

`python -m tests.cluster.controllers.record` tells them anew on a real cluster and writes down what came of them.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.cluster.controllers.endpoints import stories as endpoints
from tests.cluster.controllers.ground import Story, play_real
from tests.cluster.controllers.jobs import stories as jobs

from kubewright.cluster.controllers.endpoints.controller import endpoints_controller, endpointslice_controller
from kubewright.cluster.controllers.jobs.controller import job_controller
from kubewright.cluster.controllers.jobs.orphans import job_orphan_pods
from kubewright.cluster.controllers.jobs.ttl import ttl_after_finished_controller
from kubewright.controller.declaration import Controller
from kubewright.testing.real import RealCluster

__all__ = ["COLLECTED", "endpoint_controllers", "job_controllers", "named", "plain", "recorded"]

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


def _file(room: str) -> Path:
    return Path(__file__).parent / room / "recorded.json"


def recorded(room: str) -> dict[str, Any]:
    """What came of the stories of `jobs` or `endpoints`, by name."""
    found: dict[str, Any] = json.loads(_file(room).read_text())
    return found


def _record() -> None:
    with RealCluster.start(controllers=True) as cluster:
        for room, stories in (("jobs", jobs.STORIES), ("endpoints", endpoints.STORIES)):
            told = play_real(named(stories), cluster.kubeconfig, ())
            _file(room).write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    _record()
