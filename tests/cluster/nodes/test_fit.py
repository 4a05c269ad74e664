"""Who fits where, and what is said if nobody does."""

from typing import Any

import pytest

from kubewright.cluster.nodes.fit import Candidate, Misfit, demand_of, explain, misfit

Document = dict[str, Any]
SELECTOR = "node(s) didn't match Pod's node affinity/selector"
TAINT = "node(s) had untolerated taint(s)"


def node(labels: dict[str, str] | None = None, **spec: Any) -> Candidate:
    amounts = {"cpu": "2", "memory": "4Gi", "pods": "10"}
    meta = {"name": "node-0", "labels": {"zone": "a", "size": "3", **(labels or {})}}
    return Candidate.of({"metadata": meta, "spec": spec, "status": {"allocatable": amounts}})


def requests(**amounts: str) -> Document:
    return {"containers": [{"resources": {"requests": amounts}}]}


def affine(*terms: Document) -> Document:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}
    return {"affinity": {"nodeAffinity": required}}


def expression(key: str, operator: str, *values: str) -> Document:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


CASES: list[tuple[Document, Candidate, str | None]] = [
    ({}, node(), None),
    ({"nodeSelector": {"zone": "a"}}, node(), None),
    ({"nodeSelector": {"zone": "b"}}, node(), SELECTOR),
    (affine(expression("zone", "In", "a", "b")), node(), None),
    (affine(expression("zone", "NotIn", "a")), node(), SELECTOR),
    (affine(expression("rack", "NotIn", "a")), node(), None),
    (affine(expression("zone", "Exists")), node(), None),
    (affine(expression("rack", "Exists")), node(), SELECTOR),
    (affine(expression("rack", "DoesNotExist")), node(), None),
    (affine(expression("size", "Gt", "2")), node(), None),
    (affine(expression("size", "Lt", "3")), node(), SELECTOR),
    (affine(expression("zone", "Gt", "3")), node(), SELECTOR),
    (affine({}), node(), SELECTOR),
    (affine(expression("rack", "Exists"), expression("zone", "Exists")), node(), None),
    (affine({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-0"]}]}), node(), None),
    ({}, node(unschedulable=True), "node(s) were unschedulable"),
    ({"tolerations": [{"operator": "Exists"}]}, node(unschedulable=True), None),
    ({}, node(taints=[{"key": "gpu", "effect": "NoSchedule"}]), TAINT),
    ({}, node(taints=[{"key": "gpu", "effect": "PreferNoSchedule"}]), None),
    ({"tolerations": [{"key": "gpu"}]}, node(taints=[{"key": "gpu", "effect": "NoSchedule"}]), None),
    ({"tolerations": [{"key": "gpu", "value": "b"}]}, node(taints=[{"key": "gpu", "effect": "NoExecute"}]), TAINT),
    (
        {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}]},
        node(taints=[{"key": "gpu", "effect": "NoSchedule"}]),
        TAINT,
    ),
]


@pytest.mark.parametrize(("spec", "candidate", "why"), CASES)
def test_a_node_is_chosen_or_not(spec: Document, candidate: Candidate, why: str | None) -> None:
    found = misfit(spec, {"pods": 1000}, candidate, {})
    assert (found.reasons[0] if found is not None else None) == why


def test_what_is_asked_for_must_be_left() -> None:
    demand = demand_of(requests(cpu="1500m", memory="1Gi"))
    assert misfit({}, demand, node(), {"cpu": 500}) is None
    assert misfit({}, demand, node(), {"cpu": 501}) == Misfit(("Insufficient cpu",), True)
    assert misfit({}, demand, node(), {"pods": 10_000}) == Misfit(("Too many pods",), True)


def test_what_no_node_has_cannot_be_made_free() -> None:
    demand = demand_of(requests(cpu="3", **{"example.com/gpu": "1"}))
    assert misfit({}, demand, node(), {}) == Misfit(("Insufficient cpu", "Insufficient example.com/gpu"), False)


def test_the_message_counts_the_nodes_by_reason() -> None:
    misfits = [Misfit((TAINT,), False), Misfit(("Insufficient cpu",), True), Misfit(("Insufficient cpu",), True)]
    assert explain(misfits) == (
        "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, "
        "preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims "
        "found for incoming pod."
    )


def test_without_nodes_there_is_another() -> None:
    assert explain([]) == "no nodes available to schedule pods"
