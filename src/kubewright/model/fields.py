"""One field of a model: how it is declared, and how its slot is read and written.

A slot holds one of three things: `UNSET` (absent: nothing is sent), `None` (an explicit null), or the value. A reader
never sees `UNSET`: an absent field reads as its default, and a required one raises `MissingField`, on access and not
before, so that an object from an older or newer server never breaks code that does not look at the field.

A mutable default is *lent*: the first read puts a fresh one into the slot, so that `obj.labels["a"] = "b"` sticks, and
notes the field's name. A lent value that still equals the default is not sent; writing the field ends the loan.

Fields are read a hundred times in every reconcile. So the slot of `replicas` has a second name, `_kw_replicas`, and the
getter of each field has code of its own that says it: the interpreter then knows where to look, and calls nothing.
"""

import copy
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from kubewright.errors import KubewrightError
from kubewright.model.markers import Nullable
from kubewright.model.naming import wire_name
from kubewright.model.shape import Shape
from kubewright.model.unread import is_unread, part_of, whole

__all__ = ["REQUIRED", "Declaration", "Field", "MissingField", "declare", "field", "slot_property"]


class MissingField(KubewrightError, AttributeError):
    """A required field was read of an object that does not have it."""


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """What the class body says about a field beside its type."""

    default: Any = UNSET
    default_factory: Callable[[], Any] | None = None
    wire: str | None = None
    #: Required by the schema, yet left out freely in Python: what partial objects of built-in kinds need.
    partial: bool = False

    @property
    def has_default(self) -> bool:
        """Whether an absent field reads as something."""
        return self.default is not UNSET or self.default_factory is not None

    def make_default(self) -> Any:
        """A default of its own for each reader."""
        return self.default_factory() if self.default_factory else copy.deepcopy(self.default)


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A field with everything known about it: one line of the class, resolved."""

    name: str
    wire: str
    shape: Shape
    declaration: Declaration
    #: The class whose body declares it.
    owner: type

    @property
    def required(self) -> bool:
        """Whether the schema asks for it: nothing stands for its absence, or null does, which must be said aloud."""
        if self.declaration.partial:
            return True
        optional = self.shape.optional and self.shape.marker(Nullable) is None
        return not self.declaration.has_default and not optional


# Not `alias`: type checkers take that for the name of the constructor's parameter.
def field(
    *,
    default: Any = UNSET,
    default_factory: Callable[[], Any] | None = None,
    wire: str | None = None,
    required: bool = False,
) -> Any:
    """Declare a field with more than a type and a value.

    `default` is part of the API: it stands in the CRD. `default_factory` is Python's alone: what an absent field reads
    as; with `required` the schema asks for the field all the same. `wire` is the name on the wire where it is not the
    camelCase of the Python name.
    """
    if default is not UNSET and default_factory is not None:
        raise TypeError("field() takes a default or a default_factory, not both.")
    if default is REQUIRED:
        default, required = UNSET, True
    return Declaration(default=default, default_factory=default_factory, wire=wire, partial=required)


#: `name: str = REQUIRED` — required by the server, optional to construct; reading it while absent raises.
REQUIRED: Any = Declaration(partial=True)


def declare(name: str, value: Any) -> tuple[Declaration, str]:
    """The declaration that a class body's `name: … = value` makes, and the field's name on the wire."""
    declaration = value if isinstance(value, Declaration) else Declaration(default=value)
    return declaration, declaration.wire or wire_name(name)


_IMMUTABLE = (str, int, float, bool, bytes, type(None))


def slot_property(
    cls: type, name: str, slot: Any, declaration: Declaration, default_of: Callable[[Any, str], Any]
) -> property:
    """The property that stands before a slot; `default_of` tells what an absent field reads as, or raises."""
    slot_set = slot.__set__
    default, factory, unset = declaration.default, declaration.default_factory, UNSET
    setattr(cls, f"_kw_{name}", slot)

    def get(obj: Any) -> Any:
        value = obj.slot
        return lend(obj) if value is None or value is unset else value

    def get_plain(obj: Any) -> Any:
        value = obj.slot
        if value is None or value is unset:
            return default if obj._lent is unset else lend(obj)
        return value

    is_plain = factory is None and isinstance(default, _IMMUTABLE)
    getter = get_plain if is_plain else get
    names = tuple(f"_kw_{name}" if each == "slot" else each for each in getter.__code__.co_names)
    getter.__code__ = getter.__code__.replace(co_names=names)

    def lend(obj: Any) -> Any:
        if obj._lent is not UNSET and is_unread(obj):
            value = part_of(obj, name)
            if value is not None and value is not UNSET:
                return value
        if is_plain:
            return default
        value = factory() if factory is not None else default_of(obj, name)
        if isinstance(value, _IMMUTABLE):
            return value
        # Not by slot_set: the struct's own __setattr__ also tells the garbage collector.
        setattr(obj, name, value)
        if obj._lent is UNSET:
            obj._lent = set()
        obj._lent.add(name)
        return value

    def set_(obj: Any, value: Any) -> None:
        if obj._lent is not UNSET:
            whole(obj)
        slot_set(obj, value)
        if obj._lent is not UNSET:
            obj._lent.discard(name)

    def delete(obj: Any) -> None:
        set_(obj, UNSET)

    return property(getter, set_, delete)
