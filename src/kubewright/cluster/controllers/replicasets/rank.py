"""Which pods of a ReplicaSet go first when there are too many. Pure.

By the first of these in which two pods differ:

1. a pod on no node goes before one that is on a node;
2. pending before unknown before running;
3. not ready before ready;
4. the lower `controller.kubernetes.io/pod-deletion-cost` first;
5. the one whose node has more pods of the same family (of all ReplicaSets with the same owner);
6. the one that is ready for a shorter time;
7. the one with more restarts;
8. the younger one.

In 6 and 8 ages count by powers of two only, and of the same power the lower uid goes first: so it is not always the
last zone of a roll-out that is emptied.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cmp_to_key
from typing import Final

from kubewright.cluster.controllers.views import Pod

__all__ = ["DELETION_COST", "choose", "deletion_cost"]

DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_COST: Final = re.compile(r"0|-?[1-9][0-9]*")
_PHASES: Final = {"Pending": 0, "Unknown": 1, "Running": 2}


def choose(pods: Sequence[Pod], family: Iterable[Pod], count: int, now: datetime) -> list[Pod]:
    """The `count` pods that go first; `family` are the pods of all ReplicaSets with the same owner."""
    if count >= len(pods):
        return list(pods)
    crowd = Counter(pod.spec.node_name for pod in family if pod.active)

    def compare(one: Pod, other: Pod) -> int:
        return _compare(one, other, crowd, now)

    return sorted(pods, key=cmp_to_key(compare))[:count]


def deletion_cost(pod: Pod) -> int:
    """What the pod says that its end costs; 0 where it says nothing, or no number of 32 bits."""
    text = pod.metadata.annotations.get(DELETION_COST, "0")
    number = int(text) if _COST.fullmatch(text) else 0
    return number if -(2**31) <= number < 2**31 else 0


def _compare(one: Pod, other: Pod, crowd: Counter[str], now: datetime) -> int:
    """Below 0 if the first goes first."""
    for first, second in (
        (bool(one.spec.node_name), bool(other.spec.node_name)),
        (_PHASES.get(one.status.phase, 0), _PHASES.get(other.status.phase, 0)),
        (one.ready is not None, other.ready is not None),
        (deletion_cost(one), deletion_cost(other)),
        (-crowd[one.spec.node_name], -crowd[other.spec.node_name]),
    ):
        if first != second:
            return -1 if first < second else 1
    if one.ready is not None and other.ready is not None:
        since, since_other = one.ready.last_transition_time, other.ready.last_transition_time
        if since != since_other:
            return _by_age(one, other, since, since_other, now)
    restarts, restarts_other = _restarts(one), _restarts(other)
    if restarts != restarts_other:
        return -1 if restarts > restarts_other else 1
    made, made_other = one.metadata.creation_timestamp, other.metadata.creation_timestamp
    return 0 if made == made_other else _by_age(one, other, made, made_other, now)


def _by_age(one: Pod, other: Pod, since: datetime | None, since_other: datetime | None, now: datetime) -> int:
    if since is None or since_other is None:
        return -1 if since is None else 1
    difference = _power(now - since) - _power(now - since_other)
    if difference:
        return difference
    return -1 if one.metadata.uid < other.metadata.uid else 1


def _power(age: timedelta) -> int:
    """The power of two of an age in nanoseconds."""
    nanoseconds = age // timedelta(microseconds=1) * 1000
    return int(math.log2(nanoseconds)) if nanoseconds > 0 else -1


def _restarts(pod: Pod) -> tuple[int, int]:
    """The most restarts of a container, and of one that runs beside the others from the start."""
    sidecars = {each.name for each in pod.spec.init_containers if each.restart_policy == "Always"}
    statuses, others = pod.status.container_statuses, pod.status.init_container_statuses
    return (
        max((each.restart_count for each in statuses), default=0),
        max((each.restart_count for each in others if each.name in sidecars), default=0),
    )
