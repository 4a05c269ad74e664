"""The library of OpenAPI documents: which there are, the hash of each, and each when it is asked for.

Clients ask for the list of documents and then for one of them by its hash, which they may keep for ever. So hashes must
be cheap and documents need not be: a hash is taken of what a document is made from, and the document is made when
somebody wants it, in slices, and then kept until what it is made from changes.
"""

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import itemgetter
from typing import Any, Final

import msgspec

from kubewright import clock
from kubewright.cluster.discovery.groups import groups, members
from kubewright.cluster.discovery.openapi.operations import Path, group_path, root_paths, version_path
from kubewright.cluster.discovery.openapi.protobuf import as_protobuf
from kubewright.cluster.discovery.openapi.v2 import BuiltinPart, whole_document
from kubewright.cluster.discovery.openapi.v3 import path_document, version_document
from kubewright.cluster.registry.registry import Registry
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.wire.schemas import builtin_schemas
from kubewright.version import VERSION

__all__ = ["Library", "Volume"]

_encode: Final = msgspec.json.Encoder().encode


@dataclass(eq=False)
class Volume:
    """A document: what it is made from, and the rest once somebody has asked for it."""

    name: str
    source: Path | tuple[Resource, ...]
    modified: datetime
    content: bytes | None = None
    protobuf: bytes | None = None

    @cached_property
    def hash(self) -> str:
        """Another one when the content is; of what it is made from, which is there before the content."""
        source = self.source
        facts = source.path if isinstance(source, Path) else [_facts(resource) for resource in source]
        return _hash(_encode([VERSION, builtin_schemas().digest, self.name, facts]))


class Library:
    """The documents for what a registry holds."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._generation = -1
        self._volumes: dict[str, Volume] = {}
        self._index: bytes | None = None
        self._whole: Volume | None = None
        self._builtin: BuiltinPart | None = None

    def volume(self, name: str) -> Volume | None:
        """The document of OpenAPI v3 with that name, such as `apis/apps/v1`."""
        self._refresh()
        return self._volumes.get(name)

    async def index(self) -> bytes:
        """The list of the documents of OpenAPI v3, as it is now. Each is hashed once; others run meanwhile."""
        self._refresh()
        while self._index is None:
            volumes = self._volumes
            paths = {}
            for name, volume in volumes.items():
                if "hash" not in vars(volume):
                    await asyncio.sleep(0)
                paths[name] = {"serverRelativeURL": f"/openapi/v3/{name}?hash={volume.hash}"}
            self._refresh()
            if self._volumes is volumes:
                self._index = _encode({"paths": paths})
        return self._index

    async def whole(self) -> Volume:
        """The document of OpenAPI v2."""
        digest = _hash(await self.index())
        if self._whole is None or self._whole.hash != digest:
            self._whole = Volume("v2", (), clock.now())
            self._whole.hash = digest
        return self._whole

    async def read(self, volume: Volume) -> bytes:
        """The content of a document, made now if it was not yet; others run meanwhile."""
        if volume.content is None:
            volume.content = await _joined(self._pieces(volume))
        return volume.content

    async def read_protobuf(self, volume: Volume) -> bytes:
        """The same as protobuf, for the document of OpenAPI v2."""
        if volume.protobuf is None:
            volume.protobuf = await _joined(as_protobuf(await self.read(volume)))
        return volume.protobuf

    def _pieces(self, volume: Volume) -> Iterator[bytes]:
        if isinstance(volume.source, Path):
            return path_document(volume.source)
        return version_document(volume.source) if volume.source else self._whole_pieces()

    def _whole_pieces(self) -> Iterator[bytes]:
        # What is served is looked at once, here: it may change while the pieces are made.
        sources = [volume.source for volume in self._volumes.values()]
        paths = [source for source in sources if isinstance(source, Path)]
        resources = [each for source in sources if not isinstance(source, Path) for each in source]
        builtin = [resource for resource in resources if not resource.custom]
        paths += [version_path(*version) for version in dict.fromkeys((each.group, each.version) for each in builtin)]
        if self._builtin is None:
            part = BuiltinPart()
            for _ in part.fill(paths, builtin):
                yield b""
            self._builtin = part
        yield from whole_document(self._builtin, [resource for resource in resources if resource.custom])

    def _refresh(self) -> None:
        """Look again at what is served, if anything changed; documents of what did not change stay."""
        if self._registry.generation == self._generation:
            return
        self._generation = self._registry.generation
        self._volumes = {name: self._keep(name, source) for name, source in sorted(self._sources(), key=itemgetter(0))}
        self._index = None

    def _keep(self, name: str, source: Path | tuple[Resource, ...]) -> Volume:
        kept = self._volumes.get(name)
        if kept is not None and kept.source == source:  # resources are equal when they are the same
            return kept
        return Volume(name, source, clock.now())

    def _sources(self) -> Iterator[tuple[str, Path | tuple[Resource, ...]]]:
        yield from root_paths().items()
        for group, versions in {"": ["v1"], **groups(self._registry)}.items():
            builtin = False
            for version in versions:
                resources = tuple(members(self._registry, group, version))
                builtin = builtin or not all(resource.custom for resource in resources)
                if resources:
                    yield f"apis/{group}/{version}" if group else f"api/{version}", resources
            if group and builtin:
                yield f"apis/{group}", group_path(group)


async def _joined(pieces: Iterator[bytes]) -> bytes:
    made = []
    for piece in pieces:
        made.append(piece)
        await asyncio.sleep(0)
    return b"".join(made)


def _facts(resource: Resource) -> list[Any]:
    """All that the documents tell of a resource."""
    subresources = [(sub.name, sub.kind, sub.verbs) for sub in resource.subresources]
    return [
        *(resource.names, resource.namespaced, resource.verbs, subresources, resource.strategy.returns_deleted),
        *(list(resource.fields) if resource.custom else [], resource.schema),
    ]


def _hash(content: bytes) -> str:
    return hashlib.sha512(content).hexdigest().upper()
