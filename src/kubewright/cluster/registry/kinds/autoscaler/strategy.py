"""How autoscalers are prepared and judged: as v2 has them, whichever version they are written in."""

from copy import deepcopy
from typing import Any, Final

from kubewright.cluster.registry.kinds.autoscaler.convert import DEFAULT_METRIC, from_stored, to_stored
from kubewright.cluster.registry.kinds.autoscaler.rules import check_spec, leniency
from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.schema.walk.errors import FieldError

__all__ = ["AutoscalerStatus", "AutoscalerStrategy"]

Document = dict[str, Any]

_V1: Final = "autoscaling/v1"
#: How an autoscaler behaves that says something of it, but not this.
_SCALE_UP: Final[Document] = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
_SCALE_DOWN: Final[Document] = {
    "selectPolicy": "Max",
    "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
}


class AutoscalerStrategy(PlainStrategy):
    """What is particular to HorizontalPodAutoscalers."""

    def default(self, obj: Document) -> None:
        _default(obj)

    def prepare_create(self, obj: Document) -> None:
        if obj["apiVersion"] != _V1:
            super().prepare_create(obj)
            return
        stored = to_stored(obj)
        obj |= _again(stored | {"status": {}}, obj)
        super().prepare_create(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        if obj["apiVersion"] == _V1:
            obj |= _again(to_stored(obj) | {"status": to_stored(old)["status"]}, obj)

    def check(self, obj: Document) -> list[FieldError]:
        return [*check_spec(_stored(obj)["spec"], leniency(_stored(obj)["spec"], None))]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        spec = _stored(obj)["spec"]
        return [*self.check_meta_update(obj, old), *check_spec(spec, leniency(spec, _stored(old)["spec"]))]


class AutoscalerStatus(PlainStatus):
    """The status of a HorizontalPodAutoscaler."""

    def default(self, obj: Document) -> None:
        _default(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        before = {**obj}
        super().prepare_update(obj, old)
        if obj["apiVersion"] == _V1:
            status = to_stored({**before, "spec": old["spec"]})["status"]
            obj |= _again(to_stored(old) | {"metadata": obj["metadata"], "status": status}, obj)

    def check(self, obj: Document) -> list[FieldError]:
        return [*check_counts(obj["status"], "status", "currentReplicas", "desiredReplicas")]


def _default(obj: Document) -> None:
    spec = obj["spec"]
    spec.setdefault("minReplicas", 1)
    if obj["apiVersion"] == _V1:
        # What v1 has no fields for is read off its annotations, and told there again.
        obj |= _again(to_stored(obj), obj)
        return
    if not spec.get("metrics"):
        spec["metrics"] = [deepcopy(DEFAULT_METRIC)]
    if (behavior := spec.get("behavior")) is not None:
        spec["behavior"] = {
            name: deepcopy(usual) | (behavior.get(name) or {})
            for name, usual in (("scaleUp", _SCALE_UP), ("scaleDown", _SCALE_DOWN))
        }


def _stored(obj: Document) -> Document:
    return to_stored(obj) if obj["apiVersion"] == _V1 else obj


def _again(stored: Document, obj: Document) -> Document:
    """An object of v1 as it comes of v2; whoever holds its metadata goes on holding it."""
    made = from_stored(stored)
    meta = obj["metadata"]
    annotations = made["metadata"].get("annotations")
    if annotations is None:
        meta.pop("annotations", None)
    else:
        meta["annotations"] = annotations
    return made | {"metadata": meta}
