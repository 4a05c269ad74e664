"""The status of a Deployment as it is read and written."""

import msgspec

from kubewright.cluster.controllers.deployments.views import Condition, Deployment, Status, read_deployment
from kubewright.cluster.controllers.views import read_parts


def condition(status: str = "True", reason: str = "a", time: str = "1") -> Condition:
    return Condition("Available", status, time, time, reason)


def test_a_condition_that_says_the_same_stays_as_it_is() -> None:
    status = Status(conditions=[condition(time="1")])
    status.set(condition(time="2"))
    assert status.conditions == [condition(time="1")]


def test_a_new_reason_keeps_the_time_of_the_transition() -> None:
    status = Status(conditions=[condition(time="1"), Condition("Progressing", "True")])
    status.set(condition(reason="b", time="2"))
    assert [each.type for each in status.conditions] == ["Progressing", "Available"]
    assert (status.conditions[1].last_update_time, status.conditions[1].last_transition_time) == ("2", "1")


def test_another_status_is_a_transition() -> None:
    status = Status(conditions=[condition(time="1")])
    status.set(condition("False", time="2"))
    assert status.conditions[0].last_transition_time == "2"


def test_what_is_nothing_is_not_written() -> None:
    assert msgspec.json.encode(Status()) == b"{}"
    assert msgspec.json.encode(Status(replicas=1, terminating_replicas=0)) == b'{"replicas":1,"terminatingReplicas":0}'


def read(**spec: object) -> Deployment:
    return read_deployment(read_parts(msgspec.json.encode({"metadata": {"name": "web"}, "spec": spec})))


def test_the_largest_number_is_no_limit() -> None:
    assert (read().deadline, read(progressDeadlineSeconds=2**31 - 1).deadline) == (None, None)
    assert read(progressDeadlineSeconds=5).deadline == 5
    assert (read(revisionHistoryLimit=0).history, read(revisionHistoryLimit=2**31 - 1).history) == (0, None)
