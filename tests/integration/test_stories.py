"""Stories of built-in controllers on a real server: with kube-controller-manager, and with ours in its place."""

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
    told = record.plain(play_real(record.named(stories), full_cluster.kubeconfig, []))
    assert [name for name, each in record.recorded(room).items() if told[name] not in each["outcomes"]] == []


@pytest.mark.parametrize("room", ROOMS)
def test_ours_do_the_same_on_a_real_server(room: str, real_cluster: RealCluster) -> None:
    stories, controllers = ROOMS[room]
    alone = record.named([story for story in stories if story not in record.COLLECTED])
    told = record.plain(play_real(alone, real_cluster.kubeconfig, controllers()))
    known = record.recorded(room)
    assert [name for name, outcome in told.items() if outcome not in known[name]["outcomes"]] == []
