"""Stories of built-in controllers on a real server: with kube-controller-manager, and with ours in its place."""

from typing import Any

import pytest
from tests.cluster.controllers import record
from tests.cluster.controllers.endpoints import stories as endpoints
from tests.cluster.controllers.ground import play_real
from tests.cluster.controllers.jobs import stories as jobs

from kubewright.testing.real import RealCluster

pytestmark = pytest.mark.real

ROOMS = {"jobs": (jobs.STORIES, record.job_controllers), "endpoints": (endpoints.STORIES, record.endpoint_controllers)}


@pytest.mark.parametrize("room", ROOMS)
def test_kube_controller_manager_does_what_is_recorded(room: str, full_cluster: RealCluster) -> None:
    stories, _ = ROOMS[room]
    assert _told(record.named(stories), full_cluster, []) == record.recorded(room)


@pytest.mark.parametrize("room", ROOMS)
def test_ours_do_the_same_on_a_real_server(room: str, real_cluster: RealCluster) -> None:
    stories, controllers = ROOMS[room]
    alone = record.named([story for story in stories if story not in record.COLLECTED])
    expected = {name: told for name, told in record.recorded(room).items() if name in alone}
    assert _told(alone, real_cluster, controllers()) == expected


def _told(stories: dict[str, Any], cluster: RealCluster, controllers: list[Any]) -> Any:
    return record.plain(play_real(stories, cluster.kubeconfig, controllers))
