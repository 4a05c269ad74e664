"""Containers: those that run, those that run before, and those that are added to look around."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.amounts import is_sidecar
from kubewright.cluster.registry.kinds.pod.environment import check_environment, check_sources
from kubewright.cluster.registry.kinds.pod.mounts import check_devices, check_mounts
from kubewright.cluster.registry.kinds.pod.probes import check_lifecycle, check_probes
from kubewright.cluster.registry.kinds.pod.resources import check_requirements
from kubewright.cluster.registry.kinds.pod.security import check_container_security
from kubewright.cluster.registry.rules.names import check_label
from kubewright.cluster.registry.rules.numbers import check_range, port_name
from kubewright.cluster.registry.rules.pause import PAUSE
from kubewright.schema.walk.errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_found,
    not_supported,
    required,
    too_many,
)

__all__ = ["PULL_POLICIES", "Around", "check_containers", "check_ephemeral", "check_image_space", "check_init"]

Document = dict[str, Any]

PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")
#: So many containers are looked at before a pause.
_FEW: Final = 50
_PROTOCOLS: Final = ("SCTP", "TCP", "UDP")
_MESSAGES: Final = ("File", "FallbackToLogsOnError")
_RESTARTS: Final = ("Always", "Never", "OnFailure")
_ACTIONS: Final = ("Restart", "RestartAllContainers")
#: What a container has no use for that is only looked around with; in the order of the type.
_NEVER_EPHEMERAL: Final = (
    "ports",
    "resources",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
)


@dataclass(frozen=True, slots=True)
class Around:
    """What containers of one pod share."""

    #: Those with which nothing is wrong, by name.
    volumes: Mapping[str, Document]
    claims: Collection[str]
    grace: int
    restarts: str
    host_users: bool


def check_containers(containers: list[Document], around: Around, path: str) -> Iterator[FieldError]:
    """What is wrong with the containers of a pod."""
    if not containers:
        yield required(path)
        return
    names: set[str] = set()
    for index, container in enumerate(containers):
        if index % _FEW == _FEW - 1:
            yield PAUSE
        place = f"{path}[{index}]"
        yield from _any(container, around, place)
        if container["name"] in names:
            yield duplicate(f"{place}.name", container["name"])
        names.add(container["name"])
        if "lifecycle" in container:
            yield from check_lifecycle(container["lifecycle"], around.grace, f"{place}.lifecycle")
        yield from check_probes(container, around.grace, place)
        yield from _restarts(container, place)
    yield from _host_ports(containers, path)


def check_init(containers: list[Document], others: list[Document], around: Around, path: str) -> Iterator[FieldError]:
    """What is wrong with containers that run before the `others`."""
    names = {container["name"] for container in others}
    for index, container in enumerate(containers):
        if index % _FEW == _FEW - 1:
            yield PAUSE
        place = f"{path}[{index}]"
        yield from _any(container, around, place)
        yield from _restarts(container, place)
        if container["name"] in names:
            yield duplicate(f"{place}.name", container["name"])
        elif container["name"]:
            names.add(container["name"])
        # Whatever its index, the server speaks of the first.
        yield from _host_ports([container], path)
        if is_sidecar(container):
            if "lifecycle" in container:
                yield from check_lifecycle(container["lifecycle"], around.grace, f"{place}.lifecycle")
            yield from check_probes(container, around.grace, place)
            continue
        for name in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
            if name in container:
                yield forbidden(f"{place}.{name}", "may not be set for init containers without restartPolicy=Always")
        for at, policy in enumerate(container.get("resizePolicy") or ()):
            if policy["restartPolicy"] == "RestartContainer":
                why = "must not be set to 'RestartContainer' for non-sidecar initContainers"
                yield invalid(f"{place}.resizePolicy[{at}].restartPolicy", "RestartContainer", why)


def check_ephemeral(
    containers: list[Document], others: list[Document], around: Around, path: str
) -> Iterator[FieldError]:
    """What is wrong with containers that are added to look around among the `others`."""
    known = {container["name"] for container in others}
    names = {*known}
    for index, container in enumerate(containers):
        place = f"{path}[{index}]"
        yield from _any(container, around, place)
        yield from check_image_space(container, place)
        if container["name"] in names:
            yield duplicate(f"{place}.name", container["name"])
        names.add(container["name"])
        target = container.get("targetContainerName")
        if target and target not in known:
            yield not_found(f"{place}.targetContainerName", target)
        for name in _NEVER_EPHEMERAL:
            if container.get(name):
                yield forbidden(f"{place}.{name}", "cannot be set for an Ephemeral Container")
        for at, mount in enumerate(container.get("volumeMounts") or ()):
            for name in ("subPath", "subPathExpr"):
                if mount.get(name):
                    yield forbidden(f"{place}.volumeMounts[{at}].{name}", "cannot be set for an Ephemeral Container")


def check_image_space(container: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the image of a container of a pod, which in a template is let pass."""
    image = container.get("image", "")
    if image != image.strip():
        yield invalid(f"{path}.image", image, "must not have leading or trailing whitespace")


