"""How long a Job waits before it makes a pod anew: 10 s after a failure, twice as long after each further one. Pure.

A success begins the count anew. How often it failed is remembered in memory alone, as kube-controller-manager does; a
Job whose indexes have limits of their own counts in annotations of their pods instead.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from kubewright.cluster.controllers.jobs.facts import failures_before, finish_time, ignored_before
from kubewright.k8s.core.v1 import Pod

__all__ = ["Record", "index_delay"]

#: Seconds after the first failure, and at most.
FIRST: Final = 10.0
LONGEST: Final = 600.0
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Record:
    """How many pods have failed since the last that succeeded, and when the last one did."""

    failures: int = 0
    last: datetime | None = None

    def after(self, succeeded: list[Pod], failed: list[Pod]) -> "Record":
        """What it is when these have ended too."""
        ends = sorted(finish_time(pod) or _EARLIEST for pod in failed)
        if succeeded:
            success = max(finish_time(pod) or _EARLIEST for pod in succeeded)
            later = [end for end in ends if end > success]
            return Record(len(later), later[-1] if later else None)
        return Record(self.failures + len(ends), ends[-1]) if ends else self

    def delay(self, now: datetime) -> float:
        """Seconds until the next pod may be made."""
        return _delay(self.failures, self.last, now)


def index_delay(last_failed: Pod | None, now: datetime) -> float:
    """Seconds until a pod may be made anew for an index, of which that pod failed last."""
    if last_failed is None:
        return 0.0
    return _delay(failures_before(last_failed) + ignored_before(last_failed) + 1, finish_time(last_failed), now)


def _delay(failures: int, last: datetime | None, now: datetime) -> float:
    if not failures or last is None:
        return 0.0
    whole = min(FIRST * 2.0 ** min(failures - 1, 10), LONGEST)
    return max(0.0, whole - (now - last).total_seconds())
