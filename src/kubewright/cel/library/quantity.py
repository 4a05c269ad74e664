"""Quantities as values: `quantity("100m")`, exact sums and comparisons.

The arithmetic is the model's. One quirk of the server is kept: a sum may stand left of `==`, but right of it the server
does not know it for a quantity.
"""

import re
from typing import Final, TypeAlias

from kubewright.cel.library.overload import Overload
from kubewright.cel.memory import remembered
from kubewright.cel.values import INT_MAX, INT_MIN, EvaluationError, Native, Opaque, no_such_overload
from kubewright.model.quantity import Quantity, QuantityError

__all__ = ["OVERLOADS", "QuantityValue"]

_Fixed: TypeAlias = tuple[int, int]
#: What a text says that needs the larger form is rounded to this.
_BILLIONTHS: Final = 9

_COMPLAINTS: Final = (
    "quantities must match the regular expression",
    "unable to parse numeric part of quantity",
    "unable to parse quantity's suffix",
)
_DEFAULT: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


class QuantityValue(Opaque):
    """A quantity; `computed` if it is a sum.

    The server holds a quantity either as an int64 and a power of ten or, where that is too small, in some larger form,
    of which `asInteger` says that it is no integer. `fixed()` is the former, None the latter; `decimals()` is how many
    decimals the larger form has, or would have.
    """

    __slots__ = ("_form", "computed", "quantity")

    type_name = "kubernetes.Quantity"

    def __init__(self, quantity: Quantity, form: str | _Fixed | int, *, computed: bool = False) -> None:
        self.quantity = quantity
        self.computed = computed
        self._form = form

    def fixed(self) -> _Fixed | None:
        """The small form; found out from the text when it is first asked for."""
        if isinstance(self._form, str):
            found = _fixed(self._form)
            # The largest that a binary suffix may come to is held as the integer that it is.
            capped = self._form.endswith("i") and abs(self.quantity) == INT_MAX
            self._form = found if found is not None else 0 if capped else _BILLIONTHS
        return None if isinstance(self._form, int) else self._form

    def decimals(self) -> int:
        """Of the larger form; negative if so many digits before the point are not held."""
        fixed = self.fixed()
        if fixed is not None:
            return -fixed[1]
        assert isinstance(self._form, int)
        return self._form

    def equals(self, other: Native) -> bool:
        if type(other) is not QuantityValue or other.computed:
            raise no_such_overload()
        return self.quantity == other.quantity


def _read(text: str) -> QuantityValue:
    try:
        return QuantityValue(Quantity(text), text)
    except QuantityError as error:
        message = str(error)
        for complaint in _COMPLAINTS:
            if complaint in message:
                raise EvaluationError(_DEFAULT if complaint is _COMPLAINTS[0] else complaint) from None
        raise EvaluationError(message) from None


#: `quantity(text)`.
string_to_quantity: Final = remembered(_read)


def is_quantity(text: str) -> bool:
    """Whether `quantity(text)` would succeed."""
    try:
        string_to_quantity(text)
    except EvaluationError:
        return False
    return True


def _compare(a: QuantityValue, b: QuantityValue) -> int:
    return (a.quantity > b.quantity) - (a.quantity < b.quantity)


_split: Final = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?(.*)", re.DOTALL).fullmatch
_DECIMAL: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


def _fixed(text: str) -> _Fixed | None:
    """The int64 and power of ten in which the server would hold the quantity of a text, if it would."""
    match = _split(text)
    assert match is not None  # every part of it is optional
    sign, whole, fraction, suffix = match[1], match[2] or "0", match[3] or "", match[4]
    if suffix in _BINARY:
        bits = _BINARY[suffix]
        if fraction or 14 - len(whole) - bits * 3 // 10 < 0:
            return None
        value, scale = int(whole) << bits, 0
    else:
        exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
        scale = exponent - len(fraction)
        if len(whole) + len(fraction) > 18 or scale < -9:
            return None
        value = int(whole + fraction)
    return (-value if sign == "-" else value), scale


def _fixed_sum(a: _Fixed | None, b: _Fixed | None) -> _Fixed | None:
    """The sum in the small form, if both are in it and it fits."""
    if a is None or b is None:
        return None
    if not b[0]:
        return a
    if not a[0]:
        return b
    scale = min(a[1], b[1])
    if max(a[1], b[1]) - scale > 18:
        return None
    one, other = a[0] * 10 ** (a[1] - scale), b[0] * 10 ** (b[1] - scale)
    fits = all(INT_MIN <= number <= INT_MAX for number in (one, other, one + other))
    return (one + other, scale) if fits else None


def _whole(value: QuantityValue) -> int | None:
    """The quantity as an int, if the server would call it one."""
    fixed = value.fixed()
    if fixed is None or not 0 <= fixed[1] <= 18:
        return None
    whole = fixed[0] * 10 ** fixed[1]
    return whole if INT_MIN <= whole <= INT_MAX else None


def as_integer(value: QuantityValue) -> int:
    """The quantity as an int."""
    whole = _whole(value)
    if whole is None:
        raise EvaluationError("cannot convert value to integer")
    return whole


def as_float(value: QuantityValue) -> float:
    """The quantity as a double, with the server's rounding: a product, not a quotient."""
    fixed = value.fixed()
    if fixed is None:
        try:
            fixed = int(value.quantity * 10 ** value.decimals()), -value.decimals()
        except (QuantityError, OverflowError):
            return float(value.quantity)
    number, scale = fixed
    return float(number) * float(f"1e{scale}") if scale else float(number)


def _sum(a: QuantityValue, b: QuantityValue, sign: int) -> QuantityValue:
    fixed = b.fixed()
    if sign < 0 and fixed is not None:
        fixed = (-fixed[0], fixed[1])
    try:
        total = a.quantity + b.quantity if sign > 0 else a.quantity - b.quantity
    except QuantityError as error:
        raise EvaluationError(str(error)) from None
    form = _fixed_sum(a.fixed(), fixed)
    return QuantityValue(total, max(a.decimals(), b.decimals()) if form is None else form, computed=True)


def _of_int(value: int) -> QuantityValue:
    return QuantityValue(Quantity(value), (value, 0))


_Q: Final = "kubernetes.Quantity"

OVERLOADS: Final = {
    "string_to_quantity": Overload("quantity", string_to_quantity, ("string",)),
    "is_quantity_string": Overload("isQuantity", is_quantity, ("string",)),
    "quantity_sign": Overload("sign", lambda a: (a.quantity > 0) - (a.quantity < 0), (_Q,)),
    "quantity_is_greater_than": Overload("isGreaterThan", lambda a, b: a.quantity > b.quantity, (_Q, _Q)),
    "quantity_is_less_than": Overload("isLessThan", lambda a, b: a.quantity < b.quantity, (_Q, _Q)),
    "quantity_compare_to": Overload("compareTo", _compare, (_Q, _Q)),
    "quantity_get_float": Overload("asApproximateFloat", as_float, (_Q,)),
    "quantity_get_int": Overload("asInteger", as_integer, (_Q,)),
    "quantity_is_integer": Overload("isInteger", lambda a: _whole(a) is not None, (_Q,)),
    "quantity_add": Overload("add", lambda a, b: _sum(a, b, 1), (_Q, _Q)),
    "quantity_add_int": Overload("add", lambda a, b: _sum(a, _of_int(b), 1), (_Q, "int")),
    "quantity_sub": Overload("sub", lambda a, b: _sum(a, b, -1), (_Q, _Q)),
    "quantity_sub_int": Overload("sub", lambda a, b: _sum(a, _of_int(b), -1), (_Q, "int")),
}
