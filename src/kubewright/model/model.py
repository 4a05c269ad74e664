"""`Model`: a class of typed fields that decodes at msgspec's speed and forgets nothing.

A Model is a msgspec Struct, so decoding, construction and memory are C's. Beyond a Struct it keeps three promises: only
what was set is sent, an absent field reads as its default, and what our types do not know survives (`codec`).
"""

from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import UNSET

from kubewright.model.fields import MissingField
from kubewright.model.markers import Nullable
from kubewright.model.meta import ModelMeta, default_of, field_of, info_of
from kubewright.model.unread import whole

__all__ = ["Model", "is_set"]

if TYPE_CHECKING:

    class Model(metaclass=ModelMeta):
        """A struct of typed fields; derive from it."""

        _raw: ClassVar[Any]
        _lent: ClassVar[Any]

else:

    class Model(msgspec.Struct, metaclass=ModelMeta):
        """A struct of typed fields; derive from it."""

        # The document an object was read from, and the names of the fields whose defaults were lent. Their names on
        # the wire cannot come from a user's field, and a document that has them takes the tolerant path.
        _raw: msgspec.UnsetType = msgspec.field(default=UNSET, name="~raw")
        _lent: msgspec.UnsetType = msgspec.field(default=UNSET, name="~lent")

        __hash__ = None

        def __eq__(self, other):
            if type(other) is not type(self):
                return NotImplemented
            return all(_reads_as(self, key) == _reads_as(other, key) for key in type(self).__kw__.wire_names)

        # A Struct has one of its own, which looks at the document too.
        def __ne__(self, other):
            equal = self.__eq__(other)
            return equal if equal is NotImplemented else not equal

        def __repr__(self):
            parts = (f"{key}={getattr(self, key)!r}" for key in type(self).__kw__.wire_names if is_set(self, key))
            return f"{type(self).__name__}({', '.join(parts)})"

        # A copy has the same parts, and where a pickle is read the class may not be compiled yet.
        def __copy__(self):
            whole(self)
            return super().__copy__()

        def __reduce__(self):
            whole(self)
            return super().__reduce__()


def is_set(obj: Model, name: str) -> bool:
    """Whether a field would be sent: it was set, here or in the document the object was read from."""
    slots = info_of(type(obj)).slots
    if name not in slots:
        raise AttributeError(f"{type(obj).__name__} has no field {name!r}", name=name, obj=obj)
    whole(obj)
    value = slots[name].__get__(obj)
    if value is None:
        return field_of(type(obj), name).shape.marker(Nullable) is not None
    if value is UNSET or obj._lent is UNSET or name not in obj._lent:
        return value is not UNSET
    return bool(value != default_of(obj, name))


def _reads_as(obj: Any, name: str) -> Any:
    """What a reader of the field gets, without lending it; `UNSET` for a required field that is absent."""
    whole(obj)
    value = info_of(type(obj)).slots[name].__get__(obj)
    if value is not UNSET and value is not None:
        return value
    try:
        return default_of(obj, name)
    except MissingField:
        return UNSET
