"""Amounts that are a number or a part of the whole: `1`, `"25%"`."""

import re
from collections.abc import Iterator

from kubewright.cluster.registry.rules.numbers import check_not_negative
from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["Amount", "check_amount", "check_share", "size"]

Amount = int | str

_PATTERN = "[0-9]+%"

_COMPLAINT = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    f"(e.g. '1%',  or '93%', regex used for validation is '{_PATTERN}')"
)
_is_percent = re.compile(_PATTERN).fullmatch
_is_number = re.compile("[+-]?[0-9]{1,18}").fullmatch


def check_amount(value: Amount, path: str) -> Iterator[FieldError]:
    """An amount is no negative number, or percents."""
    if isinstance(value, int):
        yield from check_not_negative(value, path)
    elif not _is_percent(value):
        yield invalid(path, value, _COMPLAINT)


def check_share(value: Amount, path: str) -> Iterator[FieldError]:
    """Percents are of a whole."""
    if isinstance(value, str) and _is_percent(value) and size(value) > 100:
        yield invalid(path, value, "must not be greater than 100%")


def size(value: Amount) -> int:
    """The number before the sign, if there is one; what is no number is 0."""
    if isinstance(value, int):
        return value
    if _is_percent(value):
        return int(value[:-1][-4000:])
    return int(value) if _is_number(value) else 0
