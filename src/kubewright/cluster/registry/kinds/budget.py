"""PodDisruptionBudgets: how many pods of a selection may be missing at a time."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.rules.amounts import check_amount, check_share
from kubewright.cluster.registry.rules.conditions import check_conditions
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.schema.walk.errors import FieldError, not_supported
from kubewright.schema.walk.names import path_segment

__all__ = ["BudgetStatus", "BudgetStrategy"]

Document = dict[str, Any]


class BudgetStrategy(PlainStrategy):
    """What is particular to PodDisruptionBudgets: of metadata they have no rules of their own."""

    name_rule = staticmethod(path_segment)
    any_finalizer = True

    def validate(self, obj: Document) -> list[FieldError]:
        return self.check(obj) or self.check_meta(obj)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"])]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return self.check(obj)


class BudgetStatus(PlainStatus):
    """The status of a PodDisruptionBudget."""

    unconditional_update = False

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        status = obj["status"]
        counts = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")
        conditions = check_conditions(status.get("conditions") or [], "status.conditions")
        return [*conditions, *check_counts(status, "status", *counts)]


def _check(spec: Document) -> Iterator[FieldError]:
    least, missing = spec.get("minAvailable"), spec.get("maxUnavailable")
    if least is not None and missing is not None:
        why = "minAvailable and maxUnavailable cannot be both set"
        yield invalid_inner("spec", spec, "policy/v1.PodDisruptionBudgetSpec", why)
    for name, amount in (("minAvailable", least), ("maxUnavailable", missing)):
        if amount is not None:
            yield from check_amount(amount, f"spec.{name}")
            yield from check_share(amount, f"spec.{name}")
    yield from check_selector(spec.get("selector"), "spec.selector")
    policy, choices = spec.get("unhealthyPodEvictionPolicy"), ("AlwaysAllow", "IfHealthyBudget")
    if policy is not None and policy not in choices:
        yield not_supported("spec.unhealthyPodEvictionPolicy", policy, choices)
