"""How long a Job waits before it makes a pod anew."""

from datetime import timedelta

import pytest
from tests.cluster.controllers.jobs.make import NOW, make_pod

from kubewright.cluster.controllers.jobs.backoff import Record, index_delay
from kubewright.cluster.controllers.jobs.facts import FAILURES, IGNORED_FAILURES


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0), (1, 10), (2, 20), (3, 40), (6, 320), (7, 600), (8, 600), (2**31, 600)]
)
def test_each_failure_doubles_the_wait_up_to_ten_minutes(failures: int, seconds: float) -> None:
    assert Record(failures, NOW).delay(NOW) == seconds


def test_the_wait_is_counted_from_the_last_failure() -> None:
    assert Record(1, NOW).delay(NOW + timedelta(seconds=4)) == 6
    assert Record(1, NOW).delay(NOW + timedelta(seconds=11)) == 0


def test_failures_add_up_and_the_last_one_counts() -> None:
    failed = [make_pod("a", "Failed", ended=5), make_pod("b", "Failed", ended=3)]
    assert Record(1, NOW).after([], failed) == Record(3, NOW + timedelta(seconds=5))


def test_nothing_new_changes_nothing() -> None:
    assert Record(2, NOW).after([], []) == Record(2, NOW)


def test_a_success_begins_the_count_anew() -> None:
    assert Record(2, NOW).after([make_pod("a", "Succeeded", ended=5)], []) == Record()


def test_only_failures_after_a_success_count() -> None:
    failed = [make_pod("a", "Failed", ended=3), make_pod("b", "Failed", ended=7)]
    found = Record(2, NOW).after([make_pod("c", "Succeeded", ended=5)], failed)
    assert found == Record(1, NOW + timedelta(seconds=7))


def test_an_index_waits_by_what_its_last_pod_says() -> None:
    pod = make_pod("a", "Failed", index=1, annotations={FAILURES: "1", IGNORED_FAILURES: "1"})
    assert index_delay(pod, NOW) == 40
    assert index_delay(None, NOW) == 0
