"""The heartbeat of nodes: each holds a Lease in kube-node-lease and renews it, so that nobody takes it for dead.

A controller like the others: it looks at each of our nodes again when the lease is to be renewed.
"""

from datetime import datetime
from typing import Any, Final

import kubewright as kw
from kubewright import clock
from kubewright.client.endpoint import Endpoint
from kubewright.client.errors import Conflict, NotFound
from kubewright.cluster.nodes.node import make_lease
from kubewright.cluster.nodes.scheduler import NODES
from kubewright.controller.declaration import Controller

__all__ = ["CRDS", "Heartbeat"]

Document = dict[str, Any]

_LEASES: Final[Endpoint[Document]] = Endpoint("coordination.k8s.io", "v1", "leases", "Lease", True)
CRDS: Final[Endpoint[Document]] = Endpoint(
    "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", False
)
_NAMESPACE: Final = "kube-node-lease"
_MANAGER: Final = "kubelet"
#: Seconds between two beats: half of what the lease is good for.
_PAUSE: Final = 20.0


class Heartbeat:
    """Keeps our nodes alive."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._leases: dict[str, Document] = {}

    @property
    def controller(self) -> Controller[Any, Any]:
        """The declaration."""
        # Who looks for Stages wants to know when there can be any; this one has nothing to do then.
        watches = [kw.watch(CRDS, map=lambda crd: ())]
        return kw.controller(NODES, status=False, watches=watches, name="node-heartbeat")(self.beat)

    async def beat(self, node: Document, ctx: kw.Context) -> kw.Requeue | None:
        """Renew the lease of a node."""
        name = node["metadata"]["name"]
        if name not in self._names:
            return None
        lease = self._leases.get(name)
        moment = clock.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        wanted = make_lease(name, node["metadata"]["uid"], moment)
        if lease is not None:
            due = self._due(lease)
            if due > 0:
                return kw.Requeue(due)
            wanted["metadata"]["resourceVersion"] = lease["metadata"]["resourceVersion"]
        try:
            self._leases[name] = await self._write(wanted, lease, ctx)
        except (Conflict, NotFound):
            # Somebody else has written or deleted it: see how it is, and go on from there.
            self._leases.pop(name, None)
            return kw.Requeue(0.0)
        return kw.Requeue(_PAUSE)

    async def _write(self, wanted: Document, lease: Document | None, ctx: kw.Context) -> Document:
        name = wanted["metadata"]["name"]
        if lease is None:
            try:
                lease = await ctx.live.get(_LEASES, name, _NAMESPACE)
            except NotFound:
                return await ctx.live.create(wanted, namespace=_NAMESPACE, field_manager=_MANAGER)
            wanted["metadata"]["resourceVersion"] = lease["metadata"]["resourceVersion"]
        return await ctx.live.update(wanted, namespace=_NAMESPACE, field_manager=_MANAGER)

    def _due(self, lease: Document) -> float:
        renewed = datetime.fromisoformat(lease["spec"]["renewTime"])
        return _PAUSE - (clock.now() - renewed).total_seconds()
