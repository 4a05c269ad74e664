"""How many pods each ReplicaSet of a Deployment shall have. Pure: numbers in, numbers out.

While pods are replaced, two bounds hold: no more than `replicas + surge` pods are wanted, and none is taken away that
would leave fewer than `replicas - unavailable` available. Old pods that are not available count for nothing and go
first: they would keep an update from going on that might mend them.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from kubewright.cluster.controllers.deployments.views import Strategy

__all__ = ["Bounds", "Size", "bounds", "grow", "proportions", "shrink"]


class Bounds(NamedTuple):
    """By how many pods a Deployment may be above and below what it wants."""

    surge: int
    unavailable: int


class Size(NamedTuple):
    """A ReplicaSet: how many pods it is to have, how many of them are available."""

    replicas: int
    available: int = 0


def bounds(strategy: Strategy, replicas: int) -> Bounds:
    """The bounds of an update; where both are rounded to 0, one pod may be missing, or it would never end."""
    if strategy.type != "RollingUpdate":
        return Bounds(0, 0)
    surge = _scaled(strategy.rolling_update.max_surge, replicas, up=True)
    unavailable = _scaled(strategy.rolling_update.max_unavailable, replicas, up=False)
    if surge == 0 and unavailable == 0:
        unavailable = 1
    return Bounds(surge, min(unavailable, replicas))


def _scaled(value: int | str, total: int, *, up: bool) -> int:
    """A number, or a percentage of a total."""
    if isinstance(value, int):
        return value
    share = int(value.rstrip("%")) * total
    return -(-share // 100) if up else share // 100


def grow(replicas: int, surge: int, total: int, new: int) -> int:
    """The size of the new ReplicaSet, if all of them together have `total` and it has `new`."""
    room = replicas + surge - total
    return new if room <= 0 else new + min(room, replicas - new)


def shrink(replicas: int, unavailable: int, new: Size, old: Sequence[Size]) -> list[int]:
    """The sizes of the old ReplicaSets, the oldest first: how far they can be scaled down now."""
    sizes = [each.replicas for each in old]
    least = replicas - unavailable
    # New pods that are not available yet are held against it, so that nothing more is taken away for them.
    spare = sum(sizes) + new.replicas - least - (new.replicas - new.available)
    if not any(sizes) or spare <= 0:
        return sizes
    for number, each in enumerate(old):
        cut = min(spare, sizes[number] - each.available)
        if cut > 0:
            sizes[number] -= cut
            spare -= cut
    extra = new.available + sum(each.available for each in old) - least
    for number in range(len(old)):
        cut = min(sizes[number], extra)
        if cut > 0:
            sizes[number] -= cut
            extra -= cut
    return sizes


def proportions(sizes: Sequence[int], most: Sequence[int | None], replicas: int, surge: int, actual: int) -> list[int]:
    """The sizes after a Deployment was scaled in the midst of an update: each ReplicaSet gets its share.

    `sizes` are the largest first; `most` is how many pods the Deployment could have when each was last scaled, where
    that is known. What rounding leaves goes to the first.
    """
    allowed = replicas + surge if replicas > 0 else 0
    change = allowed - sum(sizes)
    if change == 0:
        return list(sizes)
    result, changed = [], 0
    for size, before in zip(sizes, most, strict=True):
        left = change - changed
        share = _share(size, before or actual, replicas, surge)
        part = 0 if size == 0 or left == 0 else min(share, left) if change > 0 else max(share, left)
        result.append(size + part)
        changed += part
    result[0] = max(0, result[0] + change - changed)
    return result


def _share(size: int, before: int, replicas: int, surge: int) -> int:
    """By how much a ReplicaSet changes if it keeps its share."""
    if replicas == 0:
        return -size
    if before == 0:
        return 0
    return math.floor(size * (replicas + surge) / before + 0.5) - size
