"""The schemas of built-in types, each as a piece of JSON ready to be put into a document.

`schemas.txt` is written by `make generate` from a real server's documents: a line for each type, its name and its
schema. Nothing is decoded to serve OpenAPI v3: a document is its pieces, one after the other. The first lines tell
something else: in which versions two kinds that every version has are registered, for `@v2` and for `@custom`
documents.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kubewright.model.kind import GroupVersionKind

__all__ = ["META", "Schemas", "builtin_schemas", "model_name"]

META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1"
_FILE: Final = Path(__file__).with_name("schemas.txt")
_REFERENCE: Final = re.compile(rb'"#/components/schemas/([^"]+)"')
#: Registered in every version there is.
_EVERYWHERE: Final = (f"{META}.DeleteOptions", f"{META}.WatchEvent")
#: Types that live elsewhere than in k8s.io/api.
_PACKAGES: Final = {
    "apiextensions.k8s.io": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
    "apiregistration.k8s.io": "io.k8s.kube-aggregator.pkg.apis.apiregistration",
}


def model_name(kind: GroupVersionKind, *, custom: bool = False) -> str:
    """What the schema of a kind is called."""
    if custom:
        return f"{'.'.join(reversed(kind.group.split('.')))}.{kind.version}.{kind.kind}"
    package = _PACKAGES.get(kind.group) or f"io.k8s.api.{kind.group.partition('.')[0] or 'core'}"
    return f"{package}.{kind.version}.{kind.kind}"


class Schemas:
    """The pieces by name."""

    def __init__(self, text: bytes) -> None:
        pairs = (line.partition(b" ") for line in text.splitlines())
        self._pieces = {name.decode(): piece for name, _, piece in pairs}
        #: Where the two kinds are registered that every version has.
        self.everywhere: dict[str, list[tuple[str, str]]] = {
            mark: [(group, version) for group, version in msgspec.json.decode(self._pieces.pop(f"@{mark}"))]
            for mark in ("v2", "custom")
        }
        #: Another one when anything here is.
        self.digest = hashlib.sha512(text).hexdigest()

    @property
    def names(self) -> list[str]:
        """Every type there is."""
        return list(self._pieces)

    def closure(self, names: Iterable[str]) -> list[str]:
        """The schemas of these names and all they refer to, by name. What is not built in is passed over."""
        found: set[str] = set()
        todo = [name for name in names if name in self._pieces]
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += [each.decode() for each in _REFERENCE.findall(self._pieces[name])]
        return sorted(found)

    def piece(self, name: str, versions: Iterable[tuple[str, str]]) -> bytes:
        """A schema; `versions` are those whose document it stands in."""
        piece = self._pieces[name]
        if name not in _EVERYWHERE:
            return piece
        kind = name.rpartition(".")[2]
        kinds = [{"group": group, "kind": kind, "version": version} for group, version in versions]
        return b"%b,%b:%b}" % (piece[:-1], b'"x-kubernetes-group-version-kind"', msgspec.json.encode(kinds))


@cache
def builtin_schemas() -> Schemas:
    """Those of the release we speak; read when first asked for."""
    return Schemas(_FILE.read_bytes())
