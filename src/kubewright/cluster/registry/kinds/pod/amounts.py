"""Amounts of resources: of one container, of all containers together, and of the pod as a whole.

Init containers run one after the other before all others; those that go on running (sidecars) count beside whatever
comes after them. So a pod needs the larger of what runs in the end and what runs at any time before.
"""

from typing import Any, Final

from kubewright.cluster.registry.rules.quantities import added, quantity
from kubewright.model.quantity import Quantity

__all__ = ["default_pod_resources", "is_hugepage", "is_native", "is_overcommitted", "is_sidecar", "total"]

Document = dict[str, Any]
Amounts = dict[str, Quantity]

_HUGE: Final = "hugepages-"
_DOMAIN: Final = "kubernetes.io/"


def is_hugepage(name: str) -> bool:
    """Whether a resource is memory in large pages."""
    return name.startswith(_HUGE)


def is_native(name: str) -> bool:
    """Whether a resource is Kubernetes' own."""
    return "/" not in name or _DOMAIN in name


def is_overcommitted(name: str) -> bool:
    """Whether more of a resource may be promised than there is."""
    return is_native(name) and not is_hugepage(name)


def is_sidecar(container: Document) -> bool:
    """Whether an init container goes on running."""
    return container.get("restartPolicy") == "Always"


def total(spec: Document, what: str) -> Amounts:
    """The `requests` or `limits` of all containers of a pod together."""
    running: Amounts = {}
    sidecars: Amounts = {}
    before: Amounts = {}
    for container in spec.get("containers") or ():
        _add(running, _amounts(container, what))
    for container in spec.get("initContainers") or ():
        own = _amounts(container, what)
        if is_sidecar(container):
            _add(running, own)
            _add(sidecars, own)
            _raise(before, sidecars)
        else:
            _add(own, sidecars)
            _raise(before, own)
    _raise(running, before)
    return running


def _amounts(container: Document, what: str) -> Amounts:
    return {name: quantity(text) for name, text in (container["resources"].get(what) or {}).items()}


def _add(to: Amounts, amounts: Amounts) -> None:
    for name, amount in amounts.items():
        to[name] = added(to[name], amount) if name in to else amount


def _raise(to: Amounts, amounts: Amounts) -> None:
    for name, amount in amounts.items():
        if name not in to or amount > to[name]:
            to[name] = amount


def default_pod_resources(spec: Document) -> None:
    """Fill in what a pod as a whole asks for, in place, if it says a part of that: from its containers, from limits."""
    resources = spec["resources"]
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    if not limits and not requests:
        return
    given = {*requests}
    huge = {name: str(amount) for name, amount in total(spec, "limits").items() if is_hugepage(name)}
    if limits := {**{name: text for name, text in huge.items() if name not in given}, **limits}:
        resources["limits"] = limits
        whole = {name: str(amount) for name, amount in total(spec, "requests").items()}
        asked = {name: text for name, text in whole.items() if name in ("cpu", "memory")}
        capped = {name: text for name, text in limits.items() if name in ("cpu", "memory") or is_hugepage(name)}
        if requests := {**capped, **asked, **requests}:
            resources["requests"] = requests
