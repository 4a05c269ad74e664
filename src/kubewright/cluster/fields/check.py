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
from kubewright.model.parts import DEEPEST, MOST, is_light, parts
from kubewright.schema.walk.golang import quote, sprint

__all__ = ["FITTING", "check", "check_scalar", "look", "look_in_steps", "same", "same_in_steps", "spelled_errors"]

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
    made: PathSet = {".": LEAF} if own else {}
    if kind == MAP:
        members = shape.members
        assert members is not None
        through = False
        if value.__class__ is dict:
            through = _check_map(value, members, duplicates, errors, made)
        elif value is not None:
            errors.append(Invalid(f"expected map, got {_shown(value)}"))
        return _owned(made, members.atomic, own, through)
    if kind == LIST:
        items = shape.items
        assert items is not None
        through = False
        if value.__class__ is list:
            through = _check_list(value, items, duplicates, errors, made)
        elif value is not None:
            errors.append(Invalid(f"expected list, got {_shown(value)}"))
        return _owned(made, items.atomic, own, through)
    if (wrong := _misfit(value, shape)) is not None:
        errors.append(Invalid(wrong))
    return LEAF


def _owned(made: PathSet, atomic: bool, own: bool, through: bool) -> PathSet | None:
    """What is owned of a container, given what was made of it; `through` says that all of it was gone through."""
    found = through and len(made) > own
    return LEAF if atomic or (own and not found) else made if found else None


#: The scalars that a value of a class fits without a further look.
FITTING: Final = {str: (STRING, UNTYPED), int: (NUMERIC, UNTYPED), float: (NUMERIC, UNTYPED), bool: (BOOLEAN, UNTYPED)}


def _check_map(value: dict[str, Any], shape: MapShape, duplicates: bool, errors: list[Invalid], made: PathSet) -> bool:
    """Add what is owned of its members; whether all of them can be looked at."""
    fields, rest = shape.fields, shape.item
    for name, member in value.items():
        found = fields.get(name)
        if found is not None:
            element, inner = found
        elif rest is not None:
            element, inner = "f:" + name, rest
        else:
            errors.append(Invalid("field not declared in schema", f".{name}"))
            return False
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
    return True


def _check_list(
    value: list[Any], shape: ListShape, duplicates: bool, errors: list[Invalid], made: PathSet, start: int = 0
) -> bool:
    """The same of items, the first of which stands at a place."""
    for index, item in enumerate(value, start):
        element = _element(item, index, shape, duplicates, errors, made)
        if element is None:
            return False
        before = len(errors)
        made[element] = _check(item, shape.item, duplicates, errors, own=True) or LEAF
        for error in errors[before:]:
            error.path = spelled(element) + error.path
    return True


def _element(
    item: Any, index: int, shape: ListShape, duplicates: bool, errors: list[Invalid], made: PathSet
) -> str | None:
    """Which element an item is; None if it can be none."""
    if shape.atomic:
        return f"i:{index}"
    try:
        element = element_of(shape, item)
    except Invalid as wrong:
        errors.append(Invalid(f"element {index}: {wrong.message}"))
        return None
    if element in made and not duplicates:
        errors.append(Invalid(f"duplicate entries for key {spelled(element)}"))
    return element


def look_in_steps(
    value: object, shape: Shape, *, duplicates: bool = False, most: int = MOST
) -> Generator[None, None, tuple[list[Invalid], PathSet]]:
    """What `look` says of a large value, in steps of so many values each."""
    errors: list[Invalid] = []
    fields = yield from _check_in_steps(value, shape, duplicates, errors, own=False, most=most)
    return errors, fields or {}


def _check_in_steps(
    value: Any, shape: Shape, duplicates: bool, errors: list[Invalid], *, own: bool, most: int, depth: int = 0
) -> Generator[None, None, PathSet | None]:
    """The same as `_check`: members that are light are checked together, one that is heavy by itself."""
    owned = shape.members if value.__class__ is dict else shape.items
    if depth == DEEPEST or owned is None or is_light(value, most):
        return _check(value, shape, duplicates, errors, own=own)
    made: PathSet = {".": LEAF} if own else {}
    through = True
    for part, key, start in parts(value, most):
        if key is not None:
            if through := (way := _way(part, key, owned, duplicates, errors, made)) is not None:
                element, inner, whole, lead = way
                before = len(errors)
                below = yield from _check_in_steps(
                    part, inner, duplicates, errors, own=whole, most=most, depth=depth + 1
                )
                if below is not None:
                    made[element] = below
                for first in range(before, len(errors), MOST):
                    for error in errors[first : first + MOST]:
                        error.path = lead + error.path
                    yield
        elif isinstance(owned, ListShape):
            through = _check_list(part, owned, duplicates, errors, made, start)
        else:
            through = _check_map(part, owned, duplicates, errors, made)
        yield
        if not through:
            break
    return _owned(made, owned.atomic, own, through)


def _way(
    member: Any, key: Any, owned: MapShape | ListShape, duplicates: bool, errors: list[Invalid], made: PathSet
) -> tuple[str, Shape, bool, str] | None:
    """The element of a heavy member, its shape, whether its own path is owned, and that path; None if it has none."""
    if isinstance(owned, ListShape):
        element = _element(member, key, owned, duplicates, errors, made)
        return None if element is None else (element, owned.item, True, spelled(element))
    found = owned.fields.get(key)
    if found is not None:
        return (*found, False, f".{key}")
    if owned.item is not None:
        return f"f:{key}", owned.item, True, f".{key}"
    errors.append(Invalid("field not declared in schema", f".{key}"))
    return None


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


def spelled_errors(errors: list[Invalid]) -> Generator[None, None, str]:
    """Errors in one text, in steps."""
    if len(errors) == 1:
        return str(errors[0])
    lines = ["errors:"]
    for start in range(0, len(errors), MOST):
        lines += [f"  {error}" for error in errors[start : start + MOST]]
        yield
    return "\n".join(lines)
