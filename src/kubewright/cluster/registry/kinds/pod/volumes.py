"""Volumes: each of one source, of the many that there are."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.containers import PULL_POLICIES
from kubewright.cluster.registry.kinds.pod.projected import check_downward, check_keys, check_mode, check_projected
from kubewright.cluster.registry.rules.claims import check_claim_template
from kubewright.cluster.registry.rules.names import check_label, check_subdomain
from kubewright.cluster.registry.rules.numbers import check_range
from kubewright.cluster.registry.rules.paths import check_descending, check_no_backsteps
from kubewright.model.quantity import Quantity
from kubewright.schema.walk.errors import (
    FieldError,
    duplicate,
    forbidden,
    invalid,
    not_supported,
    required,
    too_long,
)
from kubewright.schema.walk.golang import quote
from kubewright.schema.walk.names import subdomain

__all__ = ["SOURCES", "check_volumes"]

Document = dict[str, Any]
Check = Callable[[Document, str], Iterator[FieldError]]

_ONE: Final = "may not specify more than 1 volume type"
_TYPES: Final = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")


def check_volumes(
    volumes: list[Document], path: str, pod: str | None, good: dict[str, Document]
) -> Iterator[FieldError]:
    """What is wrong with volumes of a pod of that name, None for a template's. The `good` ones are noted there."""
    made = {f"{pod}-{volume['name']}" for volume in volumes if pod and "ephemeral" in volume}
    for index, volume in enumerate(volumes):
        place, name = f"{path}[{index}]", volume["name"]
        errors = [*_source(volume, place, pod)]
        if not name:
            errors.append(required(f"{place}.name"))
        else:
            errors += check_label(name, f"{place}.name")
        if name in good:
            errors.append(duplicate(f"{place}.name", name))
        if errors:
            yield from errors
        else:
            good[name] = volume
        claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if claim in made:
            why = "must not reference a PVC that gets created for an ephemeral volume"
            yield invalid(f"{place}.persistentVolumeClaim.claimName", claim, why)


def _source(volume: Document, path: str, pod: str | None) -> Iterator[FieldError]:
    found = False
    for kind in SOURCES if len(volume) > 2 else volume:
        if kind not in volume or kind == "name":
            continue
        if found:
            yield forbidden(f"{path}.{_MISSPELT.get(kind, kind)}", _ONE)
        else:
            if kind == "image" and pod is not None and not volume["image"].get("reference"):
                yield required(f"{path}.image.reference")
            yield from SOURCES[kind](volume[kind], f"{path}.{_CALLED.get(kind, kind)}")
            if kind == "ephemeral" and pod and volume["name"]:
                claim = f"{pod}-{volume['name']}"
                for complaint in subdomain(claim):
                    yield invalid(f"{path}.name", volume["name"], f"PVC name {quote(claim)}: {complaint}")
        if kind == "iscsi":
            yield from _portal(volume, path)
        found = True


#: Where the messages say another name than the field has.
_CALLED: Final = {"gcePersistentDisk": "persistentDisk"}
_MISSPELT: Final = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}


def _portal(volume: Document, path: str) -> Iterator[FieldError]:
    source = volume["iscsi"]
    if "initiatorName" in source and len(f"{volume['name']}:{source['targetPortal']}".encode()) > 64:
        why = (
            "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is "
        )
        yield invalid(f"{path}.name", volume["name"], f"{why}specified.")


def _needs(*names: str) -> Check:
    """A source that is right if these parts of it say something."""

    def check(source: Document, path: str) -> Iterator[FieldError]:
        return (required(f"{path}.{name}") for name in names if not source.get(name))

    return check


