"""PersistentVolumeClaims: what is asked of a volume. Once made, a claim hardly changes."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.rules.claims import check_claim_spec
from kubewright.cluster.registry.rules.difference import inner_difference
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.quantities import is_whole
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import label_key

__all__ = ["ClaimStatus", "ClaimStrategy", "fraction_warnings"]

Document = dict[str, Any]

#: Where claims once said of which class they are.
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_FIXED: Final = (
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
)
_RESIZING: Final = (
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
)


class ClaimStrategy(PlainStrategy):
    """What is particular to claims."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        obj["status"] = {"phase": "Pending"}
        _settle_sources(obj["spec"], None)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        _settle_sources(obj["spec"], old["spec"])

    def check(self, obj: Document) -> list[FieldError]:
        return [*check_claim_spec(obj["spec"], "spec")]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        before = old["spec"]
        any_group = any("apiGroup" in (before.get(name) or {}) for name in ("dataSource", "dataSourceRef"))
        return [
            *self.check_meta_update(obj, old),
            *self.check_meta(obj),
            *check_claim_spec(obj["spec"], "spec", any_group=any_group),
            *_changes(obj, old),
        ]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        found = []
        if _CLASS in _annotations(obj):
            why = f"deprecated since v1.8; use {quote('storageClassName')} attribute instead"
            found.append(f"metadata.annotations[{_CLASS}]: {why}")
        return [*found, *fraction_warnings(obj["spec"], "spec")]


def fraction_warnings(spec: Document, path: str) -> Iterator[str]:
    """What whoever claims parts of a byte should know."""
    for kind in ("requests", "limits"):
        amount = (spec["resources"].get(kind) or {}).get("storage", "0")
        if not is_whole(Quantity(amount)):
            place = f"{path}.resources.{kind}[storage]"
            yield f"{place}: fractional byte value {quote(amount)} is invalid, must be an integer"


class ClaimStatus(PlainStatus):
    """The status of a claim: whether it is bound, and how much there is."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *_check_status(obj["status"])]


def _fill_in(obj: Document) -> None:
    if not obj["status"].get("phase"):
        obj["status"]["phase"] = "Pending"
    obj["spec"].setdefault("volumeMode", "Filesystem")


def _annotations(obj: Document) -> dict[str, str]:
    return obj["metadata"].get("annotations") or {}


def _settle_sources(spec: Document, old: Document | None) -> None:
    """The source of a claim stands in two places: one takes claims and snapshots alone, the other anything."""
    had = old is not None and bool(old.get("dataSource") or old.get("dataSourceRef"))
    ref = spec.get("dataSourceRef")
    if ref is not None and ref.get("namespace") and not (old or {}).get("dataSourceRef"):
        del spec["dataSourceRef"]
        ref = None
    if not had and ref is None and not _is_old_source(spec.get("dataSource")):
        spec.pop("dataSource", None)
    source = spec.get("dataSource")
    if source is not None and ref is None:
        spec["dataSourceRef"] = {name: source[name] for name in ("apiGroup", "kind", "name") if name in source}
    elif ref is not None and source is None and not ref.get("namespace"):
        spec["dataSource"] = {name: ref[name] for name in ("apiGroup", "kind", "name") if name in ref}


def _is_old_source(source: Document | None) -> bool:
    if source is None:
        return False
    place = (source.get("apiGroup") or "", source["kind"])
    return place in (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))


def _changes(obj: Document, old: Document) -> Iterator[FieldError]:
    spec, before = obj["spec"], old["spec"]
    kept: Document = _copied(spec)
    was: Document = _copied(before)
    if not was.get("volumeName"):
        _same(was, kept, "volumeName")
    yield from _class_changes(obj, old, kept, was)
    bound = obj["status"].get("phase") == "Bound"
    if bound:
        if (requests := kept["resources"].get("requests")) is not None:
            _same(requests, was["resources"].get("requests") or {"storage": "0"}, "storage")
        _same(kept, was, "volumeAttributesClassName")
    if not same(_canonical(kept), _canonical(was)):
        yield forbidden("spec", f"{_FIXED}\n{inner_difference(was, kept, 'core/v1.PersistentVolumeClaimSpec')}")
    if _size(spec) < _size(before) and _size(spec) <= Quantity(
        (old["status"].get("capacity") or {}).get("storage", "0")
    ):
        yield forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")
    if spec.get("volumeMode") != before.get("volumeMode"):
        yield invalid("volumeMode", spec.get("volumeMode"), "field is immutable")
    name = spec.get("volumeAttributesClassName")
    changed = name != before.get("volumeAttributesClassName")
    if changed and not name and "currentVolumeAttributesClassName" in old["status"]:
        what = "nil" if name is None else "empty string"
        why = f"update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil"
        yield forbidden("spec.volumeAttributesClassName", why)


def _class_changes(obj: Document, old: Document, kept: Document, was: Document) -> Iterator[FieldError]:
    """The class may move from the annotation to its field, and may be filled in where there was none."""
    given, before = _annotations(obj).get(_CLASS), _annotations(old).get(_CLASS)
    name, was_name = kept.get("storageClassName"), was.get("storageClassName")
    if before is not None and was_name is None and name == before and given in (None, before):
        kept.pop("storageClassName", None)
        return
    if (given or "") != (before or ""):
        yield invalid(f"metadata.annotations.{_CLASS}", given or "", "field is immutable")
    if name is not None and was_name is None and (before is None or name == before):
        kept.pop("storageClassName", None)


def _copied(spec: Document) -> Document:
    """A copy of which amounts may be changed, too."""
    resources = {kind: amounts.copy() for kind, amounts in spec["resources"].items()}
    return spec | {"resources": resources}


def _same(into: Document, source: Document, name: str) -> None:
    if name in source:
        into[name] = source[name]
    else:
        into.pop(name, None)


def _canonical(spec: Document) -> Document:
    """A spec in which equal amounts are equal."""
    resources = {
        kind: {name: Quantity(text) for name, text in amounts.items()}
        for kind, amounts in spec["resources"].items()
        if amounts
    }
    return spec | {"resources": resources}


def _size(spec: Document) -> Quantity:
    return Quantity((spec["resources"].get("requests") or {}).get("storage", "0"))


def _check_status(status: Document) -> Iterator[FieldError]:
    for name in sorted(status.get("capacity") or ()):
        yield from _amount(status["capacity"][name], f"status.capacity[{name}]")
    path = "status.allocatedResourceStatuses"
    for name, state in sorted((status.get("allocatedResourceStatuses") or {}).items()):
        yield from _resource(name, path)
        if state not in _RESIZING:
            yield not_supported(path, name, _RESIZING)
    for name in sorted(status.get("allocatedResources") or ()):
        errors = [*_resource(name, "status.allocatedResources")]
        yield from errors or _amount(status["allocatedResources"][name], f"status.allocatedResources[{name}]")


def _resource(name: str, path: str) -> Iterator[FieldError]:
    if complaints := label_key(name):
        yield from (invalid(path, name, complaint) for complaint in complaints)
    elif ("/" not in name or "kubernetes.io/" in name) and name != "storage":
        yield not_supported(path, name, ("storage",))


def _amount(text: str, path: str) -> Iterator[FieldError]:
    amount = Quantity(text)
    if amount < 0:
        yield invalid(path, int(amount), "must be a valid resource quantity")
