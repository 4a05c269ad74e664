"""Quantities as rules calculate with them. Texts were read as quantities before; there is none that they stumble over.

Kubernetes calculates in 64 bits. An amount that is larger than anything (`1E99999` is allowed) is told as it is, but
counts as 0 where a number is asked for: its last 64 bits are all zero.
"""

from functools import lru_cache

from kubewright.model.quantity import Quantity, QuantityError

__all__ = ["added", "is_whole", "milli", "quantity", "whole"]


@lru_cache(maxsize=512)  # the same few amounts stand in most objects
def quantity(text: str) -> Quantity:
    """The amount that a text means."""
    return Quantity(text)


def milli(amount: Quantity) -> int:
    """Thousandths, rounded away from zero."""
    try:
        return amount.milli
    except QuantityError:
        return 0


def whole(amount: Quantity) -> int:
    """The whole number, rounded away from zero."""
    try:
        return int(amount)
    except QuantityError:
        return 0


def is_whole(amount: Quantity) -> bool:
    """Whether an amount has no part of one."""
    return milli(amount) % 1000 == 0


def added(one: Quantity, other: Quantity) -> Quantity:
    """The sum; if one is larger than anything, the other makes no difference."""
    try:
        return one + other
    except QuantityError:
        return max(one, other)
