"""What a run shows as alive and as ready.

Alive is what depends on this process alone: the run has not ended, nor any watch or source of it, and no reconcile is
past its limit without end.
Ready is that it does its work: every watch is fresh, and whoever waits for the lease can read it. So an API that is
down makes nobody restart, and a watch that is stuck makes nobody look well.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kubewright.cache import Informer, Selection
from kubewright.observe import Health, Metrics
from kubewright.observe.health import HealthError

if TYPE_CHECKING:
    from kubewright.operator.running import Running

__all__ = ["STALE", "check_informer", "check_run", "describe", "watch_problem"]

#: Seconds without a word from a watch after which it is not fresh; bookmarks come about once a minute.
STALE: Final = 120.0
#: The state of a cache whose kind is not served.
_MISSING: Final = "missing"


def check_run(health: Health, running: "Running") -> None:
    """Enter the checks of a run, but for those of its caches."""
    health.alive("run", lambda: _ended(running))
    for name, runner in running.runners.items():
        health.alive(f"workers of {name}", runner.problem)
    health.alive("watches", lambda: _unwatched(running))
    election = running.election
    if election is not None:
        health.ready("lease", lambda: f"the lease cannot be had: {election.trouble}" if election.trouble else None)


def check_informer(
    health: Health, metrics: Metrics, informer: Informer, *, declared: bool = True
) -> Callable[[], None]:
    """Enter the check and the gauges of a cache; returns what takes them back.

    A kind that was not declared, but found at run time, may go as it came: while it is not served it has no objects
    to miss, and the operator does its work.
    """
    resource = informer.endpoint.resource
    gauges = metrics.cache(informer, resource, describe(informer.selection))

    def check() -> str | None:
        return watch_problem(informer) if declared or informer.state != _MISSING else None

    number = 1
    while True:
        name = f"watch {resource}" if number == 1 else f"watch {resource} ({number})"
        try:
            health.ready(name, check)
        except HealthError:  # another cache of the same kind has that name
            number += 1
            continue

        def take_back(name: str = name) -> None:
            health.remove(name)
            gauges.gone()

        return take_back


def describe(selection: Selection) -> str:
    """Which objects of its kind a cache holds; nothing is said where it holds all."""
    parts = []
    if selection.namespaces:
        parts.append(f"namespaces {','.join(selection.namespaces)}")
    if not selection.labels.empty:
        parts.append(f"labels {selection.labels}")
    if not selection.fields.empty:
        parts.append(f"fields {selection.fields}")
    return "; ".join(parts)


def _unwatched(running: "Running") -> str | None:
    """Which watch goes on no longer, while the run does: it cannot be in trouble, and its cache grows old."""
    return next((f"the watch of {each.endpoint.resource} has ended" for each in running.informers if each.ended), None)


def _ended(running: "Running") -> str | None:
    return "the run has ended" if running.ended else None


def watch_problem(informer: Informer) -> str | None:
    """Why a cache may not be what the server has."""
    if informer.trouble:
        return informer.trouble
    if not informer.synced.is_set():
        return f"{informer.endpoint.resource} are not read yet ({informer.state})"
    if informer.age > STALE:
        return f"the watch of {informer.endpoint.resource} has told nothing for {informer.age:.0f} s"
    return None
