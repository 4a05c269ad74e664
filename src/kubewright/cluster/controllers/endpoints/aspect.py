"""What of a pod and of a Service matters to endpoints: most changes of pods do not. Pure."""

from collections.abc import Mapping

import msgspec

from kubewright.cache import Cached, Change
from kubewright.k8s.core.v1 import Service

__all__ = ["matters", "selects"]


class _Meta(msgspec.Struct, rename="camel"):
    labels: dict[str, str] | None = None
    deletion_timestamp: str | None = None


class _Condition(msgspec.Struct):
    type: str = ""
    status: str = ""


class _Address(msgspec.Struct):
    ip: str = ""


class _Status(msgspec.Struct, rename={"pod_ips": "podIPs"}):
    phase: str = ""
    pod_ips: list[_Address] | None = None
    conditions: list[_Condition] | None = None


class _Spec(msgspec.Struct):
    hostname: str = ""
    subdomain: str = ""


class _Seen(msgspec.Struct):
    """What of a pod matters here."""

    metadata: _Meta
    spec: _Spec | None = None
    status: _Status | None = None


_see = msgspec.json.Decoder(_Seen).decode


def _aspect(cached: Cached) -> tuple[object, ...]:
    seen = _see(cached.raw)
    spec, status = seen.spec or _Spec(), seen.status or _Status()
    return (
        seen.metadata.labels,
        seen.metadata.deletion_timestamp,
        spec.hostname,
        spec.subdomain,
        status.phase in ("Succeeded", "Failed"),
        [each.ip for each in status.pod_ips or ()],
        any(each.type == "Ready" and each.status == "True" for each in status.conditions or ()),
    )


def matters(change: Change) -> bool:
    """Whether a change of a pod may change endpoints."""
    old, new = change.old, change.new
    return old is None or new is None or _aspect(old) != _aspect(new)


def selects(service: Service) -> Mapping[str, str]:
    """The labels by which a Service selects pods; none if its endpoints are not ours to tell."""
    spec = service.spec
    return spec.selector if spec is not None and spec.type != "ExternalName" else {}
