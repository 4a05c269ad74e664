"""PersistentVolumes: storage of one source, of the many that there are."""

import posixpath
from collections.abc import Callable, Iterator
from typing import Any, Final

from kubewright import clock
from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.pod.scheduling import check_node_selector
from kubewright.cluster.registry.kinds.pod.volumes import SOURCES
from kubewright.cluster.registry.kinds.pod.warnings import OLD_LABELS
from kubewright.cluster.registry.rules.claims import ACCESS_MODES, VOLUME_MODES
from kubewright.cluster.registry.rules.difference import inner_difference
from kubewright.cluster.registry.rules.equality import same
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.paths import check_no_backsteps
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required, too_long
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import subdomain

__all__ = ["VolumeStatus", "VolumeStrategy"]

Document = dict[str, Any]
Check = Callable[[Document, str], Iterator[FieldError]]

_POLICIES: Final = ("Delete", "Recycle", "Retain")
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_OPTIONS: Final = "volume.beta.kubernetes.io/mount-options"
_OLD_ANNOTATIONS: Final = {
    _CLASS: f"deprecated since v1.8; use {quote('storageClassName')} attribute instead",
    _OPTIONS: f"deprecated since v1.31; use {quote('mountOptions')} attribute instead",
}
#: With the name that the message gives them.
_OLD_SOURCES: Final = {
    "cephfs": "spec.cephfs: deprecated in v1.28, non-functional in v1.31+",
    "photonPersistentDisk": "spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
    "scaleIO": "spec.scaleIO: deprecated in v1.16, non-functional in v1.22+",
    "storageos": "spec.storageOS: deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "spec.glusterfs: deprecated in v1.25, non-functional in v1.26+",
    "rbd": "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
}
_RECYCLED: Final = (
    "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach "
    "is to use dynamic provisioning."
)
#: Labels that may be replaced in an affinity, each by the one that took its place.
_RENAMED: Final = {
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
}


