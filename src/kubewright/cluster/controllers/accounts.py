"""What every namespace has: a ServiceAccount `default`, a ConfigMap with the certificate of the cluster's authority.

Both are made when a namespace is, and made again when they are deleted; the ConfigMap is put right when it is changed.
"""

from typing import Final

from kubewright.cluster.call import Document
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.store import Record
from kubewright.cluster.wire.status import Failure

__all__ = ["RootCaPublisher", "ServiceAccountController"]

_NAMESPACES: Final = "/namespaces/"
_CONFIG_MAP: Final = "kube-root-ca.crt"
_DESCRIPTION: Final = "kubernetes.io/description"
_TEXT: Final = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the "
    "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes "
    "clusters."
)


class _Keeper:
    """Sees to it that each namespace has an object of a name."""

    def __init__(self, client: Internal, controller: str, plural: str, name: str) -> None:
        self._client = client
        self._store = client.api.store
        self._namespaces = client.resource("namespaces")
        self._resource = client.resource(plural)
        self._name = name
        self._queue = Queue(controller, self._work)

    def start(self) -> None:
        """Follow the store, and look at every namespace."""
        self._ends = [
            self._store.listen(_NAMESPACES, self._namespace),
            self._store.listen(self._resource.key(""), self._object),
        ]
        for record in self._store.list(_NAMESPACES).records:
            self._namespace(record)
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        for end in self._ends:
            end()
        await self._queue.stop()

    def _namespace(self, record: Record) -> None:
        if record.value is not None:
            self._queue.add(record.key[len(_NAMESPACES) :])

    def _object(self, record: Record) -> None:
        _, _, namespace, name = record.key.split("/", 3)
        if name == self._name and record.created != record.revision:
            self._queue.add(namespace)

    async def _work(self, namespace: str) -> None:
        there = self._client.document(self._namespaces, "", namespace)
        if there is None or "deletionTimestamp" in there["metadata"]:
            return
        found = self._client.document(self._resource, namespace, self._name)
        try:
            if found is None:
                await self._client.create(self._resource, namespace, self._made())
            elif (changed := self._changed(found)) is not None:
                await self._client.update(self._resource, namespace, self._name, changed)
        except Failure as failure:
            # The namespace went meanwhile, or somebody else was quicker.
            if failure.code not in (403, 404) and failure.document.get("reason") != "AlreadyExists":
                raise

    def _made(self) -> Document:
        return {"metadata": {"name": self._name}}

    def _changed(self, found: Document) -> Document | None:
        """What an object is to be changed to; None if it is well as it is."""
        return None


class ServiceAccountController(_Keeper):
    """Makes the account that pods run under if they name none."""

    def __init__(self, client: Internal) -> None:
        super().__init__(client, "serviceaccount-controller", "serviceaccounts", "default")


class RootCaPublisher(_Keeper):
    """Makes the certificate of the cluster's authority known."""

    def __init__(self, client: Internal, certificate: str) -> None:
        super().__init__(client, "root-ca-certificate-publisher-controller", "configmaps", _CONFIG_MAP)
        self._data = {"ca.crt": certificate}

    def _made(self) -> Document:
        return {"metadata": {"name": self._name, "annotations": {_DESCRIPTION: _TEXT}}, "data": self._data}

    def _changed(self, found: Document) -> Document | None:
        annotations = found["metadata"].get("annotations") or {}
        if found.get("data") == self._data and annotations.get(_DESCRIPTION):
            return None
        found["metadata"]["annotations"] = annotations | {_DESCRIPTION: _TEXT}
        return found | {"data": self._data}
