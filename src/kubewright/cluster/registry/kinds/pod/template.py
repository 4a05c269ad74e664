"""Pods in templates: what the kinds build upon that make pods.

default_template(template)                            # in place
check_template(template, "spec.template")             # what is wrong with it
template_warnings(template, "spec.template")          # what its writer should know
"""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.pod.annotations import check_annotations, check_match
from kubewright.cluster.registry.kinds.pod.defaults import default_spec, forget_annotations
from kubewright.cluster.registry.kinds.pod.spec import check_spec
from kubewright.cluster.registry.kinds.pod.unserved import drop_unserved
from kubewright.cluster.registry.kinds.pod.warnings import spec_warnings
from kubewright.cluster.registry.rules import claims
from kubewright.cluster.registry.rules.labels import check_labels
from kubewright.schema.walk.errors import FieldError, forbidden

__all__ = ["check_template", "default_template", "template_warnings"]

Document = dict[str, Any]


def default_template(template: Document) -> None:
    """Fill in a PodTemplateSpec, in place, and drop what is not served."""
    default_spec(template["spec"])
    drop_unserved(template["spec"])
    forget_annotations(template["metadata"])


def check_template(template: Document, path: str, old: Document | None = None) -> Iterator[FieldError]:
    """What is wrong with a PodTemplateSpec; what the `old` one had, the new one may keep."""
    meta, spec = template["metadata"], template["spec"]
    yield from check_labels(meta.get("labels"), f"{path}.labels")
    annotations = meta.get("annotations") or {}
    if annotations:
        yield from claims.check_annotations(annotations, f"{path}.annotations")
        yield from check_annotations(annotations, spec, f"{path}.annotations")
    yield from check_spec(spec, f"{path}.spec", old=old["spec"] if old else None)
    if annotations:
        yield from check_match(annotations, spec, f"{path}.spec")
    if spec.get("ephemeralContainers"):
        yield forbidden(f"{path}.spec.ephemeralContainers", "ephemeral containers not allowed in pod template")


def template_warnings(template: Document, path: str, old: Document | None = None) -> list[str]:
    """What the writer of a PodTemplateSpec should know."""
    return [*spec_warnings(template["spec"], template["metadata"].get("annotations") or {}, path, template=True)]
