"""Whether a value fits its shape, in the server's words; and whether two values are the same."""

from collections.abc import Generator
from typing import Any, Final

import msgspec

from kubewright.cluster.fields.element import spelled
from kubewright.cluster.fields.items import element_of
from kubewright.cluster.fields.pathset import LEAF, PathSet
from kubewright.cluster.fields.shape import (
    BOOLEAN,
    LIST,
    MAP,
    NUMERIC,
    STRING,
    UNTYPED,
    Invalid,
    ListShape,
    MapShape,
    Shape,
    kind_of,
)
from kubewright.model.parts import MOST, is_light, parts
from kubewright.schema.walk.golang import quote, sprint

__all__ = ["FITTING", "check", "check_scalar", "look", "same", "same_in_steps", "spelled_errors"]

#: Containers of more members are wide.
_WIDE: Final = 64
_encode: Final = msgspec.json.Encoder().encode


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same: 1 and 1.0 are, 1 and true are not."""
    if left is right:
        return True
    one, other = left.__class__, right.__class__
    if one is not other:
        return one in (int, float) and other in (int, float) and bool(left == right)
    if (one is dict or one is list) and len(left) > _WIDE:
        # Python tells sooner that they differ, though it takes true for 1; and their texts that they do not.
        if left != right:
            return False
        if _encode(left) == _encode(right):
            return True
    if one is dict:
        return left.keys() == right.keys() and all(map(same, left.values(), map(right.__getitem__, left)))
    if one is list:
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def same_in_steps(left: Any, right: Any, most: int = MOST) -> Generator[None, None, bool]:
    """The same of large values."""
    is_map = left.__class__ is dict
    if left is right or left.__class__ is not right.__class__ or is_light(left, most):
        return same(left, right)
    if len(left) != len(right) or (is_map and left.keys() != right.keys()):
        return False
    for part, key, start in parts(left, most):
        if key is not None:
            if not (yield from same_in_steps(part, right[key], most)):
                return False
        elif not same(part, {name: right[name] for name in part} if is_map else right[start : start + len(part)]):
            return False
        yield
    return True


def check(value: object, shape: Shape, *, duplicates: bool = False) -> list[Invalid]:
    """Everything that is wrong with a value. `duplicates` allows items that cannot be told apart."""
    return look(value, shape, duplicates=duplicates)[0]


def look(value: object, shape: Shape, *, duplicates: bool = False) -> tuple[list[Invalid], PathSet]:
    """Everything that is wrong with a value; if nothing is, and no items are duplicates, its leaves (see `owned`)."""
    errors: list[Invalid] = []
    fields = _check(value, shape, duplicates, errors, own=False)
    return errors, fields or {}


def _check(value: Any, shape: Shape, duplicates: bool, errors: list[Invalid], *, own: bool) -> PathSet | None:
    """What is owned of a value and below; `own` says that its own path is, whatever it is."""
    try:
        kind = kind_of(shape, value)
    except Invalid as error:
        errors.append(error)
        return None
    if kind == MAP:
        members = shape.members
        assert members is not None
        fields = None
        if value.__class__ is dict:
            fields = _check_map(value, members, duplicates, errors, own)
        elif value is not None:
            errors.append(Invalid(f"expected map, got {_shown(value)}"))
        return LEAF if members.atomic or (own and not fields) else fields
    if kind == LIST:
        items = shape.items
        assert items is not None
        fields = None
        if value.__class__ is list:
            fields = _check_list(value, items, duplicates, errors, own)
        elif value is not None:
            errors.append(Invalid(f"expected list, got {_shown(value)}"))
        return LEAF if items.atomic or (own and not fields) else fields
    if (wrong := _misfit(value, shape)) is not None:
        errors.append(Invalid(wrong))
    return LEAF


#: The scalars that a value of a class fits without a further look.
FITTING: Final = {str: (STRING, UNTYPED), int: (NUMERIC, UNTYPED), float: (NUMERIC, UNTYPED), bool: (BOOLEAN, UNTYPED)}


def _check_map(
    value: dict[str, Any], shape: MapShape, duplicates: bool, errors: list[Invalid], own: bool
) -> PathSet | None:
    made: PathSet = {".": LEAF} if own else {}
    fields, rest = shape.fields, shape.item
    for name, member in value.items():
        found = fields.get(name)
        if found is not None:
            element, inner = found
        elif rest is not None:
            element, inner = "f:" + name, rest
        else:
            errors.append(Invalid("field not declared in schema", f".{name}"))
            return None
        if inner.scalar in FITTING.get(member.__class__, ()):
            made[element] = LEAF
            continue
        before = len(errors)
        # A declared field that holds something is no more than a way to it.
        part = _check(member, inner, duplicates, errors, own=found is None or member is None or member == {})
        if part is not None:
            made[element] = part
        for error in errors[before:]:
            error.path = f".{name}{error.path}"
    return made if len(made) > own else None


def _check_list(
    value: list[Any], shape: ListShape, duplicates: bool, errors: list[Invalid], own: bool
) -> PathSet | None:
    made: PathSet = {".": LEAF} if own else {}
    for index, item in enumerate(value):
        element = f"i:{index}"
        if not shape.atomic:
            try:
                element = element_of(shape, item)
            except Invalid as wrong:
                errors.append(Invalid(f"element {index}: {wrong.message}"))
                return None
            if element in made and not duplicates:
                errors.append(Invalid(f"duplicate entries for key {spelled(element)}"))
        before = len(errors)
        made[element] = _check(item, shape.item, duplicates, errors, own=True) or LEAF
        for error in errors[before:]:
            error.path = spelled(element) + error.path
    return made if len(made) > own else None


def check_scalar(left: object, right: object, shape: Shape) -> None:
    """Two values in the place of a scalar: one of them has to be such a scalar."""
    if (wrong := _misfit(left, shape)) is not None and (also := _misfit(right, shape)) is not None:
        raise Invalid(f"lhs: {wrong}; rhs: {also}")


def _misfit(value: Any, shape: Shape) -> str | None:
    """Why a value is not the scalar it should be."""
    scalar, kind = shape.scalar, value.__class__
    if value is None:
        return None
    if scalar == STRING:
        return None if kind is str else f"expected string, got {_detailed(value)}"
    if scalar == NUMERIC:
        return None if kind is int or kind is float else f"expected numeric (int or float), got {_go_type(value)}"
    if scalar == BOOLEAN:
        return None if kind is bool else f"expected boolean, got {_shown(value)}"
    return f"expected any scalar, got {_shown(value)}" if kind is dict or kind is list else None


def _shown(value: object) -> str:
    """`%v` of the value inside its wrapper."""
    return f"&{{{sprint(value)}}}"


def _detailed(value: object) -> str:
    """`%#v` of the value inside its wrapper."""
    return f"&value.valueUnstructured{{Value:{_literal(value)}}}"


def _literal(value: object) -> str:
    """`%#v`."""
    if value is None:
        return "interface {}(nil)"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return (
            "map[string]interface {}{"
            + ", ".join(f"{quote(name)}:{_literal(value[name])}" for name in sorted(value))
            + "}"
        )
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(_literal, value)) + "}"
    return sprint(value)


def _go_type(value: object) -> str:
    return {str: "string", bool: "bool", dict: "map[string]interface {}", list: "[]interface {}"}[value.__class__]


def spelled_errors(errors: list[Invalid]) -> str:
    """Errors in one text."""
    if len(errors) == 1:
        return str(errors[0])
    return "\n".join(["errors:", *(f"  {error}" for error in errors)])
