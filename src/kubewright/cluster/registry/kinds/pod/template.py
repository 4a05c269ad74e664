"""Pods in templates: what the kinds build upon that make pods.

default_template(template)                            # in place
check_template(template, "spec.template")             # what is wrong with it
template_warnings(template, "spec.template", old)     # what its writer should know
"""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.pod.defaults import default_spec, forget_annotations
from kubewright.schema.walk.errors import FieldError

__all__ = ["check_template", "default_template", "template_warnings"]

Document = dict[str, Any]


def default_template(template: Document) -> None:
    """Fill in a PodTemplateSpec, in place."""
    default_spec(template["spec"])
    forget_annotations(template["metadata"])


def check_template(template: Document, path: str, old: Document | None = None) -> Iterator[FieldError]:
    """What is wrong with a PodTemplateSpec; what the `old` one may have, the new one may keep."""
    yield from ()


def template_warnings(template: Document, path: str, old: Document | None = None) -> list[str]:
    """What the writer of a PodTemplateSpec should know."""
    return []
