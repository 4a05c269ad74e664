"""Where a container sees the volumes of its pod: as directories, or as devices."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kubewright.cluster.registry.rules.paths import check_descending
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_found, not_supported, required

__all__ = ["check_devices", "check_mounts"]

Document = dict[str, Any]

_PROPAGATION: Final = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE: Final = ("Disabled", "Enabled", "IfPossible")


def check_mounts(container: Document, volumes: Mapping[str, Document], path: str) -> Iterator[FieldError]:
    """What is wrong with mounts; `volumes` are those of the pod with which nothing is wrong."""
    devices = {device["name"]: device["devicePath"] for device in container.get("volumeDevices") or ()}
    seen: set[str] = set()
    for index, mount in enumerate(container["volumeMounts"]):
        name, target, place = mount["name"], mount["mountPath"], f"{path}[{index}]"
        if not name:
            yield required(f"{place}.name")
        if name not in volumes:
            yield not_found(f"{place}.name", name)
        if not target:
            yield required(f"{place}.mountPath")
        if target in seen:
            yield invalid(f"{place}.mountPath", target, "must be unique")
        seen.add(target)
        if name in devices:
            yield invalid(f"{place}.name", name, "must not already exist in volumeDevices")
        if target in devices.values():
            yield invalid(f"{place}.mountPath", target, "must not already exist as a path in volumeDevices")
        # From here on the server names the list, not the mount.
        if below := mount.get("subPath"):
            yield from check_descending(below, f"{path}.subPath")
        if expression := mount.get("subPathExpr"):
            if below:
                why = "subPathExpr and subPath are mutually exclusive"
                yield invalid(f"{place}.subPathExpr", expression, why)
            yield from check_descending(expression, f"{path}.subPathExpr")
        if "mountPropagation" in mount:
            yield from _propagation(mount["mountPropagation"], container, f"{path}.mountPropagation")
        if "recursiveReadOnly" in mount:
            yield from _recursive(mount, f"{path}.recursiveReadOnly")


def _propagation(mode: str, container: Document, path: str) -> Iterator[FieldError]:
    if mode not in _PROPAGATION:
        yield not_supported(path, mode, _PROPAGATION)
    if mode == "Bidirectional" and not (container.get("securityContext") or {}).get("privileged"):
        yield forbidden(path, "Bidirectional mount propagation is available only to privileged containers")


def _recursive(mount: Document, path: str) -> Iterator[FieldError]:
    mode = mount["recursiveReadOnly"]
    if mode not in _RECURSIVE:
        yield not_supported(path, mode, _RECURSIVE)
    elif mode != "Disabled":
        if not mount.get("readOnly"):
            yield forbidden(path, "may only be specified when readOnly is true")
        if mount.get("mountPropagation", "None") != "None":
            yield forbidden(path, "may only be specified when mountPropagation is None or not specified")


def check_devices(container: Document, volumes: Mapping[str, Document], path: str) -> Iterator[FieldError]:
    """What is wrong with devices: only claims can be had as such."""
    mounts = {mount["name"]: mount["mountPath"] for mount in container.get("volumeMounts") or ()}
    names: set[str] = set()
    targets: set[str] = set()
    for index, device in enumerate(container["volumeDevices"]):
        name, target, place = device["name"], device["devicePath"], f"{path}[{index}]"
        if not name:
            yield required(f"{place}.name")
        if name in names:
            yield invalid(f"{place}.name", name, "must be unique")
        if name not in volumes:
            yield not_found(f"{place}.name", name)
        elif not {"persistentVolumeClaim", "ephemeral"} & volumes[name].keys():
            why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
            yield invalid(f"{place}.name", name, why)
        if not target:
            yield required(f"{place}.devicePath")
        if target in targets:
            yield invalid(f"{place}.devicePath", target, "must be unique")
        if ".." in target.split("/"):
            yield invalid(f"{place}.devicePath", target, "can not contain backsteps ('..')")
        else:
            targets.add(target)
        if name in mounts:
            yield invalid(f"{place}.name", name, "must not already exist in volumeMounts")
        if target in mounts.values():
            yield invalid(f"{place}.devicePath", target, "must not already exist as a path in volumeMounts")
        if name:
            names.add(name)
