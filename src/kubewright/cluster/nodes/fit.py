"""Whether a pod may run on a node, and what is said if it may on none. Pure.

Asked is what kube-scheduler asks first: whether the node takes pods at all, its name, taints, labels and fields, and
what is left of its resources. Of each node the first of these that fails is told, in kube-scheduler's words.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kubewright.cluster.registry.kinds.pod.amounts import total
from kubewright.cluster.registry.rules.quantities import quantity

__all__ = ["Candidate", "Misfit", "demand_of", "explain", "misfit"]

Document = dict[str, Any]
#: Thousandths, by resource.
Amounts = Mapping[str, int]

_UNSCHEDULABLE: Final = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
_NO_VICTIMS: Final = "No preemption victims found for incoming pod"
_NO_HELP: Final = "Preemption is not helpful for scheduling"


@dataclass(frozen=True)
class Candidate:
    """A node, as far as pods choose by it."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Mapping[str, str], ...]
    unschedulable: bool
    allocatable: Amounts

    @classmethod
    def of(cls, node: Document) -> "Candidate":
        """Read a node."""
        spec = node.get("spec") or {}
        amounts = (node.get("status") or {}).get("allocatable") or {}
        return cls(
            node["metadata"]["name"],
            node["metadata"].get("labels") or {},
            tuple(spec.get("taints") or ()),
            bool(spec.get("unschedulable")),
            {name: quantity(text).milli for name, text in amounts.items()},
        )


class Misfit(NamedTuple):
    """Why a pod cannot run on a node."""

    reasons: tuple[str, ...]
    #: Whether it could if other pods went.
    preemptible: bool


def demand_of(spec: Document) -> dict[str, int]:
    """What a pod asks for."""
    own = (spec.get("resources") or {}).get("requests") or {}
    asked = {name: amount.milli for name, amount in total(spec, "requests").items()}
    return {**asked, **{name: quantity(text).milli for name, text in own.items()}, "pods": 1000}


def misfit(spec: Document, demand: Amounts, node: Candidate, used: Amounts) -> Misfit | None:
    """Why a pod does not fit on a node; None if it does."""
    tolerations = spec.get("tolerations") or ()
    if node.unschedulable and not _tolerated(_UNSCHEDULABLE, tolerations):
        return Misfit(("node(s) were unschedulable",), False)
    for taint in node.taints:
        if taint.get("effect") in ("NoSchedule", "NoExecute") and not _tolerated(taint, tolerations):
            return Misfit(("node(s) had untolerated taint(s)",), False)
    if not _is_chosen(spec, node):
        return Misfit(("node(s) didn't match Pod's node affinity/selector",), False)
    short = [name for name, amount in demand.items() if amount > node.allocatable.get(name, 0) - used.get(name, 0)]
    if not short:
        return None
    reasons = tuple("Too many pods" if name == "pods" else f"Insufficient {name}" for name in sorted(short))
    # What no node of its size could hold, none becomes free for.
    return Misfit(reasons, all(demand[name] <= node.allocatable.get(name, 0) for name in short))


def explain(misfits: Iterable[Misfit]) -> str:
    """What is said of a pod that fits nowhere."""
    found = list(misfits)
    if not found:
        return "no nodes available to schedule pods"
    reasons = Counter(reason for each in found for reason in each.reasons)
    helps = Counter(_NO_VICTIMS if each.preemptible else _NO_HELP for each in found)
    none = f"0/{len(found)} nodes are available:"
    return f"{none} {_listed(reasons)}. no new claims to deallocate, preemption: {none} {_listed(helps)}."


def _listed(counted: Mapping[str, int]) -> str:
    return ", ".join(sorted(f"{count} {reason}" for reason, count in counted.items()))


def _tolerated(taint: Mapping[str, str], tolerations: Iterable[Document]) -> bool:
    for each in tolerations:
        if each.get("effect") and each["effect"] != taint.get("effect"):
            continue
        if each.get("key") and each["key"] != taint.get("key"):
            continue
        if each.get("operator", "Equal") == "Exists" or (
            each.get("key") and (each.get("value") or "") == (taint.get("value") or "")
        ):
            return True
    return False


def _is_chosen(spec: Document, node: Candidate) -> bool:
    wanted: Mapping[str, str] = spec.get("nodeSelector") or {}
    if not wanted.items() <= node.labels.items():
        return False
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    fields = {"metadata.name": node.name}
    return any(_is_term_met(term, node.labels, fields) for term in required.get("nodeSelectorTerms") or ())


def _is_term_met(term: Document, labels: Mapping[str, str], fields: Mapping[str, str]) -> bool:
    by_label, by_field = term.get("matchExpressions") or (), term.get("matchFields") or ()
    if not by_label and not by_field:
        return False  # a term that says nothing selects nothing
    return all(_is_met(each, labels) for each in by_label) and all(_is_met(each, fields) for each in by_field)


def _is_met(expression: Document, values: Mapping[str, str]) -> bool:
    operator, wanted = expression["operator"], expression.get("values") or ()
    value = values.get(expression["key"])
    if operator == "Exists":
        return value is not None
    if operator == "DoesNotExist":
        return value is None
    if operator == "NotIn":
        return value not in wanted
    if value is None:
        return False
    if operator == "In":
        return value in wanted
    numbers = _number(value), _number(wanted[0]) if wanted else None
    if numbers[0] is None or numbers[1] is None:
        return False
    return numbers[0] > numbers[1] if operator == "Gt" else numbers[0] < numbers[1]


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
