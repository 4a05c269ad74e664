"""What is wrong with a service that is to replace another."""

from collections.abc import Iterator

from kubewright.cluster.registry.kinds.service.form import (
    Document,
    has_health_check,
    is_balanced,
    is_external,
    is_headless,
)
from kubewright.cluster.registry.kinds.service.judge import check_class
from kubewright.schema.walk.errors import FieldError, forbidden, invalid

__all__ = ["check_change"]

_FIXED = "may not change once set"


def check_change(spec: Document, old: Document) -> Iterator[FieldError]:
    """What is wrong with the change alone."""
    if not is_external(spec) and not is_external(old):
        yield from _addresses(spec, old)
        yield from _families(spec, old)
    if is_balanced(old) and is_balanced(spec) and spec.get("loadBalancerClass") != old.get("loadBalancerClass"):
        yield invalid("spec.loadBalancerClass", spec.get("loadBalancerClass"), _FIXED)
    yield from check_class(spec)
    moved = spec.get("healthCheckNodePort") != old.get("healthCheckNodePort")
    if moved and has_health_check(old) and has_health_check(spec):
        yield forbidden("spec.healthCheckNodePort", "field is immutable")


def _addresses(spec: Document, old: Document) -> Iterator[FieldError]:
    if is_headless(spec) and is_headless(old):
        return
    given: list[str] = spec.get("clusterIPs") or []
    before: list[str] = old.get("clusterIPs") or []
    shown = given or None
    if len(given) == len(before):
        for index, address in enumerate(before):
            if address != given[index]:
                yield invalid(f"spec.clusterIPs[{index}]", shown, _FIXED)
        return
    if len(given) < len(before) and not given:
        yield invalid("spec.clusterIPs[0]", shown, "primary clusterIP can not be unset")
    if given and before and given[0] != before[0]:
        yield invalid("spec.clusterIPs[0]", shown, _FIXED)
    if len(given) < len(before) and len(given) == 1:
        yield from _released(spec, "clusterIP")


def _families(spec: Document, old: Document) -> Iterator[FieldError]:
    if is_headless(spec) or is_headless(old):
        return
    given: list[str] = spec.get("ipFamilies") or []
    before: list[str] = old.get("ipFamilies") or []
    addresses = spec.get("clusterIPs") or None
    if len(given) == len(before):
        for index, name in enumerate(before):
            if name != given[index]:
                yield invalid("spec.ipFamilies[0]", given, _FIXED)
        return
    if len(given) < len(before) and not addresses:
        yield invalid("spec.ipFamilies[0]", given or None, "primary ipFamily can not be unset")
    if given and before and given[0] != before[0]:
        yield invalid("spec.ipFamilies[0]", addresses, _FIXED)
    if len(given) < len(before) and len(given) == 1:
        yield from _released(spec, "ipFamily")


def _released(spec: Document, what: str) -> Iterator[FieldError]:
    policy = spec.get("ipFamilyPolicy")
    if policy != "SingleStack":
        why = f"must be set to 'SingleStack' when releasing the secondary {what}"
        yield invalid("spec.ipFamilyPolicy", policy, why)
