"""The chain: what the server's own plugins make of a write before it is judged, and what they refuse.

    await admit(call, obj, old)    # before the kind's strategy prepares the object: changes it in place, or refuses
    await vet(call, obj, old)      # when it is known to be valid: refuses

What the client changed, and whose each field is, is known by then: nobody owns what a plugin fills in. A plugin is a
function of the same form, or a coroutine function; which kinds it looks at stands in the tables, in the order in which
kube-apiserver runs them, and it is imported when such a kind is first written.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from kubewright.cluster.call import Call
from kubewright.cluster.wire.status import Failure, forbidden

__all__ = ["admit", "concerned", "refused", "vet"]

Document = dict[str, Any]
Plugin = Callable[[Call, Document, Document | None], Awaitable[None] | None]

#: By resource or subresource.
_ADMITTING: Final[dict[str, tuple[str, ...]]] = {
    "certificatesigningrequests.certificates.k8s.io": ("certificates.name_requester",),
    "certificatesigningrequests.certificates.k8s.io/approval": ("certificates.date_conditions",),
    "certificatesigningrequests.certificates.k8s.io/status": ("certificates.date_conditions",),
    "clusterrolebindings.rbac.authorization.k8s.io": ("escalation.check_binding",),
    "clusterroles.rbac.authorization.k8s.io": ("escalation.check_role",),
    "ingresses.networking.k8s.io": ("classes.give_ingress_class",),
    "nodes": ("taints.add_taint",),
    "persistentvolumeclaims": ("classes.give_storage_class", "protection.protect"),
    "persistentvolumes": ("protection.protect",),
    "pods": (
        "accounts.give_account",
        "priorities.give_priority",
        "tolerations.add_tolerations",
        "runtimes.give_runtime",
    ),
    "rolebindings.rbac.authorization.k8s.io": ("escalation.check_binding",),
    "roles.rbac.authorization.k8s.io": ("escalation.check_role",),
    "volumeattributesclasses.storage.k8s.io": ("protection.protect",),
}
_VETTING: Final[dict[str, tuple[str, ...]]] = {
    "persistentvolumeclaims": ("resizing.check_growth",),
    "pods": ("runtimes.check_overhead",),
    "pods/ephemeralcontainers": ("accounts.check_secrets",),
    "priorityclasses.scheduling.k8s.io": ("priorities.check_default",),
}


async def admit(call: Call, obj: Document, old: Document | None) -> None:
    """Let the plugins change an object that is to be created, or to replace `old`."""
    await _run(_ADMITTING, call, obj, old)


async def vet(call: Call, obj: Document, old: Document | None) -> None:
    """Let the plugins judge it as it would be stored."""
    await _run(_VETTING, call, obj, old)


def concerned(call: Call) -> bool:
    """Whether any plugin looks at such a write: what it says may be another the next time."""
    return not call.resource.custom and (_place(call) in _ADMITTING or _place(call) in _VETTING)


def _place(call: Call) -> str:
    place = call.resource.qualified
    return place if call.subresource is None else f"{place}/{call.subresource.name}"


async def _run(table: Mapping[str, tuple[str, ...]], call: Call, obj: Document, old: Document | None) -> None:
    if call.resource.custom:
        return
    for name in table.get(_place(call), ()):
        waited = _plugin(name)(call, obj, old)
        if waited is not None:
            await waited


@cache
def _plugin(place: str) -> Plugin:
    module, _, name = place.rpartition(".")
    found: Plugin = getattr(import_module(f"{__package__}.{module}"), name)
    return found


def refused(call: Call, obj: Document, why: str) -> Failure:
    """The refusal of an object that may have no name yet."""
    meta = obj["metadata"]
    return forbidden(call.named(call.name or meta.get("name") or meta.get("generateName") or "Unknown"), why)
