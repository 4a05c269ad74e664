"""What the writer of a pod should know though it is valid: what is old, what overlaps, what means nothing."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.annotations import APPARMOR, SECCOMP, SECCOMP_OF
from kubewright.cluster.registry.kinds.pod.files import File, Files
from kubewright.cluster.registry.rules.addresses import address_warnings
from kubewright.cluster.registry.rules.quantities import is_whole, quantity
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import label_value

__all__ = ["OLD_LABELS", "apparmor_field", "spec_warnings"]

Document = dict[str, Any]
Containers = list[tuple[Document, str]]

#: Labels of nodes that have other names now.
OLD_LABELS: Final = {
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region": ('deprecated since v1.17; use "topology.kubernetes.io/region" instead'),
    "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    "app.kubernetes.io/created-by": "deprecated since v1.9",
    "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
    "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
}
_OLD_ANNOTATIONS: Final = {
    "scheduler.alpha.kubernetes.io/critical-pod": (
        'non-functional in v1.16+; use the "priorityClassName" field instead'
    ),
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
}
#: With the name that the message gives them.
_OLD_VOLUMES: Final = {
    "photonPersistentDisk": ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    "gitRepo": ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    "scaleIO": ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    "flocker": ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    "storageos": ("storageOS", "deprecated in v1.22, non-functional in v1.25+"),
    "quobyte": ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    "glusterfs": ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    "cephfs": ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    "rbd": ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
}
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")
_NULL: Final = "a null labelSelector results in matching no pod"
#: More are never told (`wire/warning.py`), and every two ports may be worth one.
_MOST: Final = 4096


def spec_warnings(spec: Document, annotations: dict[str, str], path: str, *, template: bool) -> Iterator[str]:
    """What the writer of a pod should know, or of the template of one at `path`."""
    return islice(_of_spec(spec, annotations, path, template), _MOST)


def _of_spec(spec: Document, annotations: dict[str, str], path: str, template: bool) -> Iterator[str]:
    at = f"{path}.spec" if path else "spec"
    told = f"{path}.metadata.annotations" if path else "metadata.annotations"
    yield from _placing(spec, at)
    yield from (f"{told}[{key}]: {why}" for key, why in _OLD_ANNOTATIONS.items() if key in annotations)
    if spec.get("volumes"):
        yield from _volumes(spec["volumes"], f"{at}.volumes")
        yield from (warning for volume in spec["volumes"] for warning in _overlaps(volume))
    yield from _repeated(spec.get("hostAliases") or [], "ip", f"{at}.hostAliases")
    yield from _repeated(spec.get("imagePullSecrets") or [], "name", f"{at}.imagePullSecrets")
    for index, secret in enumerate(spec.get("imagePullSecrets") or ()):
        if not secret.get("name"):
            yield f'{at}.imagePullSecrets[{index}].name: invalid empty name ""'
    yield from _fractions(spec.get("overhead"), f"{at}.overhead")
    if annotations and SECCOMP in annotations and "seccompProfile" not in spec["securityContext"]:
        yield f'{told}[{SECCOMP}]: non-functional in v1.27+; use the "seccompProfile" field instead'
    containers = [
        (container, f"{at}.{kind}[{index}]") for kind in _KINDS for index, container in enumerate(spec.get(kind) or ())
    ]
    for container, place in containers:
        if annotations:
            yield from _profiles(container, spec, annotations, told, template)
        if container["resources"]:
            yield from _amounts(container["resources"], f"{place}.resources")
        if len(container.get("env") or ()) > 1:
            yield from _hidden(container["env"], f"{place}.env")
    yield from _ports(containers)
    yield from _port_names(containers)
    if spec["terminationGracePeriodSeconds"] < 0:
        why = "must be >= 0; negative values are invalid and will be treated as 1"
        yield f"{at}.terminationGracePeriodSeconds: {why}"
    yield from _affinity(spec.get("affinity") or {}, f"{at}.affinity")
    for index, server in enumerate((spec.get("dnsConfig") or {}).get("nameservers") or ()):
        yield from address_warnings(server, f"{at}.dnsConfig.nameservers[{index}]")
    for index, alias in enumerate(spec.get("hostAliases") or ()):
        yield from address_warnings(alias["ip"], f"{at}.hostAliases[{index}].ip")


def _placing(spec: Document, path: str) -> Iterator[str]:
    for key in sorted(spec.get("nodeSelector") or ()):
        if key in OLD_LABELS:
            yield f"{path}.nodeSelector[{key}]: {OLD_LABELS[key]}"
    node = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    place = f"{path}.affinity.nodeAffinity"
    for index, term in enumerate((node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()):
        yield from _node_term(term, f"{place}.{_REQUIRED}.nodeSelectorTerms[{index}]", values=False)
    for index, term in enumerate(node.get(_PREFERRED) or ()):
        yield from _node_term(term["preference"], f"{place}.{_PREFERRED}[{index}].preference", values=True)
    for index, each in enumerate(spec.get("topologySpreadConstraints") or ()):
        place = f"{path}.topologySpreadConstraints[{index}]"
        if (key := each["topologyKey"]) in OLD_LABELS:
            yield f"{place}.topologyKey: {key} is {OLD_LABELS[key]}"
        if "labelSelector" not in each:
            yield f"{place}.labelSelector: {_NULL}"


def _node_term(term: Document, path: str, *, values: bool) -> Iterator[str]:
    for index, each in enumerate(term.get("matchExpressions") or ()):
        place = f"{path}.matchExpressions[{index}]"
        if (key := each["key"]) in OLD_LABELS:
            yield f"{place}.key: {key} is {OLD_LABELS[key]}"
        for at, value in enumerate(each.get("values") or () if values else ()):
            for complaint in label_value(value):
                yield f"{place}.values[{at}]: {value} is invalid, {complaint}"


def _volumes(volumes: list[Document], path: str) -> Iterator[str]:
    for index, volume in enumerate(volumes):
        for kind in volume:
            if kind in _OLD_VOLUMES:
                shown, why = _OLD_VOLUMES[kind]
                yield f"{path}[{index}].{shown}: {why}"
        claim: Document = (volume.get("ephemeral") or {}).get("volumeClaimTemplate") or {}
        for kind in ("requests", "limits") if claim else ():
            amounts = claim["spec"]["resources"].get(kind) or {}
            place = f"{path}[{index}].ephemeral.volumeClaimTemplate.spec.resources.{kind}"
            yield from _fraction(amounts, "storage", place)


def _fractions(amounts: dict[str, str] | None, path: str) -> Iterator[str]:
    if amounts:
        yield from _fraction(amounts, "memory", path)
        yield from _fraction(amounts, "ephemeral-storage", path)


def _fraction(amounts: dict[str, str], name: str, path: str) -> Iterator[str]:
    if name in amounts and not is_whole(quantity(amounts[name])):
        yield f"{path}[{name}]: fractional byte value {quote(amounts[name])} is invalid, must be an integer"


def _amounts(resources: Document, path: str) -> Iterator[str]:
    for name in ("memory", "ephemeral-storage"):
        for kind in ("limits", "requests"):
            if amounts := resources.get(kind):
                yield from _fraction(amounts, name, f"{path}.{kind}")


def _repeated(items: list[Document], name: str, path: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, item in enumerate(items if len(items) > 1 else ()):
        value = item.get(name, "")
        if value in seen:
            yield f"{path}[{index}].{name}: duplicate {name} {quote(value)}"
        seen.add(value)


def _profiles(
    container: Document, spec: Document, annotations: dict[str, str], path: str, template: bool
) -> Iterator[str]:
    context = container.get("securityContext") or {}
    key = SECCOMP_OF + container["name"]
    if "seccompProfile" not in context and key in annotations:
        yield f'{path}[{key}]: non-functional in v1.27+; use the "seccompProfile" field instead'
    key = APPARMOR + container["name"]
    if template and "appArmorProfile" not in context and key in annotations:
        whole = spec["securityContext"].get("appArmorProfile")
        if whole is None or whole != apparmor_field(annotations[key]):
            yield f'{path}[{key}]: deprecated since v1.30; use the "appArmorProfile" field instead'


def apparmor_field(annotation: str) -> Document | None:
    """The field that says what an annotation says; None if there is none."""
    if annotation == "unconfined":
        return {"type": "Unconfined"}
    if annotation == "runtime/default":
        return {"type": "RuntimeDefault"}
    local = annotation.removeprefix("localhost/")
    return {"type": "Localhost", "localhostProfile": local} if local and local != annotation else None


def _hidden(variables: list[Document], path: str) -> Iterator[str]:
    seen: set[str] = set()
    for index, variable in enumerate(variables):
        name = variable["name"]
        if name not in seen:
            seen.add(name)
            continue
        value, reference = variable.get("value", ""), f"$({name})"
        if "valueFrom" in variable or value == reference or reference not in value:
            why = "which may be dropped when using apply"
            yield f"{path}[{index}]: hides previous definition of {quote(name)}, {why}"


def _ports(containers: Containers) -> Iterator[str]:
    seen: dict[tuple[int, str], list[tuple[Document, str]]] = {}
    for container, path in containers:
        for index, port in enumerate(container.get("ports") or ()):
            place = f"{path}.ports[{index}]"
            host, address = port.get("hostPort", 0), port.get("hostIP", "")
            if address and not host:
                shown = f"{{Name:{port.get('name', '')} HostPort:0 ContainerPort:{port['containerPort']} "
                shown += f"Protocol:{port['protocol']} HostIP:{address}}}"
                yield f"{place}: hostIP set without hostPort: {shown}"
            others = seen.setdefault((port["containerPort"], port["protocol"]), [])
            for other, where in others:
                beside, theirs = other.get("hostPort", 0), other.get("hostIP", "")
                if host == beside and address == theirs:
                    yield f"{place}: duplicate port definition with {where}"
                elif not host or not beside:
                    yield f"{place}: overlapping port definition with {where}"
                elif host == beside and bool(address) != bool(theirs):
                    yield f"{place}: dangerously ambiguous port definition with {where}"
            others.append((port, place))


def _port_names(containers: Containers) -> Iterator[str]:
    seen: dict[str, str] = {}
    for container, path in containers:
        for index, port in enumerate(container.get("ports") or ()):
            name = port.get("name")
            if name and (other := seen.setdefault(name, f"{path}.ports[{index}]")) != f"{path}.ports[{index}]":
                why = f"services and probes that select ports by name will use {other}"
                yield f"{path}.ports[{index}]: duplicate port name {quote(name)} with {other}, {why}"


def _affinity(affinity: Document, path: str) -> Iterator[str]:
    for kind in ("podAffinity", "podAntiAffinity"):
        pods = affinity.get(kind) or {}
        for index, term in enumerate(pods.get(_REQUIRED) or ()):
            if "labelSelector" not in term:
                yield f"{path}.{kind}.{_REQUIRED}[{index}].labelSelector: {_NULL}"
        for index, term in enumerate(pods.get(_PREFERRED) or ()):
            if "labelSelector" not in term["podAffinityTerm"]:
                yield f"{path}.{kind}.{_PREFERRED}[{index}].podAffinityTerm.labelSelector: {_NULL}"


def _overlaps(volume: Document) -> Iterator[str]:
    name = quote(volume["name"])
    for kind, shown, called in (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName")):
        source = volume.get(kind) or {}
        for clash in _clashes(_files(source, "")):
            yield f"volume {name} ({shown} {quote(source.get(called, ''))}): overlapping paths: {clash}"
    for clash in _clashes(_files(volume.get("downwardAPI") or {}, "")):
        yield f"volume {name} (DownwardAPI): overlapping paths: {clash}"
    if "projected" not in volume:
        return
    files = Files()
    for part in volume["projected"]["sources"] or ():
        if not part:
            yield f"volume {name} (Projected) has no sources provided"
        for file in _projected(part):
            for other in files.add(file):
                yield f"volume {name} (Projected): overlapping paths: {file} with {other}"


def _files(source: Document, shown: str) -> list[File]:
    return [File(item["path"].rstrip("/"), shown) for item in source.get("items") or ()]


def _projected(part: Document) -> list[File]:
    for kind, shown in (("configMap", "ConfigMap"), ("secret", "Secret")):
        if kind in part and part[kind].get("items") is not None:
            return _files(part[kind], f"{shown} {quote(part[kind].get('name', ''))}")
    if "downwardAPI" in part and part["downwardAPI"].get("items") is not None:
        return _files(part["downwardAPI"], "DownwardAPI")
    if "serviceAccountToken" in part:
        return [File(part["serviceAccountToken"]["path"].rstrip("/"), "ServiceAccountToken")]
    return []


def _clashes(given: list[File]) -> Iterator[str]:
    files = Files()
    for file in given:
        yield from (f"{file} with {other}" for other in files.add(file))
