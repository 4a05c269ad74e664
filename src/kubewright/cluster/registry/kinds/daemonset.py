"""DaemonSets: a pod on each node. How often their template changed is counted in an annotation, from older days."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.cluster.registry.kinds.workload import (
    TEMPLATE,
    WorkloadStatus,
    check_endless,
    check_kept,
    check_selected,
)
from kubewright.cluster.registry.rules.amounts import check_amount, check_share, size
from kubewright.cluster.registry.rules.counts import check_counts, check_growth
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.inner import not_supported_inner
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.cluster.registry.rules.matching import invalid_selector, is_blank, read_selector
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.schema.walk.errors import FieldError, invalid, required

__all__ = ["DaemonSetStatus", "DaemonSetStrategy"]

Document = dict[str, Any]

_PLACE: Final = "spec.updateStrategy"
_GENERATION: Final = "deprecated.daemonset.template.generation"
_is_number: Final = re.compile("[+-]?[0-9]{1,18}").fullmatch


class DaemonSetStrategy(Pausing, PlainStrategy):
    """What is particular to DaemonSets."""

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        default_template(spec["template"])
        strategy = spec["updateStrategy"]
        if strategy.setdefault("type", "RollingUpdate") == "RollingUpdate":
            rolling = strategy.setdefault("rollingUpdate", {})
            rolling.setdefault("maxUnavailable", 1)
            rolling.setdefault("maxSurge", 0)
        spec.setdefault("revisionHistoryLimit", 10)
        _count(obj, _counted(obj))

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        _count(obj, max(_counted(obj), 1))

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        _count(obj, _counted(old) + (not same(obj["spec"]["template"], old["spec"]["template"])))

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        spec, before = obj["spec"], old["spec"] if old is not None else None
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        if before is not None:
            yield from check_kept(spec, before)
        yield from _check(spec, before)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is not None and _counted(obj) == _counted(old):
            return []
        return template_warnings(obj["spec"]["template"], TEMPLATE, old["spec"]["template"] if old else None)


class DaemonSetStatus(WorkloadStatus):
    """The status of a DaemonSet."""

    def default(self, obj: Document) -> None:
        _count(obj, _counted(obj))

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        _count(obj, _counted(old))

    def check_status(self, status: Document, old: Document) -> Iterator[FieldError]:
        counts = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady")
        more = ("observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable")
        yield from check_counts(status, "status", *counts, *more, "collisionCount")
        yield from check_growth(status, old, "status", "collisionCount")


def _counted(obj: Document) -> int:
    """How often the template of a DaemonSet changed; what is no number says nothing."""
    text = (obj["metadata"].get("annotations") or {}).get(_GENERATION, "")
    return int(text) if _is_number(text) else 0


def _count(obj: Document, number: int) -> None:
    obj["metadata"]["annotations"] = {**(obj["metadata"].get("annotations") or {}), _GENERATION: str(number)}


def _check(spec: Document, old: Document | None) -> Iterator[FieldError]:
    selector, template = spec.get("selector"), spec["template"]
    yield from check_selector(selector, "spec.selector")
    if (wanted := read_selector(selector)) is not None:
        yield from check_selected(wanted, template)
    if selector is not None and is_blank(selector):
        yield invalid_selector("spec.selector", selector, "empty selector is invalid for daemonset")
    yield from check_template(template, TEMPLATE, old["template"] if old else None)
    yield from check_endless(template, "DaemonSet")
    yield from check_counts(spec, "spec", "minReadySeconds")
    yield from _check_strategy(spec["updateStrategy"])
    yield from check_counts(spec, "spec", "revisionHistoryLimit")


def _check_strategy(strategy: Document) -> Iterator[FieldError]:
    if strategy["type"] == "RollingUpdate":
        yield from _check_rolling(strategy["rollingUpdate"], f"{_PLACE}.rollingUpdate")
    elif strategy["type"] != "OnDelete":
        yield not_supported_inner(_PLACE, strategy, "apps/v1.DaemonSetUpdateStrategy", "RollingUpdate", "OnDelete")


def _check_rolling(rolling: Document, path: str) -> Iterator[FieldError]:
    missing, more = rolling["maxUnavailable"], rolling["maxSurge"]
    yield from check_amount(missing, f"{path}.maxUnavailable")
    yield from check_amount(more, f"{path}.maxSurge")
    yield from check_share(missing, f"{path}.maxUnavailable")
    yield from check_share(more, f"{path}.maxSurge")
    if size(missing) and size(more):
        yield invalid(f"{path}.maxSurge", more, "may not be set when maxUnavailable is non-zero")
    elif not size(missing) and not size(more):
        yield required(f"{path}.maxUnavailable", "cannot be 0 when maxSurge is 0")
