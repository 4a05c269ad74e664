"""Which pods go first."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.controllers.replicasets.rank import DELETION_COST, choose, deletion_cost
from kubewright.cluster.controllers.views import Pod

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def pod(
    name: str,
    node: str = "n",
    phase: str = "Running",
    ready: float | None = 100.0,
    age: float = 100.0,
    restarts: int = 0,
    cost: str = "",
) -> Pod:
    """`ready` and `age`: for how many seconds."""
    conditions = (
        [{"type": "Ready", "status": "True", "lastTransitionTime": NOW - timedelta(seconds=ready)}] if ready else []
    )
    document: dict[str, Any] = {
        "metadata": {
            "name": name,
            "uid": name,
            "creationTimestamp": NOW - timedelta(seconds=age),
            "annotations": {DELETION_COST: cost} if cost else {},
        },
        "spec": {"nodeName": node},
        "status": {"phase": phase, "conditions": conditions, "containerStatuses": [{"restartCount": restarts}]},
    }
    return msgspec.convert(document, Pod)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pod("z", node=""), pod("a", phase="Pending")),
        (pod("z", phase="Pending", cost="9"), pod("a", phase="Unknown")),
        (pod("z", phase="Unknown", cost="9"), pod("a", ready=None)),
        (pod("z", ready=None, cost="9"), pod("a")),
        (pod("z", cost="-1"), pod("a", ready=1)),
        (pod("z", cost="1"), pod("a", cost="2", ready=1)),
        (pod("z", ready=1), pod("a", restarts=9)),
        (pod("z", restarts=2), pod("a", restarts=1, age=1)),
        (pod("z", age=1), pod("a", age=100)),
        (pod("a", ready=90, age=100), pod("z", ready=80, age=1)),
    ],
)
def test_the_first_difference_decides(first: Pod, second: Pod) -> None:
    assert choose([second, first], [first, second], 1, NOW) == [first]
    assert choose([first, second], [first, second], 1, NOW) == [first]


def test_a_crowded_node_loses_first() -> None:
    alone, crowded = pod("a", node="alone", ready=1), pod("z", node="crowded")
    neighbours = [alone, crowded, pod("other", node="crowded")]
    assert choose([alone, crowded], neighbours, 1, NOW) == [crowded]


@pytest.mark.parametrize("text", ["", "x", "+1", "01", "-0", "1.5", "2147483648"])
def test_a_cost_that_is_no_number_is_none(text: str) -> None:
    assert deletion_cost(pod("a", cost=text)) == 0


@given(st.lists(st.builds(pod, st.uuids().map(str), st.sampled_from(["", "m", "n"])), max_size=8), st.integers(0, 8))
def test_as_many_go_as_are_asked_for(pods: list[Pod], count: int) -> None:
    chosen = choose(pods, pods, count, NOW)
    assert len(chosen) == min(count, len(pods))
    assert all(each in pods for each in chosen)
