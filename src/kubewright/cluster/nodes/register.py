"""Nodes register: they are made where they are missing, and say of themselves that they are ready."""

import contextlib
from typing import Any, Final

from kubewright import clock
from kubewright.client.client import Client
from kubewright.client.errors import AlreadyExists, Conflict
from kubewright.cluster.nodes.node import Shape, make_node, node_name, node_status

__all__ = ["register"]

_NODES: Final = "/api/v1/nodes"
_NEW: Final = "node.kubernetes.io/not-ready"


async def register(client: Client, count: int, shape: Shape, port: int = 0) -> None:
    """Register so many nodes; `port` is that of their kubelets, 0 if they have none yet."""
    now = clock.now().timestamp()
    for index in range(count):
        with contextlib.suppress(AlreadyExists):
            await client.create(_NODES, make_node(index, shape), fieldManager="kubelet")
        path = f"{_NODES}/{node_name(index)}"
        status = {"status": node_status(index, shape, now, port)}
        await _untaint(client, path, await client.patch(f"{path}/status", "strategic", status, fieldManager="kubelet"))


async def _untaint(client: Client, path: str, node: dict[str, Any]) -> None:
    """Take away what the server says of every new node: that it is not ready. Now it is."""
    taints = node["spec"].get("taints") or []
    others = [taint for taint in taints if taint["key"] != _NEW]
    if others == taints:
        return
    version = {"resourceVersion": node["metadata"]["resourceVersion"]}
    # Where a node lifecycle controller runs, it may be quicker.
    with contextlib.suppress(Conflict):
        await client.patch(
            path, "merge", {"metadata": version, "spec": {"taints": others or None}}, fieldManager="kubelet"
        )
