"""What each path of the API does not change, whatever it is sent; nobody comes to own that there.

An object's own path leaves the status alone and the path of the status leaves the rest; which part of the metadata that
is differs between kinds.
"""

from typing import Final

from kubewright.cluster.fields.ownership import Filter
from kubewright.cluster.fields.pathset import PathSet, recursive_difference, set_of

__all__ = ["STATUS_RESET", "builtin_filter", "dropping"]

_STATUS: Final = set_of(("f:status",))
_SPEC: Final = set_of(("f:spec",))
#: Of the status of a custom resource, and of some built-in kinds.
STATUS_RESET: Final = set_of(("f:metadata",), ("f:spec",))

_OTHER: Final[dict[str, PathSet]] = {
    "certificatesigningrequests.certificates.k8s.io": set_of(("f:spec",), ("f:status",)),
    "certificatesigningrequests.certificates.k8s.io/approval": set_of(("f:spec",), ("f:status", "f:certificate")),
    "certificatesigningrequests.certificates.k8s.io/status": set_of(("f:spec",), ("f:status", "f:conditions")),
    "deployments.apps/status": set_of(("f:spec",), ("f:metadata", "f:labels")),
    "namespaces/finalize": _STATUS,
    "pods/status": set_of(("f:spec",), ("f:metadata", "f:deletionTimestamp"), ("f:metadata", "f:ownerReferences")),
} | dict.fromkeys(
    (
        "apiservices.apiregistration.k8s.io/status",
        "flowschemas.flowcontrol.apiserver.k8s.io/status",
        "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status",
        "resourceclaims.resource.k8s.io/status",
        "servicecidrs.networking.k8s.io/status",
        "validatingadmissionpolicies.admissionregistration.k8s.io/status",
        "volumeattachments.storage.k8s.io/status",
    ),
    STATUS_RESET,
)


def dropping(reset: PathSet, *versions: str) -> Filter:
    """What takes paths, and all below them, out of the sets of some versions."""
    return lambda fields, version: recursive_difference(fields, reset) if version in versions else fields


def builtin_filter(qualified: str, subresource: str, *versions: str, has_status: bool) -> Filter:
    """What takes out of a set what a path of the API does not change."""
    name = f"{qualified}/{subresource}" if subresource else qualified
    usual = _SPEC if subresource == "status" else _STATUS if has_status and not subresource else {}
    return dropping(_OTHER.get(name, usual), *versions)
