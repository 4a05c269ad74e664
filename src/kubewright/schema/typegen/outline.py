"""What is known of a class before it is written.

Readers (`crd`, `openapi`) make outlines, `write` turns them into source. The type of a member is a `Shape`, the same
algebra by which a Model's own annotations are understood, so what can be read back is what can be written; a `StructOf`
holds the `Outline` of a class to come, or a class that exists.
"""

from typing import Any, Literal

import msgspec
from msgspec import UNSET

from kubewright.errors import KubewrightError
from kubewright.model.markers import Marker
from kubewright.model.resource import Definition
from kubewright.model.shape import Shape

__all__ = ["Member", "Module", "Outline", "TypegenError"]


class TypegenError(KubewrightError):
    """A document from which no types can be made, and why."""


class Member(msgspec.Struct, kw_only=True):
    """A field to be written."""

    name: str
    wire: str
    shape: Shape
    #: The schema asks for it.
    required: bool = False
    #: What stands behind the equals sign, in JSON form; UNSET for nothing.
    default: Any = UNSET
    #: What an absent field reads as, where that is a fresh object.
    factory: "Literal['list', 'dict'] | Outline | None" = None
    description: str = ""


class Outline(msgspec.Struct, kw_only=True, eq=False):
    """A class to be written."""

    name: str
    #: Where it is imported from; empty if nobody but its own module needs it.
    module: str = ""
    parent: Literal["Model", "Resource", "Status"] = "Model"
    description: str = ""
    markers: tuple[Marker, ...] = ()
    members: list[Member] = msgspec.field(default_factory=list)
    #: What the class line of a kind says.
    definition: Definition | None = None

    def __repr__(self) -> str:
        return f"Outline({self.name})"  # recursive types would never end


class Module(msgspec.Struct, kw_only=True):
    """A file to be written."""

    description: str
    outlines: list[Outline]
    #: Built-in kinds: a required field may be left out, and names come from where they are defined, not from `kw`.
    partial: bool = False
    #: Annotations stay text until they are used: classes may stand in any order, and importing costs less.
    lazy: bool = False
    #: Where it is imported from; empty if no module made with it does.
    name: str = ""
    #: Classes of other modules that are also this module's names.
    offers: tuple[type, ...] = ()
