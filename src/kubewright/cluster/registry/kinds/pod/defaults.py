"""What is filled in where a pod says nothing: in the pod of a template too, but for what only a pod itself gets.

Everything is done in place, and once more to what was filled in already changes nothing.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.amounts import default_pod_resources
from kubewright.cluster.registry.kinds.pod.image import image_tag
from kubewright.model.quantity import Quantity, QuantityError

__all__ = ["default_claim_spec", "default_pod", "default_resource_list", "default_spec"]

Document = dict[str, Any]

#: Annotations that a very old client used for init containers; nobody reads them any more.
_FORGOTTEN: Final = (
    "pod.beta.kubernetes.io/init-containers",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-container-statuses",
)
_MODE: Final = 0o644
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


def default_pod(pod: Document) -> None:
    """Fill in a pod."""
    spec = pod["spec"]
    containers: list[Document] = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    for container in containers:
        resources = container["resources"]
        if limits := resources.get("limits"):
            resources["requests"] = {**limits, **(resources.get("requests") or {})}
    if spec.get("resources"):
        default_pod_resources(spec)
    spec.setdefault("enableServiceLinks", True)
    if spec.get("hostNetwork"):
        for port in (port for container in containers for port in container.get("ports") or ()):
            if not port.get("hostPort") and port["containerPort"]:
                port["hostPort"] = port["containerPort"]
    default_spec(spec)
    if spec["terminationGracePeriodSeconds"] < 0:
        spec["terminationGracePeriodSeconds"] = 1
    forget_annotations(pod["metadata"])
    _default_status(pod.get("status") or {})


def default_spec(spec: Document) -> None:
    """Fill in the spec of a pod or of a template."""
    spec.setdefault("dnsPolicy", "ClusterFirst")
    spec.setdefault("restartPolicy", "Always")
    spec.setdefault("securityContext", {})
    spec.setdefault("terminationGracePeriodSeconds", 30)
    spec.setdefault("schedulerName", "default-scheduler")
    if account := spec.get("serviceAccountName") or spec.get("serviceAccount"):
        # The second is the old name of the first.
        spec["serviceAccountName"] = spec["serviceAccount"] = account
    for volume in spec.get("volumes") or ():
        _default_volume(volume)
    for kind in _KINDS:
        for container in spec.get(kind) or ():
            _default_container(container)
    default_resource_list(spec.get("overhead"))
    _default_requirements(spec.get("resources"))


def forget_annotations(meta: Document) -> None:
    """Drop what only very old clients wrote."""
    annotations = meta.get("annotations")
    if annotations and any(name in annotations for name in _FORGOTTEN):
        kept = {name: value for name, value in annotations.items() if name not in _FORGOTTEN}
        if kept:
            meta["annotations"] = kept
        else:
            del meta["annotations"]


def _default_container(container: Document) -> None:
    if "imagePullPolicy" not in container:
        latest = image_tag(container.get("image", "")) == "latest"
        container["imagePullPolicy"] = "Always" if latest else "IfNotPresent"
    container.setdefault("terminationMessagePath", "/dev/termination-log")
    container.setdefault("terminationMessagePolicy", "File")
    for port in container.get("ports") or ():
        port.setdefault("protocol", "TCP")
    for variable in container.get("env") or ():
        if source := variable.get("valueFrom"):
            _default_field(source)
            if "fileKeyRef" in source:
                source["fileKeyRef"].setdefault("optional", False)
    if container["resources"]:
        _default_requirements(container["resources"])
    for name in _PROBES:
        if name in container:
            _default_probe(container[name])
    if lifecycle := container.get("lifecycle"):
        _default_lifecycle(lifecycle)


def _default_lifecycle(lifecycle: Document) -> None:
    for name in ("postStart", "preStop"):
        if name in lifecycle:
            _default_get(lifecycle[name])


def _default_probe(probe: Document) -> None:
    probe.setdefault("timeoutSeconds", 1)
    probe.setdefault("periodSeconds", 10)
    probe.setdefault("successThreshold", 1)
    probe.setdefault("failureThreshold", 3)
    _default_get(probe)
    if "grpc" in probe and probe["grpc"].get("service") is None:
        probe["grpc"]["service"] = ""


def _default_get(handler: Document) -> None:
    if "httpGet" in handler:
        handler["httpGet"].setdefault("path", "/")
        handler["httpGet"].setdefault("scheme", "HTTP")


def _default_field(source: Document) -> None:
    if "fieldRef" in source:
        source["fieldRef"].setdefault("apiVersion", "v1")


def _default_volume(volume: Document) -> None:
    if len(volume) == 1:
        volume["emptyDir"] = {}
    for kind, source in volume.items():
        if kind in ("secret", "configMap"):
            source.setdefault("defaultMode", _MODE)
        elif kind in _VOLUMES:
            for name, value in _VOLUMES[kind].items():
                source.setdefault(name, value)
        elif kind == "downwardAPI":
            source.setdefault("defaultMode", _MODE)
            _default_items(source)
        elif kind == "projected":
            _default_projected(source)
        elif kind == "ephemeral" and "volumeClaimTemplate" in source:
            default_claim_spec(source["volumeClaimTemplate"]["spec"])
        elif kind == "image" and "pullPolicy" not in source:
            latest = image_tag(source.get("reference", "")) == "latest"
            source["pullPolicy"] = "Always" if latest else "IfNotPresent"


_VOLUMES: Final[dict[str, Document]] = {
    "hostPath": {"type": ""},
    "iscsi": {"iscsiInterface": "default"},
    "rbd": {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"},
    "azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "readOnly": False, "kind": "Shared"},
    "scaleIO": {"storageMode": "ThinProvisioned", "fsType": "xfs"},
}


def _default_items(source: Document) -> None:
    for item in source.get("items") or ():
        _default_field(item)


def _default_projected(source: Document) -> None:
    source.setdefault("defaultMode", _MODE)
    for part in source["sources"] or ():
        if "downwardAPI" in part:
            _default_items(part["downwardAPI"])
        if "serviceAccountToken" in part:
            part["serviceAccountToken"].setdefault("expirationSeconds", 3600)


def default_claim_spec(spec: Document) -> None:
    """Fill in the spec of a claim of a volume."""
    spec.setdefault("volumeMode", "Filesystem")
    _default_requirements(spec.get("resources"))


def _default_requirements(resources: Document | None) -> None:
    if resources:
        default_resource_list(resources.get("limits"))
        default_resource_list(resources.get("requests"))


def default_resource_list(amounts: dict[str, str] | None) -> None:
    """Round amounts up to thousandths."""
    if amounts:
        for name, amount in amounts.items():
            # Only these can be finer, as they are written.
            if amount[-1] in "nu" or "." in amount or "e" in amount or "E" in amount:
                amounts[name] = _rounded(amount)


@lru_cache(maxsize=64)
def _rounded(amount: str) -> str:
    quantity = Quantity(amount)
    try:
        milli = Quantity(f"{quantity.milli}m")
    except QuantityError:  # so large that nothing of it is finer
        return amount
    return amount if milli == quantity else str(Quantity(str(milli), quantity.form))


def _default_status(status: Document) -> None:
    for kind in ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"):
        for each in status.get(kind) or ():
            default_resource_list(each.get("allocatedResources"))
            _default_requirements(each.get("resources"))
    default_resource_list(status.get("allocatedResources"))
    _default_requirements(status.get("resources"))
    _pair_addresses(status, "podIP", "podIPs")


def _pair_addresses(status: Document, one: str, many: str) -> None:
    """The first address stands in two places; if they differ, the old one is right."""
    addresses: Iterable[Document] = status.get(many) or ()
    first = next((each.get("ip", "") for each in addresses), "")
    if only := status.get(one):
        if only != first:
            status[many] = [{"ip": only}]
    elif first:
        status[one] = first
