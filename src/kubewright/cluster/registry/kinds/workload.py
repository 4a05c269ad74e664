"""What the kinds share that make pods: they select the pods of their own template, which go on running."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStatus
from kubewright.cluster.registry.kinds.pod.template import check_template
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.cluster.registry.rules.matching import invalid_selector, is_blank, read_selector
from kubewright.model.selectors.labels import LabelSelector
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required
from kubewright.schema.walk.names import namespace_name

__all__ = [
    "TEMPLATE",
    "LabelledStatus",
    "WorkloadStatus",
    "check_endless",
    "check_kept",
    "check_own_selector",
    "check_replicated",
    "check_selected",
    "name_warnings",
]

Document = dict[str, Any]

TEMPLATE: Final = "spec.template"
_SELECTOR: Final = "spec.selector"


class WorkloadStatus(PlainStatus):
    """The status of what makes pods."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *self.check_status(obj["status"], old["status"])]

    def check_status(self, status: Document, old: Document) -> Iterator[FieldError]:
        """What is wrong with a status that is to replace another."""
        yield from ()


class LabelledStatus(WorkloadStatus):
    """The status of a kind that has the labels of its pods, if it has none of its own."""

    def default(self, obj: Document) -> None:
        _label(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        _label(obj)  # as whoever reads the object would


def _label(obj: Document) -> None:
    template = (obj.get("spec") or {}).get("template") or {}
    labels = (template.get("metadata") or {}).get("labels")
    if labels and not obj["metadata"].get("labels"):
        obj["metadata"]["labels"] = {**labels}


def check_own_selector(selector: Document | None, noun: str) -> Iterator[FieldError]:
    """What is wrong with a selector that there must be."""
    if selector is None:
        yield required(_SELECTOR)
        return
    yield from check_selector(selector, _SELECTOR)
    if is_blank(selector):
        yield invalid_selector(_SELECTOR, selector, f"empty selector is invalid for {noun}")


def check_replicated(spec: Document, old: Document | None) -> Iterator[FieldError]:
    """What is wrong with the selector and the template of a Deployment or ReplicaSet."""
    selector = spec.get("selector")
    yield from check_own_selector(selector, "deployment")
    wanted, template = read_selector(selector), spec["template"]
    if wanted is None:
        yield invalid_selector(_SELECTOR, selector, "invalid label selector")
        return
    if not wanted.empty:
        yield from check_selected(wanted, template)
    yield from check_template(template, TEMPLATE, old["template"] if old else None)
    yield from check_endless(template, "ReplicaSet")


def check_selected(wanted: LabelSelector, template: Document) -> Iterator[FieldError]:
    """What is wrong with a template of which a selector selects no pods."""
    labels = template["metadata"].get("labels")
    if not wanted.matches(labels or {}):
        yield invalid(f"{TEMPLATE}.metadata.labels", labels, "`selector` does not match template `labels`")


def check_endless(template: Document, kind: str) -> Iterator[FieldError]:
    """What is wrong with a template whose pods are to go on: they are started again, and have no deadline."""
    spec = template["spec"]
    if spec.get("restartPolicy") != "Always":
        yield not_supported(f"{TEMPLATE}.spec.restartPolicy", spec.get("restartPolicy", ""), ["Always"])
    if spec.get("activeDeadlineSeconds") is not None:
        why = f"activeDeadlineSeconds in {kind} is not Supported"
        yield forbidden(f"{TEMPLATE}.spec.activeDeadlineSeconds", why)


def check_kept(spec: Document, old: Document) -> Iterator[FieldError]:
    """What is wrong with a selector that is to replace another."""
    if not same(selector := spec.get("selector"), old.get("selector")):
        yield invalid_selector(_SELECTOR, selector, "field is immutable")


def name_warnings(obj: Document) -> list[str]:
    """What the writer of a new object should know of its name."""
    complaints = namespace_name(obj["metadata"].get("name", ""))
    if not complaints:
        return []
    why = "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended"
    return [f"metadata.name: {why}: [{' '.join(complaints)}]"]
