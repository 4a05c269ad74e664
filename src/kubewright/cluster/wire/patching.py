"""How strategic merge patches treat the fields of built-in kinds: the table of types, as patches look at it."""

from typing import Final

from kubewright.cluster.patches.lookup import PatchField, PatchType
from kubewright.cluster.wire.types import Type, kind_type, table
from kubewright.model.kind import GroupVersionKind

__all__ = ["patch_type"]


def patch_type(kind: GroupVersionKind) -> PatchType:
    """The Go type of a built-in kind; `UnknownType` if there is no such kind."""
    return _GoType(kind_type(kind.api_version, kind.kind))


class _GoType:
    """One type; its fields are looked up when asked for, since some types contain themselves."""

    __slots__ = ("_struct", "kind", "struct")

    def __init__(self, target: Type) -> None:
        self.kind: Final = target.kind
        pointed = target.item if target.kind == "ptr" and target.item is not None else target
        self._struct: Final = pointed.name
        self.struct: Final = pointed.go.rpartition(".")[2] if pointed.kind == "struct" else None

    def field(self, name: str) -> PatchField | None:
        fields = table().fields(self._struct)
        found = fields.get(name)
        if found is None:
            # As Go's decoder does, failing the name itself any spelling of it will do.
            similar = (field for key, field in fields.items() if key.lower() == name.lower())
            if (found := next(similar, None)) is None:
                return None
        item = found.type.item if found.type.kind in ("slice", "ptr") else None
        if found.type.kind == "ptr" and item is not None and item.kind == "slice":
            item = item.item
        return PatchField(
            _GoType(found.type), None if item is None else _GoType(item), found.strategies, found.merge_key
        )
