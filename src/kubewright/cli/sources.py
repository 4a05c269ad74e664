"""Where a command reads from: a user's module, or a file of YAML or JSON."""

import contextlib
import importlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from kubewright.errors import KubewrightError
from kubewright.model.documents import DocumentError, load_json
from kubewright.model.resource import Definition, Resource
from kubewright.model.yaml import load_yaml_documents

__all__ = ["CommandError", "is_module", "load_crds", "load_documents", "load_module", "load_resources"]

#: Where our own code is, as frames tell it.
_OURS: Final = str(Path(__file__).parents[1]) + os.sep


class CommandError(KubewrightError):
    """What was asked for cannot be found or read."""


def load_resources(target: str) -> list[type[Resource]]:
    """The kinds of `MODULE`, or those named by `MODULE:CLASS,CLASS`; a module is a dotted name or a .py file."""
    place, _, names = target.partition(":")
    module = load_module(place)
    here = _kinds(module)
    if not names:
        if not here:
            raise CommandError(
                f"{place} defines no kind: no class derives from kw.Resource with a group and a version."
            )
        return here
    found = []
    for name in names.split(","):
        kind = getattr(module, name, None)
        if not (isinstance(kind, type) and issubclass(kind, Resource)):
            known = ", ".join(kind.__name__ for kind in here) or "none"
            raise CommandError(f"{place} has no kind {name!r}; its kinds are: {known}.")
        found.append(kind)
    return found


def load_crds(target: str) -> list[dict[str, Any]]:
    """The CRDs of a YAML or JSON file (`-` is standard input), or those of a module's types."""
    if is_module(target):
        from kubewright.schema.crd import crds_of  # here: an operator that only runs does not wait for it to load

        return crds_of(load_resources(target))
    crds = [found for found in load_documents(target) if _is_crd(found)]
    if not crds:
        raise CommandError(f"{_shown(target)} holds no CustomResourceDefinition.")
    return crds


def is_module(target: str) -> bool:
    """Whether `MODULE[:NAME]` is meant, and not a file of documents."""
    place = target.partition(":")[0]
    return place.endswith(".py") or not (target == "-" or Path(target).exists() or _looks_like_a_file(place))


def _looks_like_a_file(place: str) -> bool:
    return "/" in place or place.endswith((".yaml", ".yml", ".json"))


def _shown(target: str) -> str:
    return "standard input" if target == "-" else target


def load_documents(target: str) -> list[dict[str, Any]]:
    """The objects in a YAML or JSON file (`-` is standard input); a List is its items."""
    source = _shown(target)
    try:
        data = sys.stdin.buffer.read() if target == "-" else Path(target).read_bytes()
    except FileNotFoundError as error:
        raise CommandError(f"there is no file {target}.") from error
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


def load_module(place: str) -> ModuleType:
    """A user's module, by its dotted name or its .py file."""
    path = Path(place)
    if place.endswith(".py"):
        if not path.is_file():
            raise CommandError(f"there is no file {place}.")
        sys.path.insert(0, str(path.resolve().parent))
        # Under a name of its own: the file may be called like a module that is loaded, or like another file.
        name = f"kubewright file {path.resolve()}".replace(".", "·")  # a dot would make it part of a package
        return _guarded(lambda: _import_file(name, path), place)
    if not re.fullmatch(r"\w+(\.\w+)*", place):
        raise CommandError(f"{place!r} is no module; give a .py file, or a dotted name that can be imported from here.")
    sys.path.insert(0, str(Path.cwd()))
    return _guarded(lambda: importlib.import_module(place), place)


def _import_file(name: str, path: Path) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _guarded(load: Callable[[], ModuleType], shown: str) -> ModuleType:
    """Run a user's module; whatever it does, it becomes a module or one sentence. What it prints is not our output."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return load()
    except KubewrightError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (shown == error.name or shown.startswith(f"{error.name}.")):
            raise CommandError(
                f"there is no module {shown}; give a .py file, or a dotted name that can be imported from here."
            ) from error
        raise CommandError(f"{shown} cannot be imported{_where(error)}: {error}.") from error
    except SystemExit as error:
        raise CommandError(
            f"{shown} cannot be imported{_where(error)}: it ends the program while it is read."
        ) from error
    except Exception as error:  # whatever the user's module raises while it is imported
        hint = "; give its dotted name instead of the file" if "relative import" in str(error) else ""
        what = error.msg if isinstance(error, SyntaxError) else error  # which says where it is once more
        raise CommandError(
            f"{shown} cannot be imported{_where(error)}: {type(error).__name__}: {what}{hint}."
        ) from error


def _where(error: BaseException) -> str:
    """The user's line at which an import failed: the deepest one that is neither Python's import machinery nor ours."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    theirs = [frame for frame in frames if not frame.filename.startswith(_OURS)]
    return f" ({theirs[-1].filename}:{theirs[-1].lineno})" if theirs else ""
