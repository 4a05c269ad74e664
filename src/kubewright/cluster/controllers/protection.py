"""Claims, volumes and classes in use do not go: their finalizer is taken away when nobody uses them any more.

A claim is in use while a pod on a node names it; a volume while a claim is bound to it; a class of attributes while a
claim or a volume has it, or a claim is to get it. The finalizers are put on when the objects are made
(`admission/protection.py`); here is who takes them off, when deletion has begun.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from kubewright.cluster.call import Document
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.queue import Queue
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.wire.status import Failure

__all__ = ["ClaimProtection", "ClassProtection", "VolumeProtection", "claims_of", "classes_of", "is_volume_used"]

_PODS: Final = "/pods/"
_CLAIMS: Final = "/persistentvolumeclaims/"
_VOLUMES: Final = "/persistentvolumes/"


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


def classes_of(obj: Document) -> Iterator[str]:
    """The classes of attributes, by name, that a claim or a volume keeps from going."""
    status = obj.get("status") or {}
    yield obj["spec"].get("volumeAttributesClassName") or ""
    yield status.get("currentVolumeAttributesClassName") or ""
    yield (status.get("modifyVolumeStatus") or {}).get("targetVolumeAttributesClassName") or ""


class _Protection:
    """Takes a finalizer off objects of a kind that are going and are not in use."""

    def __init__(self, client: Internal, controller: str, resource: Resource, finalizer: str) -> None:
        self._client = client
        self._store = client.api.store
        self._resource = resource
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
        claims = client.resource("persistentvolumeclaims")
        super().__init__(client, "persistentvolumeclaim-protection-controller", claims, finalizer)

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
        volumes = client.resource("persistentvolumes")
        super().__init__(client, "persistentvolume-protection-controller", volumes, finalizer)

    def _is_used(self, found: Document) -> bool:
        return is_volume_used(found)


class ClassProtection(_Protection):
    """Lets classes of attributes go that no claim and no volume has."""

    def __init__(self, client: Internal) -> None:
        finalizer = "kubernetes.io/vac-protection"
        classes = client.resource("volumeattributesclasses", "storage.k8s.io")
        super().__init__(client, "volumeattributesclass-protection-controller", classes, finalizer)

    def start(self) -> None:
        super().start()
        self._ends += [self._store.listen(prefix, self._user) for prefix in (_CLAIMS, _VOLUMES)]

    def _user(self, record: Record) -> None:
        """What changed may have let go of its class."""
        for each in self._store.list(self._resource.key("")).records:
            self._object(each)

    def _is_used(self, found: Document) -> bool:
        users = [record for prefix in (_CLAIMS, _VOLUMES) for record in self._store.list(prefix).records]
        name = found["metadata"]["name"]
        return any(name in classes_of(msgspec.json.decode(user.value)) for user in users if user.value is not None)
