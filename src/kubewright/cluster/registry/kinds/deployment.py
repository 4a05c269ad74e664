"""Deployments: pods that are replaced by new ones a few at a time, as `strategy` says how many."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import default_template, template_warnings
from kubewright.cluster.registry.kinds.workload import (
    TEMPLATE,
    WorkloadStatus,
    check_kept,
    check_replicated,
    name_warnings,
)
from kubewright.cluster.registry.rules.amounts import check_amount, check_share, size
from kubewright.cluster.registry.rules.counts import check_counts, check_growth, check_parts
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.inner import not_supported_inner
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.schema.walk.errors import FieldError, forbidden, invalid

__all__ = ["DeploymentStatus", "DeploymentStrategy"]

Document = dict[str, Any]

_PLACE: Final = "spec.strategy"


class DeploymentStrategy(Pausing, PlainStrategy):
    """What is particular to Deployments."""

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        default_template(spec["template"])
        spec.setdefault("replicas", 1)
        spec.setdefault("revisionHistoryLimit", 10)
        spec.setdefault("progressDeadlineSeconds", 600)
        strategy = spec["strategy"]
        if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
            rolling = strategy.setdefault("rollingUpdate", {})
            rolling.setdefault("maxUnavailable", "25%")
            rolling.setdefault("maxSurge", "25%")

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        meta, before = obj["metadata"], old["metadata"]
        # They are copied to ReplicaSets: a change of them is one of what is wished for.
        if not same(meta.get("annotations"), before.get("annotations")):
            meta["generation"] = before.get("generation", 0) + 1

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        spec, before = obj["spec"], old["spec"] if old is not None else None
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        yield from _check(spec, before)
        if before is not None:
            yield from check_kept(spec, before)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is None:
            return [*name_warnings(obj), *template_warnings(obj["spec"]["template"], TEMPLATE)]
        if obj["metadata"]["generation"] == old["metadata"]["generation"]:
            return []
        return template_warnings(obj["spec"]["template"], TEMPLATE, old["spec"]["template"])


class DeploymentStatus(WorkloadStatus):
    """The status of a Deployment; its labels are none of it."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        obj["metadata"].pop("labels", None)
        if labels := old["metadata"].get("labels"):
            obj["metadata"]["labels"] = labels

    def check_status(self, status: Document, old: Document) -> Iterator[FieldError]:
        parts = ("updatedReplicas", "readyReplicas", "availableReplicas")
        counts = ("observedGeneration", "replicas", *parts, "unavailableReplicas")
        yield from check_counts(status, "status", *counts, "terminatingReplicas", "collisionCount")
        yield from check_parts(status, "status", parts, "replicas", "status.replicas")
        yield from check_parts(status, "status", ["availableReplicas"], "readyReplicas", "readyReplicas")
        yield from check_growth(status, old, "status", "collisionCount")


def _check(spec: Document, old: Document | None) -> Iterator[FieldError]:
    yield from check_counts(spec, "spec", "replicas")
    yield from check_replicated(spec, old)
    yield from _check_strategy(spec["strategy"])
    yield from check_counts(spec, "spec", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
    deadline: int = spec["progressDeadlineSeconds"]
    if deadline <= spec.get("minReadySeconds", 0):
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def _check_strategy(strategy: Document) -> Iterator[FieldError]:
    kind, rolling = strategy["type"], strategy.get("rollingUpdate")
    if kind == "Recreate":
        if rolling is not None:
            why = "may not be specified when strategy `type` is 'Recreate'"
            yield forbidden(f"{_PLACE}.rollingUpdate", why)
    elif kind == "RollingUpdate":
        yield from _check_rolling(strategy["rollingUpdate"], f"{_PLACE}.rollingUpdate")
    else:
        yield not_supported_inner(_PLACE, strategy, "apps/v1.DeploymentStrategy", "Recreate", "RollingUpdate")


def _check_rolling(rolling: Document, path: str) -> Iterator[FieldError]:
    missing, more = rolling["maxUnavailable"], rolling["maxSurge"]
    yield from check_amount(missing, f"{path}.maxUnavailable")
    yield from check_amount(more, f"{path}.maxSurge")
    if size(missing) == 0 and size(more) == 0:
        yield invalid(f"{path}.maxUnavailable", missing, "may not be 0 when `maxSurge` is 0")
    yield from check_share(missing, f"{path}.maxUnavailable")
