"""IPAddresses: an address that is taken, which is its name, and by whom."""

from collections.abc import Iterator
from typing import Any

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.rules.addresses import canonical_address
from kubewright.cluster.registry.rules.inner import changed_inner
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.names import path_segment, subdomain

__all__ = ["IPAddressStrategy"]

Document = dict[str, Any]


class IPAddressStrategy(PlainStrategy):
    """What is particular to IPAddresses."""

    name_rule = staticmethod(canonical_address)

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj["spec"].get("parentRef"))]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        parent, before = obj["spec"].get("parentRef"), old["spec"].get("parentRef")
        if changed := changed_inner("spec.parentRef", parent, before, "*networking/v1.ParentReference"):
            errors += [*_check(parent), *changed]
        return errors


def _check(parent: Document | None) -> Iterator[FieldError]:
    path = "spec.parentRef"
    if parent is None:
        yield required(path)
        return
    if group := parent.get("group"):
        yield from (invalid(f"{path}.group", group, complaint) for complaint in subdomain(group))
    for name in ("resource", "name", "namespace"):
        value = parent.get(name)
        if value:
            yield from (invalid(f"{path}.{name}", value, complaint) for complaint in path_segment(value))
        elif name != "namespace":
            yield required(f"{path}.{name}")
