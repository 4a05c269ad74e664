"""The scale of built-in kinds: `spec.replicas`, `status.replicas` and the selector."""

from typing import Any

from kubewright.cluster.registry.scale import Sizes
from kubewright.cluster.registry.strategy import check_finalizers, prefix_rule
from kubewright.model.selectors.labels import LabelSelector
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.metarules import check_meta
from kubewright.schema.walk.names import subdomain

__all__ = ["BuiltinScale"]

Document = dict[str, Any]


class BuiltinScale:
    """Of any kind that is scaled as a Deployment is."""

    place = ".spec.replicas"

    def read(self, obj: Document) -> Sizes:
        """The sizes of an object; one that does not say has one replica."""
        spec, status = obj.get("spec") or {}, obj.get("status") or {}
        return Sizes(spec.get("replicas", 1), status.get("replicas", 0), _selector(spec.get("selector") or {}))

    def write(self, obj: Document, wanted: int) -> None:
        """Say in an object, in place, how many replicas are wanted."""
        obj["spec"]["replicas"] = wanted

    def check(self, scale: Document) -> list[FieldError]:
        """What is wrong with a Scale; what of its metadata goes nowhere has to be right, too."""
        meta = scale["metadata"]
        errors = [
            *check_meta(meta, "metadata", name=subdomain, name_prefix=prefix_rule(subdomain), namespaced=True),
            *check_finalizers(meta.get("finalizers") or (), "metadata.finalizers"),
        ]
        wanted = scale["spec"].get("replicas", 0)
        if wanted < 0:
            errors.append(invalid("spec.replicas", wanted, "must be greater than or equal to 0"))
        return errors


def _selector(selector: Document) -> str:
    """A selector as a text. That of a ReplicationController is labels and nothing else."""
    if not {*selector} <= {"matchLabels", "matchExpressions"} or any(
        isinstance(value, str) for value in selector.values()
    ):
        selector = {"matchLabels": selector}
    return str(LabelSelector.from_json(selector))
