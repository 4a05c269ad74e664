"""Reading fields: what `value.name` is in CEL.

An absent field is an error in CEL and a default in Python. Three cases: the CRD has the default, then the server has
put it there and the field is simply read; only Python has it (a `default_factory`), then the rule says what absence
reads as; there is none (`T | None`), then the value has a presence test and must be asked for first.
"""

import difflib
from dataclasses import replace
from typing import Any

from kubewright.model.fields import Field, MissingField
from kubewright.model.markers import Nullable
from kubewright.model.meta import fields_of
from kubewright.model.metadata import ObjectMeta
from kubewright.model.shape import DefinitionError, Shape
from kubewright.schema.rules.kinds import (
    BOOL,
    DURATION,
    MISSING,
    QUANTITY,
    UNION,
    ChoiceKind,
    Kind,
    ListKind,
    MapKind,
    Refusal,
    StructKind,
    has_server_default,
    kind_of,
)
from kubewright.schema.rules.literal import default_literal, literal
from kubewright.schema.rules.names import property_name
from kubewright.schema.rules.value import MEMBER, UNKNOWN, Value, choose, spread, wrap

__all__ = ["attribute", "entry", "part"]

#: What the server shows of `metadata` at the root of a resource and in an embedded one, and in a template.
_SEEN = {"root": ("name", "generate_name"), "embedded": ("name", "generate_name")}
_SEEN_IN_TEMPLATE = ("name", "namespace", "labels", "annotations", "finalizers")


def attribute(value: Value, name: str) -> Value:
    """`value.name`, of a value that is there."""
    if value.fork:
        test, one, other = value.fork
        return choose(test, attribute(one, name), attribute(other, name))
    kind = value.kind
    if isinstance(kind, ChoiceKind) and kind.enum and name == "value":
        return replace(value, kind=ChoiceKind(kind.base, kind.values), constant=UNKNOWN)
    if not isinstance(kind, StructKind):
        hint = "; only None tests work on it" if kind is UNION else ""
        raise Refusal(f".{name} of {kind.label} has no form in CEL{hint}")
    fields = {field.name: field for field in fields_of(kind.annotation)}
    if name not in fields:
        return _class_constant(kind, name, list(fields))
    _check_seen(kind, name)
    if value.constant is not UNKNOWN:
        return _default_field(value.constant, fields[name])
    return _field(value, kind, fields[name])


def _class_constant(kind: StructKind, name: str, fields: list[str]) -> Value:
    """A ClassVar, `kind` and `api_version` among them; or the name is wrong."""
    found = getattr(kind.annotation, name, None)
    if name.startswith("_") or found is None:
        near = difflib.get_close_matches(name, fields, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise Refusal(f"{kind.label} has no field {name!r}{hint}")
    if callable(found) or isinstance(found, property):
        raise Refusal(f"{kind.label}.{name} is code, which CEL cannot run; write out what it does")
    return literal(found)


def _check_seen(kind: StructKind, name: str) -> None:
    if kind.annotation is not ObjectMeta:
        return
    seen = _SEEN.get(kind.role, _SEEN_IN_TEMPLATE)
    if name not in seen:
        raise Refusal(f"of this metadata a rule sees only {' and '.join(seen)} on the server, not {name}")


def _default_field(model: Any, field: Field) -> Value:
    """A field of a model that Python made as a default."""
    try:
        return default_literal(getattr(model, field.name), field.shape)
    except MissingField:
        return Value("", MISSING)


def _field(value: Value, kind: StructKind, field: Field) -> Value:
    try:
        text = f"{wrap(value, MEMBER)}.{property_name(field.wire)}"
        read = replace(part(text, field.shape), fails=value.fails)
    except (DefinitionError, Refusal) as problem:
        raise Refusal(f"{kind.label}.{field.name}: {str(problem).removesuffix('.')}") from problem
    if kind.role != "plain" and field.name == "metadata":
        read = replace(read, kind=StructKind(ObjectMeta, kind.role))
    if kind.role == "root" and (field.name == "metadata" or (kind.annotation is ObjectMeta and field.name == "name")):
        return read  # no object comes to a rule without them
    read = replace(read, fails=read.fails or _parsed(read.kind))
    if field.shape.marker(Nullable) is None and (field.required or has_server_default(field)):
        return read
    there = Value(f"has({text})", BOOL, fails=value.fails, yes=frozenset({f"has({text})"}))
    default = field.declaration.make_default() if field.declaration.has_default else None
    if default is not None:
        return choose(there, read, default_literal(default, field.shape))
    if field.shape.optional or field.declaration.has_default:
        return replace(read, presence=there)
    return replace(read, fails=True)  # null where a value is required: an error on both sides


def _parsed(kind: Kind) -> bool:
    """Whether a value is made from a string that may not be one of its kind."""
    return kind in (DURATION, QUANTITY)


def part(text: str, shape: Shape) -> Value:
    """What stands at `text`, given the shape the schema has there."""
    kind = kind_of(shape)
    if kind is DURATION:
        return Value(f"duration({text})", kind, fails=True, raw=text)
    if kind is QUANTITY:
        return Value(f"quantity(string({text}))", kind, fails=True, raw=f"string({text})")
    return Value(text, kind)


def entry(container: Value, key: Value) -> Value:
    """The item or value at an index or a key, without asking whether it is there."""
    kind = container.kind
    assert isinstance(kind, ListKind | MapKind)
    if container.fork:
        return spread(container, lambda side: entry(side, key))
    if container.constant is not UNKNOWN and not container.constant:
        return Value("", MISSING)
    text = f"{wrap(container, MEMBER)}[{key.text}]"
    if kind.shape is None:
        if kind.item is None:
            raise Refusal("there is nothing in an empty literal")
        return Value(text, kind.item, fails=container.fails or key.fails, endless=True)
    if kind.shape.optional:
        raise Refusal("what stands there may be None, and CEL has no test for that")
    found = part(text, kind.shape)
    return replace(found, fails=found.fails or container.fails or key.fails)
