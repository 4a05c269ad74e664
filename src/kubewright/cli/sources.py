"""Where a command reads from: a user's module, or a file of YAML or JSON."""

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError, load_json
from kubewright.model.resource import Definition, Resource
from kubewright.model.yaml import load_yaml_documents
from kubewright.schema.crd import crds_of

__all__ = ["CommandError", "load_crds", "load_documents", "load_resources"]


class CommandError(KubewrightError):
    """What was asked for cannot be found or read."""


def load_resources(target: str) -> list[type[Resource]]:
    """The kinds of `MODULE`, or the one class of `MODULE:CLASS`; a module is a dotted name or a .py file."""
    place, _, name = target.partition(":")
    module = _load_module(place)
    if name:
        found = getattr(module, name, None)
        if not (isinstance(found, type) and issubclass(found, Resource)):
            kinds = ", ".join(kind.__name__ for kind in _kinds(module)) or "none"
            raise CommandError(f"{place} has no kind {name!r}; its kinds are: {kinds}.")
        return [found]
    kinds_here = _kinds(module)
    if not kinds_here:
        raise CommandError(f"{place} defines no kind: no class derives from kw.Resource with a group and a version.")
    return kinds_here


def load_crds(target: str) -> list[dict[str, Any]]:
    """The CRDs of a YAML or JSON file (`-` is standard input), or those of a module's types."""
    if target != "-" and not Path(target).is_file():
        place = target.partition(":")[0]
        if "/" in place or place.endswith((".yaml", ".yml", ".json")):
            raise CommandError(f"there is no file {target}.")
        return crds_of(load_resources(target))
    if target.endswith(".py"):
        return crds_of(load_resources(target))
    crds = [found for found in load_documents(target) if _is_crd(found)]
    if not crds:
        raise CommandError(f"{target} holds no CustomResourceDefinition.")
    return crds


def load_documents(target: str) -> list[dict[str, Any]]:
    """The objects in a YAML or JSON file (`-` is standard input); a List is its items."""
    source = "standard input" if target == "-" else target
    try:
        data = sys.stdin.buffer.read() if target == "-" else Path(target).read_bytes()
    except OSError as error:
        raise CommandError(f"{target} cannot be read: {error.strerror}.") from error
    found: list[dict[str, Any]] = []
    for value in _parse(data, source):
        if not isinstance(value, dict):
            raise CommandError(f"{source} holds {value!r:.40} where an object is wanted.")
        found += value["items"] if value.get("kind") == "List" and isinstance(value.get("items"), list) else [value]
    return found


def _parse(data: bytes, source: str) -> list[object]:
    """JSON is YAML too, but read by its own reader it is read a hundred times faster."""
    if data.lstrip()[:1] == b"{":
        try:
            return [load_json(data, source)]
        except DocumentError:
            if source.endswith(".json"):
                raise
    return load_yaml_documents(data, source)


def _is_crd(value: dict[str, Any]) -> bool:
    return value.get("kind") == "CustomResourceDefinition" and isinstance(value.get("spec"), dict)


def _kinds(module: ModuleType) -> list[type[Resource]]:
    """The kinds a module defines or re-exports, but for Kubernetes' own."""
    found = []
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Resource) and "__definition__" in vars(value):
            definition: Definition = vars(value)["__definition__"]
            if not value.__module__.startswith("kubewright.k8s.") and definition and value not in found:
                found.append(value)
    return found


def _load_module(place: str) -> ModuleType:
    path = Path(place)
    if place.endswith(".py"):
        if not path.is_file():
            raise CommandError(f"there is no file {place}.")
        sys.path.insert(0, str(path.resolve().parent))
        return _import(path.stem, place)
    sys.path.insert(0, str(Path.cwd()))
    return _import(place, place)


def _import(name: str, shown: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except KubewrightError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise CommandError(
                f"there is no module {shown}; give a .py file, or a dotted name that can be imported from here."
            ) from error
        raise CommandError(f"{shown} cannot be imported{_where(error)}: {error}.") from error
    except Exception as error:  # whatever the user's module raises while it is imported
        raise CommandError(f"{shown} cannot be imported{_where(error)}: {type(error).__name__}: {error}.") from error


def _where(error: BaseException) -> str:
    """The user's line at which an import failed: the deepest one that is not Python's own import machinery."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
