from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import read, told

from kubewright.cluster.registry.kinds.pod.update import check_changes

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
GATED = {"schedulingGates": [{"name": "g"}, {"name": "h"}], "nodeSelector": {"a": "b"}}


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return told(check_changes(read(**new)["spec"], read(**old)["spec"]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {}),
        ({}, {"containers": [{"name": "c", "image": "j"}]}),
        ({}, {"activeDeadlineSeconds": 5}),
        ({"activeDeadlineSeconds": 5}, {"activeDeadlineSeconds": 4}),
        ({}, {"tolerations": [{"key": "k", "operator": "Exists"}]}),
        (
            {"tolerations": [{"key": "k", "effect": "NoExecute"}]},
            {"tolerations": [{"key": "k", "effect": "NoExecute", "tolerationSeconds": 5}]},
        ),
        (GATED, {**GATED, "schedulingGates": [{"name": "h"}]}),
        (GATED, {**GATED, "nodeSelector": {"a": "b", "c": "d"}}),
    ],
)
def test_what_may_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert changed(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ({}, {"containers": []}, "spec.containers: Forbidden: pod updates may not add or remove containers"),
        ({}, {"containers": [{"name": "c", "imagePullPolicy": "Always"}]}, "spec.containers[0].image: Required value"),
        (
            {"activeDeadlineSeconds": 5},
            {},
            ("spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"),
        ),
        (
            {"activeDeadlineSeconds": 5},
            {"activeDeadlineSeconds": 6},
            "spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value",
        ),
        (
            {"tolerations": [{"operator": "Exists"}]},
            {},
            "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
        ),
        (
            {},
            {"schedulingGates": [{"name": "g"}]},
            "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'g'",
        ),
        (
            GATED,
            {**GATED, "nodeSelector": {"a": "c"}},
            (
                'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no '
                "mutations or deletions)"
            ),
        ),
    ],
)
def test_what_may_not_change(old: dict[str, Any], new: dict[str, Any], error: str) -> None:
    assert changed(old, new) == [error]


def test_what_else_changed_is_shown() -> None:
    [error] = changed({}, {"hostname": "h"})
    assert error.startswith("spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,")
    assert '\n- "Hostname": "",\n+ "Hostname": "h",\n' in error


def test_affinity_may_be_narrowed_while_a_pod_is_held_back() -> None:
    def affinity(*terms: dict[str, Any]) -> dict[str, Any]:
        return {**GATED, "affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [*terms]}}}}

    one, two = ({"key": key, "operator": "Exists"} for key in "kl")
    path = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms"
    assert changed(affinity({"matchExpressions": [one]}), affinity({"matchExpressions": [one, two]})) == []
    assert changed(GATED, affinity({"matchExpressions": [one]})) == []
    [error] = changed(affinity({"matchExpressions": [one]}), affinity({"matchExpressions": [two]}))
    assert error.startswith(f'{path}[0]: Invalid value: {{"MatchExpressions":')
    assert error.endswith("only additions are allowed (no mutations or deletions)")
    [error] = changed(affinity({"matchExpressions": [one]}), GATED)
    assert (
        error == f"{path}: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed"
    )
