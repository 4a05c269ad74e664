"""When the change happened that endpoints are written for: `endpoints.kubernetes.io/last-change-trigger-time`.

By it others measure how long a change took to arrive. It is the earliest of the changes seen since the last look: when
pods became ready or ceased to be; for a Service seen first, when that was made.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from kubewright.cache import Key
from kubewright.cluster.controllers.pods import find_condition
from kubewright.k8s.core.v1 import Pod, Service

__all__ = ["ANNOTATION", "Triggers"]

ANNOTATION: Final = "endpoints.kubernetes.io/last-change-trigger-time"


class Triggers:
    """What was seen of Services and their pods."""

    def __init__(self) -> None:
        self._seen: dict[Key, dict[str, datetime]] = {}

    def look(self, key: Key, service: Service, pods: Iterable[Pod]) -> str:
        """The time to tell, as it is written; empty if none."""
        before = self._seen.get(key)
        now = {pod.metadata.name: at for pod in pods if (at := _changed(pod)) is not None}
        self._seen[key] = now
        if before is None:
            return _spelled(service.metadata.creation_timestamp)
        changed = [at for name, at in now.items() if name not in before or at > before[name]]
        return _spelled(min(changed, default=None))

    def forget(self, key: Key) -> None:
        """The Service is gone."""
        self._seen.pop(key, None)


def _changed(pod: Pod) -> datetime | None:
    condition = find_condition(pod, "Ready")
    return condition.last_transition_time if condition is not None else None


def _spelled(moment: datetime | None) -> str:
    if moment is None:
        return ""
    text = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
    return f"{text}Z"
