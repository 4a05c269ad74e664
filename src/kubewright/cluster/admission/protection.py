"""Volumes, claims and classes of attributes stay while they are in use: a finalizer holds them from the beginning.

Who finds one unused takes the finalizer away: a controller.
"""

from typing import Any, Final

from kubewright.cluster.call import Call

__all__ = ["protect"]

Document = dict[str, Any]

_FINALIZERS: Final = {
    "persistentvolumeclaims": "kubernetes.io/pvc-protection",
    "persistentvolumes": "kubernetes.io/pv-protection",
    "volumeattributesclasses": "kubernetes.io/vac-protection",
}


def protect(call: Call, obj: Document, old: Document | None) -> None:
    """Give a new object its finalizer."""
    if old is not None:
        return
    meta, finalizer = obj["metadata"], _FINALIZERS[call.resource.names.plural]
    present: list[str] = meta.get("finalizers") or []
    if finalizer not in present:
        meta["finalizers"] = [*present, finalizer]
