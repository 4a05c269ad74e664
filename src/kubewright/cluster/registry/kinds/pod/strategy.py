"""Pods as such: new ones wait to be scheduled; of those that are there little may change, each part by its own path.

| path                 | changes                                                     |
|----------------------|-------------------------------------------------------------|
| the pod              | labels and such, images, tolerations; see `update`          |
| status               | the status, by the node                                     |
| ephemeralcontainers  | adds containers to look around with                         |
| resize               | CPU and memory of containers, and of the pod                |
"""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.annotations import (
    APPARMOR,
    MIRROR,
    check_annotation_changes,
    check_annotations,
    check_match,
)
from kubewright.cluster.registry.kinds.pod.conditions import set_condition
from kubewright.cluster.registry.kinds.pod.containers import check_image_space
from kubewright.cluster.registry.kinds.pod.defaults import default_pod
from kubewright.cluster.registry.kinds.pod.qos import quality
from kubewright.cluster.registry.kinds.pod.resize import check_resize, resized
from kubewright.cluster.registry.kinds.pod.security import check_apparmor
from kubewright.cluster.registry.kinds.pod.spec import check_spec
from kubewright.cluster.registry.kinds.pod.status import check_status
from kubewright.cluster.registry.kinds.pod.unserved import drop_unserved, drop_unserved_status
from kubewright.cluster.registry.kinds.pod.update import check_changes
from kubewright.cluster.registry.kinds.pod.warnings import apparmor_field, spec_warnings
from kubewright.cluster.registry.rules.addresses import address_warnings
from kubewright.cluster.registry.rules.difference import difference_in_steps
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.pause import PAUSE, Pausing, paused
from kubewright.cluster.registry.strategy import Strategy
from kubewright.schema.walk.errors import FieldError, forbidden
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import namespace_name

__all__ = ["PodEphemeral", "PodResize", "PodStatus", "PodStrategy"]

Document = dict[str, Any]

#: What an update by a path of a part of a pod leaves as it was.
_META: Final = ("deletionTimestamp", "generation", "selfLink", "labels", "annotations", "finalizers", "ownerReferences")
_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


class _Taken(dict[str, Any]):
    """A profile of AppArmor that an annotation said, and no field: its writer is told."""


class PodStrategy(Pausing, PlainStrategy):
    """What is particular to pods."""

    def default(self, obj: Document) -> None:
        default_pod(obj)

    def prepare_create(self, obj: Document) -> None:
        obj["metadata"]["generation"] = 1
        spec = obj["spec"]
        obj["status"] = {"phase": "Pending", "qosClass": quality(spec)}
        drop_unserved(spec)
        if spec.get("schedulingGates"):
            why = "Scheduling is blocked due to non-empty scheduling gates"
            set_condition(obj["status"], "PodScheduled", "False", "SchedulingGated", why)
        _take_label_keys(spec, obj["metadata"].get("labels") or {})
        for container, profile in _apparmor(obj):
            if profile is not None and profile != spec["securityContext"].get("appArmorProfile"):
                container.setdefault("securityContext", {})["appArmorProfile"] = _Taken(profile)

    def prepare_update(self, obj: Document, old: Document) -> None:
        obj["status"] = old["status"]
        drop_unserved(obj["spec"])
        _count(obj, old)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        meta, spec = obj["metadata"], obj["spec"]
        if old is not None:
            yield from self.check_meta_update(obj, old)
        yield from self.check_meta(obj)
        yield from _checked(obj, old)
        yield PAUSE
        if old is not None:
            yield from _annotations(obj, old)
            yield PAUSE
            yield from check_changes(spec, old["spec"])
            return
        if spec.get("ephemeralContainers"):
            yield forbidden("spec.ephemeralContainers", "cannot be set on create")
        if spec.get("nodeName") and spec.get("schedulingGates"):
            yield forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")
        if annotations := meta.get("annotations"):
            yield from check_match(annotations, spec, "spec")

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is not None:
            return []
        meta = obj["metadata"]
        annotations = meta.get("annotations") or {}
        found = _apparmor_warnings(obj, annotations) if annotations else []
        if complaints := namespace_name(meta.get("name", "")):
            why = "this is used in the Pod's hostname, which can result in surprising behavior; "
            found.append(f"metadata.name: {why}a DNS label is recommended: [{' '.join(complaints)}]")
        return [*found, *spec_warnings(obj["spec"], annotations, "", template=False)]

    def grace(self, obj: Document, asked: int | None) -> int | None:
        if not obj["spec"].get("nodeName") or obj["status"].get("phase") in ("Failed", "Succeeded"):
            return 0
        grace: int = obj["spec"]["terminationGracePeriodSeconds"] if asked is None else asked
        return 1 if grace < 0 else grace


