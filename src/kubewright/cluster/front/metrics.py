"""What the server counts, in Prometheus' text form: requests by what they ask and how they end, objects by resource.

The names and labels are kube-apiserver's, so that what reads its metrics reads ours. What clients make up is counted as
`other`, or they could fill the memory with names.
"""

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.store import Store
from kubewright.observe.exposition import expose
from kubewright.observe.instruments import Registry as Instruments
from kubewright.observe.process import count_process

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
_LABELS = ("code", "component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version")


class Metrics:
    """Counts, and tells."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self._store = store
        self._registry = registry
        self._instruments = Instruments()
        count_process(self._instruments)
        self._requests = self._instruments.counter("apiserver_request_total", "Requests that were answered.", _LABELS)
        self._objects = self._instruments.gauge(
            "apiserver_storage_objects", "Objects that are stored, by resource.", ("resource",)
        )
        self._instruments.before(self._weigh)

    def count(self, intent: Intent | None, code: int) -> None:
        """A request has been answered, or a watch has begun."""
        if intent is None or not self._knows(intent):
            values = ("", "", "", "", "other", "")
        else:
            scope = "resource" if intent.name else "namespace" if intent.namespace else "cluster"
            verb = _VERBS[intent.verb]
            values = (intent.group, intent.resource, scope, intent.subresource, verb, intent.version)
        self._requests.of(str(code), "apiserver", "", *values).inc()

    def _knows(self, intent: Intent) -> bool:
        if not intent.is_resource or intent.verb not in _VERBS:
            return False
        resource = self._registry.find(intent.group, intent.version, intent.resource)
        if resource is None:
            return False
        return not intent.subresource or resource.subresource(intent.subresource) is not None

    def text(self) -> bytes:
        """All of it, as it is now."""
        return expose(self._instruments)

    def _weigh(self) -> None:
        self._objects.clear()
        for storage, plural in self._storages().items():
            self._objects.of(plural).set(self._store.count(f"/{storage}/"))

    def _storages(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for group, version in self._registry.versions():
            for resource in self._registry.resources(group, version):
                if "list" in resource.verbs:
                    found.setdefault(resource.storage, resource.qualified)
        return found
