from typing import Any

import pytest
from tests.cluster.registry.kinds.judged import Judged

SETS = Judged("statefulsets.apps")
MOUNT = {"name": "d", "mountPath": "/d"}
TEMPLATE = {
    "metadata": {"labels": {"a": "b"}},
    "spec": {"containers": [{"name": "c", "image": "i", "volumeMounts": [MOUNT]}]},
}
CLAIM = {
    "metadata": {"name": "d"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
SPEC: dict[str, Any] = {
    "selector": {"matchLabels": {"a": "b"}},
    "template": TEMPLATE,
    "volumeClaimTemplates": [CLAIM],
    "serviceName": "s",
}


def test_what_is_not_said_is_filled_in() -> None:
    spec = SETS.made(spec=SPEC)["spec"]
    assert spec["podManagementPolicy"] == "OrderedReady"
    assert spec["updateStrategy"] == {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}
    assert spec["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"}
    [claim] = spec["volumeClaimTemplates"]
    assert (claim["kind"], claim["spec"]["volumeMode"], claim["status"]["phase"]) == (
        "PersistentVolumeClaim",
        "Filesystem",
        "Pending",
    )


def test_a_strategy_that_is_named_is_left_as_it_is() -> None:
    spec = SPEC | {"updateStrategy": {"type": "RollingUpdate"}}
    assert SETS.made(spec=spec)["spec"]["updateStrategy"] == {"type": "RollingUpdate"}


def test_how_many_may_be_missing_is_forgotten() -> None:
    spec = SPEC | {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}
    assert SETS.made(spec=spec)["spec"]["updateStrategy"]["rollingUpdate"] == {"partition": 0}


def test_pods_mount_what_is_claimed_for_them() -> None:
    errors = SETS.refused(spec=SPEC | {"volumeClaimTemplates": []})
    assert errors == ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "d"']


@pytest.mark.parametrize("free", [{"replicas": 2}, {"minReadySeconds": 1}, {"ordinals": {"start": 1}}])
def test_how_many_and_how_may_change(free: dict[str, Any]) -> None:
    assert SETS.changed(SETS.made(spec=SPEC), {"spec": free})["metadata"]["generation"] == 2


@pytest.mark.parametrize(
    "fixed", [{"serviceName": "t"}, {"podManagementPolicy": "Parallel"}, {"volumeClaimTemplates": None}]
)
def test_who_they_are_may_not(fixed: dict[str, Any]) -> None:
    errors = SETS.kept(SETS.made(spec=SPEC), {"spec": fixed})
    assert errors[-1].startswith("spec: Forbidden: updates to statefulset spec for fields other than 'replicas', ")


def test_a_limit_below_none_keeps_all() -> None:
    [warning] = SETS.warned(spec=SPEC | {"revisionHistoryLimit": -1})
    assert warning.startswith("spec.revisionHistoryLimit: a negative value retains all historical revisions")


def test_collisions_are_counted_up() -> None:
    old = SETS.changed(SETS.made(spec=SPEC), {"status": {"collisionCount": 2}}, "status")
    [error] = SETS.kept(old, {"status": {"collisionCount": 1}}, "status")
    assert error == "status.collisionCount: Invalid value: 1: cannot be decremented"
