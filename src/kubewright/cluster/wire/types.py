"""The Go types of built-in kinds, as Python values.

What a built-in kind is lies in Kubernetes' Go types: which fields it has, in which order they are written, which vanish
when they are empty, how each is read and how lists are merged. `types.txt` holds all of it, written by `make generate`
(`real/types` asks Go itself). It is read when first needed, and of each type only what is asked for.

The file begins with a line for each kind, `kind apps/v1 Deployment apps/v1.Deployment`; then comes a block for each
type, whose first line is one of

| line                             | meaning                                                                       |
|----------------------------------|-------------------------------------------------------------------------------|
| `struct core/v1.PodSpec`         | a struct; its fields follow                                                   |
| `name core/v1.Protocol string`   | another type under a name of its own                                          |
| `special meta/v1.Time`           | a type that reads and writes JSON in its own way; fields, if any, are Go's    |

and whose other lines are fields: the JSON name, the type, the field's number in protobuf (`-` if it has none; behind a
comma its Go name, if that is not the JSON name with a capital), and then `omitempty`, `omitzero`, `patchStrategy=…`,
`patchMergeKey=…` as they apply. `inline` for a name says that the fields of that type stand here; behind it is the Go
name.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from kubewright.errors import KubewrightError

__all__ = ["Field", "Slot", "Table", "Type", "UnknownType", "kind_type", "table"]


class UnknownType(KubewrightError):
    """The table has no such kind or type."""


class Type(NamedTuple):
    """A Go type."""

    kind: str
    """Go's word for what it is underneath: struct, ptr, slice, map, interface, string, bool, int32 …"""
    go: str
    """As Go prints it: `v1.PodSpec`, `[]string`."""
    name: str
    """Under which the table has it; empty for a type without a name."""
    item: "Type | None"
    """What a pointer points to, and what lists and maps hold."""
    special: bool
    """Whether it reads and writes JSON in its own way."""


class Field(NamedTuple):
    """A field of a struct, its own or of a struct inlined into it."""

    name: str
    type: Type
    within: tuple[str, ...]
    """The Go names of the inlined structs it comes from, outermost first."""
    omitempty: bool
    omitzero: bool
    strategies: tuple[str, ...]
    merge_key: str


class Slot(NamedTuple):
    """A field of a message: what protobuf has of a struct."""

    number: int
    go: str
    """Its name in Go."""
    field: Field | None
    """None if a message has the fields that JSON has inline."""
    type: Type


_BASIC = ("string", "bool", "int", "int32", "int64", "float64", "uint8")


class Table:
    """All types, by name."""

    def __init__(self, text: str) -> None:
        kinds, *blocks = text.strip().split("\n\n")
        self.kinds: dict[tuple[str, str], str] = {}
        """The type of each kind, by apiVersion and kind."""
        for line in kinds.splitlines():
            _, api_version, kind, name = line.split()
            self.kinds[api_version, kind] = name
        self._blocks: dict[str, tuple[list[str], str]] = {}
        for block in blocks:
            head, _, fields = block.partition("\n")
            word, name, *rest = head.split()
            self._blocks[name] = [word, *rest], fields
        self._types: dict[str, Type] = {name: Type(name, name, "", None, False) for name in _BASIC}
        self._types["any"] = Type("interface", "interface {}", "", None, False)
        self._fields: dict[str, dict[str, Field]] = {}

    def type(self, expression: str) -> Type:
        """The type that an expression such as `[]core/v1.Volume` means."""
        found = self._types.get(expression)
        if found is None:
            found = self._types[expression] = self._parse(expression)
        return found

    def _parse(self, expression: str) -> Type:
        if expression.startswith("*"):
            item = self.type(expression[1:])
            return Type("ptr", f"*{item.go}", "", item, False)
        if expression.startswith("[]"):
            item = self.type(expression[2:])
            return Type("slice", f"[]{item.go}", "", item, False)
        if expression.startswith("map["):
            key, _, value = expression[4:].partition("]")
            item = self.type(value)
            return Type("map", f"map[{self.type(key).go}]{item.go}", "", item, False)
        if expression not in self._blocks:
            raise UnknownType(f"the table of types has no {expression}; write it again with `make generate`")
        go = expression.rpartition("/")[2]
        head, _ = self._blocks[expression]
        if head[0] == "name":
            return self.type(head[1])._replace(go=go, name=expression)
        return Type("struct", go, expression, None, head[0] == "special")

    def fields(self, name: str) -> dict[str, Field]:
        """The fields of a struct by their JSON names, in the order in which they are written."""
        found = self._fields.get(name)
        if found is None:
            _, lines = self._blocks[name]
            found = self._fields[name] = {}
            for line in lines.splitlines():
                self._add(found, line.split())
        return found

    def _add(self, fields: dict[str, Field], words: list[str]) -> None:
        name, expression, _, *rest = words
        if name == "inline":
            for each in self.fields(expression).values():
                fields[each.name] = each._replace(within=(rest[0], *each.within))
            return
        options = dict(option.partition("=")[::2] for option in rest)
        strategies = tuple(options.get("patchStrategy", "").split(","))
        merge_key = options.get("patchMergeKey", "")
        empty, zero = "omitempty" in options, "omitzero" in options
        fields[name] = Field(name, self.type(expression), (), empty, zero, strategies, merge_key)

    def slots(self, name: str) -> list[Slot]:
        """The fields of a struct as protobuf has them."""
        _, lines = self._blocks[name]
        fields = self.fields(name)
        found = []
        for line in lines.splitlines():
            own, expression, place, *rest = line.split()
            number, _, go = place.partition(",")
            if number == "-":
                continue
            go = rest[0] if own == "inline" else go or own[0].upper() + own[1:]
            field = None if own == "inline" else fields[own]
            found.append(Slot(int(number), go, field, self.type(expression)))
        return found


@cache
def table() -> Table:
    """The table of the Kubernetes release we speak."""
    return Table(Path(__file__).with_name("types.txt").read_text(encoding="utf-8"))


def kind_type(api_version: str, kind: str) -> Type:
    """The type of a kind; `UnknownType` if there is no such kind."""
    name = table().kinds.get((api_version, kind))
    if name is None:
        raise UnknownType(f"there is no built-in kind {kind} in {api_version}")
    return table().type(name)
