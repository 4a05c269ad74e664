"""The Endpoints of a Service: the form before there were slices, which `kubectl get endpoints` still shows. Pure.

Addresses that have the same ports are one subset; who is not ready stands apart in it. There are a thousand addresses
at most, those that are ready first.
"""

import math
from collections.abc import Iterable
from typing import Any, Final

from kubewright.cluster.controllers.endpoints.addresses import (
    addresses_of,
    families_of,
    has_address,
    hostname_of,
    is_headless,
    ports_of,
    publishes_unready,
    reference_to,
)
from kubewright.cluster.controllers.endpoints.order import sort_ports, sort_subsets
from kubewright.cluster.controllers.endpoints.slices import HEADLESS
from kubewright.cluster.controllers.endpoints.trigger import ANNOTATION
from kubewright.cluster.controllers.pods import is_ready
from kubewright.k8s.core.v1 import Pod, Service

__all__ = ["MANAGED_BY", "OVER_CAPACITY", "endpoints_of", "subsets_of"]

Document = dict[str, Any]

MANAGED_BY: Final = "endpoints.kubernetes.io/managed-by"
MANAGER: Final = "endpoint-controller"
OVER_CAPACITY: Final = "endpoints.kubernetes.io/over-capacity"
_MOST: Final = 1000


def endpoints_of(service: Service, pods: Iterable[Pod], current: Document | None, trigger: str) -> Document | None:
    """The Endpoints that a Service should have; None if the current ones will do."""
    subsets = subsets_of(service, pods)
    shown = _truncated(subsets)
    over = {} if shown is subsets else {OVER_CAPACITY: "truncated"}
    labels = {key: value for key, value in service.metadata.labels.items() if key not in (HEADLESS, MANAGED_BY)}
    meta: Document = dict((current or {}).get("metadata") or {"name": service.metadata.name})
    annotations = dict(meta.get("annotations") or {})
    if current is not None and _is_right(current, shown, labels, over):
        return None
    annotations.pop(ANNOTATION, None)
    annotations.pop(OVER_CAPACITY, None)
    if trigger:
        annotations[ANNOTATION] = trigger
    headless = {HEADLESS: ""} if is_headless(service) else {}
    return {
        "apiVersion": "v1",
        "kind": "Endpoints",
        "metadata": {
            **meta,
            "namespace": service.metadata.namespace,
            "labels": {**labels, **headless, MANAGED_BY: MANAGER},
            "annotations": annotations | over,
        },
        "subsets": shown,
    }


def _is_right(current: Document, subsets: list[Document], labels: dict[str, str], over: dict[str, str]) -> bool:
    """Whether nothing is to be changed; that a Service has become headless is no reason by itself."""
    meta = current["metadata"]
    known = meta.get("labels") or {}
    own = {key: value for key, value in known.items() if key not in (HEADLESS, MANAGED_BY)}
    annotations = meta.get("annotations") or {}
    return (
        (current.get("subsets") or []) == subsets
        and known.get(MANAGED_BY) == MANAGER
        and own == labels
        and {key: value for key, value in annotations.items() if key == OVER_CAPACITY} == over
    )


def subsets_of(service: Service, pods: Iterable[Pod]) -> list[Document]:
    """All that a Service reaches, in the form and order of Endpoints."""
    publish = publishes_unready(service)
    family = next(iter(families_of(service)), "IPv4")
    addresses: dict[tuple[str, str], Document] = {}
    # Of each port, its addresses, and whether each is ready.
    by_port: dict[tuple[Any, ...], dict[tuple[str, str], bool]] = {}
    ports: dict[tuple[Any, ...], Document | None] = {}
    for pod in pods:
        found = addresses_of(pod, family) if has_address(pod, terminating=publish) else []
        if not found:
            continue
        key = (found[0], pod.metadata.uid)
        addresses[key] = _address(service, pod, found[0])
        for port in _ports(service, pod):
            name = tuple(port.values()) if port is not None else ()
            ports[name] = port
            by_port.setdefault(name, {})[key] = publish or is_ready(pod)
    # Ports that have the same addresses share a subset.
    groups: dict[tuple[Any, ...], list[Document]] = {}
    for name, members in by_port.items():
        known, port = groups.setdefault(tuple(sorted(members.items())), []), ports[name]
        if port is not None:
            known.append(port)
    return sort_subsets([_subset(members, addresses, own) for members, own in groups.items()])


def _ports(service: Service, pod: Pod) -> list[Document | None]:
    """The ports of a pod, without what is empty; None stands for a headless Service that has none."""
    if service.spec is not None and not service.spec.ports:
        return [None] if service.spec.cluster_ip == "None" else []
    return [{key: value for key, value in port.items() if value != ""} for port in ports_of(service, pod)]


def _address(service: Service, pod: Pod, ip: str) -> Document:
    address: Document = {"ip": ip, "targetRef": reference_to(pod)}
    if hostname := hostname_of(pod, service):
        address["hostname"] = hostname
    if pod.spec is not None and pod.spec.node_name:
        address["nodeName"] = pod.spec.node_name
    return address


def _subset(members: tuple[Any, ...], addresses: dict[tuple[str, str], Document], ports: list[Document]) -> Document:
    ready = [addresses[key] for key, is_it in members if is_it]
    unready = [addresses[key] for key, is_it in members if not is_it]
    parts = {"addresses": ready, "notReadyAddresses": unready, "ports": sort_ports(ports)}
    return {name: part for name, part in parts.items() if part}


def _truncated(subsets: list[Document]) -> list[Document]:
    """The same with a thousand addresses at most: each subset has its share; who is ready goes first."""
    ready = sum(len(each.get("addresses", ())) for each in subsets)
    unready = sum(len(each.get("notReadyAddresses", ())) for each in subsets)
    if ready + unready <= _MOST:
        return subsets
    cuts_ready = ready > _MOST
    key, total, most = ("addresses", ready, _MOST) if cuts_ready else ("notReadyAddresses", unready, _MOST - ready)
    left = most
    shown = []
    for each in subsets:
        kept = dict(each)
        if cuts_ready:
            kept.pop("notReadyAddresses", None)
        share = min(math.ceil(len(each.get(key, ())) / total * most), left)
        kept[key] = each.get(key, [])[:share]
        left -= len(kept[key])
        shown.append({name: part for name, part in kept.items() if part})
    return shown
