"""Claims and volumes in use do not go: their finalizer is taken away when nobody uses them any more.

A claim is in use while a pod on a node names it; a volume while a claim is bound to it. The finalizers are put
on when the objects are made (`admission/protection.py`); here is who takes them off, when deletion has begun.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from kubewright.cluster.call import Document
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.store import Record
from kubewright.cluster.wire.status import Failure

__all__ = ["ClaimProtection", "VolumeProtection", "claims_of", "is_volume_used"]

_PODS: Final = "/pods/"
_CLAIMS: Final = "/persistentvolumeclaims/"


def claims_of(pod: Document) -> Iterator[str]:
    """The claims, by name, that a pod keeps from going: none until it is placed on a node."""
    if not pod["spec"].get("nodeName"):
        return
    meta = pod["metadata"]
    ended = "deletionTimestamp" in meta and not meta.get("deletionGracePeriodSeconds")
    for volume in pod["spec"].get("volumes") or []:
        if "persistentVolumeClaim" in volume:
            yield volume["persistentVolumeClaim"]["claimName"]
        elif "ephemeral" in volume and not ended:
            # A claim of the pod's own is not waited for by both.
            yield f"{meta['name']}-{volume['name']}"


def is_volume_used(volume: Document) -> bool:
    """Whether a volume is bound to a claim."""
    return (volume.get("status") or {}).get("phase") == "Bound"


class _Protection:
    """Takes a finalizer off objects of a kind that are going and are not in use."""

    def __init__(self, client: Internal, controller: str, plural: str, finalizer: str) -> None:
        self._client = client
        self._store = client.api.store
        self._resource = client.resource(plural)
        self._finalizer = finalizer
        self._queue = Queue(controller, self._work)

    def start(self) -> None:
        """Follow the store, and look at every object that is there."""
        prefix = self._resource.key("")
        self._ends = [self._store.listen(prefix, self._object)]
        for record in self._store.list(prefix).records:
            self._object(record)
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        for end in self._ends:
            end()
        await self._queue.stop()

    def _object(self, record: Record) -> None:
        if record.value is not None and b'"deletionTimestamp"' in record.value:
            self._queue.add(record.key.partition(f"/{self._resource.storage}/")[2])

    async def _work(self, key: str) -> None:
        namespace, _, name = key.rpartition("/")
        found = self._client.document(self._resource, namespace, name)
        if found is None or "deletionTimestamp" not in found["metadata"]:
            return
        finalizers = found["metadata"].get("finalizers") or []
        if self._finalizer not in finalizers or self._is_used(found):
            return
        found["metadata"]["finalizers"] = [each for each in finalizers if each != self._finalizer]
        try:
            await self._client.update(self._resource, namespace, name, found)
        except Failure as failure:
            if failure.code != 404:  # somebody else was quicker
                raise

    def _is_used(self, found: Document) -> bool:
        raise NotImplementedError


class ClaimProtection(_Protection):
    """Lets claims go that no pod uses."""

    def __init__(self, client: Internal) -> None:
        finalizer = "kubernetes.io/pvc-protection"
        super().__init__(client, "persistentvolumeclaim-protection-controller", "persistentvolumeclaims", finalizer)

    def start(self) -> None:
        super().start()
        self._ends.append(self._store.listen(_PODS, self._pod))

    def _pod(self, record: Record) -> None:
        """A pod that changed may have let go of its claims."""
        namespace = record.key.split("/", 3)[2]
        for claim in self._store.list(f"{_CLAIMS}{namespace}/").records:
            self._object(claim)

    def _is_used(self, found: Document) -> bool:
        meta = found["metadata"]
        pods = self._store.list(f"{_PODS}{meta['namespace']}/").records
        return any(meta["name"] in claims_of(msgspec.json.decode(pod.value)) for pod in pods if pod.value is not None)


class VolumeProtection(_Protection):
    """Lets volumes go that are bound to no claim."""

    def __init__(self, client: Internal) -> None:
        finalizer = "kubernetes.io/pv-protection"
        super().__init__(client, "persistentvolume-protection-controller", "persistentvolumes", finalizer)

    def _is_used(self, found: Document) -> bool:
        return is_volume_used(found)
