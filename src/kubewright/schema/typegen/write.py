"""Outlines become Python source: deterministic, in the form a formatter would leave, importing only what it uses."""

import textwrap
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from msgspec import UNSET

from kubewright.model.duration import Duration
from kubewright.model.markers import Format, Marker
from kubewright.model.naming import plural, wire_name
from kubewright.model.quantity import Quantity
from kubewright.model.resource import Definition
from kubewright.model.shape import Choice, IntOrString, ListOf, MapOf, Scalar, Shape, StructOf
from kubewright.schema.typegen.layout import WIDTH, Group, Node, docstring, flat, lay, literal, text
from kubewright.schema.typegen.outline import Member, Module, Outline

__all__ = ["write"]


def write(module: Module) -> str:
    """The source of a module."""
    return _Writer(module).source()


#: Where the names of the model live, for modules that do not say `kw.`.
_HOMES = {
    "Model": "model",
    "Resource": "resource",
    "field": "fields",
    "REQUIRED": "fields",
    "Quantity": "quantity",
    "Duration": "duration",
    **dict.fromkeys(("Int32", "IntOrString", "MicroTime", "Number", "Time"), "shape"),
}


class _Writer:
    """One module, and the names it turned out to need."""

    def __init__(self, module: Module) -> None:
        self._module = module
        #: from module → names; "" holds what is imported whole.
        self._imports: dict[str, set[str]] = {}
        self._local = {outline.name for outline in module.outlines}

    def source(self) -> str:
        module = self._module
        classes = [self._class(outline) for outline in module.outlines]
        offered = sorted([outline.name for outline in module.outlines] + [self._offer(each) for each in module.offers])
        every = lay(Group("[", [text(name) for name in offered], "]"), 0, len("__all__ = "), spread=True)
        head = [docstring(module.description, 0), *self._import_blocks(), f"__all__ = {every}"]
        return "\n\n".join(head) + "\n\n\n" + "\n\n\n".join(classes) + "\n"

    def _offer(self, offered: type) -> str:
        self._imports.setdefault(offered.__module__, set()).add(offered.__name__)
        return offered.__name__

    def _import_blocks(self) -> Iterable[str]:
        if self._module.lazy:
            yield "from __future__ import annotations"
        standard: list[str] = []
        ours: list[str] = []
        for source, names in sorted(self._imports.items()):
            if not source:
                ours += [f"import {name}" for name in sorted(names)]
            else:
                line = f"from {source} import "
                listed = ", ".join(sorted(names, key=_case))
                if len(line) + len(listed) > WIDTH:
                    listed = "(\n" + "".join(f"    {name},\n" for name in sorted(names, key=_case)) + ")"
                (standard if source in ("typing", "datetime") else ours).append(line + listed)
        yield from ("\n".join(block) for block in (standard, ours) if block)

    # -- names

    def _say(self, name: str, home: str = "") -> str:
        """A name of the model, as this module spells it."""
        if not self._module.partial:
            self._imports.setdefault("", set()).add("kubewright as kw")
            return f"kw.{name}"
        self._imports.setdefault(home or f"kubewright.model.{_HOMES[name]}", set()).add(name)
        return name

    def _typing(self, name: str) -> str:
        self._imports.setdefault("typing", set()).add(name)
        return name

    def _refer(self, annotation: Any) -> str:
        """A class: of this module, of another one made with it, or of the model."""
        if not isinstance(annotation, Outline):
            return self._say(annotation.__name__, annotation.__module__)
        if annotation.module == self._module.name:
            return annotation.name
        spoken = annotation.name
        if spoken in self._local:
            prefix = "".join(word.capitalize() for word in annotation.module.split(".")[-2:])
            spoken = f"{prefix}{annotation.name}"
        imported = annotation.name if spoken == annotation.name else f"{annotation.name} as {spoken}"
        self._imports.setdefault(annotation.module, set()).add(imported)
        return spoken

    # -- classes

    def _class(self, outline: Outline) -> str:
        arguments: list[Node] = [self._say(outline.parent)]
        if outline.definition:
            arguments += self._options(outline.name, outline.definition)
        if outline.markers:
            arguments.append(Group("markers=[", [self._marker(marker) for marker in outline.markers], "]"))
        lines = [lay(Group(f"class {outline.name}(", arguments, "):"), 0)]
        if outline.description:
            lines.append(textwrap.indent(docstring(outline.description, 4), "    ", lambda line: line != "\n"))
            if outline.members:
                lines.append("")
        for member in outline.members:
            lines.append("    " + self._member(member))
            if member.description:
                lines.append(textwrap.indent(docstring(member.description, 4), "    ", lambda line: line != "\n"))
        if len(lines) == 1:
            lines.append("    pass")
        return "\n".join(lines)

    def _options(self, name: str, said: Definition) -> Iterable[Node]:
        yield f"group={text(said.group)}"
        yield f"version={text(said.version)}"
        implied = {
            "kind": name,
            "plural": plural(said.kind),
            "singular": said.kind.lower(),
            "list_kind": f"{said.kind}List",
            "scope": "Namespaced",
            "status_subresource": True,
            "storage": None,
            "served": True,
            "deprecated": False,
        }
        for option, usual in implied.items():
            if (value := getattr(said, option)) != usual:
                yield f"{option}={text(value) if isinstance(value, str) else value}"
        for option in ("short_names", "categories", "selectable_fields"):
            if given := getattr(said, option):
                yield Group(f"{option}=[", [text(each) for each in given], "]")
        if said.columns:
            yield Group("columns=[", [self._struct(column) for column in said.columns], "]")
        if said.scale:
            yield Group("scale=", [self._struct(said.scale)], "")
        for option in ("labels", "annotations"):
            if given := getattr(said, option):
                node = literal(dict(given))
                yield Group(f"{option}=", [node], "")

    def _member(self, member: Member) -> str:
        annotation = self._annotation(member.shape)
        value = self._value(member)
        head = f"{member.name}: "
        if value is None:
            return head + lay(annotation, 4, len(head))
        before = head + flat(annotation) + " = "
        room = WIDTH - 4 - len(before)
        if len(flat(value)) <= room or (isinstance(value, Group) and len(value.open) <= room):
            return before + lay(value, 4, len(before))
        if room > 0 and len(flat(value)) + 8 <= WIDTH:
            return f"{before}(\n        {flat(value)}\n    )"
        tail = f" = {flat(value)}"
        return head + lay(annotation, 4, len(head), len(tail)) + tail

    def _value(self, member: Member) -> "Node | None":
        """What stands behind the equals sign, if anything."""
        arguments: list[Node] = []
        if member.factory is not None:
            factory = member.factory if isinstance(member.factory, str) else self._refer(member.factory)
            arguments.append(f"default_factory={factory}")
            if member.required:
                arguments.append("required=True")
        elif member.required and self._module.partial:
            arguments.append(f"default={self._say('REQUIRED')}")
        elif member.default is not UNSET:
            arguments.append(Group("default=", [self._default(member)], ""))
        if wire_name(member.name) != member.wire:
            arguments.append(f"wire={text(member.wire)}")
        if not arguments:
            return None
        simple = len(arguments) == 1 and member.factory is None and not isinstance(member.default, dict | list)
        if simple and flat(arguments[0]).startswith("default="):
            return flat(arguments[0]).removeprefix("default=")
        return Group(self._say("field") + "(", arguments, ")")

    def _default(self, member: Member) -> Node:
        if isinstance(member.default, str) and getattr(member.shape, "python", None) is Quantity:
            return Group(f"{self._say('Quantity')}(", [text(member.default)], ")")
        return literal(member.default)

    # -- types

    def _annotation(self, shape: Shape) -> Node:
        node, markers = self._bare(shape)
        if shape.optional and node != "Any":
            node = f"{node} | None" if isinstance(node, str) else Group(node.open, node.parts, f"{node.close} | None")
        if markers:
            return Group(f"{self._typing('Annotated')}[", [node, *map(self._marker, markers)], "]")
        return node

    def _bare(self, shape: Shape) -> tuple[Node, tuple[Marker, ...]]:
        """The type without `None`, and the markers its name does not say."""
        if isinstance(shape, StructOf):
            return self._refer(shape.annotation), shape.markers
        if isinstance(shape, ListOf):
            return Group("list[", [self._annotation(shape.item)], "]"), shape.markers
        if isinstance(shape, MapOf):
            return Group("dict[", ["str", self._annotation(shape.value)], "]"), shape.markers
        if isinstance(shape, Choice):
            values = [text(value) if isinstance(value, str) else str(value) for value in shape.values]
            return Group(f"{self._typing('Literal')}[", [*values], "]"), shape.markers
        assert isinstance(shape, Scalar)
        if shape.python is datetime:
            return self._say("MicroTime" if shape.micro else "Time"), tuple(m for m in shape.markers if _public(m))
        if shape.python is int and shape.markers[:1] == (Format("int32"),):
            return self._say("Int32"), shape.markers[1:]
        if shape.python is Any:
            return self._typing("Any"), shape.markers
        names = {float: "Number", IntOrString: "IntOrString", Quantity: "Quantity", Duration: "Duration"}
        said = self._say(names[shape.python]) if shape.python in names else shape.python.__name__
        return said, shape.markers

    def _marker(self, marker: Marker) -> Node:
        name = self._say(type(marker).__name__, type(marker).__module__)
        if isinstance(marker, msgspec.Struct):
            return self._struct(marker, name)
        return Group(f"{name}(", [text(each) for each in getattr(marker, "names", ())], ")")

    def _struct(self, value: msgspec.Struct, name: str = "") -> Node:
        """A call that makes an equal value: what has no default by position, the rest by name where it differs."""
        parts: list[Node] = []
        for field in msgspec.structs.fields(value):
            given = getattr(value, field.name)
            if field.required:
                parts.append(literal(given))
            elif given != field.default:
                parts.append(f"{field.name}={flat(literal(given))}")
        return Group(f"{name or self._say(type(value).__name__)}(", parts, ")")


def _public(marker: Marker) -> bool:
    return not type(marker).__name__.startswith("_")


def _case(name: str) -> tuple[bool, bool, str]:
    """The order of names in an import: CONSTANTS, Classes, functions."""
    return not name.isupper(), not name[0].isupper(), name
