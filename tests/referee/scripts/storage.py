"""Volumes, claims and classes of storage: what protects them, what may grow, what never changes; and nodes."""

from typing import Any

from tests.referee.language import Step, delete, edited, get, patch, post, put, script
from tests.referee.objects import Document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
CLAIMS = "{namespace}/persistentvolumeclaims"
VOLUMES = "/api/v1/persistentvolumes"
CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
NODES = "/api/v1/nodes"


def claim(name: str, **spec: Any) -> Document:
    base = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {"metadata": {"name": name}, "spec": base | spec}


def volume(name: str, **spec: Any) -> Document:
    base = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/x"}}
    return {"metadata": {"name": name}, "spec": base | spec}


def storage_class(name: str, *, default: str = "", **fields: Any) -> Document:
    annotations = {"storageclass.kubernetes.io/is-default-class": default} if default else {}
    return {"metadata": {"name": name, "annotations": annotations}, "provisioner": "example.com/p", **fields}


def sized(size: str) -> Step:
    return patch(f"{CLAIMS}/a", "merge", {"spec": {"resources": {"requests": {"storage": size}}}})


def required(key: str) -> Document:
    """An affinity to nodes of that label."""
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": key, "operator": "Exists"}]}]}}


def bound(**status: Any) -> Step:
    return patch(f"{CLAIMS}/a/status", "merge", {"status": {"phase": "Bound", **status}})


