"""What the server counts, in Prometheus' text form: requests by what they ask and how they end, objects by resource.

The names and labels are kube-apiserver's, so that what reads its metrics reads ours. What clients make up is counted as
`other`, or they could fill the memory with names.
"""

import os
import resource as usage
from collections import Counter

from kubewright.cluster.front.intent import Intent
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.store import Store

__all__ = ["Metrics"]

#: What the metrics call the verbs.
_VERBS = {
    "get": "GET",
    "list": "LIST",
    "watch": "WATCH",
    "create": "POST",
    "update": "PUT",
    "patch": "PATCH",
    "delete": "DELETE",
    "deletecollection": "DELETECOLLECTION",
}


class Metrics:
    """Counts, and tells."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry
        self._requests: Counter[tuple[str, ...]] = Counter()

    def count(self, intent: Intent | None, code: int) -> None:
        """A request has been answered, or a watch has begun."""
        if intent is None or not self._knows(intent):
            key = ("", "", "", "", "", "other", str(code))
        else:
            scope = "resource" if intent.name else "namespace" if intent.namespace else "cluster"
            key = (
                intent.group,
                intent.version,
                intent.resource,
                intent.subresource,
                scope,
                _VERBS[intent.verb],
                str(code),
            )
        self._requests[key] += 1

    def _knows(self, intent: Intent) -> bool:
        if not intent.is_resource or intent.verb not in _VERBS:
            return False
        resource = self._registry.find(intent.group, intent.version, intent.resource)
        if resource is None:
            return False
        return not intent.subresource or resource.subresource(intent.subresource) is not None

    def text(self) -> bytes:
        """All of it, as it is now."""
        lines = ["# TYPE apiserver_request_total counter"]
        for (group, version, resource, subresource, scope, verb, code), count in sorted(self._requests.items()):
            labels = (
                f'code="{code}",component="apiserver",dry_run="",group="{group}",resource="{resource}",'
                f'scope="{scope}",subresource="{subresource}",verb="{verb}",version="{version}"'
            )
            lines.append(f"apiserver_request_total{{{labels}}} {count}")
        lines.append("# TYPE apiserver_storage_objects gauge")
        for storage, plural in sorted(self._storages().items()):
            lines.append(f'apiserver_storage_objects{{resource="{plural}"}} {self._store.count(f"/{storage}/")}')
        own = usage.getrusage(usage.RUSAGE_SELF)
        lines += [
            "# TYPE process_cpu_seconds_total counter",
            f"process_cpu_seconds_total {own.ru_utime + own.ru_stime:.2f}",
            "# TYPE process_open_fds gauge",
            f"process_open_fds {_descriptors()}",
            "",
        ]
        return "\n".join(lines).encode()

    def _storages(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for group, version in self._registry.versions():
            for resource in self._registry.resources(group, version):
                if "list" in resource.verbs:
                    found.setdefault(resource.storage, resource.qualified)
        return found


def _descriptors() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names are enough
    except OSError:  # not every system tells
        return 0
