"""What a claim asks of a volume: as an object of its own, and in the template of one."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.labels import check_labels, check_selector
from kubewright.cluster.registry.rules.names import check_subdomain
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required, too_long
from kubewright.schema.walk.names import label_key, namespace_name

__all__ = [
    "ACCESS_MODES",
    "VOLUME_MODES",
    "check_annotations",
    "check_claim_spec",
    "check_claim_template",
    "check_template_meta",
]

Document = dict[str, Any]

ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES: Final = ("Block", "Filesystem")
#: Metadata that a template cannot carry, each as messages call it.
_UNWANTED: Final = {
    "name": "name",
    "generateName": "generateName",
    "namespace": "namespace",
    "selfLink": "selfLink",
    "uid": "uID",
    "resourceVersion": "resourceVersion",
    "generation": "generation",
    "creationTimestamp": "creationTimestamp",
    "deletionTimestamp": "deletionTimestamp",
    "deletionGracePeriodSeconds": "deletionGracePeriodSeconds",
    "ownerReferences": "ownerReferences",
    "finalizers": "finalizers",
    "managedFields": "managedFields",
}
_ANNOTATIONS_LIMIT: Final = 256 * 1024


def check_claim_template(template: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the template of a claim."""
    yield from check_template_meta(template["metadata"], f"{path}.metadata")
    yield from check_claim_spec(template["spec"], f"{path}.spec")


def check_template_meta(meta: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with metadata that has labels and annotations alone."""
    yield from check_annotations(meta.get("annotations") or {}, f"{path}.annotations")
    yield from check_labels(meta.get("labels"), f"{path}.labels")
    for name, shown in _UNWANTED.items():
        if meta.get(name):
            yield forbidden(f"{path}.{shown}", "cannot be set")


def check_annotations(annotations: dict[str, str], path: str) -> Iterator[FieldError]:
    """What is wrong with annotations, in the order of their keys."""
    for key in sorted(annotations):
        yield from (invalid(path, key, complaint) for complaint in label_key(key.lower()))
    size = sum(len(text.encode(errors="replace")) for pair in annotations.items() for text in pair)
    if size > _ANNOTATIONS_LIMIT:
        yield too_long(path, _ANNOTATIONS_LIMIT)


def check_claim_spec(spec: Document, path: str, *, any_group: bool = False) -> Iterator[FieldError]:
    """What is wrong with the spec of a claim; a claim that is there may keep `any_group` in its sources."""
    modes: list[str] = spec.get("accessModes") or []
    if not modes:
        yield required(f"{path}.accessModes", "at least 1 access mode is required")
    yield from check_selector(spec.get("selector"), f"{path}.selector")
    for mode in modes:
        if mode not in ACCESS_MODES:
            yield not_supported(f"{path}.accessModes", mode, ACCESS_MODES)
    if "ReadWriteOncePod" in modes and any(mode in ACCESS_MODES[:-1] for mode in modes):
        yield forbidden(f"{path}.accessModes", "may not use ReadWriteOncePod with other access modes")
    storage = (spec["resources"].get("requests") or {}).get("storage")
    if storage is None:
        yield required(f"{path}.resources[storage]")
    elif Quantity(storage) <= 0:
        yield invalid(f"{path}.resources[storage]", storage, "must be greater than zero")
    if name := spec.get("storageClassName"):
        yield from check_subdomain(name, f"{path}.storageClassName")
    volume_mode = spec.get("volumeMode")
    if volume_mode is not None and volume_mode not in VOLUME_MODES:
        yield not_supported(f"{path}.volumeMode", volume_mode, VOLUME_MODES)
    yield from _sources(spec, path, any_group)
    if name := spec.get("volumeAttributesClassName"):
        yield from check_subdomain(name, f"{path}.volumeAttributesClassName")


def _sources(spec: Document, path: str, any_group: bool) -> Iterator[FieldError]:
    source, ref = spec.get("dataSource"), spec.get("dataSourceRef")
    if source is not None:
        yield from _source(source, f"{path}.dataSource", any_group)
    if ref is not None:
        yield from _source(ref, f"{path}.dataSourceRef", any_group)
        if namespace := ref.get("namespace"):
            for complaint in namespace_name(namespace):
                yield invalid(f"{path}.dataSourceRef.namespace", namespace, complaint)
    if source is None or ref is None:
        return
    # What would be shown is the place, which shows nothing.
    if ref.get("namespace"):
        yield invalid(path, {}, "may not be specified when dataSourceRef.namespace is specified")
    elif any(source.get(part) != ref.get(part) for part in ("apiGroup", "kind", "name")):
        yield invalid(path, {}, "must match dataSourceRef")


def _source(source: Document, path: str, any_group: bool) -> Iterator[FieldError]:
    if not source["name"]:
        yield required(f"{path}.name")
    if not source["kind"]:
        yield required(f"{path}.kind")
    group = source.get("apiGroup") or ""
    if not group and source["kind"] != "PersistentVolumeClaim":
        why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
        yield invalid(path, source["kind"], why)
    if group and not any_group:
        yield from check_subdomain(group, f"{path}.apiGroup")
