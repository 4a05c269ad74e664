"""Namespaces: a label with their name, a finalizer in their spec, and an end in two steps.

Active ──delete──► Terminating ──content gone, finalize clears spec.finalizers──► gone
"""

from typing import Any

from kubewright.cluster.registry.strategy import STANDARD_FINALIZERS, Propagation, Strategy
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.names import label_key, namespace_name

__all__ = ["NamespaceFinalize", "NamespaceStatus", "NamespaceStrategy"]

Document = dict[str, Any]

_LABEL = "kubernetes.io/metadata.name"
_FINALIZER = "kubernetes"


class NamespaceStrategy(Strategy):
    """What is particular to namespaces."""

    returns_deleted = True
    plain_preconditions = True
    name_rule = staticmethod(namespace_name)

    def default(self, obj: Document) -> None:
        status = obj.setdefault("status", {})
        status["phase"] = status.get("phase") or "Active"
        if name := obj["metadata"].get("name"):
            obj["metadata"].setdefault("labels", {})[_LABEL] = name

    def prepare_create(self, obj: Document) -> None:
        self.default(obj)  # a generated name was not known when the object was read
        obj["status"] = {"phase": "Active"}
        finalizers = obj["spec"].get("finalizers") or []
        if _FINALIZER not in finalizers:
            obj["spec"]["finalizers"] = [*finalizers, _FINALIZER]

    def prepare_update(self, obj: Document, old: Document) -> None:
        self.default(obj)
        obj["spec"], obj["status"] = old["spec"], old["status"]

    def check(self, obj: Document) -> list[FieldError]:
        return _finalizers(obj, "spec.finalizers")

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.validate(obj), *self.check_meta_update(obj, old)]

    def emptied(self, obj: Document, old: Document) -> bool:
        return not obj["spec"].get("finalizers")

    def hold(self, obj: Document, wish: Propagation, now: str) -> bool:
        meta = obj["metadata"]
        if "deletionTimestamp" in meta:
            return bool(obj["spec"].get("finalizers"))
        meta["deletionTimestamp"] = now
        obj["status"]["phase"] = "Terminating"
        wanted = {"orphan": _wanted(wish, "Orphan"), "foregroundDeletion": _wanted(wish, "Foreground")}
        present = meta.get("finalizers") or []
        kept = [name for name in present if wanted.get(name) is not False]
        kept += [name for name, wish in wanted.items() if wish and name not in kept]
        if kept:
            meta["finalizers"] = kept
        else:
            meta.pop("finalizers", None)
        return True


class NamespaceStatus(NamespaceStrategy):
    """The status of a namespace."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        self.default(obj)
        obj["spec"] = old["spec"]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        phase = obj.get("status", {}).get("phase", "")
        going = "deletionTimestamp" in obj["metadata"]
        if phase != ("Terminating" if going else "Active"):
            only, when = ("Terminating", "not empty") if going else ("Active", "empty")
            errors.append(invalid("status.Phase", phase, f"may only be '{only}' if `deletionTimestamp` is {when}"))
        return errors


class NamespaceFinalize(NamespaceStrategy):
    """What clears the finalizers of the spec."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        self.default(obj)
        obj["status"] = old["status"]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        for index, name in enumerate(obj["spec"].get("finalizers") or []):
            errors += _finalizer(name, f"spec.finalizers[{index}]")
        return errors


def _finalizers(obj: Document, path: str) -> list[FieldError]:
    return [error for name in obj["spec"].get("finalizers") or [] for error in _finalizer(name, path)]


def _finalizer(name: str, path: str) -> list[FieldError]:
    errors = [invalid(path, name, complaint) for complaint in label_key(name)]
    if "/" not in name and name not in STANDARD_FINALIZERS:
        errors.append(invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified"))
    return errors


def _wanted(wish: Propagation, policy: str) -> bool | None:
    """Whether a deletion asks for a policy; None if it says nothing about any."""
    if wish.orphan is not None:
        return wish.orphan is (policy == "Orphan")
    return wish.policy == policy if wish.policy is not None else None
