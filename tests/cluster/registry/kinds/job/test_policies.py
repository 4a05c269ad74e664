from typing import Any

import pytest

from kubewright.cluster.registry.kinds.job.policies import (
    check_failure_policy,
    check_success_policy,
    default_failure_policy,
)

TOTAL = "(the number of indexes in the specified succeededIndexes field)"


def failures(rule: dict[str, Any], **spec: Any) -> list[str]:
    template = {"spec": {"containers": [{"name": "c"}]}}
    given = {"podFailurePolicy": {"rules": [rule]}, "template": template, **spec}
    return [str(error).removeprefix("p.rules[0]") for error in check_failure_policy(given, "p")]


def test_a_condition_is_true_if_nothing_is_said() -> None:
    policy = {"rules": [{"onPodConditions": [{"type": "A", "status": ""}, {"type": "B", "status": "False"}]}]}
    default_failure_policy(policy)
    assert [each["status"] for each in policy["rules"][0]["onPodConditions"]] == ["True", "False"]


def test_a_rule_speaks_of_codes_or_of_conditions() -> None:
    codes = {"operator": "In", "values": [1]}
    assert failures({"action": "Ignore", "onExitCodes": codes}) == []
    assert failures({"action": "Ignore"}) == [
        ": Invalid value: specifying one of OnExitCodes and OnPodConditions is required"
    ]
    both = {"action": "Ignore", "onExitCodes": codes, "onPodConditions": [{"type": "A", "status": "True"}]}
    assert failures(both) == [": Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"]


def test_an_index_fails_only_where_failures_of_indexes_count() -> None:
    rule = {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [1]}}
    assert failures(rule) == ['.action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set']
    assert failures(rule, backoffLimitPerIndex=1) == []


@pytest.mark.parametrize(
    ("codes", "wrong"),
    [
        ({"operator": "In", "values": [0]}, [".values[0]: Invalid value: 0: must not be 0 for the In operator"]),
        ({"operator": "NotIn", "values": [0]}, []),
        ({"operator": "In", "values": [1, 1]}, [".values[1]: Duplicate value: 1"]),
        ({"operator": "In", "values": [2, 1]}, [".values: Invalid value: [2,1]: must be ordered"]),
        ({"operator": "", "values": [1]}, ['.operator: Required value: valid values: ["In" "NotIn"]']),
    ],
)
def test_codes_are_a_set_in_order(codes: dict[str, Any], wrong: list[str]) -> None:
    found = failures({"action": "Count", "onExitCodes": codes})
    assert [error.removeprefix(".onExitCodes") for error in found] == wrong


@pytest.mark.parametrize(
    ("rule", "wrong"),
    [
        ({"succeededIndexes": "0-1", "succeededCount": 2}, []),
        ({}, [": Required value: at least one of succeededCount or succeededIndexes must be specified"]),
        (
            {"succeededIndexes": "0-1", "succeededCount": 3},
            [f".succeededCount: Invalid value: 3: must be less than or equal to 2 {TOTAL}"],
        ),
    ],
)
def test_success_is_of_some_indexes(rule: dict[str, Any], wrong: list[str]) -> None:
    found = check_success_policy({"successPolicy": {"rules": [rule]}, "completions": 5}, "p")
    assert [str(error).removeprefix("p.rules[0]") for error in found] == wrong
