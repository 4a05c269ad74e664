"""A new node is not ready, and says so before anything is put on it; who finds it ready takes the taint away."""

from typing import Any, Final

from kubewright.cluster.call import Call

__all__ = ["add_taint"]

Document = dict[str, Any]

_NOT_READY: Final = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


def add_taint(call: Call, node: Document, old: Document | None) -> None:
    """Taint a new node."""
    if old is not None:
        return
    taints: list[Document] = node["spec"].get("taints") or []
    if not any(_NOT_READY.items() <= taint.items() for taint in taints):
        node["spec"]["taints"] = [*taints, {**_NOT_READY}]
