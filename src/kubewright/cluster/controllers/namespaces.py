"""The namespace controller: empties namespaces that are being deleted, and lets them go.

It begins a moment after a namespace is deleted, so that whoever deletes it sees that it ends; a real one waits five
seconds, for other servers to hear of it. What has finalizers is waited for: the moment the last of it is gone the
namespace goes on, and every few seconds the conditions are brought up to date, as a real one does.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from kubewright import clock
from kubewright.cluster.call import Document, timestamp
from kubewright.cluster.controllers.internal import Internal
from kubewright.cluster.controllers.kinds import Kinds
from kubewright.cluster.controllers.queue import Queue, Slice
from kubewright.cluster.controllers.terminate import (
    Remains,
    conditions,
    estimate_pods,
    remaining_finalizers,
    seconds_to_wait,
)
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record
from kubewright.cluster.verbs.list import slices
from kubewright.cluster.verbs.options import DeleteOptions
from kubewright.cluster.wire.status import Failure

__all__ = ["NamespaceController"]

_PREFIX: Final = "/namespaces/"
_BACKGROUND: Final = DeleteOptions(propagation="Background")
#: So many seconds after its deletion a namespace is emptied.
_MOMENT: Final = 0.1
#: The most seconds between two tries.
_LONGEST: Final = 60.0


class _Meta(msgspec.Struct):
    finalizers: list[str] | None = None


class _Head(msgspec.Struct):
    metadata: _Meta


_head = msgspec.json.Decoder(_Head).decode


class NamespaceController:
    """The controller."""

    def __init__(self, client: Internal, kinds: Kinds) -> None:
        self._client = client
        self._kinds = kinds
        self._store = client.api.store
        self._namespaces = client.resource("namespaces")
        self._queue = Queue("namespace-controller", self._work, longest=_LONGEST)
        #: Of namespaces that we are at: the keys of what is left in them.
        self._left: dict[str, set[str]] = {}

    def start(self) -> None:
        """Follow the store, and go on with what was begun."""
        self._end = self._store.listen("/", self._notice)
        for record in self._store.list(_PREFIX).records:
            self._notice(record)
        self._queue.start()

    async def stop(self) -> None:
        """Follow it no more."""
        self._end()
        await self._queue.stop()

    def _notice(self, record: Record) -> None:
        key = record.key
        if key.startswith(_PREFIX):
            name = key[len(_PREFIX) :]
            if record.value is not None and b'"deletionTimestamp"' in record.value:
                # Once we are at it we come back by ourselves.
                if name not in self._left:
                    self._queue.add_after(name, _MOMENT)
            else:
                self._left.pop(name, None)
        elif self._left and record.value is None:
            namespace = key.split("/", 3)[2]
            left = self._left.get(namespace)
            if left is not None and key in left:
                left.discard(key)
                if not left:
                    self._queue.add(namespace)

    async def _work(self, name: str) -> None:
        namespace = self._client.document(self._namespaces, "", name)
        if namespace is None or "deletionTimestamp" not in namespace["metadata"]:
            return
        if not namespace["spec"].get("finalizers"):
            return
        left = self._left[name] = set()
        namespace = await self._terminating(namespace)
        contents = self._kinds.contents()
        found = await self._empty([each for each in contents if each.storage == "pods"], namespace, left)
        shown: list[Remains] = []
        if not left:
            found += await self._empty([each for each in contents if each.storage != "pods"], namespace, left)
            shown = found
        problems = [problem for each in found if (problem := each.problem(name))]
        namespace = await self._tell(namespace, shown, problems)
        wait = seconds_to_wait(found)
        if problems:
            self._queue.fail(name)
        elif wait and left:
            self._queue.add_after(name, wait)
        elif wait:
            self._queue.add(name)  # the last of it went meanwhile
        else:
            await self._finalize(namespace)

    async def _terminating(self, namespace: Document) -> Document:
        """Say that a namespace ends, if it does not say so itself."""
        if namespace["status"].get("phase") == "Terminating":
            return namespace
        namespace["status"]["phase"] = "Terminating"
        name = namespace["metadata"]["name"]
        return await self._client.update(self._namespaces, "", name, namespace, "status")

    async def _empty(self, resources: Iterable[Resource], namespace: Document, left: set[str]) -> list[Remains]:
        """Delete the objects of some resources; what is left of each, and the keys of it."""
        meta = namespace["metadata"]
        name, part = meta["name"], Slice()
        found = []
        for resource in resources:
            prefix = resource.key(name)
            if not self._store.count(prefix):
                continue
            grace = await self._grace(resource, name, meta["deletionTimestamp"], part)
            error = await self._delete(resource, name)
            held: Counter[str] = Counter()
            count = 0
            if self._store.count(prefix):  # to list what was deleted takes long
                async for records in slices(self._store, prefix, self._store.revision):
                    for record in records:
                        assert record.value is not None
                        held.update(_head(record.value).metadata.finalizers or ())
                    left.update(record.key for record in records)
                    count += len(records)
            found.append(Remains(resource.group, resource.version, resource.names.plural, count, held, grace, error))
            await part.turn()
        return found

    async def _delete(self, resource: Resource, namespace: str) -> str:
        """Delete the objects of a resource; why the first that cannot be deleted cannot."""
        try:
            await self._client.delete_all(resource, namespace, _BACKGROUND)
        except Failure as failure:
            return str(failure)
        return ""

    async def _grace(self, resource: Resource, namespace: str, deleted: str, part: Slice) -> int:
        """How many seconds the objects of a resource may take to end themselves."""
        if resource.storage != "pods":
            return 0
        pods = []
        async for records in slices(self._store, resource.key(namespace), self._store.revision):
            for record in records:
                pods.append(resource.view.document(record))
                await part.turn()
        return estimate_pods(pods, deleted, clock.now())

    async def _tell(self, namespace: Document, remains: list[Remains], problems: list[str]) -> Document:
        """Write the conditions, if they are new."""
        old = namespace["status"].get("conditions") or []
        new = conditions(old, remains, problems, timestamp())
        if new == old:
            return namespace
        namespace["status"]["conditions"] = new
        name = namespace["metadata"]["name"]
        return await self._client.update(self._namespaces, "", name, namespace, "status")

    async def _finalize(self, namespace: Document) -> None:
        name = namespace["metadata"]["name"]
        namespace["spec"]["finalizers"] = remaining_finalizers(namespace["spec"]["finalizers"])
        await self._client.update(self._namespaces, "", name, namespace, "finalize")
