"""The EndpointSlices that a Service should have, and the fewest writes that lead there. Pure.

A slice holds a hundred endpoints that have the same ports. An endpoint stays in the slice where it is; new ones fill
slices that change anyway, fullest first, then the one slice that has room for all of them, then new slices. A slice
that would go is used for one that would come. A Service without endpoints has one empty slice for each family.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from kubewright.cluster.controllers.endpoints.addresses import (
    endpoint_of_pod,
    families_of,
    has_address,
    is_headless,
    ports_of,
    publishes_unready,
)
from kubewright.cluster.controllers.endpoints.hints import hint
from kubewright.cluster.controllers.endpoints.order import port_order
from kubewright.k8s.core.v1 import Node, Pod, Service

__all__ = ["HEADLESS", "MANAGED_BY", "MANAGER", "SERVICE_NAME", "Changes", "plan"]

Document = dict[str, Any]

SERVICE_NAME: Final = "kubernetes.io/service-name"
MANAGED_BY: Final = "endpointslice.kubernetes.io/managed-by"
MANAGER: Final = "endpointslice-controller.k8s.io"
HEADLESS: Final = "service.kubernetes.io/headless"
_RESERVED: Final = (SERVICE_NAME, MANAGED_BY, HEADLESS)
#: Endpoints of a slice at most.
_MOST: Final = 100


@dataclass
class Changes:
    """Slices to make, to replace and to delete; and what was left out, in sentences."""

    create: list[Document] = field(default_factory=list)
    update: list[Document] = field(default_factory=list)
    delete: list[Document] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.create or self.update or self.delete)


def plan(
    service: Service, pods: Iterable[Pod], find_node: Callable[[str], Node | None], existing: Iterable[Document]
) -> Changes:
    """What is to be done, if these slices are there for the Service and these pods are selected."""
    changes = Changes()
    families = families_of(service)
    by_family: dict[str, list[Document]] = {family: [] for family in families}
    for each in existing:
        if each["addressType"] in by_family:
            by_family[each["addressType"]].append(each)
        else:
            changes.delete.append(each)
    within = [pod for pod in pods if has_address(pod, terminating=True)]
    for family in families:
        some = _plan_family(service, within, find_node, by_family[family], family)
        changes.create += some.create
        changes.update += some.update
        changes.delete += some.delete
        changes.problems += some.problems
    return changes


def _plan_family(
    service: Service, pods: list[Pod], find_node: Callable[[str], Node | None], existing: list[Document], family: str
) -> Changes:
    changes = Changes()
    there: dict[str, list[Document]] = {}
    for each in existing:
        if _is_owned(each, service):
            there.setdefault(_ports_key(each.get("ports") or []), []).append(each)
        else:
            changes.delete.append(each)
    wanted: dict[str, dict[Any, Document]] = {}
    ports: dict[str, list[Document]] = {}
    for pod in pods:
        own = sorted(ports_of(service, pod), key=port_order)
        key = _ports_key(own)
        ports[key] = own
        group = wanted.setdefault(key, {})
        name = (pod.spec.node_name if pod.spec is not None else None) or ""
        node = find_node(name) if name else None
        if node is None and not publishes_unready(service):
            where = f"{service.metadata.namespace}/{service.metadata.name}"
            changes.problems.append(f"skipping Pod {pod.metadata.name} for Service {where}: Node {name} Not Found")
            continue
        endpoint = endpoint_of_pod(service, pod, node, family)
        if endpoint["addresses"]:
            group[_identity(endpoint)] = endpoint
    for key, group in wanted.items():
        _pack(service, there.get(key, []), group, ports[key], family, changes)
    for key, slices in there.items():
        if key not in wanted:
            changes.delete += slices
    if len(existing) == len(changes.delete) and not changes.create:
        _keep_place(service, family, changes)
    changed = {each["metadata"]["name"] for each in (*changes.update, *changes.delete)}
    unchanged = [each for each in existing if each["metadata"]["name"] not in changed]
    hint(service, changes.create, changes.update, unchanged)
    _reuse(service, changes)
    return changes


def _pack(
    service: Service,
    existing: list[Document],
    wanted: dict[Any, Document],
    ports: list[Document],
    family: str,
    changes: Changes,
) -> None:
    """Put the endpoints of one set of ports into slices; `wanted` is used up."""
    changing: list[Document] = []
    unchanged: list[Document] = []
    for each in existing:
        before = each.get("endpoints") or []
        found = [(old, wanted.pop(_identity(old))) for old in before if _identity(old) in wanted]
        labels, relabelled = _labels(service, each["metadata"].get("labels") or {})
        if len(found) != len(before) or any(_differs(old, new) for old, new in found):
            if not found:
                changes.delete.append(each)
                continue
            changing.append(_with(each, labels, [new for _, new in found]))
        elif relabelled:
            changing.append(_with(each, labels, before))
        else:
            unchanged.append(each)
    rest = list(wanted.values())
    for each in sorted(changing, key=lambda one: -len(one["endpoints"])):
        _fill(each, rest)
    while rest:
        room = _with_room(unchanged, len(rest)) if len(rest) < _MOST else None
        if room is None:
            new = _new_slice(service, ports, family)
            changes.create.append(new)
        else:
            unchanged.remove(room)
            new = _with(room, room["metadata"].get("labels") or {}, room.get("endpoints") or [])
            changing.append(new)
        _fill(new, rest)
    changes.update += changing


def _fill(each: Document, rest: list[Document]) -> None:
    room = _MOST - len(each["endpoints"])
    each["endpoints"] = each["endpoints"] + rest[:room]
    del rest[:room]


def _with_room(slices: list[Document], count: int) -> Document | None:
    """The slice that so many more fill best."""
    fitting = [each for each in slices if len(each.get("endpoints") or []) + count <= _MOST]
    return max(fitting, key=lambda each: len(each.get("endpoints") or []), default=None)


def _with(each: Document, labels: dict[str, str], endpoints: list[Document]) -> Document:
    return {**each, "metadata": {**each["metadata"], "labels": labels}, "endpoints": endpoints}


def _keep_place(service: Service, family: str, changes: Changes) -> None:
    """Where no slice would be left, have an empty one."""
    new = _new_slice(service, [], family)
    if len(changes.delete) == 1 and _is_same_placeholder(changes.delete[0], new):
        changes.delete.clear()
    else:
        changes.create.append(new)


def _is_same_placeholder(old: Document, new: Document) -> bool:
    return (
        not old.get("ports")
        and not old.get("endpoints")
        and old["metadata"].get("labels") == new["metadata"]["labels"]
        and old["metadata"].get("ownerReferences") == new["metadata"]["ownerReferences"]
    )


def _reuse(service: Service, changes: Changes) -> None:
    """Make replacements of what would be made and deleted; slices of another Service of this name are not used."""
    kept = []
    for old in changes.delete:
        if changes.create and _is_owned(old, service):
            new = changes.create.pop()
            new["metadata"]["name"] = old["metadata"]["name"]
            changes.update.append(new)
        else:
            kept.append(old)
    changes.delete = kept


def _new_slice(service: Service, ports: list[Document], family: str) -> Document:
    meta = service.metadata
    labels, _ = _labels(service, {})
    owner = {
        "apiVersion": "v1",
        "kind": "Service",
        "name": meta.name,
        "uid": meta.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {
            "generateName": f"{meta.name}-",
            "namespace": meta.namespace,
            "labels": labels,
            "ownerReferences": [owner],
        },
        "addressType": family,
        "endpoints": [],
        "ports": ports,
    }


def _labels(service: Service, current: dict[str, str]) -> tuple[dict[str, str], bool]:
    """The labels of a slice, and whether it has others now; a Service's own do not stand for those that are ours."""
    labels = {key: value for key, value in service.metadata.labels.items() if key not in _RESERVED}
    changed = labels != {key: value for key, value in current.items() if key not in _RESERVED}
    if is_headless(service):
        labels[HEADLESS] = ""
    return labels | {SERVICE_NAME: service.metadata.name, MANAGED_BY: MANAGER}, changed


def _is_owned(each: Document, service: Service) -> bool:
    owners = each["metadata"].get("ownerReferences") or []
    return any(owner["uid"] == service.metadata.uid and owner["kind"] == "Service" for owner in owners)


def _identity(endpoint: Document) -> tuple[Any, ...]:
    """What makes an endpoint the same one, whatever else changes about it."""
    target = endpoint.get("targetRef") or {}
    place = target.get("namespace"), target.get("name")
    return (tuple(sorted(endpoint["addresses"])), endpoint.get("hostname") or "", *place)


def _differs(old: Document, new: Document) -> bool:
    return any(old.get(key) != new.get(key) for key in ("nodeName", "zone", "conditions", "targetRef"))


def _ports_key(ports: list[Document]) -> str:
    """Equal for equal ports, in whatever order."""
    return repr(sorted((p.get("name") or "", p["protocol"], p.get("port"), p.get("appProtocol")) for p in ports))
