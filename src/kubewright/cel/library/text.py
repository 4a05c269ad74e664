"""`format`: values put into a text by verbs, `%s %d %f %e %b %o %x %X`.

The verbs are few and take no width; `%f` and `%e` may have a precision. Doubles are printed as American English writes
them: with commas between thousands, and powers of ten spelled out.
"""

from collections.abc import Callable
from decimal import Decimal
from math import isfinite, isnan
from typing import Final

from kubewright.cel.conversions import to_string, utf8
from kubewright.cel.floats import format_float, parse_float
from kubewright.cel.library.overload import Overload
from kubewright.cel.schema_values import entries
from kubewright.cel.times import format_duration, format_timestamp
from kubewright.cel.values import (
    Duration,
    EvaluationError,
    MapList,
    Native,
    ObjectView,
    SetList,
    Timestamp,
    TypeValue,
    Uint,
    type_name,
)
from kubewright.model.selectors.names import quote

__all__ = ["OVERLOADS", "format_text"]

_Write = Callable[[Native], str]
_PRECISION: Final = 6


def format_text(template: str, values: list[Native]) -> str:
    """`template.format(values)`."""
    written: list[str] = []
    place, used = 0, 0
    while (mark := template.find("%", place)) >= 0:
        written.append(template[place:mark])
        if template[mark + 1 : mark + 2] == "%":
            written.append("%")
            place = mark + 2
            continue
        if used >= len(values):
            raise EvaluationError(f"index {used} out of range")
        if mark + 1 >= len(template):
            raise EvaluationError("unexpected end of string")
        write, place = _clause(template, mark + 1)
        try:
            written.append(write(values[used]))
        except EvaluationError as error:
            raise EvaluationError(f"error during formatting: {error}") from None
        used += 1
    written.append(template[place:])
    return "".join(written)


def _clause(template: str, place: int) -> tuple[_Write, int]:
    """What the verb at a place writes, and where the text goes on."""
    precision = _PRECISION
    if template[place] == ".":
        end = place + 1
        while end < len(template) and template[end] in "0123456789":
            end += 1
        if end >= len(template):
            raise _unreadable("error while parsing precision: could not find end of precision specifier")
        digits = template[place + 1 : end]
        if not digits or len(digits) > 18:
            reason = "value out of range" if digits else "invalid syntax"
            raise _unreadable(
                "error while parsing precision: error while converting precision to integer: "
                f"strconv.Atoi: parsing {quote(digits)}: {reason}"
            )
        precision, place = int(digits), end
    verb = template[place]
    if verb == "f":
        return lambda value: _fixed(value, precision), place + 1
    if verb == "e":
        return lambda value: _scientific(value, precision), place + 1
    write = _VERBS.get(verb)
    if write is None:
        # The server reads bytes here, and prints the first of a character as if it were one.
        raise _unreadable(f'unrecognized formatting clause "{chr(utf8(verb)[0])}"')
    return write, place + 1


def _unreadable(reason: str) -> EvaluationError:
    return EvaluationError(f"could not parse formatting clause: {reason}")


def _string(value: Native) -> str:
    kind = type(value)
    if kind in _SCALARS:
        try:
            return to_string(value)
        except EvaluationError as error:
            raise EvaluationError(f"could not convert argument {quote(str(error))} to string") from None
    if value is None:
        return "null"
    if kind in _LISTS:
        return "[" + ", ".join(map(_nested, value)) + "]"
    if kind is dict or kind is ObjectView:
        return _map(value)
    raise EvaluationError(
        "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and "
        f"timestamps, was given {type_name(value)}"
    )


def _map(value: Native) -> str:
    pairs = []
    for key, element in entries(value):
        if type(key) not in (str, bool, int, Uint):
            raise EvaluationError(f"no formatting function for map key of type {type_name(key)}")
        pairs.append((_nested(key), _nested(element)))
    pairs.sort(key=lambda pair: pair[0])
    return "{" + ", ".join(f"{key}:{element}" for key, element in pairs) + "}"


