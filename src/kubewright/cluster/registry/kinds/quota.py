"""ResourceQuotas: how much of what a namespace may hold, of all that is in it or of what its scopes mean."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStatus, PlainStrategy
from kubewright.cluster.registry.kinds.pod.amounts import is_hugepage
from kubewright.cluster.registry.kinds.pod.defaults import default_resource_list
from kubewright.cluster.registry.kinds.pod.resources import check_resource_name, check_resource_value
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.quantities import quantity
from kubewright.schema.walk.errors import FieldError, invalid, required

__all__ = ["QuotaStatus", "QuotaStrategy"]

Document = dict[str, Any]

_AMOUNTS: Final = ("cpu", "memory", "ephemeral-storage")
_OBJECTS: Final = ("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "persistentvolumeclaims")
_KNOWN: Final = frozenset(
    {
        *(f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in _AMOUNTS),
        *(*_OBJECTS, "configmaps", "requests.storage", "services.nodeports", "services.loadbalancers"),
    }
)
_OF_PODS: Final = frozenset(
    {"pods", *(f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in _AMOUNTS[:2])}
)
#: What can be counted of each scope.
_SCOPES: Final = {
    "Terminating": _OF_PODS,
    "NotTerminating": _OF_PODS,
    "BestEffort": frozenset({"pods"}),
    "NotBestEffort": _OF_PODS,
    "PriorityClass": _OF_PODS,
    "CrossNamespacePodAffinity": _OF_PODS,
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
#: Scopes that a thing is in or not.
_PLAIN: Final = frozenset({*_SCOPES} - {"PriorityClass", "VolumeAttributesClass"})
_OPPOSITES: Final = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
#: Of these more should be allowed to be used than to be asked for.
_COMPARED: Final = ("cpu", "memory", "storage", "ephemeral-storage")


class QuotaStrategy(PlainStrategy):
    """What is particular to ResourceQuotas."""

    def default(self, obj: Document) -> None:
        default_resource_list(obj["spec"].get("hard"))
        for name in ("hard", "used"):
            default_resource_list(obj["status"].get(name))

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"])]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = super().validate_update(obj, old)
        scopes = obj["spec"].get("scopes")
        if {*(scopes or ())} != {*(old["spec"].get("scopes") or ())}:
            errors.append(invalid("spec.scopes", scopes, "field is immutable"))
        return errors

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        return [] if old is not None else [*_inverted(obj["spec"].get("hard") or {})]


class QuotaStatus(PlainStatus):
    """The status of a ResourceQuota."""

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        status = obj["status"]
        amounts = [error for name in ("hard", "used") for error in _check_amounts(status.get(name), f"status.{name}")]
        return [*self.check_meta_update(obj, old), *amounts]


def _check(spec: Document) -> Iterator[FieldError]:
    hard, scopes, selector = spec.get("hard") or {}, spec.get("scopes"), spec.get("scopeSelector")
    yield from _check_amounts(hard, "spec.hard")
    for scope in scopes or ():
        if scope not in _SCOPES:
            yield invalid("spec.scopes", scopes, "unsupported scope")
        for _ in _misapplied(scope, hard):
            yield invalid("spec.scopes", scopes, "unsupported scope applied to resource")
    yield from _check_opposites(scopes or (), scopes, "spec.scopes")
    if selector is not None:
        yield from _check_selector(selector, spec, "spec.scopeSelector.matchExpressions")


def _check_amounts(amounts: dict[str, str] | None, path: str) -> Iterator[FieldError]:
    for name, amount in sorted((amounts or {}).items()):
        place = f"{path}[{name}]"
        yield from check_resource_name(name, place)
        if "/" not in name and not _is_known(name):
            yield invalid(place, name, "must be a standard resource for quota")
        yield from check_resource_value(name, amount, place)


def _is_known(name: str) -> bool:
    return name in _KNOWN or is_hugepage(name) or name.startswith("requests.hugepages-")


def _misapplied(scope: str, hard: Document) -> Iterator[str]:
    """What is bounded that a scope does not speak of."""
    if scope in _SCOPES:
        yield from (name for name in sorted(hard) if _is_known(name) and name not in _SCOPES[scope])


def _check_opposites(named: Iterable[str], scopes: list[str] | None, path: str) -> Iterator[FieldError]:
    found = {*named}
    for pair in _OPPOSITES:
        if found >= {*pair}:
            yield invalid(path, scopes, "conflicting scopes")


def _check_selector(selector: Document, spec: Document, path: str) -> Iterator[FieldError]:
    expressions = selector.get("matchExpressions") or ()
    for each in expressions:
        scope, operator, values = each["scopeName"], each["operator"], each.get("values")
        if scope not in _SCOPES:
            yield invalid(f"{path}.scopeName", scope, "unsupported scope")
        for _ in _misapplied(scope, spec.get("hard") or {}):
            why = "unsupported scope applied to resource"
            yield invalid_inner(path, selector, "core/v1.ScopeSelector", why)
        if scope in _PLAIN and operator != "Exists":
            plain = "ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
            plain += "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
            yield invalid(f"{path}.operator", operator, f"must be 'Exists' when scope is any of {plain}")
        if operator in ("In", "NotIn"):
            if not values:
                why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
                yield required(f"{path}.values", why)
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
                yield invalid(f"{path}.values", values, why)
        else:
            yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from _check_opposites((each["scopeName"] for each in expressions), spec.get("scopes"), path)


def _inverted(hard: dict[str, str]) -> Iterator[str]:
    """Of what more may be asked for than used."""
    for name in _COMPARED:
        asked, used = f"requests.{name}", f"limits.{name}"
        if asked not in hard and name in ("cpu", "memory"):
            asked = name
        if asked in hard and used in hard and quantity(hard[asked]) > quantity(hard[used]):
            yield f"ResourceQuota {asked} ({hard[asked]}) should be less than {used} ({hard[used]})"
