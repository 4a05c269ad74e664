"""All scenarios, by name; and by the room whose controllers they are about."""

from typing import Final

from tests.traces import deployments, jobs, replicasets, services
from tests.traces.scenario import Scenario

__all__ = ["ROOMS", "SCENARIOS"]

ROOMS: Final[dict[str, dict[str, Scenario]]] = {
    "deployments": deployments.SCENARIOS,
    "replicasets": replicasets.SCENARIOS,
    "jobs": jobs.SCENARIOS,
    "services": services.SCENARIOS,
}
SCENARIOS: Final = {name: scenario for room in ROOMS.values() for name, scenario in room.items()}