class _PodPart(Strategy):
    """A path by which a part of a pod is changed."""

    def default(self, obj: Document) -> None:
        default_pod(obj)


class PodStatus(_PodPart):
    """What a node reports."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        obj["spec"] = old["spec"]
        meta, before = obj["metadata"], old["metadata"]
        meta.pop("deletionTimestamp", None)
        _carry(meta, before, "ownerReferences")
        status, was = obj["status"], old["status"]
        drop_unserved_status(status)
        if not status.get("qosClass") and was.get("qosClass"):
            status["qosClass"] = was["qosClass"]
        if not status.get("observedGeneration") and was.get("observedGeneration"):
            status["observedGeneration"] = was["observedGeneration"]
        seen: dict[str, list[int]] = {}
        for condition in was.get("conditions") or ():
            seen.setdefault(condition["type"], []).append(condition.get("observedGeneration", 0))
        for condition in status.get("conditions") or ():
            known = seen.get(condition["type"])
            generation = known.pop(0) if known else 0
            if not condition.get("observedGeneration") and generation:
                condition["observedGeneration"] = generation

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *_annotations(obj, old), *check_status(obj, old)]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [
            warning
            for kind in ("podIPs", "hostIPs")
            for index, each in enumerate(obj["status"].get(kind) or ())
            for warning in address_warnings(each.get("ip", ""), f"status.{kind}[{index}].ip")
        ]


class PodEphemeral(Pausing, _PodPart):
    """Containers that are added to look around with: none that is there goes away or changes."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        added = obj["spec"].get("ephemeralContainers")
        obj["spec"] = {**old["spec"]}
        obj["spec"].pop("ephemeralContainers", None)
        if added:
            obj["spec"]["ephemeralContainers"] = added
            drop_unserved({"ephemeralContainers": added})
        _keep(obj, old)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        assert old is not None, "nothing is created by this path"
        if MIRROR in (old["metadata"].get("annotations") or {}):
            yield forbidden("[]", "static pods do not support ephemeral containers")
            return
        yield from self.check_meta_update(obj, old)
        yield from self.check_meta(obj)
        yield from _checked(obj, old)
        yield from _annotations(obj, old)
        given = {each["name"]: each for each in obj["spec"].get("ephemeralContainers") or ()}
        for was in old["spec"].get("ephemeralContainers") or ():
            what = f"existing ephemeral containers {quote(was['name'])}"
            now = given.get(was["name"])
            if now is None:
                yield forbidden("spec.ephemeralContainers", f"{what} may not be removed\n")
            elif now != was:
                changed = yield from paused(difference_in_steps(was, now, "core/v1.EphemeralContainer"))
                yield forbidden("spec.ephemeralContainers", f"{what} may not be changed\n{changed}")


class PodResize(Pausing, _PodPart):
    """New sizes of containers."""

    def prepare_update(self, obj: Document, old: Document) -> None:
        spec = resized(obj["spec"], old["spec"])
        if spec is obj["spec"]:
            _count(obj, old)
        else:
            obj["spec"] = spec
            _keep(obj, old)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        assert old is not None, "nothing is created by this path"
        errors = [*self.check_meta_update(obj, old), *self.check_meta(obj)]
        for error in _checked(obj, old):
            if error is PAUSE:
                yield PAUSE
            else:
                errors.append(error)
        yield from check_resize(obj, old, errors)


