"""Quantities as values: `quantity("100m")`, exact sums and comparisons.

The arithmetic is the model's. One quirk of the server is kept: a sum may stand left of `==`, but right of it the server
does not know it for a quantity.
"""

from typing import Final

from kubewright.cel.library.overload import Overload
from kubewright.cel.values import INT_MAX, INT_MIN, EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.quantity import Quantity, QuantityError

__all__ = ["OVERLOADS", "QuantityValue"]

_COMPLAINTS: Final = (
    "quantities must match the regular expression",
    "unable to parse numeric part of quantity",
    "unable to parse quantity's suffix",
)
_DEFAULT: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


class QuantityValue(Opaque):
    """A quantity; `computed` if it is a sum."""

    __slots__ = ("computed", "quantity")

    type_name = "kubernetes.Quantity"

    def __init__(self, quantity: Quantity, computed: bool = False) -> None:
        self.quantity = quantity
        self.computed = computed

    def equals(self, other: Native) -> bool:
        if type(other) is not QuantityValue or other.computed:
            raise no_such_overload()
        return self.quantity == other.quantity


def string_to_quantity(text: str) -> QuantityValue:
    """`quantity(text)`."""
    try:
        return QuantityValue(Quantity(text))
    except QuantityError as error:
        message = str(error)
        for complaint in _COMPLAINTS:
            if complaint in message:
                raise EvaluationError(_DEFAULT if complaint is _COMPLAINTS[0] else complaint) from None
        raise EvaluationError(message) from None


def is_quantity(text: str) -> bool:
    """Whether `quantity(text)` would succeed."""
    try:
        Quantity(text)
    except QuantityError:
        return False
    return True


def _compare(a: QuantityValue, b: QuantityValue) -> int:
    return (a.quantity > b.quantity) - (a.quantity < b.quantity)


def _whole(value: QuantityValue) -> int | None:
    """The quantity as an int, if it is one and fits."""
    quantity = value.quantity
    if quantity > INT_MAX or quantity < INT_MIN:
        return None
    whole = int(quantity)
    return whole if quantity == whole else None


def as_integer(value: QuantityValue) -> int:
    """The quantity as an int."""
    whole = _whole(value)
    if whole is None:
        raise EvaluationError("cannot convert value to integer")
    return whole


def _sum(a: QuantityValue, b: Quantity | int, sign: int) -> QuantityValue:
    try:
        return QuantityValue(a.quantity + b if sign > 0 else a.quantity - b, computed=True)
    except QuantityError as error:
        raise EvaluationError(str(error)) from None


_Q: Final = "kubernetes.Quantity"

OVERLOADS: Final = {
    "string_to_quantity": Overload("quantity", string_to_quantity, ("string",)),
    "is_quantity_string": Overload("isQuantity", is_quantity, ("string",)),
    "quantity_sign": Overload("sign", lambda a: (a.quantity > 0) - (a.quantity < 0), (_Q,)),
    "quantity_is_greater_than": Overload("isGreaterThan", lambda a, b: a.quantity > b.quantity, (_Q, _Q)),
    "quantity_is_less_than": Overload("isLessThan", lambda a, b: a.quantity < b.quantity, (_Q, _Q)),
    "quantity_compare_to": Overload("compareTo", _compare, (_Q, _Q)),
    "quantity_get_float": Overload("asApproximateFloat", lambda a: float(a.quantity), (_Q,)),
    "quantity_get_int": Overload("asInteger", as_integer, (_Q,)),
    "quantity_is_integer": Overload("isInteger", lambda a: _whole(a) is not None, (_Q,)),
    "quantity_add": Overload("add", lambda a, b: _sum(a, b.quantity, 1), (_Q, _Q)),
    "quantity_add_int": Overload("add", lambda a, b: _sum(a, b, 1), (_Q, "int")),
    "quantity_sub": Overload("sub", lambda a, b: _sum(a, b.quantity, -1), (_Q, _Q)),
    "quantity_sub_int": Overload("sub", lambda a, b: _sum(a, b, -1), (_Q, "int")),
}
