"""Nodes: what was given to one once (ranges of addresses, an identity) stays; its status is the kubelet's."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.pod.resources import check_resource_value
from kubewright.cluster.registry.rules.inner import inner_text
from kubewright.cluster.registry.rules.labels import check_key
from kubewright.cluster.registry.rules.numbers import check_positive
from kubewright.cluster.registry.rules.ranges import check_range_of_addresses, range_warnings, sloppy_range
from kubewright.schema.walk.errors import (
    DUPLICATE,
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
)
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import label_value

__all__ = ["NodeStatus", "NodeStrategy"]

Document = dict[str, Any]

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_feature: Final = re.compile(r"[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*").fullmatch
_FEATURE: Final = (
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' "
    "(e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
)


class NodeStrategy(PlainStrategy):
    """What is particular to nodes."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def prepare_create(self, obj: Document) -> None:
        # A kubelet makes its node with the status that it has.
        obj["metadata"].pop("generation", None)
        obj["spec"].pop("configSource", None)
        obj["status"].pop("config", None)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        if "configSource" not in old["spec"]:
            obj["spec"].pop("configSource", None)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.validate(obj), *self.check_meta_update(obj, old), *_changes(obj, old)]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        found = []
        if "configSource" in obj["spec"]:
            found.append("spec.configSource: the feature is removed")
        if obj["spec"].get("externalID"):
            found.append("spec.externalID: this field is deprecated, and is unused by Kubernetes")
        for index, text in enumerate(obj["spec"].get("podCIDRs") or ()):
            found += range_warnings(text, f"spec.podCIDRs[{index}]")
        return found


class NodeStatus(PlainStatus):
    """The status of a node."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        if "config" not in old["status"]:
            obj["status"].pop("config", None)

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *_changes(obj, old)]


def _fill_in(obj: Document) -> None:
    status, spec = obj["status"], obj["spec"]
    if not status.get("allocatable") and "capacity" in status:
        status["allocatable"] = {**status["capacity"]}
    # The first range stands in two places; where they differ, the older field is right.
    first, ranges = spec.get("podCIDR"), spec.get("podCIDRs") or []
    if first and (not ranges or ranges[0] != first):
        spec["podCIDRs"] = [first]
    elif ranges:
        spec["podCIDR"] = ranges[0]


def _check(obj: Document) -> Iterator[FieldError]:
    spec, status = obj["spec"], obj["status"]
    yield from _taints(spec.get("taints") or [])
    yield from _amounts(status)
    swap = (status["nodeInfo"].get("swap") or {}).get("capacity")
    if swap is not None:
        yield from check_positive(swap, "metadata.nodeSwapStatus.capacity")
    yield from _features(status.get("declaredFeatures") or [])
    ranges: list[str] = spec.get("podCIDRs") or []
    for index, text in enumerate(ranges):
        yield from check_range_of_addresses(text, f"spec.podCIDRs[{index}]")
    if len(ranges) > 1:
        found = [sloppy_range(text) for text in ranges]
        if None in found:
            at = found.index(None)
            why = f"invalid CIDR[{at}]: <nil> (invalid CIDR address: {ranges[at]})"
            what = "Internal error: invalid PodCIDRs. failed to check with dual stack with error"
            yield FieldError("InternalError", "spec.podCIDRs", f"{what}:{why}")
        if None in found or len({each.version for each in found if each}) < 2 or len(ranges) > 2:
            yield invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family")


def _taints(taints: list[Document]) -> Iterator[FieldError]:
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        path, effect, value = f"metadata.taints[{index}]", taint["effect"], taint.get("value", "")
        yield from check_key(taint["key"], f"{path}.key")
        if complaints := label_value(value):
            yield invalid(f"{path}.value", value, ";".join(complaints))
        if not effect:
            yield required(f"{path}.effect")
        elif effect not in _EFFECTS:
            yield not_supported(f"{path}.effect", effect, _EFFECTS)
        if (taint["key"], effect) in seen:
            shown = inner_text(taint, "core/v1.Taint")
            why = "taints must be unique by key and effect pair"
            yield FieldError(DUPLICATE, path, f"Duplicate value: {shown}: {why}")
        seen.add((taint["key"], effect))


def _amounts(status: Document) -> Iterator[FieldError]:
    for kind in ("capacity", "allocatable"):
        amounts: dict[str, str] = status.get(kind) or {}
        for name in sorted(amounts):
            yield from check_resource_value(name, amounts[name], f"status.{kind}.{name}")


def _features(names: list[str]) -> Iterator[FieldError]:
    for index, name in enumerate(names):
        path = f"status.declaredFeatures[{index}]"
        if len(name.encode(errors="replace")) > 253:
            yield invalid(path, name, f"invalid feature name {quote(name)}: must be no more than 253 characters")
        elif not _feature(name):
            yield invalid(path, name, f"invalid feature name {quote(name)}: {_FEATURE}")
        before = names[index - 1] if index else ""
        if index and name == before:
            yield duplicate(path, name)
        elif name < before:
            yield invalid(path, name, "list must be sorted alphabetically")


def _changes(obj: Document, old: Document) -> Iterator[FieldError]:
    spec, before, status = obj["spec"], old["spec"], obj["status"]
    yield from _amounts(status)
    yield from _features(status.get("declaredFeatures") or [])
    seen: list[Document] = []
    for index, address in enumerate(status.get("addresses") or ()):
        if address in seen:
            shown = inner_text(address, "core/v1.NodeAddress")
            yield FieldError(DUPLICATE, f"status.addresses[{index}]", f"Duplicate value: {shown}")
        seen.append(address)
    ranges, were = spec.get("podCIDRs") or [], before.get("podCIDRs") or []
    why = 'node updates may not change podCIDR except from "" to valid'
    if were and len(ranges) != len(were):
        yield forbidden("spec.podCIDRs", why)
    elif were:
        yield from (forbidden("spec.podCIDRs", why) for one, was in zip(ranges, were, strict=True) if one != was)
    if before.get("providerID") and spec.get("providerID") != before["providerID"]:
        why = 'node updates may not change providerID except from "" to valid'
        yield forbidden("spec.providerID", why)
    yield from _taints(spec.get("taints") or [])
    if spec.get("externalID", "") != before.get("externalID", ""):
        yield forbidden("spec.externalID", "may not be updated")
