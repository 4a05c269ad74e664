"""Quantities: the fixed-point numbers Kubernetes writes as `100m`, `1.5Gi` or `12e6`.

A `Quantity` is an exact decimal, `mantissa * 10^exponent`, with the *form* its text had (`DecimalSI`, `BinarySI` or
`DecimalExponent`); no float takes part. It is immutable, hashable, and compares by value: `Quantity("1")` equals
`Quantity("1000m")` and the int `1`. It never equals a string, because equal things must hash alike and `"1"` and
`"1000m"` do not.

Three texts belong to it:

* `str(q)` is what a Kubernetes server answers. For most texts that is the canonical form (no fraction, the largest
  suffix that loses nothing): `1000m` is answered as `1`. Kubernetes hands some texts back as written although they are
  not canonical (`1.500`, `+1`, `1E3`), and so do we.
* `q.canonical` is the canonical form always.
* `q.wire` is what the value was read from, a text or a number, so that an untouched value is sent back unchanged (a
  custom resource keeps `1000m` as `1000m`). A computed value has no origin; its `wire` is its canonical form.

What parsing promises, as Kubernetes does it: at most nine decimal places, anything finer is rounded away from zero
(`0.1n` is `1n`); a binary quantity is capped at 2^63-1 in magnitude, decimal ones are not. A sum keeps the form of its
left side, or takes the right one's where the left is zero. `int(q)` and `q.milli` round away from zero: who asks for
some gets some.

Deviations, each where Kubernetes would lose the value or hang. Beyond `E` it drops the suffix (`1000E` is written `1`);
here the number grows instead. A binary sum beyond int64, whose text it would cap when reading it back, is written in
decimals. An exponent outside int32 wraps around there; here it is refused. And an absurd exponent (`1e2000000000`) is
read, compared and written, but refuses to be expanded in a sum or an `int`.
"""

import re
import sys
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, final

from kubewright.errors import KubewrightError

__all__ = ["Form", "Quantity", "QuantityError"]

Form: TypeAlias = Literal["DecimalSI", "BinarySI", "DecimalExponent"]


class QuantityError(KubewrightError, ValueError):
    """A text that is no quantity, or one too large to calculate with."""


_FORMAT_WRONG: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_NUMERIC: Final = "unable to parse numeric part of quantity"
_SUFFIX: Final = "unable to parse quantity's suffix"

# What the server's scanner takes, which is a little more than the expression it quotes: digits may be missing.
# The quantifiers are possessive: no text makes it backtrack.
_scan: Final = re.compile(r"([+-]?)(0*+)([0-9]*+)(?:\.([0-9]*+))?+([eEinumkKMGTP]*+[+-]?+[0-9]*+)").fullmatch

_DECIMAL: Final = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX: Final = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_SUFFIX: Final = ("", *_BINARY)

_NANO: Final = -9
_INT64_MAX: Final = 2**63 - 1
_TEXT_LIMIT: Final = 1000  # characters; below the 4300 digits at which Python refuses to convert a number
_EXPAND_LIMIT: Final = 1000  # decimal digits a sum or an int may grow by

_set: Final = object.__setattr__


