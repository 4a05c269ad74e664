"""APIServices: which server serves a group; here all are served by this one, and others can be written down."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.crd.conditions import set_condition
from kubewright.cluster.registry.kinds.plain import PlainStrategy, StatusAlone
from kubewright.schema.walk.errors import FieldError, invalid, not_supported, required
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.metarules import check_meta
from kubewright.schema.walk.names import path_segment, resource_kind, subdomain

__all__ = ["LOCAL", "ApiServiceStatus", "ApiServiceStrategy"]

Document = dict[str, Any]

#: Why a group that names no server is available, and how that is told.
LOCAL: Final = ("Local", "Local APIServices are always available")
_STATUSES: Final = ("True", "False", "Unknown")


class ApiServiceStrategy(PlainStrategy):
    """What is particular to APIServices."""

    def default(self, obj: Document) -> None:
        if (service := obj["spec"].get("service")) is not None:
            service.setdefault("port", 443)

    def prepare_create(self, obj: Document) -> None:
        super().prepare_create(obj)
        if obj["spec"].get("service") is None:
            now = obj["metadata"]["creationTimestamp"]
            obj["status"] = set_condition(obj["status"], "Available", "True", *LOCAL, now)

    def check_meta(self, obj: Document) -> list[FieldError]:
        spec = obj["spec"]
        wanted = f"{spec.get('version', '')}.{spec.get('group', '')}"

        def rule(name: str) -> list[str]:
            other = [f'must be `spec.version+"."+spec.group`: {quote(wanted)}'] if name != wanted else []
            return path_segment(name) or other

        return check_meta(obj["metadata"], "metadata", name=rule, name_prefix=rule, namespaced=False)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"])]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        return [*self.check_meta_update(obj, old), *self.validate(obj)]


class ApiServiceStatus(StatusAlone):
    """Whether the server of a group answers."""

    unconditional_update = False

    def check(self, obj: Document) -> list[FieldError]:
        found = [each.get("status", "") for each in (obj.get("status") or {}).get("conditions") or []]
        return [
            not_supported(f"status.conditions[{index}].status", status, _STATUSES)
            for index, status in enumerate(found)
            if status not in _STATUSES
        ]


def _check(spec: Document) -> Iterator[FieldError]:
    group, version = spec.get("group", ""), spec.get("version", "")
    if not group and version != "v1":
        yield required("spec.group", "only v1 may have an empty group and it better be legacy kube")
    if group:
        yield from (invalid("spec.group", group, complaint) for complaint in subdomain(group))
    yield from (invalid("spec.version", version, complaint) for complaint in resource_kind(version))
    for name, limit in (("groupPriorityMinimum", 20000), ("versionPriority", 1000)):
        if not 0 < spec[name] <= limit:
            yield invalid(f"spec.{name}", spec[name], f"must be positive and less than {limit}")
    service, bundle, insecure = spec.get("service"), spec.get("caBundle"), spec.get("insecureSkipTLSVerify", False)
    if service is None:
        if bundle:
            size = len(bundle) // 4 * 3 - bundle.count("=")
            yield invalid("spec.caBundle", f"{size} bytes", "local APIServices may not have a caBundle")
        if insecure:
            why = "local APIServices may not have insecureSkipTLSVerify"
            yield invalid("spec.insecureSkipTLSVerify", insecure, why)
        return
    for name in ("namespace", "name"):
        if not service.get(name):
            yield required(f"spec.service.{name}")
    if not 1 <= service["port"] <= 65535:
        why = "port is not valid: must be between 1 and 65535, inclusive"
        yield invalid("spec.service.port", service["port"], why)
    if insecure and bundle:
        yield invalid("spec.insecureSkipTLSVerify", insecure, "may not be true if caBundle is present")
