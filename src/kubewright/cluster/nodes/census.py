"""Who lives where: which nodes there are, what is taken on each, and which addresses.

It listens to the caches of nodes and pods (`hear_node`, `hear_pod`) and keeps sums, so that a decision costs the same
with ten pods as with ten thousand. What the scheduler has just decided counts at once (`assume`), before the pod has
told it.
"""

import ipaddress
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from kubewright.cache import Change
from kubewright.cluster.nodes.fit import Candidate, demand_of

__all__ = ["Census"]

Document = dict[str, Any]
_OVER: Final = ("Succeeded", "Failed")


class _Spec(msgspec.Struct, rename="camel", gc=False):
    node_name: str = ""


class _Status(msgspec.Struct, rename={"phase": "phase", "pod_ip": "podIP"}, gc=False):
    phase: str = ""
    pod_ip: str = ""


class _Pod(msgspec.Struct, gc=False):
    spec: _Spec
    status: _Status


_pod = msgspec.json.Decoder(_Pod).decode


class _Resident(msgspec.Struct, gc=False):
    """A pod that has a node."""

    node: str
    demand: dict[str, int]
    counted: bool = True
    address: str = ""


class Census:
    """All nodes and their pods."""

    def __init__(self) -> None:
        #: Nodes by name, in the order in which they came.
        self.candidates: dict[str, Candidate] = {}
        #: What is taken of each.
        self.used: dict[str, dict[str, int]] = {}
        self._residents: dict[str, _Resident] = {}
        self._taken: set[str] = set()
        self._networks: dict[str, Iterator[str]] = {}
        #: Called when there may be room where there was none.
        self.freed: Callable[[], None] = lambda: None

    # What the caches tell.

    def hear_node(self, change: Change) -> None:
        """A node came, changed or went."""
        if change.new is None:
            self.candidates.pop(change.key.name, None)
        else:
            self.candidates[change.key.name] = Candidate.of(change.new.document())
        self.freed()

    def hear_pod(self, change: Change) -> None:
        """A pod came, changed or went."""
        if change.new is None:
            assert change.old is not None
            self._leave(change.old.uid)
            return
        if change.old is not None and change.old.uid != change.new.uid:
            self._leave(change.old.uid)
        pod = _pod(change.new.raw)
        if not pod.spec.node_name:
            return
        uid = change.new.uid
        resident = self._residents.get(uid)
        if resident is None:
            resident = self.assume(uid, pod.spec.node_name, demand_of(change.new.document()["spec"]))
        if pod.status.pod_ip and not resident.address:
            resident.address = pod.status.pod_ip
            self._taken.add(resident.address)
        if pod.status.phase in _OVER and resident.counted:
            self._discount(resident)

    # What is decided.

    def assume(self, uid: str, node: str, demand: dict[str, int]) -> _Resident:
        """A pod is on a node from now on."""
        resident = self._residents[uid] = _Resident(node, demand)
        used = self.used.setdefault(node, {})
        for name, amount in demand.items():
            used[name] = used.get(name, 0) + amount
        return resident

    def forget(self, uid: str) -> None:
        """A pod is on no node after all."""
        self._leave(uid)

    def address(self, uid: str, network: str) -> str:
        """The address of a pod, a free one of that network if it has none."""
        resident = self._residents[uid]
        if not resident.address:
            resident.address = self._free(network)
            self._taken.add(resident.address)
        return resident.address

    def lives(self, uid: str) -> bool:
        """Whether a pod is known to be on a node."""
        return uid in self._residents

    # Within.

    def _free(self, network: str) -> str:
        # Round and round, so that an address is not used again at once.
        while True:
            walk = self._networks.get(network)
            if walk is None:
                walk = self._networks[network] = map(str, ipaddress.ip_network(network).hosts())
                next(walk)  # the node's own
            for address in walk:
                if address not in self._taken:
                    return address
            del self._networks[network]

    def _leave(self, uid: str) -> None:
        resident = self._residents.pop(uid, None)
        if resident is not None:
            self._taken.discard(resident.address)
            if resident.counted:
                self._discount(resident)

    def _discount(self, resident: _Resident) -> None:
        resident.counted = False
        used = self.used[resident.node]
        for name, amount in resident.demand.items():
            used[name] -= amount
        self.freed()
