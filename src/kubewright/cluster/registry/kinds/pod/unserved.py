"""What a pod may say and the server does not take, because the feature that it belongs to is off by default.

It is dropped when the pod is known to be well-formed, not refused: a client of a newer server finds it gone.
"""

from typing import Any, Final

__all__ = ["drop_unserved", "drop_unserved_status"]

Document = dict[str, Any]

_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")
_STATUSES: Final = ("initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses")


def drop_unserved(spec: Document) -> None:
    """Drop, in place, signals to stop with, trust bundles and certificates in volumes, groups of pods."""
    spec.pop("schedulingGroup", None)
    for kind in _KINDS:
        for container in spec.get(kind) or ():
            lifecycle = container.get("lifecycle")
            if lifecycle and lifecycle.pop("stopSignal", None) is not None and not lifecycle:
                del container["lifecycle"]
    for volume in spec.get("volumes") or ():
        for source in (volume.get("projected") or {}).get("sources") or ():
            source.pop("clusterTrustBundle", None)
            source.pop("podCertificate", None)


def drop_unserved_status(status: Document) -> None:
    """Drop, in place, what is told of images in volumes, and of claims that nodes answer themselves."""
    status.pop("nodeAllocatableResourceClaimStatuses", None)
    for kind in _STATUSES:
        for each in status.get(kind) or ():
            for mount in each.get("volumeMounts") or ():
                mount.pop("volumeStatus", None)
