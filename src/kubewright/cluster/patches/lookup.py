"""How the fields of a type are patched: what strategic merge must know.

A `PatchType` is a Go type seen from the outside: its kind, its name if it is a struct, and for each of its fields the
patch strategies and the merge key. Types are looked at one field at a time and only where a patch goes, for some of
them contain themselves. `cluster.wire.patching` has those of built-in kinds.
"""

from typing import NamedTuple, Protocol

__all__ = ["PatchField", "PatchType"]


class PatchType(Protocol):
    """A type, as far as patches need to know it."""

    @property
    def kind(self) -> str:
        """Go's word for it: struct, ptr, map, slice, string, int32 …"""

    @property
    def struct(self) -> str | None:
        """The name of the struct that it is, or points to; None if it has no fields to look up."""

    def field(self, name: str) -> "PatchField | None":
        """The field of a struct with that JSON name, if there is one."""


class PatchField(NamedTuple):
    """A field of a struct."""

    type: PatchType
    item: PatchType | None
    """The type of the items, if the field is a list; Go takes what a pointer points to for such, too."""
    strategies: tuple[str, ...]
    """Of `merge`, `replace` and `retainKeys`; with none, objects merge and lists are replaced."""
    merge_key: str
    """The member by which the items of a merged list are known; empty if there is none."""
