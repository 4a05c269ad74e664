"""Namespaces: nothing is made in one that is not there or is going; and what is never deleted."""

from typing import Any, Final

import msgspec

from kubewright.cluster.call import Call
from kubewright.cluster.wire.status import Target, forbidden, not_found

__all__ = ["admit_content", "admit_deletion"]

#: What is never deleted, and what is said then.
_IMMORTAL: Final = {
    "namespaces": (("default", "kube-system", "kube-public"), "this namespace may not be deleted"),
    "priorityclasses.scheduling.k8s.io": (
        ("system-cluster-critical", "system-node-critical"),
        "this is a system priority class and cannot be deleted",
    ),
}


def admit_content(call: Call, operation: str, name: str = "") -> None:
    """Before an object is created or updated; `name` is that of a new one."""
    target = call.named(name or call.name)
    if operation == "create" and (why := call.resource.strategy.closed):
        raise forbidden(target, why)
    if not call.resource.namespaced:
        return
    record = call.api.store.get(f"/namespaces/{call.namespace}")
    if record is None or record.value is None:
        raise not_found(Target("", "namespaces", "Namespace", call.namespace))
    if operation != "create" or record.value.find(b'"Terminating"') < 0:
        return
    namespace: dict[str, Any] = msgspec.json.decode(record.value)
    if namespace.get("status", {}).get("phase") == "Terminating":
        message = f"namespace {call.namespace} is being terminated"
        cause = {"reason": "NamespaceTerminating", "message": message, "field": "metadata.namespace"}
        why = f"unable to create new content in namespace {call.namespace} because it is being terminated"
        raise forbidden(target, why, [cause])


def admit_deletion(call: Call) -> None:
    """Before an object is deleted."""
    names, why = _IMMORTAL.get(call.resource.storage, ((), ""))
    if call.name in names:
        raise forbidden(call.target, why)
