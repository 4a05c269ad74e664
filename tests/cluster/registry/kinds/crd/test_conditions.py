from kubewright.cluster.registry.kinds.crd.conditions import find_condition, is_true, set_condition

EARLY, LATE = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"


def test_a_condition_comes_last_and_changes_in_its_place() -> None:
    status = set_condition(set_condition({}, "A", "True", "r", "m", EARLY), "B", "True", "r", "m", EARLY)
    status = set_condition(status, "A", "False", "r", "m", LATE)
    assert [each["type"] for each in status["conditions"]] == ["A", "B"]


def test_the_time_of_a_condition_is_that_of_its_last_change_of_value() -> None:
    status = set_condition({}, "A", "True", "r", "m", EARLY)
    same, other = (set_condition(status, "A", value, "s", "n", LATE) for value in ("True", "False"))
    assert [each["conditions"][0]["lastTransitionTime"] for each in (same, other)] == [EARLY, LATE]
    assert same["conditions"][0]["reason"] == "s"


def test_a_status_is_not_changed_but_made_anew() -> None:
    status = set_condition({}, "A", "True", "r", "m", EARLY)
    set_condition(status, "A", "False", "r", "m", LATE)
    assert status["conditions"][0]["status"] == "True"


def test_a_condition_that_is_not_there_does_not_hold() -> None:
    crd = {"status": {"conditions": None}}
    assert find_condition(crd, "A") is None
    assert not is_true(crd, "A")