def _any(container: Document, around: Around, path: str) -> Iterator[FieldError]:
    name = container["name"]
    if not name:
        yield required(f"{path}.name")
    else:
        yield from check_label(name, f"{path}.name")
    if not container.get("image"):
        yield required(f"{path}.image")
    if container["terminationMessagePolicy"] not in _MESSAGES:
        yield not_supported(f"{path}.terminationMessagePolicy", container["terminationMessagePolicy"], _MESSAGES)
    if container.get("ports"):
        yield from _ports(container["ports"], f"{path}.ports")
    if container.get("env"):
        yield from check_environment(container["env"], f"{path}.env")
    if container.get("envFrom"):
        yield from check_sources(container["envFrom"], f"{path}.envFrom")
    if container.get("volumeMounts"):
        yield from check_mounts(container, around.volumes, f"{path}.volumeMounts")
    if container.get("volumeDevices"):
        yield from check_devices(container, around.volumes, f"{path}.volumeDevices")
    if container["imagePullPolicy"] not in PULL_POLICIES:
        yield not_supported(f"{path}.imagePullPolicy", container["imagePullPolicy"], PULL_POLICIES)
    if container["resources"]:
        yield from check_requirements(container["resources"], around.claims, f"{path}.resources")
    if container.get("resizePolicy"):
        yield from _resizes(container["resizePolicy"], around.restarts, f"{path}.resizePolicy")
    if "securityContext" in container:
        yield from check_container_security(
            container["securityContext"], f"{path}.securityContext", host_users=around.host_users
        )


def _ports(ports: list[Document], path: str) -> Iterator[FieldError]:
    names: set[str] = set()
    for index, port in enumerate(ports):
        place = f"{path}[{index}]"
        if name := port.get("name"):
            if complaints := port_name(name):
                yield from (invalid(f"{place}.name", name, complaint) for complaint in complaints)
            elif name in names:
                yield duplicate(f"{place}.name", name)
            else:
                names.add(name)
        if not port["containerPort"]:
            yield required(f"{place}.containerPort")
        else:
            yield from check_range(port["containerPort"], f"{place}.containerPort", 1, 65535)
        if port.get("hostPort"):
            yield from check_range(port["hostPort"], f"{place}.hostPort", 1, 65535)
        if port["protocol"] not in _PROTOCOLS:
            yield not_supported(f"{place}.protocol", port["protocol"], _PROTOCOLS)


def _host_ports(containers: list[Document], path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, container in enumerate(containers):
        for at, port in enumerate(container.get("ports") or ()):
            if not port.get("hostPort"):
                continue
            shown = f"{port['protocol']}/{port.get('hostIP', '')}/{port['hostPort']}"
            if shown in seen:
                yield duplicate(f"{path}[{index}].ports[{at}].hostPort", shown)
            seen.add(shown)


def _resizes(policies: list[Document], restarts: str, path: str) -> Iterator[FieldError]:
    seen: set[str] = set()
    for index, policy in enumerate(policies):
        resource, restart = policy["resourceName"], policy["restartPolicy"]
        if resource in seen:
            yield duplicate(f"{path}[{index}]", resource)
        seen.add(resource)
        for value, choices in ((resource, ("cpu", "memory")), (restart, ("NotRequired", "RestartContainer"))):
            if not value:
                yield required(path)
            elif value not in choices:
                yield not_supported(path, value, choices)
        if restarts == "Never" and restart != "NotRequired":
            yield invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")


def _restarts(container: Document, path: str) -> Iterator[FieldError]:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or []
    if policy is None:
        if not rules:
            return
        yield required(f"{path}.restartPolicy", "must specify restartPolicy when restart rules are used")
    elif policy not in _RESTARTS:
        yield not_supported(f"{path}.restartPolicy", policy, _RESTARTS)
    if len(rules) > 20:
        yield too_many(f"{path}.restartPolicyRules", len(rules), 20)
    for index, rule in enumerate(rules):
        place = f"{path}.restartPolicyRules[{index}]"
        if rule.get("action", "") not in _ACTIONS:
            yield not_supported(f"{place}.action", rule.get("action", ""), _ACTIONS)
        codes = rule.get("exitCodes")
        if codes is None:
            yield required(f"{place}.exitCodes", "must be specified")
            continue
        if codes.get("operator", "") not in ("In", "NotIn"):
            yield not_supported(f"{place}.exitCodes.operator", codes.get("operator", ""), ("In", "NotIn"))
        if len(values := codes.get("values") or []) > 255:
            yield too_many(f"{place}.exitCodes.values", len(values), 255)
