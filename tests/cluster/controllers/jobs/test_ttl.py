"""When a Job that is over is deleted."""

import pytest
from tests.cluster.controllers.jobs.make import NOW, at, make_job

from kubewright.cluster.controllers.jobs.ttl import time_left


def over(seconds: float) -> dict[str, list[dict[str, str]]]:
    return {"conditions": [{"type": "Failed", "status": "True", "lastTransitionTime": at(seconds)}]}


@pytest.mark.parametrize(("ttl", "ended", "left"), [(60, -10, 50), (60, -70, -10), (0, 0, 0)])
def test_the_time_is_counted_from_the_end(ttl: int, ended: float, left: float) -> None:
    assert time_left(make_job(over(ended), ttlSecondsAfterFinished=ttl), NOW) == left


def test_a_job_that_is_not_over_or_says_nothing_or_is_going_stays() -> None:
    assert time_left(make_job(ttlSecondsAfterFinished=1), NOW) is None
    assert time_left(make_job(over(-9)), NOW) is None
    going = make_job(over(-9), {"deletionTimestamp": at(0)}, ttlSecondsAfterFinished=1)
    assert time_left(going, NOW) is None
