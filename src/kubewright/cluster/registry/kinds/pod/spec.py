"""The spec of a pod, of its own or in a template: every part in the order in which the server looks at it."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.containers import Around, check_containers, check_ephemeral, check_init
from kubewright.cluster.registry.kinds.pod.environment import check_files
from kubewright.cluster.registry.kinds.pod.resources import check_pod_resources, check_requirements
from kubewright.cluster.registry.kinds.pod.scheduling import (
    check_affinity,
    check_gates,
    check_spread,
    check_tolerations,
)
from kubewright.cluster.registry.kinds.pod.security import check_host_process, check_pod_security, check_system
from kubewright.cluster.registry.kinds.pod.volumes import check_volumes
from kubewright.cluster.registry.rules.addresses import check_address
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.labels import check_key, check_labels
from kubewright.cluster.registry.rules.names import check_label, check_subdomain, underscored_subdomain
from kubewright.cluster.registry.rules.numbers import check_range
from kubewright.schema.walk.errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)

__all__ = ["check_spec"]

Document = dict[str, Any]

_RESTARTS: Final = ("Always", "OnFailure", "Never")
_DNS: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_PREEMPTION: Final = ("PreemptLowerPriority", "Never")


def check_spec(
    spec: Document, path: str, *, pod: Document | None = None, old: Document | None = None
) -> Iterator[FieldError]:
    """What is wrong with a spec; `pod` is the metadata of the pod, None for a template. The `old` one was right."""
    volumes: dict[str, Document] = {}
    if spec.get("volumes"):
        name = pod.get("name", "") if pod is not None else None
        yield from check_volumes(spec["volumes"], f"{path}.volumes", name, volumes)
    claims = [claim["name"] for claim in spec.get("resourceClaims") or () if claim["name"]]
    if spec.get("resourceClaims"):
        yield from _claims(spec["resourceClaims"], pod, f"{path}.resourceClaims")
    yield from _containers(spec, volumes, claims, path)
    if "resources" in spec:
        yield from check_pod_resources(spec, claims, path)
    if spec.get("hostNetwork"):
        yield from _host_ports(spec, path, own=pod is not None)
    if spec["restartPolicy"] not in _RESTARTS:
        yield not_supported(f"{path}.restartPolicy", spec["restartPolicy"], _RESTARTS)
    if spec["dnsPolicy"] not in _DNS:
        yield not_supported(f"{path}.dnsPolicy", spec["dnsPolicy"], _DNS)
    if spec.get("nodeSelector"):
        yield from check_labels(spec["nodeSelector"], f"{path}.nodeSelector")
    any_selinux = old is not None and "seLinuxChangePolicy" in old["securityContext"]
    yield from check_pod_security(spec, path, any_selinux=any_selinux)
    if spec.get("affinity"):
        yield from check_affinity(spec["affinity"], f"{path}.affinity")
    yield from _dns(spec, f"{path}.dnsConfig")
    for index, gate in enumerate(spec.get("readinessGates") or ()):
        yield from check_key(gate["conditionType"], f"{path}.readinessGates[{index}].conditionType")
    if spec.get("schedulingGates"):
        yield from check_gates(spec["schedulingGates"], f"{path}.schedulingGates")
    if spec.get("topologySpreadConstraints"):
        yield from check_spread(spec["topologySpreadConstraints"], f"{path}.topologySpreadConstraints")
    yield from check_host_process(spec, path)
    if spec.get("hostUsers") is False:
        yield from _host_users(spec, path)
    if "hostnameOverride" in spec:
        yield from _hostname(spec, f"{path}.hostnameOverride")
    yield from _names(spec, path)
    if spec.get("overhead"):
        yield from check_requirements({"limits": spec["overhead"]}, (), f"{path}.overhead")
    if "os" in spec:
        yield from check_system(spec, path)
    yield from check_files(spec, path)


def _containers(spec: Document, volumes: dict[str, Document], claims: list[str], path: str) -> Iterator[FieldError]:
    around = Around(
        volumes,
        claims,
        spec["terminationGracePeriodSeconds"],
        spec["restartPolicy"],
        spec.get("hostUsers") is not False,
    )
    running: list[Document] = spec.get("containers") or []
    before: list[Document] = spec.get("initContainers") or []
    yield from check_containers(running, around, f"{path}.containers")
    if before:
        yield from check_init(before, running, around, f"{path}.initContainers")
    if spec.get("ephemeralContainers"):
        yield from check_ephemeral(
            spec["ephemeralContainers"], [*running, *before], around, f"{path}.ephemeralContainers"
        )


def _claims(claims: list[Document], pod: Document | None, path: str) -> Iterator[FieldError]:
    names: set[str] = set()
    mirror = "kubernetes.io/config.mirror" in ((pod or {}).get("annotations") or {})
    for index, claim in enumerate(claims):
        place, name = f"{path}[{index}]", claim["name"]
        if mirror:
            yield forbidden("[]", "static pods do not support resource claims")
            continue
        if not name:
            yield required(f"{place}.name")
        elif name in names:
            yield duplicate(f"{place}.name", name)
        else:
            yield from check_label(name, f"{place}.name")
            names.add(name)
        given = [kind for kind in ("resourceClaimName", "resourceClaimTemplateName") if kind in claim]
        if len(given) == 2:
            why = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            yield invalid_inner(place, claim, "core/v1.PodResourceClaim", why)
        elif not given:
            why = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
            yield invalid_inner(place, claim, "core/v1.PodResourceClaim", why)
        for kind in given:
            yield from check_subdomain(claim[kind], f"{place}.{kind}")


def _host_ports(spec: Document, path: str, *, own: bool) -> Iterator[FieldError]:
    for index, container in enumerate(spec.get("containers") or ()):
        for at, port in enumerate(container.get("ports") or ()):
            host = port.get("hostPort", 0)
            if (own or host) and host != port["containerPort"]:
                place = f"{path}.containers[{index}].ports[{at}].hostPort"
                yield invalid(place, host, "must match `containerPort` when `hostNetwork` is true")


def _dns(spec: Document, path: str) -> Iterator[FieldError]:
    config = spec.get("dnsConfig")
    if spec["dnsPolicy"] == "None":
        if config is None:
            yield required(path, "must provide `dnsConfig` when `dnsPolicy` is None")
            return
        if not config.get("nameservers"):
            why = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield required(f"{path}.nameservers", why)
            return
    if not config:
        return
    servers, searches = config.get("nameservers") or [], config.get("searches") or []
    if len(servers) > 3:
        yield invalid(f"{path}.nameservers", servers, "must not have more than 3 nameservers")
    for index, server in enumerate(servers):
        yield from check_address(server, f"{path}.nameservers[{index}]")
    if len(searches) > 32:
        yield invalid(f"{path}.searches", searches, "must not have more than 32 search paths")
    if len(" ".join(searches).encode(errors="replace")) > 2048:
        why = "must not have more than 2048 characters (including spaces) in the search list"
        yield invalid(f"{path}.searches", searches, why)
    for index, search in enumerate(searches):
        if search != ".":
            domain = search.removesuffix(".")
            for complaint in underscored_subdomain(domain):
                yield invalid(f"{path}.searches[{index}]", domain, complaint)
    for index, option in enumerate(config.get("options") or ()):
        if not option.get("name"):
            yield required(f"{path}.options[{index}]", "must not be empty")


def _host_users(spec: Document, path: str) -> Iterator[FieldError]:
    why = "when `hostUsers` is false"
    for name, shown in (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if spec.get(name):
            yield forbidden(f"{path}.{shown}", why)
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            if container.get("volumeDevices"):
                yield forbidden(f"{path}.{kind}[{index}].volumeDevices", why)


def _hostname(spec: Document, path: str) -> Iterator[FieldError]:
    name = spec["hostnameOverride"]
    for other in ("setHostnameAsFQDN", "hostNetwork"):
        if spec.get(other):
            yield forbidden(path, f"may not be specified when {other} is true")
    if len(name.encode(errors="replace")) > 64:
        yield too_long(path, 64)
    yield from check_subdomain(name, path)


def _names(spec: Document, path: str) -> Iterator[FieldError]:
    """Names of other things, and what is said of each pod alone."""
    for name in ("serviceAccountName", "nodeName"):
        if spec.get(name):
            yield from check_subdomain(spec[name], f"{path}.{name}")
    if "activeDeadlineSeconds" in spec:
        yield from check_range(spec["activeDeadlineSeconds"], f"{path}.activeDeadlineSeconds", 1)
    for name in ("hostname", "subdomain"):
        if spec.get(name):
            yield from check_label(spec[name], f"{path}.{name}")
    if spec.get("tolerations"):
        yield from check_tolerations(spec["tolerations"], f"{path}.tolerations")
    for index, alias in enumerate(spec.get("hostAliases") or ()):
        yield from check_address(alias["ip"], f"{path}.hostAliases[{index}].ip")
        for at, host in enumerate(alias.get("hostnames") or ()):
            yield from check_subdomain(host, f"{path}.hostAliases[{index}].hostnames[{at}]")
    if spec.get("priorityClassName"):
        yield from check_subdomain(spec["priorityClassName"], f"{path}.priorityClassName")
    if "runtimeClassName" in spec:
        yield from check_subdomain(spec["runtimeClassName"], f"{path}.runtimeClassName")
    policy = spec.get("preemptionPolicy")
    if policy == "":
        yield required(f"{path}.preemptionPolicy")
    elif policy is not None and policy not in _PREEMPTION:
        yield not_supported(f"{path}.preemptionPolicy", policy, _PREEMPTION)