class VolumeStrategy(PlainStrategy):
    """What is particular to volumes."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        obj["status"] = {"phase": "Pending", "lastPhaseTransitionTime": _now()}

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"], obj["metadata"].get("name", "")), *_check_options(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        rules = [*self.check_meta(obj), *_check(obj["spec"], obj["metadata"].get("name", ""))]
        return [*rules, *_check_options(obj), *rules, *_changes(obj["spec"], old["spec"])]

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [*_warnings(obj["spec"], obj["metadata"].get("annotations") or {})]


class VolumeStatus(PlainStatus):
    """The status of a volume: in which phase it is, and since when."""

    def default(self, obj: Document) -> None:
        _fill_in(obj)

    def prepare_update(self, obj: Document, old: Document) -> None:
        super().prepare_update(obj, old)
        status, before, name = obj["status"], old["status"], "lastPhaseTransitionTime"
        if status.get("phase") == before.get("phase"):
            if name not in status and name in before:
                status[name] = before[name]
        elif status.get(name) in (None, before.get(name)):
            status[name] = _now()


def _now() -> str:
    return clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")


def _fill_in(obj: Document) -> None:
    spec = obj["spec"]
    if not obj["status"].get("phase"):
        obj["status"]["phase"] = "Pending"
    if not spec.get("persistentVolumeReclaimPolicy"):
        spec["persistentVolumeReclaimPolicy"] = "Retain"
    spec.setdefault("volumeMode", "Filesystem")
    for kind, parts in _DEFAULTS.items():
        if (source := spec.get(kind)) is not None:
            for name, value in parts.items():
                if source.get(name) is None or (source[name] == "" and kind in ("iscsi", "rbd", "scaleIO")):
                    source[name] = value


_DEFAULTS: Final[dict[str, Document]] = {
    "azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "kind": "Shared", "readOnly": False},
    "hostPath": {"type": ""},
    "iscsi": {"iscsiInterface": "default"},
    "rbd": {"keyring": "/etc/ceph/keyring", "pool": "rbd", "user": "admin"},
    "scaleIO": {"fsType": "xfs", "storageMode": "ThinProvisioned"},
}


# -- what is wrong with one


def _check(spec: Document, name: str) -> Iterator[FieldError]:
    modes: list[str] = spec.get("accessModes") or []
    if not modes:
        yield required("spec.accessModes")
    yield from (not_supported("spec.accessModes", mode, ACCESS_MODES) for mode in modes if mode not in ACCESS_MODES)
    if "ReadWriteOncePod" in modes and any(mode in ACCESS_MODES[:-1] for mode in modes):
        yield forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes")
    yield from _capacity(spec.get("capacity"))
    if spec["persistentVolumeReclaimPolicy"] not in _POLICIES:
        yield not_supported("spec.persistentVolumeReclaimPolicy", spec["persistentVolumeReclaimPolicy"], _POLICIES)
    affinity = spec.get("nodeAffinity")
    if affinity is not None:
        if affinity.get("required") is None:
            yield required("spec.nodeAffinity.required", "must specify required node constraints")
        else:
            yield from check_node_selector(affinity["required"], "spec.nodeAffinity.required")
    yield from _check_source(spec, name)
    host = spec.get("hostPath")
    recycled = spec["persistentVolumeReclaimPolicy"] == "Recycle"
    if recycled and host is not None and posixpath.normpath(host["path"]) in ("/", "//"):
        why = "may not be 'recycle' for a hostPath mount of '/'"
        yield forbidden("spec.persistentVolumeReclaimPolicy", why)
    if class_name := spec.get("storageClassName"):
        yield from check_subdomain(class_name, "spec.storageClassName")
    if spec["volumeMode"] not in VOLUME_MODES:
        yield not_supported("spec.volumeMode", spec["volumeMode"], VOLUME_MODES)
    attributes = spec.get("volumeAttributesClassName")
    if attributes is not None:
        if attributes:
            yield from check_subdomain(attributes, "spec.volumeAttributesClassName")
        else:
            yield required("spec.volumeAttributesClassName", "an empty string is disallowed")
        if "csi" not in spec:
            yield required("spec.csi", "has to be specified when using volumeAttributesClassName")


def _capacity(given: dict[str, str] | None) -> Iterator[FieldError]:
    capacity = given or {}
    if not capacity:
        yield required("spec.capacity")
    if [*capacity] != ["storage"]:
        yield not_supported("spec.capacity", given, ("storage",))
    for name in sorted(capacity):
        amount = Quantity(capacity[name])
        if amount < 0:
            yield invalid(f"spec.capacity[{name}]", int(amount), "must be a valid resource quantity")
        if amount <= 0:
            yield invalid(f"spec.capacity[{name}]", capacity[name], "must be greater than zero")


def _check_source(spec: Document, name: str) -> Iterator[FieldError]:
    found = False
    for kind, check in _SOURCES.items():
        if (source := spec.get(kind)) is None:
            continue
        if found and kind != "flexVolume":
            yield forbidden(f"spec.{'cephFS' if kind == 'cephfs' else kind}", "may not specify more than 1 volume type")
            continue
        found = True
        yield from check(source, f"spec.{'persistentDisk' if kind == 'gcePersistentDisk' else kind}")
        if kind == "iscsi":
            yield from _portal(source, name)
        if kind == "local" and spec.get("nodeAffinity") is None:
            yield required("spec.nodeAffinity", "Local volume requires node affinity")
    if not found:
        yield required("spec", "must specify a volume type")


def _glusterfs(source: Document, path: str) -> Iterator[FieldError]:
    yield from SOURCES["glusterfs"](source, path)
    namespace = source.get("endpointsNamespace")
    if namespace == "":
        why = "if the endpointnamespace is set, it must be a valid namespace name"
        yield invalid(f"{path}.endpointsNamespace", namespace, why)
    elif namespace is not None:
        yield from check_label(namespace, f"{path}.endpointsNamespace")


def _iscsi(source: Document, path: str) -> Iterator[FieldError]:
    # A pod says a little more of a name that is none.
    for error in SOURCES["iscsi"](source, path):
        message = error.message.replace("must be valid format starting with iqn, eui, or naa", "must be valid format")
        yield FieldError(error.reason, error.field, message)
    if "secretRef" in source and not source["secretRef"].get("name"):
        yield required(f"{path}.secretRef.name")


def _portal(source: Document, name: str) -> Iterator[FieldError]:
    portal = source["targetPortal"]
    if "initiatorName" in source and len(f"{name}:{portal}".encode(errors="replace")) > 64:
        why = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
        yield invalid("spec.iscsi.targetportal", portal, f"{why}iscsi.initiatorName is specified.")


def _with_secret(kind: str) -> Check:
    """A source whose secret is in a namespace."""

    def check(source: Document, path: str) -> Iterator[FieldError]:
        yield from SOURCES[kind](source, path)
        if "secretRef" in source and not source["secretRef"].get("namespace"):
            yield required(f"{path}.secretRef.namespace")

    return check


def _azure_file(source: Document, path: str) -> Iterator[FieldError]:
    yield from SOURCES["azureFile"](source, path)
    if source.get("secretNamespace") == "":
        yield required(f"{path}.secretNamespace")


def _local(source: Document, path: str) -> Iterator[FieldError]:
    if source["path"]:
        yield from check_no_backsteps(source["path"], f"{path}.path")
    else:
        yield required(f"{path}.path")


def _csi(source: Document, path: str) -> Iterator[FieldError]:
    driver = source["driver"]
    if not driver:
        yield required(f"{path}.driver")
    else:
        if len(driver.encode(errors="replace")) > 63:
            yield too_long(f"{path}.driver", 63)
        yield from (invalid(f"{path}.driver", driver, why) for why in subdomain(driver.lower()))
    if not source["volumeHandle"]:
        yield required(f"{path}.volumeHandle")
    for kind in ("controllerPublish", "controllerExpand", "nodePublish", "nodeExpand"):
        if (secret := source.get(f"{kind}SecretRef")) is None:
            continue
        for part, rule in (("name", check_subdomain), ("namespace", check_label)):
            place = f"{path}.{kind}SecretRef.{part}"
            yield from rule(secret[part], place) if secret.get(part) else (required(place),)


#: In the order in which they are looked for.
_SOURCES: Final[dict[str, Check]] = {
    "hostPath": SOURCES["hostPath"],
    "gcePersistentDisk": SOURCES["gcePersistentDisk"],
    "awsElasticBlockStore": SOURCES["awsElasticBlockStore"],
    "glusterfs": _glusterfs,
    "flocker": SOURCES["flocker"],
    "nfs": SOURCES["nfs"],
    "rbd": SOURCES["rbd"],
    "quobyte": SOURCES["quobyte"],
    "cephfs": SOURCES["cephfs"],
    "iscsi": _iscsi,
    "cinder": _with_secret("cinder"),
    "fc": SOURCES["fc"],
    "flexVolume": SOURCES["flexVolume"],
    "azureFile": _azure_file,
    "vsphereVolume": SOURCES["vsphereVolume"],
    "photonPersistentDisk": SOURCES["photonPersistentDisk"],
    "portworxVolume": SOURCES["portworxVolume"],
    "azureDisk": SOURCES["azureDisk"],
    "scaleIO": SOURCES["scaleIO"],
    "local": _local,
    "storageos": _with_secret("storageos"),
    "csi": _csi,
}
#: Sources that may be mounted with options of an annotation.
_MOUNTED: Final = frozenset(
    {
        *("awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "gcePersistentDisk", "glusterfs"),
        *("iscsi", "nfs", "photonPersistentDisk", "quobyte", "rbd", "vsphereVolume"),
    }
)


def _check_options(obj: Document) -> Iterator[FieldError]:
    if _OPTIONS in (obj["metadata"].get("annotations") or {}) and not _MOUNTED & obj["spec"].keys():
        why = "may not specify mount options for this volume type"
        yield forbidden(f"metadata.annotations.{_OPTIONS}", why)


# -- what is wrong with a change


def _changes(spec: Document, old: Document) -> Iterator[FieldError]:
    given, before = ({kind: each[kind] for kind in _SOURCES if kind in each} for each in (spec, old))
    expand = "controllerExpandSecretRef"
    if expand in given.get("csi", {}) and expand not in before.get("csi", {expand: None}):
        given["csi"] = {name: value for name, value in given["csi"].items() if name != expand}
    if not same(given, before):
        shown = inner_difference(before, given, "core/v1.PersistentVolumeSource")
        why = f"spec.persistentvolumesource is immutable after creation\n{shown}"
        yield forbidden("spec.persistentvolumesource", why)
    if spec["volumeMode"] != old["volumeMode"]:
        yield invalid("volumeMode", spec["volumeMode"], "field is immutable")
    affinity, was = spec.get("nodeAffinity"), old.get("nodeAffinity")
    if was is not None and not same(affinity, was) and not same(affinity, _renamed(was, affinity)):
        why = "field is immutable, except for updating from beta label to GA"
        yield invalid_inner("nodeAffinity", affinity, "*core/v1.VolumeNodeAffinity", why)
    name = "volumeAttributesClassName"
    if name in old and name not in spec:
        yield forbidden(f"spec.{name}", "update from non-nil value to nil is forbidden")


def _renamed(was: Any, now: Any) -> Any:
    """An affinity as it was, with labels that were renamed since under the names that it has now."""
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        return [_renamed(*pair) for pair in zip(was, now, strict=True)]
    if not isinstance(was, dict) or not isinstance(now, dict):
        return was
    renamed = {name: _renamed(value, now.get(name)) for name, value in was.items()}
    # A label that was never renamed has "" for its new name, so that a key may be dropped.
    if "key" in was and _RENAMED.get(was["key"], "") == now.get("key", ""):
        renamed["key"] = now["key"]
    return renamed


def _warnings(spec: Document, annotations: dict[str, str]) -> Iterator[str]:
    yield from (f"metadata.annotations[{key}]: {why}" for key, why in _OLD_ANNOTATIONS.items() if key in annotations)
    if spec["persistentVolumeReclaimPolicy"] == "Recycle":
        yield _RECYCLED
    terms = ((spec.get("nodeAffinity") or {}).get("required") or {}).get("nodeSelectorTerms") or ()
    for index, term in enumerate(terms):
        for at, each in enumerate(term.get("matchExpressions") or ()):
            if why := OLD_LABELS.get(each["key"]):
                place = f"spec.nodeAffinity.required.nodeSelectorTerms[{index}].matchExpressions[{at}].key"
                yield f"{place}: {each['key']} is {why}"
    yield from (why for kind, why in _OLD_SOURCES.items() if kind in spec)
