"""Numbers that count something, several in one structure: none is negative, and no part is larger than its whole."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kubewright.cluster.registry.rules.numbers import check_not_negative
from kubewright.schema.walk.errors import FieldError, invalid

__all__ = ["check_counts", "check_growth", "check_parts"]


def check_counts(within: Mapping[str, Any], path: str, *names: str) -> Iterator[FieldError]:
    """What is wrong with members that are no negative numbers, where there are any."""
    for name in names:
        if (value := within.get(name)) is not None:
            yield from check_not_negative(value, f"{path}.{name}")


def check_parts(
    within: Mapping[str, int], path: str, names: Iterable[str], whole: str, spoken: str
) -> Iterator[FieldError]:
    """What is wrong with members that are parts of another, which messages call `spoken`."""
    for name in names:
        if (value := within.get(name) or 0) > (within.get(whole) or 0):
            yield invalid(f"{path}.{name}", value, f"cannot be greater than {spoken}")


def check_growth(within: Mapping[str, int], old: Mapping[str, int], path: str, name: str) -> Iterator[FieldError]:
    """What is wrong with a member that may come and grow, and neither shrink nor go."""
    value, before = within.get(name), old.get(name)
    if before is not None and (value is None or value < before):
        yield invalid(f"{path}.{name}", value or 0, "cannot be decremented")
