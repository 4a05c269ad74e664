"""Addresses and node ports, each free or taken.

What is taken stands in the store, under a key of its own: an address as an IPAddress object, as in kube-apiserver, a
port under a key that no resource has. Whoever makes the key has it, so no two services get the same, whatever happens
between; it is kept over a restart, and nothing has to be searched.

Services get random ones from the upper part of each range; the lower part is left to those who ask for one by number,
until the upper part is full.
"""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from typing import Any, Final

import msgspec

from kubewright import clock
from kubewright.cluster.store import Conflict, Store
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.entropy import Entropy

__all__ = ["NETWORK", "Addresses", "NodePorts", "Refused", "Taken"]

NETWORK: Final = IPv4Network("10.0.0.0/24")
_FIRST, _LAST, _LOWER_ADDRESSES = 1, 254, 16
_PORTS: Final = range(30000, 32768)
_LOWER_PORTS: Final = 86
#: Where a dry run begins to count ports; it takes none.
_DUMMY_PORT: Final = 32768
_ADDRESS: Final = "/ipaddresses.networking.k8s.io/"
_PORT: Final = "/ranges/servicenodeports/"
_LABELS: Final = {
    "ipaddress.kubernetes.io/ip-family": "IPv4",
    "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
}
_OWNED: Final[dict[str, Any]] = {
    "f:metadata": {"f:labels": {".": {}} | {f"f:{name}": {} for name in _LABELS}},
    "f:spec": {"f:parentRef": {".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {}}},
}


class Refused(Exception):
    """What is asked for cannot be had; the text says why."""


class Taken:
    """What one write takes and gives back: all of it, or, if it fails, nothing."""

    def __init__(self, store: Store, entropy: Entropy, *, dry_run: bool) -> None:
        self.store = store
        self.entropy = entropy
        self.dry_run = dry_run
        self._taken: list[str] = []
        self._given: list[str] = []

    def take(self, key: str, value: Callable[[int], bytes]) -> bool:
        """Whether a key was free, and is ours now."""
        try:
            self.store.commit(key, 0, value)
        except Conflict:
            return False
        self._taken.append(key)
        return True

    def give_back(self, key: str) -> None:
        """Free a key, once all is done."""
        self._given.append(key)

    def settle(self, *, done: bool) -> None:
        """Free what is not needed any more; if it was not `done`, what was not needed after all."""
        for key in self._given if done else self._taken:
            record = self.store.get(key)
            if record is not None and not self.dry_run:
                self.store.commit(key, record.revision, None)


class Addresses:
    """The addresses of services."""

    def __init__(self, taken: Taken, namespace: str, name: str) -> None:
        self._taken = taken
        self._parent = {"resource": "services", "namespace": namespace, "name": name}

    def take(self, address: IPv4Address | IPv6Address) -> None:
        """Take that address."""
        inside = address in NETWORK and _FIRST <= int(address) - int(NETWORK.network_address) <= _LAST
        if self._taken.dry_run:
            if not inside:
                why = f"the provided IP ({address}) is not in the valid range"
                raise Refused(f"{why}. The range of valid IPs is {NETWORK}")
        elif not inside:
            raise Refused("the provided network does not match the current range")
        elif not self._take(str(address)):
            raise Refused("provided IP is already allocated")

    def take_any(self) -> str:
        """Take one."""
        if self._taken.dry_run:
            return str(NETWORK.network_address)
        for offset in _places(self._taken.entropy, _LOWER_ADDRESSES, _LAST):
            address = str(NETWORK.network_address + _FIRST + offset)
            if self._take(address):
                return address
        raise Refused("range is full")

    def give_back(self, address: str) -> None:
        """Give one back."""
        self._taken.give_back(_ADDRESS + address)

    def _take(self, address: str) -> bool:
        key = _ADDRESS + address
        return self._taken.store.get(key) is None and self._taken.take(key, lambda at: self._object(address, at))

    def _object(self, address: str, revision: int) -> bytes:
        now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        owner: dict[str, Any] = {"manager": "kube-apiserver", "operation": "Update", "time": now}
        owner |= {"apiVersion": "networking.k8s.io/v1", "fieldsType": "FieldsV1", "fieldsV1": _OWNED}
        meta: dict[str, Any] = {"name": address, "uid": self._taken.entropy.uid(), "resourceVersion": str(revision)}
        meta |= {"creationTimestamp": now, "labels": _LABELS, "managedFields": [owner]}
        obj: dict[str, Any] = {"kind": "IPAddress", "apiVersion": "networking.k8s.io/v1", "metadata": meta}
        return builtin_codec("networking.k8s.io", "v1", "IPAddress").write(obj | {"spec": {"parentRef": self._parent}})


class NodePorts:
    """The ports of nodes on which services are reached."""

    def __init__(self, taken: Taken, namespace: str, name: str) -> None:
        self._taken = taken
        self._owner = msgspec.json.encode({"metadata": {"name": name, "namespace": namespace}})
        #: In a dry run: what would have been taken.
        self._dummies: list[int] = []

    def take(self, port: int) -> None:
        """Take that port."""
        if self._taken.dry_run:
            if port in self._dummies or self._taken.store.get(_key(port)) is not None:
                raise Refused("provided port is already allocated")
            self._dummies.append(port)
        elif port not in _PORTS:
            valid = f"{_PORTS[0]}-{_PORTS[-1]}"
            raise Refused(f"provided port is not in the valid range. The range of valid ports is {valid}")
        elif not self._take(port):
            raise Refused("provided port is already allocated")

    def take_any(self) -> int:
        """Take one."""
        if self._taken.dry_run:
            self._dummies.append(max(self._dummies, default=_DUMMY_PORT) + 1)
            return self._dummies[-1]
        for offset in _places(self._taken.entropy, _LOWER_PORTS, len(_PORTS)):
            if self._take(_PORTS[offset]):
                return _PORTS[offset]
        raise Refused("range is full")

    def give_back(self, port: int) -> None:
        """Give one back."""
        self._taken.give_back(_key(port))

    def _take(self, port: int) -> bool:
        return self._taken.store.get(_key(port)) is None and self._taken.take(_key(port), lambda _: self._owner)


def _key(port: int) -> str:
    return f"{_PORT}{port}"


def _places(entropy: Entropy, lower: int, size: int) -> Iterator[int]:
    """Where to look, from a random place on: first in the upper part of a range, then in the lower one."""
    for first, count in ((lower, size - lower), (0, lower)):
        start = int(entropy.fraction() * count)
        yield from (first + (start + step) % count for step in range(count))
