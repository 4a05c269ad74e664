"""Jobs select their pods by a label with their own uid, which the server writes; little of them may change.

While a Job is suspended and has no pods, where its pods may run and what they ask for are free.
"""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.job.policies import default_failure_policy
from kubewright.cluster.registry.kinds.job.spec import check_spec, is_indexed, spec_warnings
from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.template import default_template
from kubewright.cluster.registry.kinds.workload import check_kept, check_selected, name_warnings
from kubewright.cluster.registry.rules.inner import changed_inner
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.cluster.registry.rules.matching import invalid_selector, read_selector
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.cluster.registry.strategy import Propagation
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.names import namespace_name

__all__ = ["JobStrategy"]

Document = dict[str, Any]

_UID: Final = "batch.kubernetes.io/controller-uid"
_NAME: Final = "batch.kubernetes.io/job-name"
#: The same, from before labels had domains.
_OLD_UID: Final = "controller-uid"
_OLD_NAME: Final = "job-name"
_ORPHANS: Final = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them "
    "or set propagationPolicy=Orphan to suppress this warning"
)
_LARGEST: Final = 2**31 - 1


class JobStrategy(Pausing, PlainStrategy):
    """What is particular to Jobs."""

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        default_template(spec["template"])
        default_failure_policy(spec.get("podFailurePolicy"))
        if "parallelism" not in spec:
            spec.setdefault("completions", 1)
            spec["parallelism"] = 1
        spec.setdefault("backoffLimit", _LARGEST if "backoffLimitPerIndex" in spec else 6)
        _default_labels(obj)
        spec.setdefault("completionMode", "NonIndexed")
        spec.setdefault("suspend", False)
        spec.setdefault("podReplacementPolicy", "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed")
        spec.setdefault("manualSelector", False)

    def prepare_create(self, obj: Document) -> None:
        if not obj["spec"]["manualSelector"]:
            _select_own(obj)
            _default_labels(obj)  # as whoever reads the object would
        super().prepare_create(obj)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        yield from self.check_meta(obj)
        yield from _check(obj, old)
        if old is None:
            return
        spec, before = obj["spec"], old["spec"]
        yield from self.check_meta_update(obj, old)
        yield from _check_selected_spec(spec, before)
        yield from _check_completions(spec, before)
        yield from check_kept(spec, before)
        yield from _check_template_update(obj, old)
        yield from _check_kept_values(spec, before)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        if old is None:
            return [*name_warnings(obj), *spec_warnings(obj["spec"], "spec", None)]
        if obj["metadata"]["generation"] == old["metadata"]["generation"]:
            return []
        return spec_warnings(obj["spec"], "spec", old["spec"])

    def parting_warnings(self, wish: Propagation) -> list[str]:
        return [] if wish != Propagation(None, None) else [_ORPHANS]


def _default_labels(obj: Document) -> None:
    labels = obj["spec"]["template"]["metadata"].get("labels")
    if labels and not obj["metadata"].get("labels"):
        obj["metadata"]["labels"] = labels  # one and the same: what is added to these is added to those


def _select_own(obj: Document) -> None:
    """Label the pods with the name and the uid of their Job, and select them by the uid."""
    spec, meta = obj["spec"], obj["metadata"]
    name, uid = meta.get("name", ""), meta["uid"]
    own = {_OLD_NAME: name, _NAME: name, _OLD_UID: uid, _UID: uid}
    template = spec["template"]["metadata"]
    labels = template.setdefault("labels", {})
    if meta.get("generateName"):  # one of several attempts, each on a copy
        labels = template["labels"] = {**labels}
    for key, value in own.items():
        labels.setdefault(key, value)
    selector = spec.setdefault("selector", {})
    selector["matchLabels"] = {_UID: uid} | (selector.get("matchLabels") or {})


def _check(obj: Document, old: Document | None) -> Iterator[FieldError]:
    spec, name = obj["spec"], obj["metadata"].get("name", "")
    yield from _check_generated(obj, old)
    yield from _check_selected_spec(spec, old["spec"] if old else None)
    if is_indexed(spec) and (completions := spec.get("completions") or 0) > 0:
        host = f"{name}-{completions - 1}"
        if namespace_name(host):
            why = f"will not able to create pod with invalid DNS label: {host}"
            yield invalid("metadata.name", name, why)


