"""Pods that are tracked for nobody."""

import pytest
from tests.cluster.controllers.jobs.make import make_job, make_pod

from kubewright.cluster.controllers.jobs.orphans import is_orphan
from kubewright.k8s.batch.v1 import Job

OVER = {"conditions": [{"type": "Complete", "status": "True"}]}


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        (None, True),
        (make_job(metadata={"uid": "another"}), True),
        (make_job(OVER), True),
        (make_job(OVER, managedBy="example.com/other"), False),
        (make_job(), False),
    ],
)
def test_a_pod_is_an_orphan_if_its_job_is_gone_or_over(job: Job | None, expected: bool) -> None:
    assert is_orphan(make_pod("a"), job) is expected


def test_a_pod_that_is_not_tracked_is_none() -> None:
    assert not is_orphan(make_pod("a", tracked=False), None)


def test_a_pod_that_nobody_controls_is_one_and_one_that_another_kind_controls_is_not() -> None:
    pod = make_pod("a")
    pod.metadata.owner_references[0].kind = "ReplicaSet"
    assert not is_orphan(pod, None)
    pod.metadata.owner_references = []
    assert is_orphan(pod, None)
