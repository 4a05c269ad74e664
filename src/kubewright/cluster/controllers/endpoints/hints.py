"""Hints for whom an endpoint is meant, where a Service prefers what is near (`trafficDistribution`). Pure.

Each ready endpoint is then for its own zone, and with PreferSameNode for its own node too. Endpoints of other Services
have no hints; those that were left by somebody are taken away.
"""

from typing import Any, Final

from kubewright.k8s.core.v1 import Service

__all__ = ["hint"]

Document = dict[str, Any]

_NEAR: Final = ("PreferClose", "PreferSameZone", "PreferSameNode")


def hint(service: Service, create: list[Document], update: list[Document], unchanged: list[Document]) -> None:
    """Have hints in slices to make and to replace; `unchanged` ones that need other hints are to be replaced, too."""
    wanted = service.spec.traffic_distribution if service.spec is not None else None
    distribution = wanted if wanted in _NEAR else None
    for each in unchanged:
        hinted = _hinted(each, distribution)
        if hinted != (each.get("endpoints") or []):
            update.append({**each, "endpoints": hinted})
    for each in (*create, *update):
        each["endpoints"] = _hinted(each, distribution)


def _hinted(each: Document, distribution: str | None) -> list[Document]:
    return [_with_hints(endpoint, distribution) for endpoint in each.get("endpoints") or []]


def _with_hints(endpoint: Document, distribution: str | None) -> Document:
    if distribution is not None and not (endpoint.get("conditions") or {}).get("ready"):
        return endpoint
    hints: Document = {}
    if distribution is not None and endpoint.get("zone"):
        hints["forZones"] = [{"name": endpoint["zone"]}]
    if distribution == "PreferSameNode" and endpoint.get("nodeName"):
        hints["forNodes"] = [{"name": endpoint["nodeName"]}]
    rest = {key: value for key, value in endpoint.items() if key != "hints"}
    return {**rest, "hints": hints} if hints else rest
