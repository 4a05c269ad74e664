"""StatefulSets: pods with names and volumes of their own, of which little may change but how many and what they are."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.claim import fraction_warnings
from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.pod.defaults import default_claim_spec
from kubewright.cluster.registry.kinds.pod.template import check_template, default_template, template_warnings
from kubewright.cluster.registry.kinds.workload import (
    TEMPLATE,
    WorkloadStatus,
    check_endless,
    check_own_selector,
    check_selected,
)
from kubewright.cluster.registry.rules.claims import check_annotations, check_claim_spec
from kubewright.cluster.registry.rules.counts import check_counts, check_growth, check_parts
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.labels import check_labels
from kubewright.cluster.registry.rules.matching import invalid_selector, read_selector
from kubewright.cluster.registry.rules.names import check_label
from kubewright.cluster.registry.rules.pause import Pausing
from kubewright.model.selectors.labels import LabelSelector
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported
from kubewright.schema.walk.names import namespace_name

__all__ = ["StatefulSetStatus", "StatefulSetStrategy"]

Document = dict[str, Any]

_STRATEGY: Final = "spec.updateStrategy"
_CLAIMS: Final = "spec.volumeClaimTemplates"
#: What of its spec may change.
_FREE: Final = frozenset(
    {
        "replicas",
        "ordinals",
        "template",
        "updateStrategy",
        "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy",
        "minReadySeconds",
    }
)
_FIXED: Final = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)


class StatefulSetStrategy(Pausing, PlainStrategy):
    """What is particular to StatefulSets."""

    name_rule = staticmethod(namespace_name)

    def default(self, obj: Document) -> None:
        spec = obj["spec"]
        default_template(spec["template"])
        for claim in spec.get("volumeClaimTemplates") or ():
            claim |= {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
            default_claim_spec(claim["spec"])
            claim["status"].setdefault("phase", "Pending")
        spec.setdefault("podManagementPolicy", "OrderedReady")
        strategy = spec["updateStrategy"]
        if "type" not in strategy:
            strategy["type"] = "RollingUpdate"
            strategy.setdefault("rollingUpdate", {})
        if strategy["type"] == "RollingUpdate" and "rollingUpdate" in strategy:
            strategy["rollingUpdate"].setdefault("partition", 0)
        retention = spec.setdefault("persistentVolumeClaimRetentionPolicy", {})
        retention.setdefault("whenDeleted", "Retain")
        retention.setdefault("whenScaled", "Retain")
        spec.setdefault("replicas", 1)
        spec.setdefault("revisionHistoryLimit", 10)

    def prepare_create(self, obj: Document) -> None:
        _drop_disabled(obj["spec"])
        super().prepare_create(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        _drop_disabled(obj["spec"])
        super().prepare_update(obj, old)

    def rules(self, obj: Document, old: Document | None) -> Iterator[FieldError]:
        spec, before = obj["spec"], old["spec"] if old is not None else None
        yield from self.check_meta(obj) if old is None else self.check_meta_update(obj, old)
        yield from _check(spec, before)
        if before is not None and not same(_fixed(spec), _fixed(before)):
            yield forbidden("spec", _FIXED)

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        spec, warnings = obj["spec"], []
        if old is None:
            warnings += template_warnings(spec["template"], TEMPLATE)
        elif obj["metadata"]["generation"] != old["metadata"]["generation"]:
            warnings += template_warnings(spec["template"], TEMPLATE, old["spec"]["template"])
        for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
            # Of a new one and of a changed one the place is called otherwise.
            warnings += fraction_warnings(claim["spec"], f"{_CLAIMS}[{index}]{'' if old is None else '.Spec'}")
        if spec["revisionHistoryLimit"] < 0:
            why = "a negative value retains all historical revisions; a value >= 0 is recommended"
            warnings.append(f"spec.revisionHistoryLimit: {why}")
        return warnings


class StatefulSetStatus(WorkloadStatus):
    """The status of a StatefulSet."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        status, before = obj["status"], old["status"]
        return [
            *_check_status(status),
            *self.check_meta_update(obj, old),
            *check_growth(status, before, "status", "collisionCount"),
        ]


