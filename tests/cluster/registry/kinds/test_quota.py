from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

QUOTAS = Judged("resourcequotas")


@pytest.mark.parametrize(
    ("name", "amount", "wrong"),
    [
        ("pods", "3", ""),
        ("pods", "1500m", "must be an integer"),
        ("cpu", "1500m", ""),
        ("cpu", "-1", "must be greater than or equal to 0"),
        ("storage", "1", "must be a standard resource for quota"),
        ("count/anything.example.com", "1", ""),
        ("requests.hugepages-2Mi", "2Mi", ""),
    ],
)
def test_amounts_are_of_what_can_be_counted(name: str, amount: str, wrong: str) -> None:
    errors = QUOTAS.refused(spec={"hard": {name: amount}})
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


@pytest.mark.parametrize(
    ("hard", "scopes", "wrong"),
    [
        ({"pods": "1"}, ["BestEffort"], ""),
        ({"cpu": "1"}, ["BestEffort"], "unsupported scope applied to resource"),
        ({"pods": "1"}, ["BestEffort", "NotBestEffort"], "conflicting scopes"),
        ({"pods": "1"}, ["Odd"], "unsupported scope"),
        ({"requests.storage": "1"}, ["VolumeAttributesClass"], ""),
    ],
)
def test_scopes_speak_of_some_resources(hard: dict[str, str], scopes: list[str], wrong: str) -> None:
    errors = QUOTAS.refused(spec={"hard": hard, "scopes": scopes})
    assert [error.rpartition(": ")[2] for error in errors] == ([wrong] if wrong else [])


@pytest.mark.parametrize(
    ("expression", "wrong"),
    [
        ({"scopeName": "PriorityClass", "operator": "In", "values": ["x"]}, []),
        ({"scopeName": "PriorityClass", "operator": "In"}, ["values"]),
        ({"scopeName": "PriorityClass", "operator": "Exists", "values": ["x"]}, ["values"]),
        ({"scopeName": "Terminating", "operator": "DoesNotExist"}, ["operator"]),
        ({"scopeName": "Odd", "operator": "Odd"}, ["scopeName", "operator"]),
    ],
)
def test_a_selector_of_scopes_is_judged(expression: dict[str, Any], wrong: list[str]) -> None:
    errors = QUOTAS.refused(spec={"scopeSelector": {"matchExpressions": [expression]}})
    assert [error.partition(": ")[0].rpartition(".")[2] for error in errors] == wrong


def test_scopes_stay() -> None:
    old = QUOTAS.made(spec={"scopes": ["Terminating"]})
    assert QUOTAS.kept(old, {"spec": {"scopes": ["NotTerminating"]}}) == [
        'spec.scopes: Invalid value: ["NotTerminating"]: field is immutable'
    ]


def test_more_should_be_used_than_asked_for() -> None:
    hard = {"cpu": "2", "limits.cpu": "1", "requests.memory": "1", "limits.memory": "2"}
    assert QUOTAS.warned(spec={"hard": hard}) == ["ResourceQuota cpu (2) should be less than limits.cpu (1)"]


def test_finer_amounts_than_thousandths_are_rounded_up() -> None:
    assert QUOTAS.made(spec={"hard": {"cpu": "1u"}})["spec"]["hard"] == {"cpu": "1m"}


def test_what_is_used_is_judged() -> None:
    [error] = QUOTAS.kept(QUOTAS.made(spec={}), {"status": {"used": {"pods": "-1"}}}, "status")
    assert error == 'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0'