def _empty_dir(source: Document, path: str) -> Iterator[FieldError]:
    if "sizeLimit" in source and Quantity(source["sizeLimit"]) < 0:
        yield forbidden(f"{path}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def _host_path(source: Document, path: str) -> Iterator[FieldError]:
    if not source["path"]:
        yield required(f"{path}.path")
        return
    yield from check_no_backsteps(source["path"], f"{path}.path")
    if source["type"] not in _TYPES:
        yield not_supported(f"{path}.type", source["type"], _TYPES)


def _git(source: Document, path: str) -> Iterator[FieldError]:
    if not source["repository"]:
        yield required(f"{path}.repository")
    yield from check_descending(source.get("directory", ""), f"{path}.directory")


def _disk(name: str) -> Check:
    def check(source: Document, path: str) -> Iterator[FieldError]:
        if not source[name]:
            yield required(f"{path}.{name}")
        if source.get("partition"):
            yield from _within(source["partition"], f"{path}.partition", 1)

    return check


def _within(value: int, path: str, least: int) -> Iterator[FieldError]:
    """A number of at most 255. Of a partition the server says it must not be 0, and takes 0."""
    if not 0 <= value <= 255:
        yield invalid(path, value, f"must be between {least} and 255, inclusive")


def _secret(source: Document, path: str) -> Iterator[FieldError]:
    if not source.get("secretName"):
        yield required(f"{path}.secretName")
    yield from check_mode(source, path)
    yield from check_keys(source, path)


def _config_map(source: Document, path: str) -> Iterator[FieldError]:
    if not source.get("name"):
        yield required(f"{path}.name")
    yield from check_mode(source, path)
    yield from check_keys(source, path)


def _nfs(source: Document, path: str) -> Iterator[FieldError]:
    yield from _needs("server", "path")(source, path)
    if not source["path"].startswith("/"):
        yield invalid(f"{path}.path", source["path"], "must be an absolute path")


_QUALIFIED: Final = {
    "iqn": re.compile(r"iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$", re.ASCII).search,
    "eui": re.compile(r"eui.[A-Za-z0-9]{16}", re.ASCII).fullmatch,
    "naa": re.compile(r"naa.[A-Za-z0-9]{32}", re.ASCII).fullmatch,
}


def _iscsi(source: Document, path: str) -> Iterator[FieldError]:
    if not source["targetPortal"]:
        yield required(f"{path}.targetPortal")
    if not source["iqn"]:
        yield required(f"{path}.iqn")
    else:
        yield from _qualified(source["iqn"], f"{path}.iqn")
    yield from check_range(source["lun"], f"{path}.lun", 0, 255)
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and "secretRef" not in source:
        yield required(f"{path}.secretRef")
    if "initiatorName" in source:
        yield from _qualified(source["initiatorName"], f"{path}.initiatorname")


def _qualified(name: str, path: str) -> Iterator[FieldError]:
    matches = _QUALIFIED.get(name[:3])
    if matches is None:
        yield invalid(path, name, "must be valid format starting with iqn, eui, or naa")
    elif not matches(name):
        yield invalid(path, name, "must be valid format")


def _flocker(source: Document, path: str) -> Iterator[FieldError]:
    name, uuid = source.get("datasetName", ""), source.get("datasetUUID", "")
    if not name and not uuid:
        yield required(path, "one of datasetName and datasetUUID is required")
    if name and uuid:
        yield invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously")
    if "/" in name:
        yield invalid(f"{path}.datasetName", name, "must not contain '/'")


def _secret_named(source: Document, path: str) -> Iterator[FieldError]:
    if "secretRef" in source and not source["secretRef"].get("name"):
        yield required(f"{path}.secretRef.name")


def _cinder(source: Document, path: str) -> Iterator[FieldError]:
    yield from _needs("volumeID")(source, path)
    yield from _secret_named(source, path)


def _quobyte(source: Document, path: str) -> Iterator[FieldError]:
    pairs = "must be a host:port pair or multiple pairs separated by commas"
    if not source["registry"]:
        yield required(f"{path}.registry", pairs)
    elif len(source.get("tenant", "").encode(errors="replace")) >= 65:
        yield required(f"{path}.tenant", "must be a UUID and may not exceed a length of 64 characters")
    else:
        for pair in source["registry"].split(","):
            if not _is_pair(pair):
                yield invalid(f"{path}.registry", source["registry"], pairs)
    if not source["volume"]:
        yield required(f"{path}.volume")


_is_pair: Final = re.compile(r"(?:\[[^\[\]]*\]|[^:\[\]]*):[^:\[\]]*").fullmatch


def _fibre(source: Document, path: str) -> Iterator[FieldError]:
    names, others = source.get("targetWWNs") or [], source.get("wwids") or []
    if not names and not others:
        yield required(f"{path}.targetWWNs", "must specify either targetWWNs or wwids, but not both")
    if names and others:
        why = "targetWWNs and wwids can not be specified simultaneously"
        yield invalid(f"{path}.targetWWNs", names, why)
    if names:
        if "lun" not in source:
            yield required(f"{path}.lun", "lun is required if targetWWNs is specified")
        else:
            yield from check_range(source["lun"], f"{path}.lun", 0, 255)


def _flex(source: Document, path: str) -> Iterator[FieldError]:
    if not source["driver"]:
        yield required(f"{path}.driver")
    for key in sorted(source.get("options") or ()):
        domain = f".{key.partition('/')[0].lower()}"
        if domain.endswith((".kubernetes.io", ".k8s.io")):
            yield invalid(f"{path}.options[{key}]", key, "kubernetes.io and k8s.io namespaces are reserved")


def _azure_disk(source: Document, path: str) -> Iterator[FieldError]:
    yield from _needs("diskName", "diskURI")(source, path)
    for name, choices in (
        ("cachingMode", ("None", "ReadOnly", "ReadWrite")),
        ("kind", ("Dedicated", "Managed", "Shared")),
    ):
        if source[name] not in choices:
            yield not_supported(f"{path}.{name}", source[name], choices)
    if source["kind"] == "Managed":
        start, form = (
            "/subscriptions/",
            "{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
        )
    else:
        start, form = "https://", "{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"
    if not source["diskURI"].startswith(start):
        yield not_supported(f"{path}.diskURI", source["diskURI"], [start + form])


def _storageos(source: Document, path: str) -> Iterator[FieldError]:
    if not source.get("volumeName"):
        yield required(f"{path}.volumeName")
    else:
        yield from check_label(source["volumeName"], f"{path}.volumeName")
    if source.get("volumeNamespace"):
        yield from check_label(source["volumeNamespace"], f"{path}.volumeNamespace")
    yield from _secret_named(source, path)


def _csi(source: Document, path: str) -> Iterator[FieldError]:
    driver = source["driver"]
    if not driver:
        yield required(f"{path}.driver")
    else:
        if len(driver.encode(errors="replace")) > 63:
            yield too_long(f"{path}.driver", 63)
        yield from (invalid(f"{path}.driver", driver, complaint) for complaint in subdomain(driver.lower()))
    if "nodePublishSecretRef" in source:
        name = source["nodePublishSecretRef"].get("name", "")
        if not name:
            yield required(f"{path}.nodePublishSecretRef.name")
        else:
            yield from check_subdomain(name, f"{path}.name")


def _ephemeral(source: Document, path: str) -> Iterator[FieldError]:
    if "volumeClaimTemplate" not in source:
        yield required(f"{path}.volumeClaimTemplate")
    else:
        yield from check_claim_template(source["volumeClaimTemplate"], f"{path}.volumeClaimTemplate")


def _image(source: Document, path: str) -> Iterator[FieldError]:
    if source["pullPolicy"] not in PULL_POLICIES:
        yield not_supported(f"{path}.pullPolicy", source["pullPolicy"], PULL_POLICIES)


#: In the order in which they are looked for.
SOURCES: Final[dict[str, Check]] = {
    "emptyDir": _empty_dir,
    "hostPath": _host_path,
    "gitRepo": _git,
    "gcePersistentDisk": _disk("pdName"),
    "awsElasticBlockStore": _disk("volumeID"),
    "secret": _secret,
    "nfs": _nfs,
    "iscsi": _iscsi,
    "glusterfs": _needs("endpoints", "path"),
    "flocker": _flocker,
    "persistentVolumeClaim": _needs("claimName"),
    "rbd": _needs("monitors", "image"),
    "cinder": _cinder,
    "cephfs": _needs("monitors"),
    "quobyte": _quobyte,
    "downwardAPI": check_downward,
    "fc": _fibre,
    "flexVolume": _flex,
    "configMap": _config_map,
    "azureFile": _needs("secretName", "shareName"),
    "vsphereVolume": _needs("volumePath"),
    "photonPersistentDisk": _needs("pdID"),
    "portworxVolume": _needs("volumeID"),
    "azureDisk": _azure_disk,
    "storageos": _storageos,
    "projected": check_projected,
    "scaleIO": _needs("gateway", "system", "volumeName"),
    "csi": _csi,
    "ephemeral": _ephemeral,
    "image": _image,
}
