"""Columns of volumes, claims and what provides them."""

from datetime import datetime
from typing import Any, Final

from kubewright.cluster.registry.columns import Columns, Document
from kubewright.cluster.registry.printers.lookup import at, created, table

__all__ = ["PRINTERS"]

_MODES: Final = {
    "ReadWriteOnce": "RWO",
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOncePod": "RWOP",
}
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"


def _modes(modes: list[str]) -> str:
    return ",".join(short for mode, short in _MODES.items() if mode in modes)


def _class(obj: Document) -> str:
    named: str | None = at(obj, "metadata", "annotations", _CLASS)
    return at(obj, "spec", "storageClassName", default="") if named is None else named


def _phase(obj: Document) -> str:
    gone = at(obj, "metadata", "deletionTimestamp")
    return "Terminating" if gone else at(obj, "status", "phase", default="")


def _volume(obj: Document, now: datetime) -> list[Any]:
    claim = at(obj, "spec", "claimRef")
    return [
        at(obj, "spec", "capacity", "storage", default="0"),
        _modes(at(obj, "spec", "accessModes", default=[])),
        at(obj, "spec", "persistentVolumeReclaimPolicy", default=""),
        _phase(obj),
        "" if claim is None else f"{claim.get('namespace', '')}/{claim.get('name', '')}",
        _class(obj),
        at(obj, "spec", "volumeAttributesClassName", default="<unset>"),
        at(obj, "status", "reason", default=""),
        created(obj, now),
        at(obj, "spec", "volumeMode", default="<unset>"),
    ]


def _claim(obj: Document, now: datetime) -> list[Any]:
    volume = at(obj, "spec", "volumeName", default="")
    return [
        _phase(obj),
        volume,
        at(obj, "status", "capacity", "storage", default="0") if volume else "",
        _modes(at(obj, "status", "accessModes", default=[])) if volume else "",
        _class(obj),
        at(obj, "spec", "volumeAttributesClassName", default="<unset>"),
        created(obj, now),
        at(obj, "spec", "volumeMode", default="<unset>"),
    ]


def _storage_class(obj: Document, now: datetime) -> list[Any]:
    name = at(obj, "metadata", "name", default="")
    annotations = at(obj, "metadata", "annotations", default={})
    if any(annotations.get(f"storageclass.{beta}kubernetes.io/is-default-class") == "true" for beta in ("", "beta.")):
        name += " (default)"
    return [
        name,
        obj.get("provisioner", ""),
        at(obj, "reclaimPolicy", default="Delete"),
        at(obj, "volumeBindingMode", default="Immediate"),
        at(obj, "allowVolumeExpansion", default=False),
        created(obj, now),
    ]


def _attributes_class(obj: Document, now: datetime) -> list[Any]:
    return [obj.get("driverName", ""), created(obj, now)]


def _attachment(obj: Document, now: datetime) -> list[Any]:
    return [
        at(obj, "spec", "attacher", default=""),
        at(obj, "spec", "source", "persistentVolumeName", default=""),
        at(obj, "spec", "nodeName", default=""),
        at(obj, "status", "attached", default=False),
        created(obj, now),
    ]


def _driver(obj: Document, now: datetime) -> list[Any]:
    requests = at(obj, "spec", "tokenRequests")
    return [
        at(obj, "spec", "attachRequired", default=True),
        at(obj, "spec", "podInfoOnMount", default=False),
        at(obj, "spec", "storageCapacity", default=False),
        "<unset>" if requests is None else ",".join(each.get("audience", "") for each in requests),
        at(obj, "spec", "requiresRepublish", default=False),
        ",".join(at(obj, "spec", "volumeLifecycleModes", default=[])) or "<none>",
        created(obj, now),
    ]


def _node(obj: Document, now: datetime) -> list[Any]:
    return [len(at(obj, "spec", "drivers", default=[])), created(obj, now)]


_VOLUME: Final = (
    "Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, "
    "+VolumeMode"
)
_CLAIM: Final = "Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, +VolumeMode"
_DRIVER: Final = (
    "AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean, TokenRequests, "
    "RequiresRepublish:boolean, Modes, Age"
)
_STORAGE_CLASS: Final = "Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age"
PRINTERS: Final[dict[tuple[str, str], Columns]] = {
    ("", "PersistentVolume"): table(_VOLUME, _volume),
    ("", "PersistentVolumeClaim"): table(_CLAIM, _claim),
    ("storage.k8s.io", "CSIDriver"): table(_DRIVER, _driver),
    ("storage.k8s.io", "CSINode"): table("Drivers:integer, Age", _node),
    ("storage.k8s.io", "StorageClass"): table(_STORAGE_CLASS, _storage_class, own_name=True),
    ("storage.k8s.io", "VolumeAttachment"): table("Attacher:string:name, PV, Node, Attached:boolean, Age", _attachment),
    ("storage.k8s.io", "VolumeAttributesClass"): table("DriverName, Age", _attributes_class),
}