@final
class Quantity:
    """An exact amount of something: `Quantity("100m")`, `Quantity(3)`, `Quantity(2**30, "BinarySI")`.

    A float is taken by its shortest text, as JSON would carry it. With `form` the value is written in that form, and
    what it was read from is forgotten.
    """

    __slots__ = ("_exponent", "_form", "_mantissa", "_text", "_wire")

    _mantissa: int
    _exponent: int
    _form: Form
    _text: str | None  # what str() answers, once known
    _wire: str | int | float | None

    def __init__(self, value: str | int | float, form: Form | None = None) -> None:
        if type(value) is int:
            mantissa, exponent, read_form, text = value, 0, "DecimalSI", None
        elif type(value) is str:
            mantissa, exponent, read_form, text = _parse(value)
        elif type(value) is float:
            mantissa, exponent, read_form, text = _parse(repr(value))
        else:
            raise QuantityError(f"a quantity is made from a text or a number, not from {value!r}")
        _set(self, "_mantissa", mantissa)
        _set(self, "_exponent", exponent)
        if form is None:
            _set(self, "_form", read_form)
            _set(self, "_text", text)
            _set(self, "_wire", value)
        else:
            _set(self, "_form", form)
            _set(self, "_text", None)
            _set(self, "_wire", None)

    # -- what it is

    @property
    def wire(self) -> str | int | float:
        """What to send: what the value was read from, or the canonical text of a computed one."""
        return self.canonical if self._wire is None else self._wire

    @property
    def form(self) -> Form:
        """The form its text had, and in which sums with it are written."""
        return self._form

    @property
    def canonical(self) -> str:
        """The canonical text: no fraction, the largest suffix that loses nothing."""
        return _format(self._mantissa, self._exponent, self._form)

    @property
    def milli(self) -> int:
        """Thousandths, rounded away from zero: `Quantity("1.5").milli` is 1500."""
        return self._scaled(-3)

    def __str__(self) -> str:
        if self._text is None:
            _set(self, "_text", self.canonical)
        return self._text  # type: ignore[return-value]  # just set

    def __repr__(self) -> str:
        return f"Quantity({self.wire!r})"

    def __int__(self) -> int:
        return self._scaled(0)

    def __float__(self) -> float:
        infinity = float("inf") if self._mantissa > 0 else float("-inf")
        if self._exponent > sys.float_info.max_10_exp:
            return infinity if self._mantissa else 0.0
        try:
            # One correctly rounded division of whole numbers.
            return float(self._mantissa * 10 ** max(self._exponent, 0) / 10 ** max(-self._exponent, 0))
        except OverflowError:
            return infinity

    def __bool__(self) -> bool:
        return self._mantissa != 0

    def __hash__(self) -> int:
        # Python's rule for numbers, so that an equal int (or Fraction, or Decimal) hashes alike.
        modulus = sys.hash_info.modulus
        value = abs(self._mantissa) * pow(10, self._exponent, modulus) % modulus
        return hash(value if self._mantissa >= 0 else -value)

    # -- comparison

    def __eq__(self, other: object) -> bool:
        if type(other) is Quantity or type(other) is int:
            return self._compare(other) == 0
        return NotImplemented

    def __lt__(self, other: "Quantity | int") -> bool:
        return self._compare(other) < 0 if type(other) is Quantity or type(other) is int else NotImplemented

    def __le__(self, other: "Quantity | int") -> bool:
        return self._compare(other) <= 0 if type(other) is Quantity or type(other) is int else NotImplemented

    def __gt__(self, other: "Quantity | int") -> bool:
        return self._compare(other) > 0 if type(other) is Quantity or type(other) is int else NotImplemented

    def __ge__(self, other: "Quantity | int") -> bool:
        return self._compare(other) >= 0 if type(other) is Quantity or type(other) is int else NotImplemented

    # -- arithmetic

    def __add__(self, other: "Quantity | int") -> "Quantity":
        if type(other) is int:
            other = Quantity(other)
        elif type(other) is not Quantity:
            return NotImplemented
        form = self._form if self._mantissa else other._form
        exponent = min(self._exponent, other._exponent)
        return _computed(self._at(exponent) + other._at(exponent), exponent, form)

    __radd__ = __add__

    def __sub__(self, other: "Quantity | int") -> "Quantity":
        if type(other) is not Quantity and type(other) is not int:
            return NotImplemented
        return self + -other

    def __rsub__(self, other: int) -> "Quantity":
        return Quantity(other) - self if type(other) is int else NotImplemented

    def __mul__(self, other: int) -> "Quantity":
        if type(other) is not int:
            return NotImplemented
        return _computed(self._mantissa * other, self._exponent, self._form)

    __rmul__ = __mul__

    def __neg__(self) -> "Quantity":
        return _computed(-self._mantissa, self._exponent, self._form)

    def __pos__(self) -> "Quantity":
        return self

    def __abs__(self) -> "Quantity":
        return self if self._mantissa >= 0 else -self

    # -- immutability

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Quantity cannot be changed; compute a new one instead of setting {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Quantity cannot be changed; {name} cannot be deleted")

    def __copy__(self) -> "Quantity":
        return self

    def __deepcopy__(self, memo: object) -> "Quantity":
        return self

    def __reduce__(self) -> tuple[Callable[..., "Quantity"], tuple[Any, ...]]:
        if self._wire is None:
            return _computed, (self._mantissa, self._exponent, self._form)
        return Quantity, (self._wire,)

    # -- inside

    def _at(self, exponent: int) -> int:
        """The mantissa at a smaller exponent."""
        shift = self._exponent - exponent
        if shift > _EXPAND_LIMIT and self._mantissa:
            raise QuantityError(f"quantity {self} is too large to calculate with: keep it below 1e{_EXPAND_LIMIT}")
        return int(self._mantissa * 10**shift) if self._mantissa else 0

    def _scaled(self, exponent: int) -> int:
        """The whole number of 10^exponent, rounded away from zero."""
        if self._exponent >= exponent:
            return self._at(exponent)
        unit: int = 10 ** (exponent - self._exponent)
        return -(-self._mantissa // unit) if self._mantissa > 0 else self._mantissa // unit

    def _compare(self, other: "Quantity | int") -> int:
        """Negative, zero or positive, without expanding an exponent further than the digits at hand."""
        a, a_exponent = self._mantissa, self._exponent
        b, b_exponent = (other._mantissa, other._exponent) if isinstance(other, Quantity) else (other, 0)
        if a_exponent == b_exponent or not a or not b or (a < 0) != (b < 0):
            return (a > b) - (a < b)
        shift = a_exponent - b_exponent
        if abs(shift) > _EXPAND_LIMIT:
            larger = (len(str(abs(a))) + a_exponent) - (len(str(abs(b))) + b_exponent)
            if larger:
                return larger if a > 0 else -larger
        if shift > 0:
            a *= 10**shift
        else:
            b *= 10**-shift
        return (a > b) - (a < b)


def _computed(mantissa: int, exponent: int, form: Form) -> Quantity:
    """A quantity that no text was written for."""
    quantity = Quantity.__new__(Quantity)
    _set(quantity, "_mantissa", mantissa)
    _set(quantity, "_exponent", exponent)
    _set(quantity, "_form", form)
    _set(quantity, "_text", None)
    _set(quantity, "_wire", None)
    return quantity


def _parse(text: str) -> tuple[int, int, Form, str | None]:
    """Mantissa, exponent, form, and the text itself where the server would answer with it."""
    if len(text) > _TEXT_LIMIT:
        raise _refused(text[:40] + "…", f"a quantity has at most {_TEXT_LIMIT} characters")
    match = _scan(text)
    if match is None or not text:
        raise _refused(text, _FORMAT_WRONG)
    sign, zeros, whole, fraction, suffix = match.groups()
    if fraction is None:
        fraction = ""
    digits = (whole or "0") + fraction
    mantissa = int(digits)
    if sign == "-":
        mantissa = -mantissa
    exponent = _DECIMAL.get(suffix)
    if exponent is not None:
        form: Form = "DecimalSI"
    elif suffix in _BINARY:
        return _binary(text, mantissa, _BINARY[suffix], len(zeros), len(whole), len(fraction))
    else:
        exponent = _written_exponent(text, suffix)
        form = "DecimalExponent"
    exponent -= len(fraction)
    if exponent < _NANO:
        if not (zeros or whole or fraction):
            raise _refused(text, _NUMERIC)
        # The shift may be astronomic; beyond the digits at hand nothing is left but the smallest amount.
        unit = 10 ** min(_NANO - exponent, len(digits) + 1)
        return (-(-mantissa // unit) if mantissa > 0 else mantissa // unit), _NANO, form, None
    # Written as the server would write it, or nearly: it answers with the text it got.
    kept = exponent % 3 == 0 and digits[0] != "0" and not digits.endswith("000") and len(digits) <= 18
    return mantissa, exponent, form, text if kept else None


def _binary(
    text: str, mantissa: int, bits: int, zeros: int, whole: int, fraction: int
) -> tuple[int, int, Form, str | None]:
    """The value of a binary quantity, given how many digits stand before and after the point."""
    # The server has a short way for few digits, on which it keeps the text, and minds no missing ones.
    short = not fraction and 14 - max(whole, 1) - bits * 3 // 10 >= 0
    if not short and not (zeros or whole or fraction):
        raise _refused(text, _NUMERIC)
    value, exponent = mantissa << bits, -fraction
    if exponent < _NANO:
        unit = 10 ** (_NANO - exponent)
        value, exponent = -(-value // unit) if value > 0 else value // unit, _NANO
    if abs(value) > _INT64_MAX * 10**-exponent:
        return (_INT64_MAX if value > 0 else -_INT64_MAX), 0, "BinarySI", None
    if 0 < abs(value) < 10**-exponent:
        return value, exponent, "DecimalSI", None
    # A multiple of eight may have a larger suffix, so the server writes that anew.
    return value, exponent, "BinarySI", text if short and mantissa & 7 else None


def _written_exponent(text: str, suffix: str) -> int:
    """The number after `e` or `E`."""
    if suffix[0] in "eE":
        try:
            exponent = int(suffix[1:])
        except ValueError:
            raise _refused(text, _SUFFIX) from None
        if -(2**31) <= exponent < 2**31:
            return exponent
    raise _refused(text, _SUFFIX)


def _format(mantissa: int, exponent: int, form: Form) -> str:
    """The canonical text of a value."""
    if not mantissa:
        return "0"
    # The binary form stands for whole numbers from 1024 to int64; the rest is written in decimals and loses nothing.
    if form == "BinarySI" and exponent <= 18:
        value, rest = (mantissa * 10**exponent, 0) if exponent >= 0 else divmod(mantissa, 10**-exponent)
        if not rest and 1024 <= abs(value) <= _INT64_MAX:
            power = 0
            while value % 1024 == 0:
                value //= 1024
                power += 1
            return f"{value}{_BINARY_SUFFIX[power]}"
    while mantissa % 10 == 0:
        mantissa //= 10
        exponent += 1
    if form == "DecimalExponent":
        mantissa *= 10 ** (exponent % 3)
        exponent -= exponent % 3
        return f"{mantissa}e{exponent}" if exponent else str(mantissa)
    step = min(exponent - exponent % 3, 18)
    if exponent - step > _EXPAND_LIMIT:
        return f"{mantissa * 10 ** (exponent % 3)}e{exponent - exponent % 3}"
    return f"{mantissa * 10 ** (exponent - step)}{_DECIMAL_SUFFIX[step]}"


def _refused(text: str, reason: str) -> QuantityError:
    return QuantityError(f"{text!r} is no quantity: {reason}")
