"""Follows the APIServices of the store, and writes into each whether the server it names answers.

Whoever names a service is told what of it is missing: the service, its port, its endpoints. A service that has all of
them is told that it is not asked: this server hands no requests to others.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from kubewright.cluster.call import Api, timestamp
from kubewright.cluster.registry.kinds.apiservice import LOCAL
from kubewright.cluster.registry.kinds.crd.conditions import set_condition
from kubewright.cluster.registry.tracking import tracking_of
from kubewright.cluster.store import Record
from kubewright.schema.walk.golang import quote

__all__ = ["Availability", "Verdict", "availability", "follow_apiservices"]

Document = dict[str, Any]

_GROUP: Final = "apiregistration.k8s.io"
_MANAGER: Final = "kube-apiserver"
_SERVICE_NAME: Final = "kubernetes.io/service-name"


class Verdict(NamedTuple):
    """What is said of a server: that it is this one, or why it does not answer."""

    reason: str
    message: str


def availability(named: Document | None, service: Document | None, slices: Iterable[Document]) -> Verdict:
    """Why the server behind a service cannot be had; `named` is what an APIService says of that service."""
    if named is None:
        return Verdict(*LOCAL)
    what, port = f"service/{named['name']} in {quote(named['namespace'])}", named["port"]
    if service is None:
        return Verdict("ServiceNotFound", f"{what} is not present")
    spec = service["spec"]
    if spec.get("type") == "ClusterIP":
        names = [each.get("name", "") for each in spec.get("ports") or [] if each["port"] == port]
        if not names:
            return Verdict("ServicePortError", f"{what} is not listening on port {port}")
        found = [*slices]
        if not found:
            return Verdict("EndpointsNotFound", f"cannot find endpointslices for {what}")
        if not any(_answers(each, names[0]) for each in found):
            why = f"have no addresses with port name {quote(names[0])}"
            return Verdict("MissingEndpoints", f"endpointslices for {what} {why}")
    return Verdict("FailedDiscoveryCheck", f"{what} is not asked: this server hands no requests to others")


def _answers(endpoints: Document, port: str) -> bool:
    """Whether a slice has somebody ready at a port."""
    ready = any((each.get("conditions") or {}).get("ready", True) for each in endpoints.get("endpoints") or [])
    return ready and any(each.get("name") == port and "port" in each for each in endpoints.get("ports") or [])


def follow_apiservices(api: Api) -> "Availability":
    """Say of all APIServices whether they are available, from now on."""
    made = Availability(api)
    made.start()
    return made


class Availability:
    """All APIServices."""

    def __init__(self, api: Api) -> None:
        kinds = ((_GROUP, "apiservices"), ("", "services"), ("discovery.k8s.io", "endpointslices"))
        found = [api.registry.find(group, "v1", plural) for group, plural in kinds]
        self._kind, self._services, self._slices = (each for each in found if each is not None)
        self._store = api.store
        self._known: dict[str, Document] = {}
        self._next: asyncio.Handle | None = None
        self._loop = asyncio.get_running_loop()

    def start(self) -> None:
        """Take over what is stored, and listen."""
        prefix = self._kind.key("")
        self._ends = [
            self._store.listen(prefix, self._notice),
            *(self._store.listen(each.key(""), self._look_again) for each in (self._services, self._slices)),
        ]
        for record in self._store.list(prefix).records:
            self._notice(record)

    def close(self) -> None:
        """Follow them no more."""
        for end in self._ends:
            end()
        if self._next is not None:
            self._next.cancel()

    def _notice(self, record: Record) -> None:
        found = self._kind.view.document(record) if record.value is not None else None
        if found is not None:
            self._known[record.key] = found
            self._look_again(record)
        else:
            self._known.pop(record.key, None)

    def _look_again(self, _: Record) -> None:
        """Listeners may not write: it is looked a moment later, and most clusters have nothing to look at."""
        if self._known and self._next is None:
            self._next = self._loop.call_soon(self._look)

    def _look(self) -> None:
        self._next = None
        for key, found in [*self._known.items()]:
            named, old = found["spec"].get("service"), found.get("status") or {}
            there = self._behind(named["namespace"], named["name"]) if named is not None else (None, [])
            value = "False" if named is not None else "True"
            status = set_condition(old, "Available", value, *availability(named, *there), timestamp())
            if status != old:
                self._write(key, found | {"status": status, "metadata": {**found["metadata"]}}, found)

    def _behind(self, namespace: str, name: str) -> tuple[Document | None, list[Document]]:
        """A service, and the slices of its endpoints."""
        record = self._store.get(self._services.key(namespace, name))
        service = self._services.view.document(record) if record is not None else None
        every = [self._slices.view.document(each) for each in self._store.list(self._slices.key(namespace)).records]
        return service, [each for each in every if (each["metadata"].get("labels") or {}).get(_SERVICE_NAME) == name]

    def _write(self, key: str, made: Document, old: Document) -> None:
        meta = made["metadata"]
        tracking_of(self._kind, "status").track(old, made, _MANAGER, timestamp())

        def value(revision: int) -> bytes:
            meta["resourceVersion"] = str(revision)
            return self._kind.codec.write(made)

        self._store.commit(key, int(meta["resourceVersion"]), value)
