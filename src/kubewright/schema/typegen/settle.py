"""What stands behind a field's equals sign, and whether its type says `| None`.

Types made from a CRD are strict: what the schema requires must be given, what it defaults has that default in Python
too, where Python can say it. Types of built-in kinds are partial: an object can be made without anything, because apply
sends what is set and nothing else; defaults are the server's. Either way an absent list or map reads as an empty one.
"""

from typing import Any

import msgspec
from msgspec import UNSET

from kubewright.model.markers import Default, Nullable
from kubewright.model.quantity import Quantity, QuantityError
from kubewright.model.shape import Choice, IntOrString, ListOf, MapOf, Scalar, Shape, StructOf
from kubewright.schema.typegen.outline import Member, Outline

__all__ = ["settle", "settle_partial"]


def settle(member: Member, default: Any, owner: Outline) -> None:
    """Decide for a field made from a CRD, whose schema's default is `default` or `UNSET`."""
    nullable = member.shape.marker(Nullable) is not None
    if nullable:
        _allow_none(member)
    if default is not UNSET and not member.required and (_fits(default, member.shape) or _is_quantity(default, member)):
        member.default = default
        return
    if default is not UNSET:
        _mark(member, Default(default))
    if member.required:
        return
    shape = member.shape
    empty = default == {} or (default is UNSET and _is_part(member, owner))
    if nullable:
        member.default = None
    elif isinstance(shape, ListOf | MapOf):
        member.factory = "list" if isinstance(shape, ListOf) else "dict"
    elif empty and isinstance(shape, StructOf) and _can_be_empty(shape.annotation):
        member.factory = shape.annotation
    else:
        _allow_none(member)
        member.default = None


def settle_partial(member: Member, default: Any, owner: Outline) -> None:
    """Decide for a field of a built-in kind."""
    shape = member.shape
    # Of a required field the default is Go's zero value, which says nothing; of an object it is always {}.
    if not member.required and default is not UNSET and not isinstance(default, dict | list):
        _mark(member, Default(default))
    if isinstance(shape, ListOf | MapOf):
        member.factory = "list" if isinstance(shape, ListOf) else "dict"
    elif _is_part(member, owner) and isinstance(shape, StructOf):
        member.factory = shape.annotation
    elif not member.required:
        _allow_none(member)
        member.default = None


def _allow_none(member: Member) -> None:
    member.shape = msgspec.structs.replace(member.shape, optional=True)


def _mark(member: Member, marker: Default) -> None:
    member.shape = msgspec.structs.replace(member.shape, markers=(*member.shape.markers, marker))


def _is_part(member: Member, owner: Outline) -> bool:
    """Whether it is one of the parts of a resource that always read as an object."""
    return owner.parent == "Resource" and member.wire in ("spec", "status")


def _can_be_empty(annotation: Any) -> bool:
    """Whether an object of the class can be made of nothing."""
    return isinstance(annotation, Outline) and not any(member.required for member in annotation.members)


def _is_quantity(value: Any, member: Member) -> bool:
    """Whether a default can be written as a Quantity that is sent as it stands."""
    if not (isinstance(member.shape, Scalar) and member.shape.python is Quantity and isinstance(value, str)):
        return False
    try:
        return Quantity(value).wire == value
    except QuantityError:
        return False


def _fits(value: Any, shape: Shape) -> bool:
    """Whether a JSON value, written in Python, is a value of the type."""
    if isinstance(shape, ListOf):
        return isinstance(value, list) and all(_fits(each, shape.item) for each in value)
    if isinstance(shape, MapOf):
        return isinstance(value, dict) and all(_fits(each, shape.value) for each in value.values())
    if isinstance(shape, Choice):
        return any(value == each and type(value) is type(each) for each in shape.values)
    if not isinstance(shape, Scalar):
        return False
    if shape.python is Any:
        return value is not None
    kinds = {float: (int, float), IntOrString: (int, str)}.get(shape.python, (shape.python,))
    return type(value) in kinds
