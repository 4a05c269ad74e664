"""The status of a pod, as a node reports it."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.addresses import check_address, sloppy_address
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.labels import check_key
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.numbers import check_range
from kubewright.schema.walk.errors import FieldError, duplicate, forbidden, invalid, not_supported, required, too_long

__all__ = ["check_status"]

Document = dict[str, Any]

_SYSTEM: Final = ("PodScheduled", "Ready", "Initialized")
_HEALTH: Final = ("Healthy", "Unhealthy", "Unknown")
_STATUSES: Final = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")


def check_status(pod: Document, old: Document) -> Iterator[FieldError]:
    """What is wrong with a status that is to replace another."""
    status, before, spec = pod["status"], old["status"], old["spec"]
    yield from _conditions(status.get("conditions") or [])
    yield from _nomination(status, before, spec)
    if status.get("observedGeneration", 0) < 0:
        why = "must be a non-negative integer"
        yield invalid("status.observedGeneration", status["observedGeneration"], why)
    if status.get("qosClass", "") != before.get("qosClass", ""):
        yield invalid("status.qosClass", status.get("qosClass", ""), "field is immutable")
    yield from _transitions(status, before, spec)
    yield from _claims(status, spec)
    yield from _addresses(status, before, "podIPs")
    yield from _addresses(status, before, "hostIPs")
    for kind in _STATUSES:
        yield from _users(status.get(kind) or [], spec, f"status.{kind}")
    for kind in _STATUSES:
        yield from _allocations(status.get(kind) or [], spec, kind)


def _conditions(conditions: list[Document]) -> Iterator[FieldError]:
    for index, condition in enumerate(conditions):
        path = f"status.conditions[{index}]"
        if condition.get("observedGeneration", 0) < 0:
            why = "must be a non-negative integer"
            yield invalid(f"{path}.observedGeneration", condition["observedGeneration"], why)
        if condition["type"] not in _SYSTEM:
            yield from check_key(condition["type"], f"{path}.Type")


def _nomination(status: Document, before: Document, spec: Document) -> Iterator[FieldError]:
    name = status.get("nominatedNodeName", "")
    if name and name != before.get("nominatedNodeName", ""):
        yield from check_subdomain(name, "status.nominatedNodeName")
        if spec.get("nodeName"):
            why = "may not be set on pods that are already bound to a node"
            yield forbidden("status.nominatedNodeName", why)


def _transitions(status: Document, before: Document, spec: Document) -> Iterator[FieldError]:
    """A container that ended may only start again if it restarts."""
    if not _restart_all(spec):
        for kind, containers in (("containerStatuses", "containers"), ("initContainerStatuses", "initContainers")):
            for index, was in enumerate(before.get(kind) or ()):
                container = next((each for each in spec.get(containers) or () if each["name"] == was["name"]), None)
                if _revived(was, status.get(kind) or []) and not (container and _restarts(container, spec, was)):
                    yield _dead(f"status.{kind}[{index}].state")
    kind = "ephemeralContainerStatuses"
    for index, was in enumerate(before.get(kind) or ()):
        if _revived(was, status.get(kind) or []):
            yield _dead(f"status.{kind}[{index}].state")


def _dead(path: str) -> FieldError:
    return forbidden(path, "may not be transitioned to non-terminated state")


def _revived(was: Document, statuses: list[Document]) -> bool:
    if "terminated" not in (was.get("state") or {}):
        return False
    now = next((each for each in statuses if each["name"] == was["name"]), None)
    return now is not None and "terminated" not in (now.get("state") or {})


def _restart_all(spec: Document) -> bool:
    """Whether the end of one container may restart all of them."""
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    rules = (rule for each in containers for rule in each.get("restartPolicyRules") or ())
    return any(rule.get("action") == "RestartAllContainers" for rule in rules)


def _restarts(container: Document, spec: Document, was: Document) -> bool:
    code: int = was["state"]["terminated"].get("exitCode", 0)
    for rule in container.get("restartPolicyRules") or ():
        codes = rule.get("exitCodes") or {}
        if (code in (codes.get("values") or ())) is (codes.get("operator") == "In"):
            return True
    policy: str = container.get("restartPolicy") or spec["restartPolicy"]
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def _claims(status: Document, spec: Document) -> Iterator[FieldError]:
    known = [claim["name"] for claim in spec.get("resourceClaims") or ()]
    seen: set[str] = set()
    for index, claim in enumerate(status.get("resourceClaimStatuses") or ()):
        path = f"status.resourceClaimStatuses[{index}]"
        if claim["name"] not in known:
            why = "must match the name of an entry in `spec.resourceClaims`"
            yield invalid(f"{path}.name", claim["name"], why)
        if claim["name"] in seen:
            yield duplicate(f"{path}.name", claim["name"])
        seen.add(claim["name"])
        if "resourceClaimName" in claim:
            yield from check_subdomain(claim["resourceClaimName"], f"{path}.resourceClaimName")
    if "extendedResourceClaimStatus" in status:
        yield from _extended(status["extendedResourceClaimStatus"], spec, "status.extendedResourceClaimStatus")


def _extended(claim: Document, spec: Document, path: str) -> Iterator[FieldError]:
    containers = {each["name"]: each for kind in ("initContainers", "containers") for each in spec.get(kind) or ()}
    mappings = claim.get("requestMappings") or []
    if not mappings:
        yield required(f"{path}.requestMappings", "at least one request mapping is required")
    seen: list[tuple[str, ...]] = []
    for index, each in enumerate(mappings):
        place = f"{path}.requestMappings[{index}]"
        container = containers.get(each["containerName"])
        if container is None:
            why = "must match the name of an entry in spec.initContainers.name or spec.containers.name"
            yield invalid(f"{place}.containerName", each["containerName"], why)
        elif each["resourceName"] not in (container["resources"].get("requests") or {}):
            why = "must match the extended resource name of an entry in spec.initContainers.resources.requests or "
            yield invalid(f"{place}.resourceName", each["resourceName"], f"{why}spec.containers.resources.requests")
        yield from check_label(each["requestName"], f"{path}.requestName")
        names = ("containerName", "resourceName", "requestName")
        key = tuple(each[name] for name in names)
        if key in seen:
            yield from (duplicate(f"{place}.{name}", each[name]) for name in names)
        seen.append(key)
    if not claim["resourceClaimName"]:
        yield required(f"{path}.resourceClaimName")
    else:
        yield from check_subdomain(claim["resourceClaimName"], f"{path}.resourceClaimName")


def _addresses(status: Document, before: Document, kind: str) -> Iterator[FieldError]:
    path = f"status.{kind}"
    given = [each.get("ip", "") for each in status.get(kind) or ()]
    if kind == "hostIPs" and given and status.get("hostIP", "") != given[0]:
        yield invalid(f"{path}[0].ip", given[0], "must be equal to `hostIP`")
    kept = {each.get("ip", "") for each in before.get(kind) or ()}
    for index, address in enumerate(given):
        yield from check_address(address, f"{path}[{index}]", kept)
    if len(given) < 2:
        return
    read = [sloppy_address(address) for address in given]
    if None in read:
        wrong = read.index(None)
        why = f"Internal error: failed to check for dual stack with error:invalid IP[{wrong}]: {given[wrong]}"
        yield FieldError("InternalError", path, why)
    families = {type(address) for address in read}
    if None in read or len(given) > 2 or len(families) < 2:
        listed = status[kind]
        what = "[]core/v1.PodIP" if kind == "podIPs" else "[]core/v1.HostIP"
        yield invalid_inner(path, listed, what, "may specify no more than one IP for each IP family")


def _users(statuses: list[Document], spec: Document, path: str) -> Iterator[FieldError]:
    system = (spec.get("os") or {}).get("name", "linux")
    for index, each in enumerate(statuses):
        user = (each.get("user") or {}).get("linux")
        if user is None:
            continue
        place = f"{path}[{index}].user.linux"
        if system == "windows":
            yield forbidden(place, "cannot be set for a windows pod")
            continue
        yield from check_range(user["uid"], f"{place}.uid", 0)
        yield from check_range(user["gid"], f"{place}.gid", 0)
        for at, group in enumerate(user.get("supplementalGroups") or ()):
            yield from check_range(group, f"{place}.supplementalGroups[{at}]", 0)


def _allocations(statuses: list[Document], spec: Document, kind: str) -> Iterator[FieldError]:
    containers = {"containerStatuses": "containers", "initContainerStatuses": "initContainers"}.get(kind)
    for index, each in enumerate(statuses):
        allocated = each.get("allocatedResourcesStatus") or []
        path = f"status.{kind}[{index}].allocatedResourcesStatus"
        if containers is None:
            if allocated:
                yield forbidden(path, "must not be specified in container status")
            continue
        container = next((one for one in spec.get(containers) or () if one["name"] == each["name"]), None)
        for at, one in enumerate(allocated):
            if container is not None:
                yield from _allocated(one["name"], container, f"{path}[{at}].name")
            yield from _health(one.get("resources") or [], f"{path}[{at}].resources")


def _allocated(name: str, container: Document, path: str) -> Iterator[FieldError]:
    resources = container["resources"]
    if name.startswith("claim:"):
        claims = resources.get("claims") or ()
        known = [f"claim:{one['name']}" + (f"/{one['request']}" if one.get("request") else "") for one in claims]
        why = "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or "
        why += "'claim:<claimName>' if request is empty"
    else:
        known, why = [*(resources.get("requests") or ())], "must match one of the container's resource requests"
    if name not in known:
        yield invalid(path, name, why)


def _health(resources: list[Document], path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, each in enumerate(resources):
        place = f"{path}[{index}]"
        if each.get("health", "") not in _HEALTH:
            yield not_supported(f"{place}.health", each.get("health", ""), _HEALTH)
        message = each.get("message")
        if message == "":
            yield required(f"{place}.message", "must be non-empty if specified")
        elif message is not None and len(message.encode(errors="replace")) > 1024:
            yield too_long(f"{place}.message", 1024)
        if each["resourceID"] in seen:
            yield duplicate(f"{place}.resourceID", each["resourceID"])
        seen.add(each["resourceID"])
