"""The catalogue: which built-in resources a kube-apiserver serves by default, and what its discovery tells of each.

`catalogue.json` is written by `make generate` from the answers of the released server itself: groups in the order of
their priority, versions in the order of theirs, resources by name. It is read once, when first asked for.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kubewright.model.kind import GroupVersionKind

__all__ = ["Entry", "EntrySubresource", "builtin_entries", "storage_version_hash"]

_FILE: Final = Path(__file__).with_name("catalogue.json")


class EntrySubresource(msgspec.Struct, frozen=True):
    """A part of an object with a path of its own, and the kind that is spoken there."""

    name: str
    kind: GroupVersionKind
    verbs: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """One built-in resource in one version.

    Entries with the same `storage_version_hash` are one thing in storage, told in several versions or groups.
    """

    group: str
    version: str
    plural: str
    singular: str
    kind: str
    namespaced: bool
    verbs: tuple[str, ...]
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    storage_version_hash: str = ""
    subresources: tuple[EntrySubresource, ...] = ()


@cache
def _entries() -> tuple[Entry, ...]:
    return msgspec.json.decode(_FILE.read_bytes(), type=tuple[Entry, ...])


def builtin_entries() -> list[Entry]:
    """Every built-in resource, in the order in which discovery lists them."""
    return list(_entries())


def storage_version_hash(group: str, version: str, kind: str) -> str:
    """What discovery tells of the version in which a kind is stored: clients see by it that they must migrate."""
    return base64.b64encode(hashlib.sha256(f"{group}/{version}/{kind}".encode()).digest()[:8]).decode()