SCRIPTS = (
    script(
        "a claim is protected",
        "ADM-1 DEL-1",
        post(CLAIMS, claim("a"), keep="a"),
        delete(f"{CLAIMS}/a"),
        get(f"{CLAIMS}/a", accept=TABLE),
        patch(
            f"{CLAIMS}/a", "merge", {"metadata": {"finalizers": ["kubernetes.io/pvc-protection", "x.example.com/y"]}}
        ),
        patch(f"{CLAIMS}/a", "merge", {"metadata": {"finalizers": None}}),
        get(f"{CLAIMS}/a"),
        post(CLAIMS, claim("b") | {"metadata": {"name": "b", "finalizers": ["kubernetes.io/pvc-protection"]}}),
        post(CLAIMS, claim("c") | {"metadata": {"name": "c", "finalizers": ["x.example.com/y"]}}),
        patch(f"{CLAIMS}/b", "merge", {"metadata": {"finalizers": None}}),
        delete(f"{CLAIMS}/b"),
        get(f"{CLAIMS}/b"),
    ),
    script(
        "a volume is protected, and in a phase",
        "ADM-1 DEL-1 UPD-1",
        post(VOLUMES, volume("a-{own}"), keep="a"),
        patch(f"{VOLUMES}/a-{{own}}/status", "merge", {"status": {"phase": "Available"}}),
        patch(f"{VOLUMES}/a-{{own}}/status", "merge", {"status": {"phase": "Available", "message": "m"}}),
        patch(
            f"{VOLUMES}/a-{{own}}/status",
            "merge",
            {"status": {"phase": "Bound", "lastPhaseTransitionTime": "2020-01-01T00:00:00Z"}},
        ),
        patch(f"{VOLUMES}/a-{{own}}/status", "merge", {"status": {"phase": "Released"}}),
        patch(f"{VOLUMES}/a-{{own}}/status", "merge", {"status": {"phase": "Nowhere", "reason": "r"}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"status": {"phase": "Bound"}}),
        get(f"{VOLUMES}/a-{{own}}", accept=TABLE),
        delete(f"{VOLUMES}/a-{{own}}"),
        get(f"{VOLUMES}/a-{{own}}", accept=TABLE),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"metadata": {"finalizers": None}}),
        get(f"{VOLUMES}/a-{{own}}"),
    ),
    script(
        "the source of a volume stays",
        "UPD-1 ERR-1",
        post(
            VOLUMES,
            volume(
                "a-{own}", hostPath=None, csi={"driver": "d.example.com", "volumeHandle": "h"}, storageClassName="c"
            ),
            keep="a",
        ),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"csi": {"volumeHandle": "i"}}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"csi": None, "hostPath": {"path": "/x"}}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"hostPath": {"path": "/x"}}}),
        patch(
            f"{VOLUMES}/a-{{own}}",
            "merge",
            {"spec": {"csi": {"controllerExpandSecretRef": {"name": "s", "namespace": "n"}}}},
        ),
        patch(
            f"{VOLUMES}/a-{{own}}",
            "merge",
            {"spec": {"csi": {"controllerExpandSecretRef": {"name": "t", "namespace": "n"}}}},
        ),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"volumeMode": "Block"}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"capacity": {"storage": "2Gi"}, "mountOptions": ["ro"]}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"storageClassName": "d", "volumeAttributesClassName": "v"}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"volumeAttributesClassName": "w"}}),
        patch(f"{VOLUMES}/a-{{own}}", "merge", {"spec": {"volumeAttributesClassName": None}}),
        patch(
            f"{VOLUMES}/a-{{own}}",
            "merge",
            {"spec": {"claimRef": {"namespace": "n", "name": "c"}, "persistentVolumeReclaimPolicy": "Delete"}},
        ),
        patch(
            f"{VOLUMES}/a-{{own}}",
            "merge",
            {"metadata": {"annotations": {"volume.beta.kubernetes.io/mount-options": "ro"}}},
        ),
    ),
    script(
        "the affinity of a volume",
        "UPD-1 ERR-1",
        *(
            step
            for key in ("beta.kubernetes.io/arch", "example.com/x")
            for step in (
                post(VOLUMES, volume(f"{key[0]}-{{own}}", nodeAffinity=required(key))),
                patch(
                    f"{VOLUMES}/{key[0]}-{{own}}", "merge", {"spec": {"nodeAffinity": required("kubernetes.io/arch")}}
                ),
                patch(f"{VOLUMES}/{key[0]}-{{own}}", "merge", {"spec": {"nodeAffinity": None}}),
            )
        ),
        post(VOLUMES, volume("n-{own}")),
        patch(f"{VOLUMES}/n-{{own}}", "merge", {"spec": {"nodeAffinity": required("example.com/x")}}),
        post(VOLUMES, volume("l-{own}", hostPath=None, local={"path": "/x"})),
        post(VOLUMES, volume("l-{own}", hostPath={"path": "/"}, persistentVolumeReclaimPolicy="Recycle")),
        post(VOLUMES, volume("l-{own}", nfs={"server": "s", "path": "/x"})),
    ),
    script(
        "what a claim asks for stays",
        "UPD-1 ERR-1",
        post(CLAIMS, claim("a", storageClassName="c"), keep="a"),
        put(f"{CLAIMS}/a", edited("a", {"metadata": {"labels": {"x": "y"}}})),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"accessModes": ["ReadOnlyMany"]}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"storageClassName": "d"}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeMode": "Block"}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeName": "v"}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeName": "w"}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeAttributesClassName": "v"}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"dataSource": {"kind": "PersistentVolumeClaim", "name": "x"}}}),
        patch(f"{CLAIMS}/a", "merge", {"metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "c"}}}),
        post(CLAIMS, claim("b")),
        patch(f"{CLAIMS}/b", "merge", {"spec": {"storageClassName": "c"}}),
        patch(f"{CLAIMS}/b", "merge", {"spec": {"storageClassName": "d"}}),
        post(
            CLAIMS,
            claim("c") | {"metadata": {"name": "c", "annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}},
        ),
        patch(f"{CLAIMS}/c", "merge", {"spec": {"storageClassName": "y"}}),
        patch(f"{CLAIMS}/c", "merge", {"spec": {"storageClassName": "x"}}),
    ),
    script(
        "what a claim grows from",
        "CREATE-1",
        post(CLAIMS, claim("a", dataSource={"apiGroup": "example.com", "kind": "X", "name": "x"})),
        post(CLAIMS, claim("b", dataSourceRef={"apiGroup": "example.com", "kind": "X", "name": "x"})),
        post(CLAIMS, claim("c", dataSourceRef={"kind": "PersistentVolumeClaim", "name": "x", "namespace": "n"})),
        post(
            CLAIMS,
            claim(
                "d",
                dataSource={"kind": "PersistentVolumeClaim", "name": "x"},
                dataSourceRef={"kind": "PersistentVolumeClaim", "name": "y"},
            ),
        ),
        post(CLAIMS, claim("e", dataSourceRef={"kind": "Pod", "name": "x"})),
    ),
    script(
        "a claim grows",
        "ADM-1 UPD-1",
        post(CLASSES, storage_class("fixed-{own}")),
        post(CLASSES, storage_class("growing-{own}", allowVolumeExpansion=True)),
        post(CLAIMS, claim("a", storageClassName="fixed-{own}"), keep="a"),
        sized("2Gi"),
        sized("500Mi"),
        bound(capacity={"storage": "1Gi"}, accessModes=["ReadWriteOnce"]),
        sized("1024Mi"),
        sized("2Gi"),
        patch(f"{CLASSES}/fixed-{{own}}", "merge", {"allowVolumeExpansion": True}),
        sized("2Gi"),
        sized("1500Mi"),
        sized("1Gi"),
        sized("0"),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeAttributesClassName": "v"}}),
        bound(currentVolumeAttributesClassName="v"),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeAttributesClassName": None}}),
        patch(f"{CLAIMS}/a", "merge", {"spec": {"volumeAttributesClassName": ""}}),
        bound(capacity={"storage": "-1"}),
        bound(allocatedResources={"storage": "2Gi", "example.com/x": "1"}),
        bound(allocatedResources={"cpu": "2Gi"}),
        bound(allocatedResourceStatuses={"storage": "x"}),
        bound(allocatedResourceStatuses={"storage": "NodeResizePending"}),
        patch(f"{CLAIMS}/a/status", "merge", {"spec": {"volumeName": "v"}, "status": {"phase": "Lost"}}),
        patch(f"{CLAIMS}/a", "merge", {"status": {"phase": "Pending"}}),
        get(f"{CLAIMS}/a", accept=TABLE),
        delete(f"{CLASSES}/fixed-{{own}}"),
        delete(f"{CLASSES}/growing-{{own}}"),
    ),
    script(
        "the default class of storage",
        "ADM-1",
        post(CLAIMS, claim("a")),
        post(CLASSES, storage_class("b-{own}", default="true")),
        post(CLASSES, storage_class("a-{own}", default="true")),
        post(CLASSES, storage_class("c-{own}", default="false")),
        post(CLAIMS, claim("b")),
        post(CLAIMS, claim("c", storageClassName="")),
        post(CLAIMS, claim("d", storageClassName="x")),
        patch(f"{CLAIMS}/a", "merge", {"metadata": {"labels": {"x": "y"}}}),
        get(f"{CLASSES}/a-{{own}}", accept=TABLE),
        delete(f"{CLASSES}/a-{{own}}"),
        delete(f"{CLASSES}/b-{{own}}"),
        delete(f"{CLASSES}/c-{{own}}"),
        alone=True,
    ),
    script(
        "a class of storage stays",
        "UPD-1 ERR-1",
        post(CLASSES, storage_class("a-{own}", parameters={"a": "b"})),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"parameters": {"a": "c"}}),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"provisioner": "example.com/q"}),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"reclaimPolicy": "Retain"}),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"volumeBindingMode": "WaitForFirstConsumer"}),
        patch(f"{CLASSES}/a-{{own}}", "merge", {"mountOptions": ["ro"], "allowVolumeExpansion": True}),
        patch(
            f"{CLASSES}/a-{{own}}",
            "merge",
            {
                "allowedTopologies": [
                    {"matchLabelExpressions": [{"key": "failure-domain.beta.kubernetes.io/zone", "values": ["a"]}]}
                ]
            },
        ),
        delete(f"{CLASSES}/a-{{own}}"),
    ),
    script(
        "a node",
        "CREATE-1 UPD-1 DEL-1",
        post(
            NODES, {"metadata": {"name": "a-{own}"}, "status": {"capacity": {"cpu": "1", "memory": "1.5Gi"}}}, keep="a"
        ),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"podCIDR": "10.1.0.0/24"}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"podCIDR": "10.2.0.0/24"}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"podCIDRs": ["10.1.0.0/24", "2001:db8::/64"]}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"podCIDRs": None, "podCIDR": None}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"providerID": "x"}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"providerID": "y"}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"externalID": "x"}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"spec": {"unschedulable": True, "taints": None}}),
        patch(
            f"{NODES}/a-{{own}}",
            "merge",
            {"spec": {"taints": [{"key": "a", "effect": "NoExecute", "timeAdded": "2020-01-01T00:00:00Z"}]}},
        ),
        patch(
            f"{NODES}/a-{{own}}",
            "merge",
            {
                "spec": {
                    "taints": [{"key": "a", "effect": "NoExecute"}, {"key": "a", "value": "x", "effect": "NoExecute"}]
                }
            },
        ),
        patch(
            f"{NODES}/a-{{own}}/status",
            "merge",
            {
                "status": {
                    "conditions": [{"type": "Ready", "status": "True"}],
                    "addresses": [{"type": "InternalIP", "address": "1.2.3.4"}, {"type": "Hostname", "address": "h"}],
                    "nodeInfo": {"kubeletVersion": "v1", "containerRuntimeVersion": "r"},
                    "declaredFeatures": ["A", "B/c"],
                }
            },
        ),
        patch(f"{NODES}/a-{{own}}/status", "merge", {"status": {"declaredFeatures": ["B", "A", "A", "x"]}}),
        patch(
            f"{NODES}/a-{{own}}/status",
            "merge",
            {"status": {"capacity": {"cpu": "-1", "pods": "1.5"}}},
            unordered="details causes",
        ),
        patch(f"{NODES}/a-{{own}}/status", "merge", {"spec": {"unschedulable": False}}),
        patch(f"{NODES}/a-{{own}}", "merge", {"status": {"phase": "x"}}),
        get(f"{NODES}/a-{{own}}", accept=TABLE),
        get(f"{NODES}?fieldSelector=spec.unschedulable%3Dtrue,metadata.name%3Da-{{own}}", accept=TABLE),
        delete(f"{NODES}/a-{{own}}"),
        get(f"{NODES}/a-{{own}}"),
    ),
)
