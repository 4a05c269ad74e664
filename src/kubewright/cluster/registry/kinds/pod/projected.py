"""Files in volumes: keys of secrets and config maps, fields of the pod, tokens; alone, or projected into one."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.pod.environment import check_field, check_resource_field
from kubewright.cluster.registry.rules.paths import check_file
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, required

__all__ = ["check_downward", "check_keys", "check_mode", "check_projected"]

Document = dict[str, Any]

_FIELDS: Final = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
_MODES: Final = "must be a number between 0 and 0777 (octal), both inclusive"
_TWICE: Final = "conflicting duplicate paths"


def check_mode(source: Document, path: str, name: str = "defaultMode") -> Iterator[FieldError]:
    """What is wrong with permissions of files."""
    mode = source.get(name)
    if mode is not None and not 0 <= mode <= 0o777:
        yield invalid(f"{path}.{name}", mode, _MODES)


def check_keys(source: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with keys that become files."""
    for index, item in enumerate(source.get("items") or ()):
        yield from _key(item, f"{path}.items[{index}]")


def _key(item: Document, path: str) -> Iterator[FieldError]:
    for name in ("key", "path"):
        if not item[name]:
            yield required(f"{path}.{name}")
    yield from check_file(item["path"], f"{path}.path")
    yield from check_mode(item, path, "mode")


def check_downward(source: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with fields of the pod that become files."""
    yield from check_mode(source, path)
    for item in source.get("items") or ():
        yield from _field(item, path)


def _field(item: Document, path: str) -> Iterator[FieldError]:
    """A file of a field; the server does not say which of them."""
    if not item["path"]:
        yield required(f"{path}.path")
    yield from check_file(item["path"], f"{path}.path")
    if "fieldRef" in item:
        yield from check_field(item["fieldRef"], _FIELDS, f"{path}.fieldRef")
        if "resourceFieldRef" in item:
            yield invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously")
    elif "resourceFieldRef" in item:
        yield from check_resource_field(item["resourceFieldRef"], f"{path}.resourceFieldRef", volume=True)
    else:
        yield required(path, "one of fieldRef and resourceFieldRef is required")
    yield from check_mode(item, path, "mode")


def check_projected(source: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with several sources in one volume."""
    yield from check_mode(source, path)
    seen: set[str] = set()
    for index, part in enumerate(source["sources"] or ()):
        place = f"{path}.sources[{index}]"
        for kind in ("secret", "configMap"):
            if kind in part:
                yield from _named(part[kind], path, f"{place}.{kind}", seen)
        for item in (part.get("downwardAPI") or {}).get("items") or ():
            yield from _field(item, f"{place}.downwardAPI")
            yield from _once(item["path"], seen, path, item["path"])
        if "serviceAccountToken" in part:
            yield from _token(part["serviceAccountToken"], path, f"{place}.serviceAccountToken")
        if len(part) > 1:
            yield forbidden(place, "may not specify more than 1 volume type per source")


def _named(part: Document, path: str, place: str, seen: set[str]) -> Iterator[FieldError]:
    name = part.get("name", "")
    if not name:
        yield required(f"{place}.name")
    for at, item in enumerate(part.get("items") or ()):
        yield from _key(item, f"{place}.items[{at}]")
        yield from _once(item["path"], seen, path, name)


def _once(target: str, seen: set[str], path: str, shown: str) -> Iterator[FieldError]:
    if target in seen:
        yield invalid(path, shown, _TWICE)
    elif target:
        seen.add(target)


def _token(token: Document, path: str, place: str) -> Iterator[FieldError]:
    seconds = token["expirationSeconds"]
    if seconds < 600:
        yield invalid(f"{place}.expirationSeconds", seconds, "may not specify a duration less than 10 minutes")
    if seconds > 1 << 32:
        yield invalid(f"{place}.expirationSeconds", seconds, "may not specify a duration larger than 2^32 seconds")
    if not token["path"]:
        yield required(f"{path}.path")
    else:
        yield from check_file(token["path"], f"{path}.path")