def _drop_disabled(spec: Document) -> None:
    """How many pods may be missing is behind a gate that is closed."""
    (spec["updateStrategy"].get("rollingUpdate") or {}).pop("maxUnavailable", None)


def _fixed(spec: Document) -> Document:
    return {name: value for name, value in spec.items() if name not in _FREE}


def _check(spec: Document, old: Document | None) -> Iterator[FieldError]:
    policy = spec["podManagementPolicy"]
    if policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    yield from _check_strategy(spec["updateStrategy"])
    for name in ("whenDeleted", "whenScaled"):
        if (choice := spec["persistentVolumeClaimRetentionPolicy"][name]) not in ("Retain", "Delete"):
            yield not_supported(f"spec.persistentVolumeClaimRetentionPolicy.{name}", choice, ["Retain", "Delete"])
    if old is None:
        for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
            yield from check_claim_spec(claim["spec"], f"{_CLAIMS}[{index}].spec")
    yield from check_counts(spec, "spec", "replicas", "minReadySeconds")
    yield from check_counts(spec.get("ordinals") or {}, "spec.ordinals", "start")
    if old is None and (service := spec.get("serviceName")):
        yield from check_label(service, "spec.serviceName")
    selector = spec.get("selector")
    yield from check_own_selector(selector, "statefulset")
    wanted = read_selector(selector)
    if wanted is None:
        yield invalid_selector("spec.selector", selector, "")
    else:
        yield from _check_template(spec, wanted, old)
    yield from check_endless(spec["template"], "StatefulSet")


def _check_template(spec: Document, wanted: LabelSelector, old: Document | None) -> Iterator[FieldError]:
    template = spec["template"]
    if not wanted.empty:
        yield from check_selected(wanted, template)
    yield from check_template(_as_made(spec), TEMPLATE, old["template"] if old else None)
    # They are looked at once more, under names that they do not have.
    yield from check_labels(template["metadata"].get("labels"), f"{TEMPLATE}.labels")
    yield from check_annotations(template["metadata"].get("annotations") or {}, f"{TEMPLATE}.annotations")


def _as_made(spec: Document) -> Document:
    """The template as its pods are made: with claims as volumes, and hosts named by the controller."""
    template = spec["template"]
    pods = {name: value for name, value in template["spec"].items() if name not in ("subdomain", "hostname")}
    names = dict.fromkeys(claim["metadata"].get("name", "") for claim in spec.get("volumeClaimTemplates") or ())
    if names:
        claims = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names]
        pods["volumes"] = claims + [each for each in pods.get("volumes") or () if each["name"] not in names]
    return {**template, "spec": pods}


def _check_strategy(strategy: Document) -> Iterator[FieldError]:
    kind, rolling = strategy["type"], strategy.get("rollingUpdate")
    if kind == "OnDelete":
        if rolling is not None:
            why = "only allowed for updateStrategy 'RollingUpdate'"
            type_ = "apps/v1.RollingUpdateStatefulSetStrategy"
            yield invalid_inner(f"{_STRATEGY}.rollingUpdate", rolling, type_, why)
    elif kind == "RollingUpdate":
        yield from check_counts(rolling or {}, f"{_STRATEGY}.rollingUpdate", "partition")
    else:
        why = "must be 'RollingUpdate' or 'OnDelete'"
        yield invalid_inner(_STRATEGY, strategy, "apps/v1.StatefulSetUpdateStrategy", why)


def _check_status(status: Document) -> Iterator[FieldError]:
    parts = ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas")
    yield from check_counts(status, "status", "replicas", *parts, "observedGeneration", "collisionCount")
    yield from check_parts(status, "status", parts, "replicas", "status.replicas")
    yield from check_parts(status, "status", ["availableReplicas"], "readyReplicas", "status.readyReplicas")
