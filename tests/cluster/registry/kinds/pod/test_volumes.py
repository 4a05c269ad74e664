from typing import Any

import pytest
from tests.cluster.registry.kinds.pod.specs import checked, told, volume

from kubewright.cluster.registry.kinds.pod.volumes import check_volumes

AT = "spec.volumes[0]"
DISK = {"diskName": "d", "diskURI": "https://x"}


@pytest.mark.parametrize(
    ("source", "errors"),
    [
        (
            {"emptyDir": {"sizeLimit": "-1"}},
            [".emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity"],
        ),
        ({"hostPath": {}}, [".hostPath.path: Required value"]),
        ({"hostPath": {"path": "/a/../b"}}, [".hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"]),
        (
            {"gitRepo": {"directory": "/x"}},
            [".gitRepo.repository: Required value", '.gitRepo.directory: Invalid value: "/x": must be a relative path'],
        ),
        (
            {"gcePersistentDisk": {"pdName": "p", "partition": 256}},
            [".persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive"],
        ),
        ({"awsElasticBlockStore": {}}, [".awsElasticBlockStore.volumeID: Required value"]),
        (
            {"secret": {"defaultMode": 512}},
            [
                ".secret.secretName: Required value",
                ".secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive",
            ],
        ),
        ({"nfs": {"server": "s", "path": "x"}}, ['.nfs.path: Invalid value: "x": must be an absolute path']),
        (
            {"iscsi": {"targetPortal": "p", "iqn": "x", "lun": 256}},
            [
                '.iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
                ".iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
            ],
        ),
        (
            {"iscsi": {"targetPortal": "p", "iqn": "iqn.x", "chapAuthSession": True}},
            ['.iscsi.iqn: Invalid value: "iqn.x": must be valid format', ".iscsi.secretRef: Required value"],
        ),
        (
            {"flocker": {"datasetName": "a/b", "datasetUUID": "u"}},
            [
                '.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
                ".flocker.datasetName: Invalid value: \"a/b\": must not contain '/'",
            ],
        ),
        ({"rbd": {}}, [".rbd.monitors: Required value", ".rbd.image: Required value"]),
        ({"cinder": {"volumeID": "v", "secretRef": {}}}, [".cinder.secretRef.name: Required value"]),
        (
            {"quobyte": {"registry": "x", "volume": "v"}},
            ['.quobyte.registry: Invalid value: "x": must be a host:port pair or multiple pairs separated by commas'],
        ),
        (
            {"fc": {"targetWWNs": ["w"], "wwids": ["x"]}},
            [
                '.fc.targetWWNs: Invalid value: ["w"]: targetWWNs and wwids can not be specified simultaneously',
                ".fc.lun: Required value: lun is required if targetWWNs is specified",
            ],
        ),
        (
            {"flexVolume": {"driver": "d", "options": {"a.k8s.io/x": ""}}},
            [
                (
                    '.flexVolume.options[a.k8s.io/x]: Invalid value: "a.k8s.io/x": kubernetes.io and k8s.io '
                    "namespaces are reserved"
                ),
            ],
        ),
        (
            {"azureDisk": {**DISK, "kind": "x"}},
            ['.azureDisk.kind: Unsupported value: "x": supported values: "Dedicated", "Managed", "Shared"'],
        ),
        (
            {"azureDisk": {**DISK, "kind": "Managed"}},
            [
                (
                    '.azureDisk.diskURI: Unsupported value: "https://x": supported values: '
                    '"/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"'
                ),
            ],
        ),
        (
            {"storageos": {"volumeName": "v", "volumeNamespace": "n.m"}},
            ['.storageos.volumeNamespace: Invalid value: "n.m": must not contain dots'],
        ),
        ({"csi": {"driver": "d", "nodePublishSecretRef": {}}}, [".csi.nodePublishSecretRef.name: Required value"]),
        ({"ephemeral": {}}, [".ephemeral.volumeClaimTemplate: Required value"]),
        (
            {"image": {"pullPolicy": "x"}},
            [
                ".image.reference: Required value",
                '.image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never"',
            ],
        ),
        ({"emptyDir": {}, "secret": {}}, [".secret: Forbidden: may not specify more than 1 volume type"]),
        (
            {"emptyDir": {}, "cephfs": {}, "downwardAPI": {}},
            [
                ".cephFS: Forbidden: may not specify more than 1 volume type",
                ".downwarAPI: Forbidden: may not specify more than 1 volume type",
            ],
        ),
    ],
)
def test_a_source(source: dict[str, Any], errors: list[str]) -> None:
    assert volume(**source) == [f"{AT}{error}" for error in errors]


def test_names_are_labels_and_given_once() -> None:
    errors = checked(volumes=[{"name": "v"}, {"name": "v"}, {"name": ""}, {"name": "a.b"}])
    assert errors == [
        'spec.volumes[1].name: Duplicate value: "v"',
        "spec.volumes[2].name: Required value",
        'spec.volumes[3].name: Invalid value: "a.b": must not contain dots',
    ]


def test_what_is_wrong_cannot_be_mounted() -> None:
    mounted = [{"name": "c", "image": "i", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}]
    errors = checked(volumes=[{"name": "v", "hostPath": {}}], containers=mounted)
    assert errors[1:] == ['spec.containers[0].volumeMounts[0].name: Not found: "v"']


def test_a_claim_that_comes_with_a_volume_is_not_named() -> None:
    claim: dict[str, Any] = {"volumeClaimTemplate": {"metadata": {}, "spec": {"accessModes": ["ReadWriteOnce"]}}}
    claim["volumeClaimTemplate"]["spec"]["resources"] = {"requests": {"storage": "1"}}
    volumes = [{"name": "v", "ephemeral": claim}, {"name": "w", "persistentVolumeClaim": {"claimName": "p-v"}}]
    assert checked(volumes=volumes) == [
        (
            'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "p-v": must not reference a PVC that gets '
            "created for an ephemeral volume"
        ),
    ]


def test_an_image_may_be_left_open_in_a_template() -> None:
    good: dict[str, Any] = {}
    volumes = [{"name": "v", "image": {"pullPolicy": "Always"}}]
    assert told(check_volumes(volumes, "volumes", None, good)) == []
    assert [*good] == ["v"]
