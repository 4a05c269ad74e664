"""Claims and ingresses that say of no class what they want are of the default one, if there is one.

Of several default classes the newest counts; of those made in the same second, the first by name.
"""

from typing import Any, Final

import msgspec

from kubewright.cluster.call import Call
from kubewright.cluster.store import Store

__all__ = ["give_ingress_class", "give_storage_class"]

Document = dict[str, Any]

_STORAGE: Final = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
_INGRESS: Final = ("ingressclass.kubernetes.io/is-default-class",)
_OLD_STORAGE: Final = "volume.beta.kubernetes.io/storage-class"
_OLD_INGRESS: Final = "kubernetes.io/ingress.class"


def give_storage_class(call: Call, claim: Document, old: Document | None) -> None:
    """Give a new claim a class of storage."""
    _give(call, claim, old, "storageClassName", _OLD_STORAGE, "/storageclasses.storage.k8s.io/", _STORAGE)


def give_ingress_class(call: Call, ingress: Document, old: Document | None) -> None:
    """Give a new ingress a class of ingresses."""
    _give(call, ingress, old, "ingressClassName", _OLD_INGRESS, "/ingressclasses.networking.k8s.io/", _INGRESS)


def _give(
    call: Call, obj: Document, old: Document | None, field: str, annotation: str, prefix: str, marks: tuple[str, ...]
) -> None:
    if old is not None or field in obj["spec"] or annotation in (obj["metadata"].get("annotations") or {}):
        return
    if (name := _default(call.api.store, prefix, marks)) is not None:
        obj["spec"][field] = name


def _default(store: Store, prefix: str, marks: tuple[str, ...]) -> str | None:
    # There are few classes. Those that are no default are not even decoded.
    named = [record for record in store.list(prefix).records if b"is-default-class" in (record.value or b"")]
    found = [msgspec.json.decode(record.value or b"")["metadata"] for record in named]
    marked = [meta for meta in found if any((meta.get("annotations") or {}).get(mark) == "true" for mark in marks)]
    if not marked:
        return None
    newest = max(meta["creationTimestamp"] for meta in marked)
    return min(str(meta["name"]) for meta in marked if meta["creationTimestamp"] == newest)