def _checked(pod: Document, old: Document | None = None) -> Iterator[FieldError]:
    """What is wrong with a pod, beyond metadata as any object has it."""
    meta, spec = pod["metadata"], pod["spec"]
    if annotations := meta.get("annotations"):
        yield from check_annotations(annotations, spec, "metadata.annotations")
    yield from check_spec(spec, "spec", pod=meta, old=old["spec"] if old else None)
    if not spec.get("serviceAccountName"):
        for index, volume in enumerate(spec.get("volumes") or ()):
            for at, source in enumerate((volume.get("projected") or {}).get("sources") or ()):
                if "serviceAccountToken" in source:
                    place = f"spec.volumes[{index}].projected.sources[{at}].serviceAccountToken"
                    yield forbidden(place, "must not be specified when serviceAccountName is not set")
    for kind in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            yield from check_image_space(container, f"spec.{kind}[{index}]")


def _annotations(pod: Document, old: Document) -> Iterator[FieldError]:
    annotations = pod["metadata"].get("annotations") or {}
    path = "metadata.annotations"
    yield from check_annotation_changes(annotations, old["metadata"].get("annotations") or {}, path)
    yield from check_annotations(annotations, pod["spec"], path)


def _count(pod: Document, old: Document) -> None:
    """The generation counts changes of what is wished for."""
    if not same(pod["spec"], old["spec"]):
        pod["metadata"]["generation"] = old["metadata"].get("generation", 0) + 1


def _keep(pod: Document, old: Document) -> None:
    """Leave all but the spec as it was, and count."""
    pod["status"] = old["status"]
    for name in _META:
        _carry(pod["metadata"], old["metadata"], name)
    _count(pod, old)


def _carry(meta: Document, before: Document, name: str) -> None:
    if name in before:
        meta[name] = before[name]
    else:
        meta.pop(name, None)


def _take_label_keys(spec: Document, labels: dict[str, str]) -> None:
    """Put values of the pod's own labels into selectors that name their keys."""
    affinity = spec.get("affinity") or {}
    for kind in ("podAffinity", "podAntiAffinity"):
        pods = affinity.get(kind) or {}
        for weighted in pods.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            _take(weighted["podAffinityTerm"], labels)
        for term in pods.get("requiredDuringSchedulingIgnoredDuringExecution") or ():
            _take(term, labels)
    for constraint in spec.get("topologySpreadConstraints") or ():
        _take(constraint, labels)


def _take(term: Document, labels: dict[str, str]) -> None:
    selector = term.get("labelSelector")
    if selector is None:
        return
    added = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for name, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in term.get(name) or ()
        if key in labels
    ]
    if added:
        selector["matchExpressions"] = [*(selector.get("matchExpressions") or ()), *added]


def _apparmor(pod: Document) -> list[tuple[Document, Document | None]]:
    """Containers for which only an annotation says which profile to use, each with the field that says the same."""
    annotations = pod["metadata"].get("annotations") or {}
    if (pod["spec"].get("os") or {}).get("name") == "windows" or not any(
        key.startswith(APPARMOR) for key in annotations
    ):
        return []
    found = []
    for kind in _KINDS:
        for container in pod["spec"].get(kind) or ():
            key = APPARMOR + container["name"]
            if key in annotations and "appArmorProfile" not in (container.get("securityContext") or {}):
                profile = apparmor_field(annotations[key])
                bad = profile is not None and [*check_apparmor(profile, "")]
                found.append((container, None if bad else profile))
    return found


def _apparmor_warnings(pod: Document, annotations: dict[str, str]) -> list[str]:
    found = []
    whole = pod["spec"]["securityContext"].get("appArmorProfile")
    for kind in _KINDS if (pod["spec"].get("os") or {}).get("name") != "windows" else ():
        for container in pod["spec"].get(kind) or ():
            key = APPARMOR + container["name"]
            profile = (container.get("securityContext") or {}).get("appArmorProfile")
            unsaid = profile is None and key in annotations and whole != apparmor_field(annotations[key])
            if unsaid or isinstance(profile, _Taken):
                why = 'deprecated since v1.30; use the "appArmorProfile" field instead'
                found.append(f"metadata.annotations[{key}]: {why}")
    return found
