"""Whether a value fits its shape, in the server's words; and whether two values are the same."""

from typing import Any, Final

from kubewright.cluster.fields.element import spelled
from kubewright.cluster.fields.items import element_of
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
from kubewright.schema.walk.golang import quote, sprint

__all__ = ["check", "check_scalar", "same", "spelled_errors"]


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same: 1 and 1.0 are, 1 and true are not."""
    if left is right:
        return True
    one, other = left.__class__, right.__class__
    if one is not other:
        return one in (int, float) and other in (int, float) and bool(left == right)
    if one is dict:
        return left.keys() == right.keys() and all(same(value, right[name]) for name, value in left.items())
    if one is list:
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def check(value: object, shape: Shape, *, duplicates: bool = False) -> list[Invalid]:
    """Everything that is wrong with a value. `duplicates` allows items that cannot be told apart."""
    errors: list[Invalid] = []
    _check(value, shape, duplicates, errors)
    return errors


def _check(value: Any, shape: Shape, duplicates: bool, errors: list[Invalid]) -> None:
    try:
        kind = kind_of(shape, value)
    except Invalid as error:
        errors.append(error)
        return
    if kind == MAP:
        members = shape.members
        assert members is not None
        if value.__class__ is dict:
            _check_map(value, members, duplicates, errors)
        elif value is not None:
            errors.append(Invalid(f"expected map, got {_shown(value)}"))
    elif kind == LIST:
        items = shape.items
        assert items is not None
        if value.__class__ is list:
            _check_list(value, items, duplicates, errors)
        elif value is not None:
            errors.append(Invalid(f"expected list, got {_shown(value)}"))
    elif (wrong := _misfit(value, shape)) is not None:
        errors.append(Invalid(wrong))


#: The scalars that a value of a class fits without a further look.
_FITTING: Final = {str: (STRING, UNTYPED), int: (NUMERIC, UNTYPED), float: (NUMERIC, UNTYPED), bool: (BOOLEAN, UNTYPED)}


def _check_map(value: dict[str, Any], shape: MapShape, duplicates: bool, errors: list[Invalid]) -> None:
    fields, rest = shape.fields, shape.item
    for name, member in value.items():
        found = fields.get(name)
        inner = found[1] if found is not None else rest
        if inner is None:
            errors.append(Invalid("field not declared in schema", f".{name}"))
            return
        if inner.scalar in _FITTING.get(member.__class__, ()):
            continue
        before = len(errors)
        _check(member, inner, duplicates, errors)
        for error in errors[before:]:
            error.path = f".{name}{error.path}"


def _check_list(value: list[Any], shape: ListShape, duplicates: bool, errors: list[Invalid]) -> None:
    seen = set()
    for index, item in enumerate(value):
        element = f"i:{index}"
        if not shape.atomic:
            try:
                element = element_of(shape, item)
            except Invalid as wrong:
                errors.append(Invalid(f"element {index}: {wrong.message}"))
                return
            if element in seen and not duplicates:
                errors.append(Invalid(f"duplicate entries for key {spelled(element)}"))
            seen.add(element)
        before = len(errors)
        _check(item, shape.item, duplicates, errors)
        for error in errors[before:]:
            error.path = spelled(element) + error.path


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
