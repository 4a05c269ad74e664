"""Environment variables: their names, and where their values come from."""

from collections.abc import Collection, Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.labels import check_key
from kubewright.cluster.registry.rules.names import check_label, check_subdomain, variable_name
from kubewright.cluster.registry.rules.paths import check_no_backsteps
from kubewright.cluster.registry.rules.pause import PAUSE
from kubewright.cluster.registry.rules.quantities import quantity
from kubewright.cluster.registry.strategy import prefix_rule
from kubewright.schema.walk.errors import FieldError, invalid, not_found, not_supported, required
from kubewright.schema.walk.names import config_key, subdomain

__all__ = ["check_environment", "check_field", "check_files", "check_resource_field", "check_sources"]

Document = dict[str, Any]

_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
#: What a field can be named at all; which of them can be had here is another question.
_KNOWN: Final = frozenset(
    {*_FIELDS, "metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "status.phase"}
)
_RESOURCES: Final = (
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
)
#: So many variables are looked at before a pause.
_FEW: Final = 2000
_HUGE: Final = ("limits.hugepages-", "requests.hugepages-")
_UNITS: Final = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"]
_DIVISORS: Final = {
    "cpu": (("1m", "1"), "1m and 1 are supported with the cpu resource"),
    "memory": (_UNITS, f"{', '.join(_UNITS)} are supported with the memory resource"),
    "ephemeral-storage": (_UNITS, f"{', '.join(_UNITS)} are supported with the local ephemeral storage resource"),
}
_prefix = prefix_rule(subdomain)


def check_environment(variables: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with variables."""
    for index, variable in enumerate(variables):
        if index % _FEW == _FEW - 1:
            yield PAUSE
        name = variable["name"]
        if name.isidentifier() and name.isascii():
            pass  # nearly every name there is
        elif not name:
            yield required(f"{path}[{index}].name")
        else:
            for complaint in variable_name(name):
                yield invalid(f"{path}[{index}].name", name, complaint)
        if "valueFrom" in variable:
            yield from _source(variable, f"{path}[{index}].valueFrom")


def _source(variable: Document, path: str) -> Iterator[FieldError]:
    source = variable["valueFrom"]
    if "fieldRef" in source:
        yield from check_field(source["fieldRef"], _FIELDS, f"{path}.fieldRef")
    if "resourceFieldRef" in source:
        yield from check_resource_field(source["resourceFieldRef"], f"{path}.resourceFieldRef")
    for kind in ("configMapKeyRef", "secretKeyRef"):
        if kind in source:
            yield from _key(source[kind], f"{path}.{kind}")
    if "fileKeyRef" in source:
        yield from _file(source["fileKeyRef"], f"{path}.fileKeyRef")
    if not source:
        kinds = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(path, "", f"must specify one of: {kinds}")
    elif variable.get("value"):
        yield invalid(path, "", "may not be specified when `value` is not empty")
    elif len(source) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")


def check_field(ref: Document, fields: Collection[str], path: str) -> Iterator[FieldError]:
    """What is wrong with a reference to a field of the pod, of which some can be had."""
    version, field = ref.get("apiVersion", ""), ref["fieldPath"]
    if not version or not field:
        yield required(f"{path}.{'fieldPath' if version else 'apiVersion'}")
        return
    base, subscript = _split(field)
    why = ""
    if version != "v1":
        why = f"unsupported pod version: {version}"
    elif subscript is not None and base not in ("metadata.annotations", "metadata.labels"):
        why = f"field label does not support subscript: {field}"
    elif subscript is None and field not in _KNOWN and field != "spec.host":
        why = f"field label not supported: {field}"
    if why:
        yield invalid(f"{path}.fieldPath", field, f"error converting fieldPath: {why}")
    elif subscript is not None:
        yield from check_key(subscript.lower() if base == "metadata.annotations" else subscript, path)
    elif (field if field != "spec.host" else "spec.nodeName") not in fields:
        yield not_supported(f"{path}.fieldPath", field if field != "spec.host" else "spec.nodeName", sorted(fields))


def _split(field: str) -> tuple[str, str | None]:
    base, mark, subscript = field.removesuffix("']").partition("['")
    return (base, subscript) if field.endswith("']") and mark and base else (field, None)


def check_resource_field(ref: Document, path: str, *, volume: bool = False) -> Iterator[FieldError]:
    """What is wrong with a reference to an amount of a container; in a volume the container must be named."""
    resource = ref["resource"]
    if volume and not ref.get("containerName"):
        yield required(f"{path}.containerName")
    elif not resource:
        yield required(f"{path}.resource")
    elif resource not in _RESOURCES and not resource.startswith(_HUGE):
        yield not_supported(f"{path}.resource", resource, _RESOURCES)
    divisor = ref.get("divisor", "0")
    if not quantity(divisor):
        return
    if resource in _RESOURCES:
        units, words = _DIVISORS[resource.partition(".")[2]]
        if divisor not in units:
            yield invalid(f"{path}.divisor", resource, f"only divisor's values {words}")
    elif resource.startswith(_HUGE) and divisor not in _UNITS:
        words = f"{', '.join(_UNITS)} are supported with the hugepages resource"
        yield invalid(f"{path}.divisor", resource, f"only divisor's values {words}")


def _key(ref: Document, path: str) -> Iterator[FieldError]:
    yield from check_subdomain(ref.get("name", ""), f"{path}.name")
    if not ref["key"]:
        yield required(f"{path}.key")
    else:
        for complaint in config_key(ref["key"]):
            yield invalid(f"{path}.key", ref["key"], complaint)


def _file(ref: Document, path: str) -> Iterator[FieldError]:
    if not ref["key"]:
        yield required(f"{path}.key")
    else:
        for complaint in variable_name(ref["key"]):
            yield invalid(f"{path}.key", ref["key"], complaint)
    if not ref["volumeName"]:
        yield required(f"{path}.volumeName")
    else:
        yield from check_label(ref["volumeName"], f"{path}.volumeName")
    if not ref["path"]:
        yield required(f"{path}.path")
    else:
        yield from check_no_backsteps(ref["path"], f"{path}.path")


def check_files(spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with variables read from files: these are in volumes of the pod that start empty."""
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            for at, variable in enumerate(container.get("env") or ()):
                ref = (variable.get("valueFrom") or {}).get("fileKeyRef")
                if ref is None:
                    continue
                place = f"{path}.{kind}[{index}].env[{at}].valueFrom.fileKeyRef.volumeName"
                volumes = [each for each in spec.get("volumes") or () if each["name"] == ref["volumeName"]]
                if not volumes:
                    yield not_found(place, ref["volumeName"])
                elif "emptyDir" not in volumes[-1]:
                    yield invalid(place, ref["volumeName"], "referenced volume must be of type emptyDir")


def check_sources(sources: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with what all variables are taken from."""
    for index, source in enumerate(sources):
        place = f"{path}[{index}]"
        if prefix := source.get("prefix"):
            for complaint in variable_name(prefix):
                yield invalid(f"{place}.prefix", prefix, complaint)
        found = [kind for kind in ("configMapRef", "secretRef") if kind in source]
        for kind in found:
            name = source[kind].get("name", "")
            if not name:
                yield required(f"{place}.{kind}.name")
            for complaint in _prefix(name) if name else ():
                yield invalid(f"{place}.{kind}.name", name, complaint)
        if not found:
            yield invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(found) > 1:
            yield invalid(path, "", "may not have more than one field specified at a time")
