from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@pytest.mark.parametrize(
    ("requirement", "error"),
    [
        (
            {"key": "k", "operator": "In"},
            ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ),
        (
            {"key": "k", "operator": "Exists", "values": ["v"]},
            ".values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
        (
            {"key": "k", "operator": "Gt"},
            ".values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
        ),
        ({"key": "k", "operator": "x"}, '.operator: Invalid value: "x": not a valid selector operator'),
    ],
)
def test_which_nodes(requirement: dict[str, Any], error: str) -> None:
    terms = {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}
    at = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms[0].matchExpressions[0]"
    assert checked(affinity={"nodeAffinity": {REQUIRED: terms}}) == [f"{at}{error}"]


def test_what_is_preferred_may_have_any_value_and_a_weight() -> None:
    wish = {"matchExpressions": [{"key": "k", "operator": "In", "values": ["a b"]}]}
    fields = {"matchFields": [{"key": "x", "operator": "Exists", "values": []}]}
    at = f"spec.affinity.nodeAffinity.{PREFERRED}"
    terms = [{"weight": 101, "preference": wish}, {"weight": 1, "preference": fields}]
    assert checked(affinity={"nodeAffinity": {PREFERRED: terms}}) == [
        f"{at}[0].weight: Invalid value: 101: must be in the range 1-100",
        f'{at}[1].preference.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
        f'{at}[1].preference.matchFields[0].key: Invalid value: "x": not a valid field selector key',
    ]


def test_labels_of_the_pod_are_taken_into_a_selector_once() -> None:
    term: dict[str, Any] = {"topologyKey": "", "matchLabelKeys": ["a"], "mismatchLabelKeys": ["a"]}
    at = f"spec.affinity.podAffinity.{REQUIRED}[0]"
    assert checked(affinity={"podAffinity": {REQUIRED: [term]}})[:4] == [
        f"{at}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
        f"{at}.mismatchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
        f'{at}.matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys',
        f"{at}.topologyKey: Required value: can not be empty",
    ]
    expression = {"key": "a", "operator": "Exists"}
    term = {"topologyKey": "z", "matchLabelKeys": ["a"]}
    term["labelSelector"] = {"matchLabels": {"a": "b"}, "matchExpressions": [expression]}
    assert checked(affinity={"podAffinity": {REQUIRED: [term]}}) == [
        f'{at}[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector'
    ]


@pytest.mark.parametrize(
    ("toleration", "errors"),
    [
        ({"operator": "Exists"}, []),
        (
            {},
            [
                (
                    '.operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match '
                    'all values and all keys"'
                ),
            ],
        ),
        (
            {"key": "k", "tolerationSeconds": 1},
            [".effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set"],
        ),
        (
            {"key": "k", "operator": "Exists", "value": "v"},
            [".operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'"],
        ),
        ({"key": "k", "operator": "x"}, ['.operator: Unsupported value: "x": supported values: "Equal", "Exists"']),
        (
            {"key": "k", "operator": "Lt", "value": "1"},
            ['.operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"'],
        ),
        (
            {"key": "k", "effect": "x"},
            ['.effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"'],
        ),
    ],
)
def test_a_toleration(toleration: dict[str, Any], errors: list[str]) -> None:
    assert checked(tolerations=[toleration]) == [f"spec.tolerations[0]{error}" for error in errors]


def test_how_pods_are_spread() -> None:
    spread = {"maxSkew": 0, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway", "minDomains": 0}
    at = "spec.topologySpreadConstraints[0]"
    assert checked(topologySpreadConstraints=[{**spread, "nodeTaintsPolicy": "x"}, {**spread, "maxSkew": 1}])[:5] == [
        f"{at}.maxSkew: Invalid value: 0: must be greater than zero",
        f'{at}.{{topologyKey, whenUnsatisfiable}}: Duplicate value: "{{z, ScheduleAnyway}}"',
        f"{at}.minDomains: Invalid value: 0: must be greater than zero",
        (
            f"{at}.minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
            "ScheduleAnyway"
        ),
        f'{at}.nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"',
    ]


def test_gates_have_names_of_their_own() -> None:
    gates = [{"name": "example.com/g"}, {"name": "example.com/g"}]
    assert checked(schedulingGates=gates) == ['spec.schedulingGates[1]: Duplicate value: "example.com/g"']
