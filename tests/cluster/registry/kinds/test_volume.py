from typing import Any

import pytest
from tests.cluster.stage import Stage, play

VOLUMES = "/api/v1/persistentvolumes"
MERGE = {"content-type": "application/merge-patch+json"}
CSI = {"csi": {"driver": "example.com", "volumeHandle": "h"}}
LABEL = "beta.kubernetes.io/arch"


def volume(**spec: Any) -> dict[str, Any]:
    base = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}}
    return {"metadata": {"name": "a"}, "spec": base | spec}


def affinity(key: str) -> dict[str, Any]:
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": key, "operator": "Exists"}]}]}}


def refusals(**spec: Any) -> set[str]:
    async def story(stage: Stage) -> set[str]:
        _, status = await stage.ask("POST", VOLUMES, volume(**spec))
        return {cause["field"] for cause in status.get("details", {}).get("causes", [])}

    return play(story)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        (CSI, set()),
        ({"hostPath": {"path": "/x"}}, set()),
        ({}, {"spec"}),
        (CSI | {"hostPath": {"path": "/x"}}, {"spec.csi"}),
        (CSI | {"accessModes": []}, {"spec.accessModes"}),
        (CSI | {"accessModes": ["ReadWriteOncePod", "ReadOnlyMany"]}, {"spec.accessModes"}),
        (CSI | {"capacity": {"storage": "1", "cpu": "1"}}, {"spec.capacity"}),
        (CSI | {"capacity": {"storage": "0"}}, {"spec.capacity[storage]"}),
        (CSI | {"persistentVolumeReclaimPolicy": "x"}, {"spec.persistentVolumeReclaimPolicy"}),
        (CSI | {"volumeMode": "x"}, {"spec.volumeMode"}),
        (CSI | {"storageClassName": "A"}, {"spec.storageClassName"}),
        (CSI | {"nodeAffinity": {}}, {"spec.nodeAffinity.required"}),
        ({"local": {"path": "/x"}}, {"spec.nodeAffinity"}),
        ({"local": {"path": "/x/../y"}, "nodeAffinity": affinity("a")}, {"spec.local.path"}),
        (
            {"hostPath": {"path": "/"}, "persistentVolumeReclaimPolicy": "Recycle"},
            {"spec.persistentVolumeReclaimPolicy"},
        ),
        ({"hostPath": {"path": "/x"}, "volumeAttributesClassName": "x"}, {"spec.csi"}),
        ({"csi": {"driver": "A_", "volumeHandle": ""}}, {"spec.csi.driver", "spec.csi.volumeHandle"}),
        ({"csi": CSI["csi"] | {"nodePublishSecretRef": {"name": "s"}}}, {"spec.csi.nodePublishSecretRef.namespace"}),
        ({"cinder": {"volumeID": "v", "secretRef": {"name": "s"}}}, {"spec.cinder.secretRef.namespace"}),
        (
            {"glusterfs": {"endpoints": "e", "path": "p", "endpointsNamespace": ""}},
            {"spec.glusterfs.endpointsNamespace"},
        ),
        (
            {"azureFile": {"secretName": "s", "shareName": "t", "secretNamespace": ""}},
            {"spec.azureFile.secretNamespace"},
        ),
        ({"gcePersistentDisk": {"pdName": ""}}, {"spec.persistentDisk.pdName"}),
    ],
)
def test_what_is_wrong_is_told_where_it_is(spec: dict[str, Any], fields: set[str]) -> None:
    assert refusals(**spec) == fields


def changed(first: dict[str, Any], change: dict[str, Any]) -> int:
    async def story(stage: Stage) -> int:
        await stage.ask("POST", VOLUMES, first)
        code, _ = await stage.ask("PATCH", f"{VOLUMES}/a", {"spec": change}, MERGE)
        return code

    return play(story)


@pytest.mark.parametrize(
    ("spec", "change", "code"),
    [
        (CSI, {"csi": {"volumeHandle": "i"}}, 422),
        (CSI, {"csi": {"controllerExpandSecretRef": {"name": "s", "namespace": "n"}}}, 200),
        (CSI, {"capacity": {"storage": "2Gi"}, "claimRef": {"namespace": "n", "name": "c"}}, 200),
        (CSI, {"volumeMode": "Block"}, 422),
        (CSI, {"nodeAffinity": affinity("a")}, 200),
        (CSI | {"nodeAffinity": affinity("a")}, {"nodeAffinity": affinity("b")}, 422),
        (CSI | {"nodeAffinity": affinity(LABEL)}, {"nodeAffinity": affinity("kubernetes.io/arch")}, 200),
        (CSI | {"volumeAttributesClassName": "x"}, {"volumeAttributesClassName": "y"}, 200),
        (CSI | {"volumeAttributesClassName": "x"}, {"volumeAttributesClassName": None}, 422),
    ],
)
def test_what_a_volume_is_stays(spec: dict[str, Any], change: dict[str, Any], code: int) -> None:
    assert changed(volume(**spec), change) == code


def test_a_phase_says_since_when() -> None:
    async def story(stage: Stage) -> list[Any]:
        times = []
        _, obj = await stage.ask("POST", VOLUMES, volume(**CSI))
        times.append(obj["status"])
        said = "2020-01-01T00:00:00Z"
        for status in ({"lastPhaseTransitionTime": said}, {"message": "m", "lastPhaseTransitionTime": None}):
            _, obj = await stage.ask("PATCH", f"{VOLUMES}/a/status", {"status": status}, MERGE)
            times.append(obj["status"]["lastPhaseTransitionTime"])
        _, obj = await stage.ask("PATCH", f"{VOLUMES}/a/status", {"status": {"phase": "Available"}}, MERGE)
        times.append(obj["status"]["lastPhaseTransitionTime"] != said)
        return times

    first, *others = play(story)
    assert first["phase"] == "Pending"
    assert "lastPhaseTransitionTime" in first
    assert others == ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", True]


def test_what_is_old_is_told() -> None:
    async def story(stage: Stage) -> list[bytes]:
        spec = {"rbd": {"monitors": ["m"], "image": "i"}, "persistentVolumeReclaimPolicy": "Recycle"}
        response = await stage.send("POST", VOLUMES, volume(**spec, nodeAffinity=affinity(LABEL)))
        return [value for name, value in response.headers if name.lower() == b"warning"]

    assert len(play(story)) == 3


def test_sources_have_defaults() -> None:
    async def story(stage: Stage) -> Any:
        _, obj = await stage.ask("POST", VOLUMES, volume(rbd={"monitors": ["m"], "image": "i"}))
        return obj["spec"]["rbd"]

    assert play(story) == {
        "monitors": ["m"],
        "image": "i",
        "pool": "rbd",
        "user": "admin",
        "keyring": "/etc/ceph/keyring",
    }