_SCALARS: Final = frozenset((int, Uint, float, bool, str, Timestamp, bytes, Duration, TypeValue))
_LISTS: Final = frozenset((list, SetList, MapList))


def _nested(value: Native) -> str:
    """A value inside a list or map, where texts are quoted."""
    kind = type(value)
    if kind is str:
        return quote(value)
    if kind is bytes:
        return "b" + quote(_string(value))
    if kind is float:
        return f"{value:.6f}" if isfinite(value) else quote(format_float(value))
    if kind is Timestamp:
        return f"timestamp({quote(format_timestamp(value))})"
    if kind is Duration:
        return f"duration({quote(format_duration(value))})"
    if kind in _SCALARS or kind in _LISTS or kind is dict or kind is ObjectView or value is None:
        return _string(value)
    raise EvaluationError(f"no formatting function for {type_name(value)}")


def _decimal(value: Native) -> str:
    if type(value) not in (int, Uint):
        raise EvaluationError(f"decimal clause can only be used on integers, was given {type_name(value)}")
    return str(int(value))


#: Beyond this the server does not read a precision, and so finds no verb.
_LARGEST: Final = 10_000_009
_NO_VERB: Final = "%!(NOVERB)"
#: More than any double has.
_DECIMALS: Final = 1100


def _double(value: Native, clause: str) -> float:
    if type(value) is float:
        return float(value)
    if type(value) is str and value in ("NaN", "Infinity", "-Infinity"):
        return parse_float(value) or 0.0
    raise EvaluationError(f"{clause} clause can only be used on doubles, was given {type_name(value)}")


def _fixed(value: Native, precision: int) -> str:
    number = _double(value, "fixed-point")
    if precision > _LARGEST:
        return _NO_VERB
    if not isfinite(number):
        return _not_finite(number)
    # The server keeps how many decimals it computes in 16 bits, where a negative number means as many as it takes, and
    # how many it writes at least in eight.
    computed, written = (precision + 2**15) % 2**16 - 2**15, precision % 256
    text = f"{Decimal(repr(number)):,f}" if computed < 0 else f"{number:,.{min(computed, _DECIMALS)}f}"
    whole, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(written, "0")
    if not number:
        whole = whole.lstrip("-")
    return f"{whole}.{decimals}" if decimals else whole


def _not_finite(number: float) -> str:
    return "NaN" if isnan(number) else "∞" if number > 0 else "-∞"


_SUPERSCRIPT: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _scientific(value: Native, precision: int) -> str:
    """Always six decimals: the precision is taken for a width by the server."""
    number = _double(value, "scientific")
    if precision > _LARGEST:
        return _NO_VERB
    if isfinite(number):
        mantissa, _, exponent = f"{number or 0.0:.6e}".partition("e")
        text = f"{mantissa}\u00d710{exponent.lstrip('+').translate(_SUPERSCRIPT)}"
    else:
        text = _not_finite(number)
    return text.rjust(min(precision, _DECIMALS))


def _binary(value: Native) -> str:
    if type(value) is bool:
        return "1" if value else "0"
    if type(value) not in (int, Uint):
        raise EvaluationError(f"only integers and bools can be formatted as binary, was given {type_name(value)}")
    return f"{int(value):b}"


def _octal(value: Native) -> str:
    if type(value) not in (int, Uint):
        raise EvaluationError(f"octal clause can only be used on integers, was given {type_name(value)}")
    return f"{int(value):o}"


def _hex(value: Native) -> str:
    if type(value) is str:
        return utf8(value).hex()
    if type(value) is bytes:
        return value.hex()
    if type(value) not in (int, Uint):
        raise EvaluationError(
            f"only integers, byte buffers, and strings can be formatted as hex, was given {type_name(value)}"
        )
    return f"{int(value):x}"


_VERBS: Final[dict[str, _Write]] = {
    "s": _string,
    "d": _decimal,
    "b": _binary,
    "o": _octal,
    "x": _hex,
    "X": lambda value: _hex(value).upper(),
}

OVERLOADS: Final = {"string_format": Overload("format", format_text, ("string", "list"))}
