"""Which families of addresses a service is in. The cluster has one, IPv4.

What can be told from the other fields is filled in before anything is allocated, in a dry run too.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubewright.cluster.registry.kinds.service.form import Document, is_external, is_headless
from kubewright.cluster.registry.rules.addresses import check_address, sloppy_address
from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required

__all__ = ["check_addresses", "choose_families", "family", "is_settled"]

#: What this cluster has.
CONFIGURED: Final = ("IPv4",)
_FAMILIES: Final = ("IPv4", "IPv6")
_POLICIES: Final = ("PreferDualStack", "RequireDualStack", "SingleStack")
_POLICY: Final = "spec.ipFamilyPolicy"


def family(address: str) -> str:
    """The family of an address."""
    found = sloppy_address(address)
    return "IPv6" if found is not None and found.version == 6 else "IPv4"


def check_addresses(spec: Document, old: Document | None) -> list[FieldError]:
    """What is wrong with the addresses of a service, and with their families."""
    if is_external(spec):
        return []
    errors = [*_matching(spec), *_families(spec)]
    given: list[str] = spec.get("clusterIPs") or []
    bad = False
    kept = tuple((old or {}).get("clusterIPs") or ())
    for index, address in enumerate(given):
        if index == 0 and address == "None":
            if len(given) > 1:
                bad = True
                errors.append(invalid("spec.clusterIPs", given, "'None' must be the first and only value"))
            continue
        found = [*check_address(address, f"spec.clusterIPs[{index}]", kept)]
        bad = bad or bool(found)
        errors += found
    if len(given) > 2:
        errors.append(invalid("spec.clusterIPs", given, "may only hold up to 2 values"))
    # What follows would tell nothing new of addresses that are none.
    return errors if bad else [*errors, *_stacked(spec, given)]


def _matching(spec: Document) -> Iterator[FieldError]:
    first, given = spec.get("clusterIP", ""), spec.get("clusterIPs") or []
    if first and not given:
        yield required("spec.clusterIPs")
    elif first and given[0] != first:
        yield invalid("spec.clusterIPs", given, "first value must match `clusterIP`")
    elif given and not first:
        yield invalid("spec.clusterIPs", given, "must be empty when `clusterIP` is not specified")


def _families(spec: Document) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, name in enumerate(spec.get("ipFamilies") or ()):
        if name not in _FAMILIES:
            yield not_supported(f"spec.ipFamilies[{index}]", name, _FAMILIES)
        if name in seen:
            yield duplicate(f"spec.ipFamilies[{index}]", name)
        seen.add(name)
    policy = spec.get("ipFamilyPolicy")
    if policy is not None and policy not in _POLICIES:
        yield not_supported(_POLICY, policy, _POLICIES)


def _stacked(spec: Document, given: list[str]) -> Iterator[FieldError]:
    if len(given) > 1 and len({*map(family, given)}) < 2:
        yield invalid("spec.clusterIPs", given, "may specify no more than one IP for each IP family")
    if is_headless(spec):
        return
    for index, (address, wanted) in enumerate(zip(given, spec.get("ipFamilies") or (), strict=False)):
        if wanted in _FAMILIES and family(address) != wanted:
            why = f"expected an {wanted} value as indicated by `ipFamilies[{index}]`"
            yield invalid(f"spec.clusterIPs[{index}]", address, why)


def is_settled(spec: Document, old: Document | None) -> bool:
    """Whether a service that likes two families and has what it has is left with that."""
    if old is None or is_external(spec) or spec.get("type") != old.get("type"):
        return False
    prefers = "PreferDualStack"
    return (
        spec.get("ipFamilyPolicy") == prefers
        and old.get("ipFamilyPolicy", prefers) == prefers
        and _same(spec, old, "clusterIPs")
        and _same(spec, old, "ipFamilies")
    )


def choose_families(spec: Document, old: Document | None) -> list[FieldError]:
    """Fill in the families and the policy, in place; what stands in the way."""
    if is_external(spec) or is_settled(spec, old):
        return []
    unselective = spec.get("clusterIP") == "None" and not spec.get("selector")
    if spec.get("ipFamilyPolicy") is None:
        before = (old or {}).get("ipFamilyPolicy")
        spec["ipFamilyPolicy"] = before or ("RequireDualStack" if unselective else "SingleStack")
    if errors := check_addresses(spec, old):
        return errors
    if errors := [*_downgrade(spec, old), *_single(spec), *_infer(spec)]:
        return errors
    if unselective:
        # Its endpoints are somebody else's: they may be of families that the cluster does not have.
        families = spec["ipFamilies"] = spec.get("ipFamilies") or [CONFIGURED[0]]
        if len(families) < 2 and spec["ipFamilyPolicy"] != "SingleStack":
            families.append("IPv6" if families[0] == "IPv4" else "IPv4")
        return []
    if errors := [*_missing(spec)]:
        return errors
    spec["ipFamilies"] = spec.get("ipFamilies") or [CONFIGURED[0]]
    return []


def _downgrade(spec: Document, old: Document | None) -> Iterator[FieldError]:
    if old is None:
        return
    fields = (("clusterIPs", "cluster IP"), ("ipFamilies", "IP family"))
    for name, word in fields:
        given, before = spec.get(name) or [], old.get(name) or []
        if spec["ipFamilyPolicy"] == "SingleStack":
            if given == before and len(given) > 1:
                spec[name] = given[:1]
        elif given and len(given) < len(before):
            why = f"must be 'SingleStack' to release the secondary {word}"
            yield invalid(_POLICY, spec["ipFamilyPolicy"], why)


def _single(spec: Document) -> Iterator[FieldError]:
    if spec["ipFamilyPolicy"] != "SingleStack":
        return
    for name, word in (("clusterIPs", "cluster IPs"), ("ipFamilies", "IP families")):
        if len(spec.get(name) or ()) == 2:
            why = f"must be 'RequireDualStack' or 'PreferDualStack' when multiple {word} are specified"
            yield invalid(_POLICY, spec["ipFamilyPolicy"], why)


def _infer(spec: Document) -> Iterator[FieldError]:
    """Families follow from addresses."""
    given: Sequence[str] = spec.get("clusterIPs") or ()
    families: list[str] = [*(spec.get("ipFamilies") or ())]
    for index, address in enumerate(given):
        if address == "None":
            break
        if index >= len(families):
            found = family(address)
            if found in CONFIGURED:
                families.append(found)
            else:
                yield invalid(f"spec.clusterIPs[{index}]", given, f"{found} is not configured on this cluster")
    if families:
        spec["ipFamilies"] = families


def _missing(spec: Document) -> Iterator[FieldError]:
    """What the cluster does not have."""
    if spec["ipFamilyPolicy"] == "RequireDualStack":
        yield invalid(_POLICY, "RequireDualStack", "this cluster is not configured for dual-stack services")
    for index, name in enumerate(spec.get("ipFamilies") or ()):
        if name not in CONFIGURED:
            yield invalid(f"spec.ipFamilies[{index}]", name, "not configured on this cluster")


def _same(spec: Document, old: Document, name: str) -> bool:
    return (spec.get(name) or []) == (old.get(name) or [])
