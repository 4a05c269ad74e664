"""Doubles in texts, as Go's strconv reads and writes them."""

import re
from math import isinf, isnan
from typing import Final

__all__ = ["format_float", "parse_float"]


def format_float(value: float) -> str:
    """`%g`: the shortest digits that read back the same; with an exponent below 1e-04 and from 1e+06 on."""
    if isnan(value):
        return "NaN"
    if isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    sign, digits, exponent = _shortest(value)
    if not -4 <= exponent < 6:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    if len(digits) <= exponent + 1:
        return sign + digits.ljust(exponent + 1, "0")
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"


def _shortest(value: float) -> tuple[str, str, int]:
    """Sign, digits without trailing zeros, and the exponent of the first of them."""
    text = repr(value)
    sign = "-" if text[0] == "-" else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return sign, "0", 0
    leading = len(whole + fraction) - len(digits)
    exponent = len(whole) - 1 - leading + int(power or 0)
    return sign, digits.rstrip("0") or "0", exponent


# Underscores may stand between digits.
_DIGITS: Final = "[0-9]+(?:_[0-9]+)*"
_DECIMAL: Final = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?").fullmatch
_HEX: Final = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+").fullmatch
_SPECIAL: Final = re.compile(r"[+-]?inf(?:inity)?|nan", re.IGNORECASE).fullmatch


def parse_float(text: str) -> float | None:
    """The double a text stands for; None if it is no number, or too large a one."""
    if _SPECIAL(text):
        return float(text)
    if _DECIMAL(text):
        value = float(text)
    elif _HEX(text):
        try:
            value = float.fromhex(text)
        except OverflowError:
            return None
    else:
        return None
    return None if isinf(value) else value
