"""A claim grows only once it is bound, and if the class of its storage says that volumes can."""

from typing import Any, Final

import msgspec

from kubewright.cluster.admission.chain import refused
from kubewright.cluster.call import Call
from kubewright.model.quantity import Quantity

__all__ = ["check_growth"]

Document = dict[str, Any]

_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_FIXED: Final = (
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"
)


def check_growth(call: Call, claim: Document, old: Document | None) -> None:
    """Refuse a claim that asks for more than it did, if there cannot be more."""
    if old is None or _size(claim) <= _size(old):
        return
    if old["status"].get("phase") != "Bound":
        raise refused(call, claim, "Only bound persistent volume claims can be expanded")
    name = _class(claim)
    if not name or name != _class(old) or not _expands(call, name):
        raise refused(call, claim, _FIXED)


def _size(claim: Document) -> Quantity:
    return Quantity((claim["spec"]["resources"].get("requests") or {}).get("storage", "0"))


def _class(claim: Document) -> str:
    annotations = claim["metadata"].get("annotations") or {}
    return str(annotations.get(_CLASS, claim["spec"].get("storageClassName") or ""))


def _expands(call: Call, name: str) -> bool:
    record = call.api.store.get(f"/storageclasses.storage.k8s.io/{name}")
    if record is None or record.value is None:
        return False
    return msgspec.json.decode(record.value).get("allowVolumeExpansion") is True
