from tests.cluster.registry.kinds.judged import Judged

BUDGETS = Judged("poddisruptionbudgets.policy")


def test_a_budget_is_of_those_that_stay_or_of_those_that_go() -> None:
    [error] = BUDGETS.refused(spec={"minAvailable": 1, "maxUnavailable": "1%"})
    assert error == (
        'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"1%",'
        '"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set'
    )


def test_amounts_are_of_a_whole() -> None:
    assert BUDGETS.refused(spec={"minAvailable": "101%"}) == [
        'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'
    ]


def test_any_name_will_do_once_the_rest_is_right() -> None:
    assert BUDGETS.made(metadata={"name": "A B"}, spec={})["metadata"]["name"] == "A B"
    assert BUDGETS.refused(metadata={"name": "a/b"}, spec={}) == [
        "metadata.name: Invalid value: \"a/b\": may not contain '/'"
    ]


def test_the_status_counts() -> None:
    [error] = BUDGETS.kept(BUDGETS.made(spec={}), {"status": {"expectedPods": -1}}, "status")
    assert error == "status.expectedPods: Invalid value: -1: must be greater than or equal to 0"
