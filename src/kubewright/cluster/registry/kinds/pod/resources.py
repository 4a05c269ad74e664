"""What containers ask for and may use: names of resources, amounts, and how the two go together."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.amounts import is_hugepage, is_native, is_overcommitted, total
from kubewright.cluster.registry.rules.names import check_label
from kubewright.cluster.registry.rules.quantities import is_whole, quantity, whole
from kubewright.model.quantity import Quantity, QuantityError
from kubewright.schema.walk.errors import FieldError, duplicate, forbidden, invalid, not_found, not_supported, required
from kubewright.schema.walk.names import label_key

__all__ = [
    "check_container_name",
    "check_pod_resources",
    "check_requirements",
    "check_resource_name",
    "check_resource_value",
]

Document = dict[str, Any]
Names = Callable[[str, str], Iterator[FieldError]]

_STANDARD: Final = frozenset(
    [
        "cpu",
        "memory",
        "ephemeral-storage",
        "requests.cpu",
        "requests.memory",
        "requests.ephemeral-storage",
        "limits.cpu",
        "limits.memory",
        "limits.ephemeral-storage",
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "storage",
        "requests.storage",
        "services.nodeports",
        "services.loadbalancers",
    ]
)
_OF_CONTAINERS: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_OF_PODS: Final = ("cpu", "hugepages-", "memory")
_COUNTED: Final = frozenset(
    [
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    ]
)


def _is_huge_in_quota(name: str) -> bool:
    return is_hugepage(name) or name.startswith("requests.hugepages-")


def _is_extended(name: str) -> bool:
    return not is_native(name) and not name.startswith("requests.") and not label_key(f"requests.{name}")


def check_resource_name(name: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the name of a resource."""
    if complaints := label_key(name):
        yield from (invalid(path, name, complaint) for complaint in complaints)
    elif "/" not in name and name not in _STANDARD and not _is_huge_in_quota(name):
        yield invalid(path, name, "must be a standard resource type or fully qualified")


def check_container_name(name: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the name of a resource that a container has."""
    yield from check_resource_name(name, path)
    if "/" not in name:
        if name not in _OF_CONTAINERS and not is_hugepage(name):
            yield invalid(path, name, "must be a standard resource for containers")
    elif not is_native(name) and not _is_extended(name):
        yield invalid(path, name, "doesn't follow extended resource name standard")


def _pod_name(name: str, path: str) -> Iterator[FieldError]:
    if errors := [*check_resource_name(name, path)]:
        yield from errors
    elif name not in _OF_PODS and not is_hugepage(name):
        yield not_supported(path, name, _OF_PODS)


def check_resource_value(name: str, text: str, path: str) -> Iterator[FieldError]:
    """What is wrong with an amount of a resource."""
    amount = quantity(text)
    if amount < 0:
        yield invalid(path, text, "must be greater than or equal to 0")
    if (name in _COUNTED or _is_extended(name)) and not is_whole(amount):
        yield invalid(path, text, "must be an integer")


def _is_divisible(name: str, text: str) -> bool:
    try:
        page = Quantity(name.removeprefix("hugepages-"))
    except QuantityError:
        return False
    return page > 0 and is_whole(page) and whole(quantity(text)) % (whole(page) or 1) == 0


def check_requirements(
    resources: Document, claims: Collection[str], path: str, names: Names = check_container_name
) -> Iterator[FieldError]:
    """What is wrong with requests, limits and claims of a container; `claims` are those that the pod has."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    if limits or requests:
        yield from _lists(limits, requests, path, names)
    if resources.get("claims"):
        yield from _claims(resources["claims"], claims, f"{path}.claims")


def _lists(limits: dict[str, str], requests: dict[str, str], path: str, names: Names) -> Iterator[FieldError]:
    for name in sorted(limits):
        yield from _amount(name, limits[name], f"{path}.limits[{name}]", names)
    for name in sorted(requests):
        asked = requests[name]
        place = f"{path}.requests[{name}]"
        if name not in ("cpu", "memory"):
            yield from names(name, place)
        yield from check_resource_value(name, asked, place)
        limit = limits.get(name)
        if limit is not None:
            if quantity(asked) != quantity(limit) and not is_overcommitted(name):
                yield invalid(f"{path}.requests", asked, f"must be equal to {name} limit of {limit}")
            elif quantity(asked) > quantity(limit):
                yield invalid(f"{path}.requests", asked, f"must be less than or equal to {name} limit of {limit}")
        elif not is_overcommitted(name):
            yield required(f"{path}.limits", "Limit must be set for non overcommitable resources")
        yield from _pages(name, asked, place)
    named = {*limits, *requests}
    if not named & {"cpu", "memory"} and any(map(is_hugepage, named)):
        yield forbidden(path, "HugePages require cpu or memory")


def _amount(name: str, text: str, path: str, names: Names) -> Iterator[FieldError]:
    if name not in ("cpu", "memory"):
        yield from names(name, path)
    yield from check_resource_value(name, text, path)
    yield from _pages(name, text, path)


def _pages(name: str, text: str, path: str) -> Iterator[FieldError]:
    if is_hugepage(name) and not _is_divisible(name, text):
        yield invalid(path, text, f"{text} is not positive integer multiple of {name}")


def _claims(claims: list[Document], known: Collection[str], path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        name, request, place = claim["name"], claim.get("request", ""), f"{path}[{index}]"
        if not name:
            yield required(place)
            continue
        if name in seen:
            yield duplicate(place, name)
        else:
            key = f"{name}/{request}" if request else name
            if request:
                yield from check_label(request, f"{place}.request")
            if key in seen:
                yield duplicate(place, key)
            elif not request:
                yield from (duplicate(place, name) for other in seen if other.startswith(f"{name}/"))
            seen.add(key)
        if name not in known:
            listed = f": {', '.join(sorted(known))}" if known else " which is empty"
            yield not_found(place, name, f"must be one of the names in pod.spec.resourceClaims{listed}")


def check_pod_resources(spec: Document, claims: Collection[str], path: str) -> Iterator[FieldError]:
    """What is wrong with what a pod asks for as a whole."""
    resources = spec.get("resources")
    if resources is None:
        return
    place = f"{path}.resources"
    if (spec.get("os") or {}).get("name") == "windows":
        yield forbidden(place, "may not be set for a windows pod")
        return
    if resources.get("claims") is not None:
        yield forbidden(f"{place}.claims", "claims may not be set for Resources at pod-level")
    yield from check_requirements(resources, claims, place, _pod_name)
    yield from _consistency(spec, resources, place)


def _consistency(spec: Document, resources: Document, path: str) -> Iterator[FieldError]:
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name, amount in sorted(total(spec, "requests").items()):
        if name in requests and amount > quantity(requests[name]):
            why = f"must be greater than or equal to aggregate container requests of {amount}"
            yield invalid(f"{path}.requests[{name}]", requests[name], why)
    for name, amount in sorted(total(spec, "limits").items()):
        if is_hugepage(name) and name in limits and amount > quantity(limits[name]):
            why = f"must be greater than or equal to aggregate container limits of {amount}"
            yield invalid(f"{path}.limits[{name}]", limits[name], why)
    for index, container in enumerate(spec.get("containers") or ()):
        for name, text in sorted((container["resources"].get("limits") or {}).items()):
            if name in limits and quantity(text) > quantity(limits[name]):
                why = f"must be less than or equal to pod limits of {limits[name]}"
                yield invalid(f"{path}.containers[{index}][{name}].limits", text, why)
