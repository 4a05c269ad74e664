"""Volumes, claims of them, and what provides them: a volume of each source."""

from typing import Any

from tests.referee.kinds.kind import META, Kind, kind

__all__ = ["KINDS"]

_AFFINITY = {
    "required": {
        "nodeSelectorTerms": [
            {
                "matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["n"]}],
                "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}],
            }
        ]
    }
}
_SECRET = {"name": "s", "namespace": "n"}


def _volume(**fields: Any) -> dict[str, Any]:
    spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"]}
    return {"spec": spec | fields}


def _claim(**fields: Any) -> dict[str, Any]:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"spec": spec | fields}


KINDS: dict[str, Kind] = {
    "PersistentVolume": kind(
        "/api/v1/persistentvolumes",
        "v1",
        "PersistentVolume",
        cluster=True,
        metadata=META,
        spec={
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce", "ReadOnlyMany"],
            "persistentVolumeReclaimPolicy": "Retain",
            "storageClassName": "c",
            "mountOptions": ["ro"],
            "volumeMode": "Filesystem",
            "claimRef": {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "namespace": "n", "name": "c"},
            "nodeAffinity": _AFFINITY,
            "volumeAttributesClassName": "a",
            "csi": {
                "driver": "example.com",
                "volumeHandle": "h",
                "readOnly": True,
                "fsType": "ext4",
                "volumeAttributes": {"a": "b"},
                "controllerPublishSecretRef": _SECRET,
                "nodeStageSecretRef": _SECRET,
                "nodePublishSecretRef": _SECRET,
                "controllerExpandSecretRef": _SECRET,
                "nodeExpandSecretRef": _SECRET,
            },
        },
        variants=(
            _volume(hostPath={"path": "/tmp/x", "type": "Directory"}, persistentVolumeReclaimPolicy="Recycle"),
            _volume(hostPath={"path": "/x"}, accessModes=["ReadWriteOncePod"], volumeMode="Block"),
            _volume(local={"path": "/x", "fsType": "ext4"}, nodeAffinity=_AFFINITY),
            _volume(nfs={"server": "s", "path": "/x", "readOnly": True}, persistentVolumeReclaimPolicy="Delete"),
            _volume(
                iscsi={
                    "targetPortal": "1.2.3.4:3260",
                    "iqn": "iqn.2020-01.com.example:x",
                    "lun": 0,
                    "portals": ["1.2.3.5"],
                    "chapAuthDiscovery": True,
                    "secretRef": _SECRET,
                    "initiatorName": "iqn.2020-01.com.example:y",
                }
            ),
            _volume(fc={"targetWWNs": ["w"], "lun": 1, "fsType": "ext4"}),
            _volume(fc={"wwids": ["w"]}),
            _volume(rbd={"monitors": ["m"], "image": "i", "secretRef": _SECRET}),
            _volume(cephfs={"monitors": ["m"], "path": "/x", "secretRef": _SECRET}),
            _volume(cinder={"volumeID": "v", "secretRef": _SECRET}),
            _volume(flexVolume={"driver": "example.com/d", "secretRef": _SECRET, "options": {"a": "b"}}),
            _volume(azureFile={"secretName": "s", "shareName": "t", "secretNamespace": "n"}),
            _volume(azureDisk={"diskName": "d", "diskURI": "https://d", "kind": "Dedicated"}),
            _volume(awsElasticBlockStore={"volumeID": "v", "partition": 1}),
            _volume(gcePersistentDisk={"pdName": "p", "partition": 1}),
            _volume(vsphereVolume={"volumePath": "/v"}),
            _volume(photonPersistentDisk={"pdID": "p"}),
            _volume(portworxVolume={"volumeID": "v"}),
            _volume(quobyte={"registry": "r:1", "volume": "v"}),
            _volume(glusterfs={"endpoints": "e", "path": "/p", "endpointsNamespace": "n"}),
            _volume(flocker={"datasetName": "d"}),
            _volume(scaleIO={"gateway": "g", "system": "s", "volumeName": "v", "secretRef": _SECRET}),
            _volume(storageos={"volumeName": "v", "volumeNamespace": "n", "secretRef": _SECRET}),
        ),
    ),
    "PersistentVolumeClaim": kind(
        "{namespace}/persistentvolumeclaims",
        "v1",
        "PersistentVolumeClaim",
        metadata=META,
        spec={
            "accessModes": ["ReadWriteOnce"],
            "selector": {"matchLabels": {"a": "b"}},
            "resources": {"requests": {"storage": "1Gi"}, "limits": {"storage": "2Gi"}},
            "volumeName": "v",
            "storageClassName": "c",
            "volumeMode": "Filesystem",
            "dataSource": {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"},
            "volumeAttributesClassName": "a",
        },
        variants=(
            _claim(),
            _claim(storageClassName="", accessModes=["ReadWriteOncePod"], volumeMode="Block"),
            _claim(dataSource={"kind": "PersistentVolumeClaim", "name": "c"}),
            _claim(dataSourceRef={"apiGroup": "example.com", "kind": "Populator", "name": "p"}),
            {**_claim(), "metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}},
        ),
    ),
    "StorageClass": kind(
        "/apis/storage.k8s.io/v1/storageclasses",
        "storage.k8s.io/v1",
        "StorageClass",
        cluster=True,
        metadata=META | {"annotations": {"storageclass.kubernetes.io/is-default-class": "false"}},
        provisioner="example.com/p",
        parameters={"a": "b"},
        reclaimPolicy="Retain",
        mountOptions=["ro"],
        allowVolumeExpansion=True,
        volumeBindingMode="WaitForFirstConsumer",
        allowedTopologies=[{"matchLabelExpressions": [{"key": "topology.kubernetes.io/zone", "values": ["a", "b"]}]}],
        variants=({"provisioner": "example.com/p"}, {"provisioner": "kubernetes.io/no-provisioner"}),
    ),
}
