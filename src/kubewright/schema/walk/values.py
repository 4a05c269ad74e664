"""JSON values: equal, copied.

Python calls `1`, `1.0` and `True` equal and recurses to compare and to copy; Kubernetes tells the three apart, and
objects come from outside, nested as deep as someone likes. The functions here work on a stack of their own.
"""

from collections.abc import Callable, Generator
from decimal import Decimal
from typing import Any

from kubewright.model.parts import rebuilt
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, truncate

__all__ = ["copier", "copy", "copy_in_steps", "identity", "same", "stored"]


def same(left: object, right: object) -> bool:
    """Say whether two JSON values are equal in type and content."""
    pairs = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, dict):
            if not isinstance(b, dict) or a.keys() != b.keys():
                return False
            pairs.extend((value, b[name]) for name, value in a.items())
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif isinstance(b, dict | list) or identity(a) != identity(b):
            return False
    return True


def identity(scalar: object) -> tuple[type, object]:
    """A key under which a scalar equals only itself: 1, 1.0 and true are three."""
    if isinstance(scalar, int | float) and not isinstance(scalar, bool):
        scalar = truncate(scalar)
    return type(scalar), scalar


def copy(value: object) -> object:
    """A deep copy."""
    if not isinstance(value, dict | list):
        return value
    top = value.copy()
    todo: list[Any] = [top]
    while todo:
        container = todo.pop()
        for place, member in container.items() if container.__class__ is dict else enumerate(container):
            if member.__class__ is dict or member.__class__ is list:
                container[place] = copied = member.copy()
                todo.append(copied)
    return top


def copy_in_steps(value: object) -> Generator[None, None, Any]:
    """The same of a large value."""
    return rebuilt(value, lambda part, _: copy(part))


def stored(value: object) -> object:
    """A deep copy as it comes back from storage, where a float without fraction is written as an integer."""
    return _rebuild(value, _whole)


def _whole(scalar: object) -> object:
    # The digits are those that are printed: beyond 53 bits they are not those of the float.
    if (
        isinstance(scalar, float)
        and scalar.is_integer()
        and INT64_MIN <= (whole := int(Decimal(repr(scalar)))) <= INT64_MAX
    ):
        return whole
    return scalar


def _rebuild(value: object, leaf: Callable[[object], object]) -> object:
    top: list[object] = [value]
    todo: list[list[object] | dict[str, object]] = [top]

    def fresh(member: object) -> object:
        if isinstance(member, dict | list):
            copied = member.copy()
            todo.append(copied)
            return copied
        return leaf(member)

    while todo:
        container = todo.pop()
        if isinstance(container, dict):
            for name, member in container.items():
                container[name] = fresh(member)
        else:
            container[:] = map(fresh, container)
    return top[0]


def copier(value: object) -> Callable[[], object]:
    """The cheapest function that makes a fresh copy of `value`, for one that is copied into many objects."""
    if isinstance(value, dict | list):
        members = value.values() if isinstance(value, dict) else value
        if not any(isinstance(member, dict | list) for member in members):
            return value.copy
        return lambda: copy(value)
    return lambda: value