def _check_selected_spec(spec: Document, old: Document | None) -> Iterator[FieldError]:
    selector = spec.get("selector")
    yield from check_spec(spec, "spec", old)
    if selector is None:
        yield required("spec.selector")
    else:
        yield from check_selector(selector, "spec.selector")
    if (wanted := read_selector(selector)) is not None:
        yield from check_selected(wanted, spec["template"])


def _check_generated(obj: Document, old: Document | None) -> Iterator[FieldError]:
    """What is wrong with labels that the server writes, if it is to write them."""
    spec, meta = obj["spec"], obj["metadata"]
    if spec["manualSelector"] or spec.get("selector") is None:
        return
    if not meta.get("uid"):
        yield required("metadata.uid")
    uid, name = meta.get("uid", ""), meta.get("name", "")
    wanted = {_OLD_UID: uid, _OLD_NAME: name}
    before = (old["spec"]["template"]["metadata"].get("labels") or {}) if old else {_UID: "", _NAME: ""}
    if _UID in before and _NAME in before:  # Jobs of older days have none of these
        wanted |= {_UID: uid, _NAME: name}
    labels = spec["template"]["metadata"].get("labels")
    for key, value in wanted.items():
        place = f"spec.template.metadata.labels[{key}]"
        if key not in (labels or {}):
            yield required(place, f"must be '{value}'")
        elif (labels or {})[key] != value:
            yield invalid(place, labels, f"must be '{value}'")
    selector = read_selector(spec["selector"])
    if selector is not None and not selector.matches(wanted):
        yield invalid_selector("spec.selector", spec["selector"], "`selector` not auto-generated")


def _check_completions(spec: Document, old: Document) -> Iterator[FieldError]:
    completions = spec.get("completions")
    if completions == old.get("completions"):
        return
    if not is_indexed(spec):
        yield invalid("spec.completions", completions, "field is immutable")
    elif completions is not None and completions != spec["parallelism"]:
        yield invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")


def _check_kept_values(spec: Document, old: Document) -> Iterator[FieldError]:
    for name, kind in (
        ("completionMode", "*string"),
        ("podFailurePolicy", "*batch/v1.PodFailurePolicy"),
        ("backoffLimitPerIndex", "*int32"),
        ("managedBy", "*string"),
        ("successPolicy", "*batch/v1.SuccessPolicy"),
    ):
        yield from changed_inner(f"spec.{name}", spec.get(name), old.get(name), kind)


def _check_template_update(obj: Document, old: Document) -> list[FieldError]:
    template, before = obj["spec"]["template"], old["spec"]["template"]
    if not _is_idle(old):
        return changed_inner("spec.template", template, before, "core/v1.PodTemplateSpec")
    return changed_inner("spec.template.spec", template["spec"], _as_free(before, template), "core/v1.PodSpec")


def _is_idle(job: Document) -> bool:
    """Whether a Job is suspended and has no pods."""
    status = job["status"]
    if not job["spec"].get("suspend") or status.get("active"):
        return False
    suspended = any(each["type"] == "Suspended" and each["status"] == "True" for each in status.get("conditions") or ())
    return suspended or not status.get("startTime")


def _as_free(old: Document, new: Document) -> Document:
    """The pods of an old template, with all of a new one that may change while a Job is idle."""
    pods, wanted = {**old["spec"]}, new["spec"]
    for name in ("nodeSelector", "tolerations", "schedulingGates"):
        _take(pods, wanted, name)
    affinity = {name: value for name, value in (pods.get("affinity") or {}).items() if name != "nodeAffinity"}
    if "nodeAffinity" in (wanted.get("affinity") or {}):
        affinity["nodeAffinity"] = wanted["affinity"]["nodeAffinity"]
    if affinity or wanted.get("affinity") is not None:
        pods["affinity"] = affinity
    else:
        pods.pop("affinity", None)
    for name in ("containers", "initContainers"):
        ours, theirs = pods.get(name) or [], wanted.get(name) or []
        if ours and len(ours) == len(theirs):
            pairs = zip(ours, theirs, strict=True)
            pods[name] = [_with_resources(mine, its) if mine["name"] == its["name"] else mine for mine, its in pairs]
    return pods


def _take(one: Document, other: Document, name: str) -> None:
    if name in other:
        one[name] = other[name]
    else:
        one.pop(name, None)


def _with_resources(container: Document, other: Document) -> Document:
    return container | {"resources": other.get("resources", {})}
