"""ReplicaSets and ReplicationControllers: as many pods of one template as are wished for."""

import re
from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.cluster.registry.kinds.workload import (
    TEMPLATE,
    LabelledStatus,
    WorkloadStatus,
    check_endless,
    check_kept,
    check_replicated,
    name_warnings,
)
from kubewright.cluster.registry.rules.counts import check_counts, check_parts
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.names import subdomain

__all__ = ["ReplicaSetStatus", "ReplicaSetStrategy", "ReplicationControllerStatus", "ReplicationControllerStrategy"]

Document = dict[str, Any]


class ReplicaSetStrategy(Pausing, PlainStrategy):
    """What is particular to ReplicaSets."""

    def default(self, obj: Document) -> None:
        default_template(obj["spec"]["template"])
        obj["spec"].setdefault("replicas", 1)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        spec, before = obj["spec"], old["spec"] if old is not None else None
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        yield from self._check(spec, before)
        if before is not None:
            yield from self._check_kept(spec, before)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is None:
            return [*name_warnings(obj), *template_warnings(obj["spec"]["template"], TEMPLATE)]
        if obj["metadata"]["generation"] == old["metadata"]["generation"]:
            return []
        return template_warnings(obj["spec"]["template"], TEMPLATE, old["spec"]["template"])

    def _check(self, spec: Document, old: Document | None) -> Iterator[FieldError]:
        yield from check_counts(spec, "spec", "replicas", "minReadySeconds")
        yield from check_replicated(spec, old)

    def _check_kept(self, spec: Document, old: Document) -> Iterator[FieldError]:
        return check_kept(spec, old)


class ReplicaSetStatus(WorkloadStatus):
    """The status of a ReplicaSet."""

    def check_status(self, status: Document, old: Document) -> Iterator[FieldError]:
        parts = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")
        yield from check_counts(status, "status", "replicas", *parts, "observedGeneration", "terminatingReplicas")
        yield from check_parts(status, "status", parts, "replicas", "status.replicas")
        yield from check_parts(status, "status", ["availableReplicas"], "readyReplicas", "readyReplicas")


class ReplicationControllerStatus(ReplicaSetStatus, LabelledStatus):
    """The status of a ReplicationController."""


def _name(text: str) -> list[str]:
    """What is said against the name of a ReplicationController, whose letters are counted under another name."""
    return [re.sub("^(must be no more than [0-9]+) characters$", r"\1 bytes", each) for each in subdomain(text)]


class ReplicationControllerStrategy(ReplicaSetStrategy):
    """What is particular to ReplicationControllers: all that they do not say their template says for them."""

    name_rule = staticmethod(_name)

    def default(self, obj: Document) -> None:
        spec, template = obj["spec"], obj["spec"].get("template")
        spec.setdefault("replicas", 1)
        if template is None:
            return
        default_template(template)
        if labels := template["metadata"].get("labels"):
            if not spec.get("selector"):
                spec["selector"] = {**labels}
            if not obj["metadata"].get("labels"):
                obj["metadata"]["labels"] = {**labels}

    def _check_kept(self, spec: Document, old: Document) -> Iterator[FieldError]:
        yield from ()

    def _check(self, spec: Document, old: Document | None) -> Iterator[FieldError]:
        yield from check_counts(spec, "spec", "minReadySeconds")
        selector, template = spec.get("selector"), spec.get("template")
        if not selector:
            yield required("spec.selector")
        yield from check_counts(spec, "spec", "replicas")
        if template is None:
            yield required(TEMPLATE)
            return
        labels = template["metadata"].get("labels")
        if any((labels or {}).get(key) != value for key, value in (selector or {}).items()):
            yield invalid(f"{TEMPLATE}.metadata.labels", labels, "`selector` does not match template `labels`")
        yield from check_template(template, TEMPLATE, old["template"] if old else None)
        yield from check_endless(template, "ReplicationController")
