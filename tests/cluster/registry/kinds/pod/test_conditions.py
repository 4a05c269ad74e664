from typing import Any

from kubewright.cluster.registry.kinds.pod.conditions import find_condition, set_condition


def test_a_condition_holds_since_its_truth_changed() -> None:
    status: dict[str, Any] = {}
    set_condition(status, "A", "True")
    since = find_condition(status, "A")["lastTransitionTime"] = "2020-01-01T00:00:00Z"
    set_condition(status, "A", "True", "Because", "so")
    assert find_condition(status, "A") | {"lastProbeTime": None} == {
        "type": "A",
        "status": "True",
        "lastProbeTime": None,
        "lastTransitionTime": since,
        "reason": "Because",
        "message": "so",
    }
    set_condition(status, "A", "False")
    assert find_condition(status, "A")["lastTransitionTime"] != since
    assert len(status["conditions"]) == 1


def test_there_may_be_none() -> None:
    assert find_condition({}, "A") == {}
