"""Objects of Go types become JSON: members in the order of their fields, maps by key, as Go's encoder has them.

What happens to an object between being read and being written need not mind how Go writes it: a field that is always
written is filled in here if it is missing, and what is empty goes where its field says so.

Most kinds are stored as protobuf, which cannot tell an empty list or map from none: as they are written both are null
where something has to be. Those of apiextensions and apiregistration are stored as JSON, which can.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec

from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import ALWAYS, EMPTY, Readers, omission, readers
from kubewright.cluster.wire.types import Table, Type, table
from kubewright.schema.walk.golang import marshal

__all__ = ["Writers", "encode", "escaped", "writers"]

#: Gives the value in the order in which it is written; None if any value of the type is in order as it is.
Arrange = Callable[[Any], Any] | None

#: A field that is always written, but what is empty as null.
_LOST: Final = 3

# encoding/json keeps its output safe inside HTML and JavaScript.
_UNSAFE_ASCII: Final = {b"<": b"\\u003c", b">": b"\\u003e", b"&": b"\\u0026"}
_UNSAFE: Final = _UNSAFE_ASCII | {"\u2028".encode(): b"\\u2028", "\u2029".encode(): b"\\u2029"}


def encode(value: Any) -> bytes:
    """JSON, with the escapes of Go's encoder; members stay in their order."""
    return escaped(msgspec.json.encode(value))


def escaped(data: bytes) -> bytes:
    """JSON with the escapes of Go's encoder."""
    for unsafe, escape in (_UNSAFE_ASCII if data.isascii() else _UNSAFE).items():
        # Not `in`: that takes whatever it is given for a number first, and fails, and that takes longer than to look.
        if data.find(unsafe) >= 0:
            data = data.replace(unsafe, escape)
    return data


class Writers:
    """What arranges the values of all types, made as they are needed; `zeros` give what is always written.

    `keep_empty`: empty lists and maps are told from none.
    """

    def __init__(self, types: Table, zeros: Readers, *, keep_empty: bool) -> None:
        self._types = types
        self._zeros = zeros
        self._keep_empty = keep_empty
        self._made: dict[str, Arrange] = {}

    def of(self, target: Type) -> Arrange:
        """What arranges the values of a type."""
        if not target.name:
            return self._make(target)
        if target.name not in self._made:
            self._made[target.name] = self._make(target)
        return self._made[target.name]

    def _make(self, target: Type) -> Arrange:
        if target.special:
            return self._schema if target.name.startswith("apiextensions/v1.JSONSchemaPropsOr") else None
        if target.kind == "struct":
            return self._struct(target)
        if target.kind == "float64":
            return _float
        if target.item is None:
            return None
        inner = self.of(target.item)
        if target.kind == "ptr":
            return inner
        if target.kind == "map":
            return _map(inner, lost=self._lost(target.item))
        return None if inner is None else _list(inner)

    def _lost(self, target: Type) -> bool:
        """Whether an empty value of a type is written as none."""
        return not self._keep_empty and target.kind in ("slice", "map") and target.go != "[]uint8"

    def _struct(self, target: Type) -> Callable[[Any], Any]:
        ranks: dict[str, int] = {}
        members: dict[str, tuple[Arrange, int]] = {}
        always: list[tuple[str, Type]] = []

        def prepare() -> None:
            for rank, field in enumerate(self._types.fields(target.name).values()):
                ranks[field.name] = rank
                omit = omission(field)
                members[field.name] = (self.of(field.type), _LOST if not omit and self._lost(field.type) else omit)
                if omission(field) == ALWAYS:
                    always.append((field.name, field.type))

        def arrange(value: dict[str, Any]) -> dict[str, Any]:
            if not members:
                prepare()
            for name, each in always:
                if name not in value:
                    value = value | {name: self._zeros.of(each).read(None, None, Findings())}
            result = {}
            for name in sorted(value, key=ranks.__getitem__):
                item = value[name]
                inner, omit = members[name]
                if item:
                    result[name] = item if inner is None else inner(item)
                elif omit == _LOST:
                    result[name] = None
                elif omit != EMPTY:
                    result[name] = item if inner is None or item is None else inner(item)
            return result

        return arrange

    def _schema(self, value: Any) -> Any:
        """A schema, or a list of schemas or of names, or a boolean."""
        if isinstance(value, list):
            return [self._schema(item) for item in value]
        if not isinstance(value, dict):
            return value
        arrange = self.of(self._types.type("apiextensions/v1.JSONSchemaProps"))
        return value if arrange is None else arrange(value)


def _float(value: float) -> object:
    return msgspec.Raw(marshal(value).encode())


def _map(inner: Arrange, *, lost: bool) -> Callable[[Any], Any]:
    def arrange(value: dict[str, Any]) -> dict[str, Any]:
        names = sorted(value)
        if lost:
            value = {name: value[name] or None for name in names}
        if inner is None:
            return {name: value[name] for name in names}
        return {name: None if value[name] is None else inner(value[name]) for name in names}

    return arrange


def _list(inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def arrange(value: list[Any]) -> list[Any]:
        return [None if item is None else inner(item) for item in value]

    return arrange


@cache
def writers(*, keep_empty: bool) -> Writers:
    """What arranges the values of the table's types."""
    return Writers(table(), readers(), keep_empty=keep_empty)
