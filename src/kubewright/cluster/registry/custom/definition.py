"""One CRD as it is served, from the moment it was so until it changes.

What its versions share: which of them is stored, since when, and who converts.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from kubewright.cluster.fields.shape import Shape
from kubewright.cluster.registry.custom.codec import CustomCodec
from kubewright.schema.definition import CRD, Names

__all__ = ["Converter", "Definition"]

Document = dict[str, Any]


class Converter(Protocol):
    """Who converts, if that takes more than another name of the version."""

    async def convert(self, objects: Sequence[Document], wanted: str) -> list[Document]:
        """The objects in the version `wanted`; `ConversionFailed` if they cannot be had."""


class Definition:
    """A CRD under the names it has been given; `since` is the revision at which it became what it is."""

    def __init__(self, crd: CRD, names: Names, *, since: int, webhook: Converter | None = None) -> None:
        self.crd = crd
        self.names = names
        self.since = since
        self.webhook = webhook
        #: Objects may not be made any more.
        self.terminating = False
        #: Another one has taken its place, if the kind is still defined.
        self.retired = False
        self.successor: Definition | None = None
        #: What objects of each version are made of, for tracking; filled in as they are written.
        self.shapes: dict[str, Shape] = {}
        self.storage = next(version.name for version in crd.versions if version.storage)
        #: Whether everything written since is stored as it is shown: whoever writes another version writes no defaults
        #: of the stored one.
        self.plain = len(crd.versions) == 1

    def note_write(self, revision: int) -> None:
        """Something is written under this definition: the present one, if that is another, must look into it."""
        present = self
        while present.successor is not None:
            present = present.successor
        if present is not self:
            present.since = max(present.since, revision)

    def api_version(self, version: str) -> str:
        """A version as it stands in objects."""
        return f"{self.crd.group}/{version}"

    @cached_property
    def codecs(self) -> dict[str, CustomCodec]:
        """How objects of each version are read and written, by apiVersion."""
        return {
            (api_version := self.api_version(version.name)): CustomCodec(api_version, version.schema)
            for version in self.crd.versions
        }
