"""Modules are loaded before they are wanted, one at a time, and others have their turn between.

    await preload()                      # when a server is ready: all that the first use of anything would load
    await load("kubewright.operator")    # before it is used: that module, and what it imports

A server is to be ready soon, so it loads what a fresh cluster needs; the rest is imported where it is first used, by a
kind, a verb or a crew of controllers. That holds the loop: with a module comes all that it imports, with the framework
of controllers eighty of them. So what a module imports is loaded first, each in a step of its own.

What a module imports is read from its text: the lines in front of its first class or function that begin with `import`
or `from`. It is no more than a hint. What it does not tell is loaded together with the module, as Python does anyway;
so are those modules of a package that its `__init__` imports, because none can be loaded before the package is.

In simulated time nobody waits for the loop, and how many turns of it something takes must not depend on what the
process has loaded before: there nothing gives way.
"""

import asyncio
import contextlib
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import resolve_name
from typing import Final

from kubewright import clock

__all__ = ["AHEAD", "BUILT", "Loading", "in_turns", "load", "preload"]

#: What is loaded ahead, a package with all its modules; what is likely to be wanted first comes first. Outside of
#: `kubewright.cluster` it is what is imported inside of functions, of ours and of others.
AHEAD: Final = (
    "kubewright.cluster.registry",
    "kubewright.cluster.admission",
    "kubewright.cluster.verbs",
    "kubewright.operator",
    "kubewright.controller.news",
    "kubewright.cluster.controllers",
    "kubewright.cluster.nodes",
    "kubewright.cluster.auth",
    "kubewright.cluster.discovery",
    "kubewright.cel",
    "kubewright.schema.validations",
    "kubewright.cluster",
    "kubewright.model.yaml",
    "kubewright.http.websocket",
    "cryptography.hazmat.backends.openssl.backend",
    "cryptography.x509",
    "_strptime",
)
#: What is built after that, where it is building that takes long: modules, and names in them that give steps.
BUILT: Final = ("kubewright.cluster.wire.prepare:prepare",)
#: What is not loaded though it is in there: it is wanted when a cluster starts, or by nobody in its process.
_APART: Final = frozenset({"kubewright.cluster.store.disk", "kubewright.cluster.nodes.listen"})

_DOCSTRING: Final = re.compile(r'(?:\s|#.*\n)*r?"""[\s\S]*?"""')
_BODY: Final = re.compile(r"^(?:class|def|async def|@)", re.MULTILINE)
_IMPORT: Final = re.compile(r"^(?:from ([\w.]+) import (\([^)]*\)|[^\n#]*)|import ([\w., ]+))", re.MULTILINE)
_WORD: Final = re.compile(r"\w+")


async def preload() -> None:
    """Load what first uses would load, and build what they would build.

    What is wanted before it was its turn is loaded by whoever wants it.
    """
    loading = Loading()
    for name in AHEAD:
        await in_turns(loading.all_of(name))
    for place in BUILT:
        module, _, name = place.partition(":")
        await in_turns(getattr(importlib.import_module(module), name)())


async def load(*names: str) -> None:
    """Load modules and what they import; nothing happens if they are there."""
    loading = Loading()
    for name in names:
        await in_turns(loading.one(name))


async def in_turns(steps: Iterable[object]) -> None:
    """Go through the steps of some work; others go first between them."""
    gives_way = not clock.is_simulated()
    for _ in steps:
        if gives_way:
            await asyncio.sleep(0)


class Loading:
    """Loads modules, and remembers for which it has done all it could."""

    def __init__(self) -> None:
        self._met: set[str] = set()
        self._specs: dict[str, ModuleSpec | None] = {}

    def all_of(self, name: str) -> Iterator[str]:
        """Load a module, and if it is a package all there is in it; the steps of it, by the modules they were about."""
        yield from self.one(name)
        path = getattr(sys.modules.get(name), "__path__", None)
        if path is None:
            return
        inner = [f"{name}.{found.name}" for found in pkgutil.iter_modules(path)]
        yield name
        for each in inner:
            if each not in _APART:
                yield from self.all_of(each)

    def one(self, name: str) -> Iterator[str]:
        """Load a module, and before it what it imports. What cannot be loaded is left to whoever needs it to say so."""
        yield from self._ordered(name)
        if self._load(name):
            yield name

    def _ordered(self, name: str) -> Iterator[str]:
        if name in sys.modules or name in self._met:
            return
        parent = name.rpartition(".")[0]
        yield from self._ordered(parent) if parent else ()
        spec = self._find(name)
        if spec is None or name in sys.modules or name in self._met:
            return
        self._met.add(name)
        hints: list[str] = []
        with contextlib.suppress(ImportError, OSError, UnicodeError):
            hints = _imports_of(spec)
        yield name
        for each in hints:
            yield from self._ordered(each)
        # While its package is being looked at it cannot be loaded; it comes with the package, or after it.
        if (not parent or parent in sys.modules) and self._load(name):
            yield name

    def _load(self, name: str) -> bool:
        """Load a module now, with what is left of its imports; whether there was anything to do."""
        if name in sys.modules:
            return False
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
        return True

    def _find(self, name: str) -> ModuleSpec | None:
        """Where a module is, which is told without loading anything; None if it is none, or no file."""
        if name not in self._specs:
            self._specs[name] = None
            parent = name.rpartition(".")[0]
            path = self._path(parent) if parent else None
            if path is not None or not parent:
                self._specs[name] = PathFinder.find_spec(name, path)
        return self._specs[name]

    def _path(self, package: str) -> list[str] | None:
        """Where the modules of a package are."""
        loaded = sys.modules.get(package)
        if loaded is not None:
            found = getattr(loaded, "__path__", None)
            return None if found is None else list(found)
        spec = self._find(package)
        return None if spec is None else spec.submodule_search_locations


def _imports_of(spec: ModuleSpec) -> list[str]:
    """The modules that one says it imports; among them names that are no modules, but are imported from one."""
    read = getattr(spec.loader, "get_source", None)
    source = (read(spec.name) if read is not None else None) or ""
    begin = docstring.end() if (docstring := _DOCSTRING.match(source)) else 0
    body = _BODY.search(source, begin)
    found: list[str] = []
    for match in _IMPORT.finditer(source, begin, body.start() if body else len(source)):
        origin, names, modules = match.groups()
        if modules is not None:
            found += [words[0] for each in modules.split(",") if (words := each.split())]
            continue
        package = spec.name if spec.submodule_search_locations is not None else spec.parent
        origin = resolve_name(origin, package)
        found += [origin, *(f"{origin}.{each}" for each in _WORD.findall(names))]
    return found
