"""The size of a pod, changed while it runs: CPU and memory, and nothing else."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.amounts import is_sidecar
from kubewright.cluster.registry.kinds.pod.annotations import MIRROR
from kubewright.cluster.registry.kinds.pod.qos import quality
from kubewright.cluster.registry.rules.equality import same
from kubewright.schema.walk.errors import FieldError, forbidden, invalid

__all__ = ["check_resize", "resized"]

Document = dict[str, Any]

_ONLY: Final = "only cpu and memory resources are mutable"


def resized(new: Document, old: Document) -> Document:
    """The old spec with the sizes of the new one; the new one as it is if its containers are not the same."""
    lists = {}
    for kind in ("containers", "initContainers"):
        given, before = new.get(kind) or [], old.get(kind) or []
        if len(given) != len(before):
            return new
        if [each["name"] for each in given] != [each["name"] for each in before]:
            lists[kind] = given
        else:
            lists[kind] = [_sized(one, was) for one, was in zip(given, before, strict=True)]
    spec = {**old, **{kind: containers for kind, containers in lists.items() if containers}}
    spec.pop("resources", None)
    return {**spec, "resources": new["resources"]} if "resources" in new else spec


def _sized(new: Document, old: Document) -> Document:
    sized = {**old, "resources": new["resources"]}
    sized.pop("resizePolicy", None)
    return {**sized, "resizePolicy": new["resizePolicy"]} if "resizePolicy" in new else sized


def check_resize(pod: Document, old: Document, errors: list[FieldError]) -> list[FieldError]:
    """What is wrong with new sizes; `errors` is what is wrong with the pod as such."""
    if MIRROR in (old["metadata"].get("annotations") or {}):
        return [forbidden("[]", "static pods cannot be resized")]
    if (old["spec"].get("os") or {}).get("name") == "windows":
        return [forbidden("[]", "windows pods cannot be resized")]
    errors = [*errors, *_sizes(pod, old)]
    if not errors and not same(_fixed(pod["spec"], old["spec"]), old["spec"]):
        errors.append(forbidden("spec", _ONLY))
    return errors


def _sizes(pod: Document, old: Document) -> Iterator[FieldError]:
    spec, before, status = pod["spec"], old["spec"], old["status"]
    if (status.get("qosClass") or quality(before)) != quality(spec):
        why = "Pod QOS Class may not change as a result of resizing"
        yield invalid("spec", pod["status"].get("qosClass", ""), why)
    running = (each for each in status.get("containerStatuses") or () if "running" in (each.get("state") or {}))
    if (first := next(running, None)) is not None and "resources" not in first:
        yield forbidden("spec", "Pod running on node without support for resize")
    if _has_any(spec) or _has_any(before):
        yield from _whole(spec, before)
    if order := [*_order(spec, before)]:
        yield from order
        return
    for kind in ("initContainers", "containers"):
        for index, (given, was) in enumerate(zip(spec.get(kind) or (), before.get(kind) or (), strict=True)):
            yield from _removed(given["resources"], was["resources"], f"spec.{kind}[{index}].resources", "resource")
    for given, was in zip(spec.get("containers") or (), before.get("containers") or (), strict=True):
        if not same(_unsized(given, was), was):
            yield forbidden("spec", _ONLY)
    for index, (given, was) in enumerate(
        zip(spec.get("initContainers") or (), before.get("initContainers") or (), strict=True)
    ):
        path = f"spec.initContainers[{index}]"
        if not same(_unsized(given, was), was):
            yield forbidden(path, "only cpu and memory resources for init or sidecar containers are mutable")
        policies = [each["restartPolicy"] for each in given.get("resizePolicy") or ()]
        if not same(given, was) and not is_sidecar(given) and "RestartContainer" in policies:
            why = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
            yield forbidden(path, why)


def _has_any(spec: Document) -> bool:
    resources = spec.get("resources") or {}
    return bool(resources.get("requests") or resources.get("limits"))


def _whole(spec: Document, before: Document) -> Iterator[FieldError]:
    new, old = spec.get("resources"), before.get("resources")
    if old is not None:
        if new is None:
            yield forbidden("spec.resources", "pod-level resources cannot be removed")
            return
        yield from _removed(new, old, "spec.resources", "pod-level resource")
    if not same(_fixed_resources(new or {}, old or {}), old or {}):
        yield forbidden("spec", "only cpu and memory resources are mutable at pod-level")


def _removed(new: Document, old: Document, path: str, what: str) -> Iterator[FieldError]:
    for kind in ("requests", "limits"):
        if not {*(old.get(kind) or ())} <= {*(new.get(kind) or ())}:
            yield forbidden(f"{path}.{kind}", f"{what} {kind} cannot be removed")


def _order(spec: Document, before: Document) -> Iterator[FieldError]:
    for kind in ("containers", "initContainers"):
        given, was = spec.get(kind) or [], before.get(kind) or []
        if len(given) != len(was):
            yield forbidden(f"spec.{kind}", f"{kind} may not be added or removed on resize")
            continue
        for index, (one, other) in enumerate(zip(given, was, strict=True)):
            if one["name"] != other["name"]:
                why = f"{kind} may not be renamed or reordered on resize"
                yield forbidden(f"spec.{kind}[{index}].name", why)


def _unsized(container: Document, old: Document) -> Document:
    """A container with the CPU and memory that it had; its claims are as good as gone."""
    return {**container, "resources": _fixed_resources(container["resources"], old["resources"])}


def _fixed_resources(new: Document, old: Document) -> Document:
    fixed = {}
    for kind in ("limits", "requests"):
        kept = {name: text for name, text in (new.get(kind) or {}).items() if name not in ("cpu", "memory")}
        kept |= {name: text for name, text in (old.get(kind) or {}).items() if name in ("cpu", "memory")}
        if kept:
            fixed[kind] = kept
    return fixed


def _fixed(spec: Document, old: Document) -> Document:
    fixed = {**spec}
    for kind in ("containers", "initContainers"):
        if spec.get(kind):
            fixed[kind] = [_unsized(one, was) for one, was in zip(spec[kind], old[kind], strict=True)]
    fixed.pop("resources", None)
    if "resources" in old:
        fixed["resources"] = old["resources"]
    return fixed
