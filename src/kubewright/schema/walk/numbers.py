"""Bounds and multiples.

A schema states bounds as float64; the server compares an integer with the bound cut to an integer and a float with the
bound itself, and when a bound does not fit the schema's own type it says so on every object, then compares as floats.
All of that is decided here once per schema; what remains per value is one comparison.
"""

from collections.abc import Callable, Iterator

from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, as_float, show, to_int64
from kubewright.schema.walk.kinds import is_integral
from kubewright.schema.walk.problem import Problem, composite, invalid
from kubewright.schema.walk.structure import Node

__all__ = ["Bounds", "compile_bounds"]

Bounds = Callable[[int | float, str], Iterator[Problem]]

_FLOAT32_LIMIT = (2 - 2**-24) * 2.0**127
"""Half a step above the largest float32: from here on rounding overflows."""


def compile_bounds(node: Node) -> Bounds:
    """Return the function that finds what is wrong with a number, given its path."""
    type_ = node.types[0] if len(node.types) == 1 and node.types[0] in ("integer", "number") else ""
    format_ = node.format if type_ else ""

    def unfit(value: int | float) -> bool:
        """Say whether a number is outside the range of the schema's type and format."""
        if type_ == "integer":
            low, high = (-(2**31), 2**31 - 1) if format_ == "int32" else (INT64_MIN, INT64_MAX)
            return value != int(value) or not low <= value <= high if abs(value) < 2.0**80 else True
        return format_ == "float" and abs(as_float(value)) >= _FLOAT32_LIMIT

    def range_problem(what: str, path: str) -> Problem:
        expected = f"with format {format_}" if format_ else "(default format)"
        return composite(f"{what} value must be of type {type_} {expected} in {path}")

    checks: list[Bounds] = []

    def add(what: str, bound: float, compare: Callable[[int | float, int | float, str], Problem | None]) -> None:
        broken, whole = unfit(bound), to_int64(bound)

        def check(value: int | float, path: str) -> Iterator[Problem]:
            if broken:
                yield range_problem(what, path)
                value = as_float(value)
            problem = compare(value, whole if isinstance(value, int) else bound, path)
            if problem is not None:
                yield problem

        checks.append(check)

    # In the order in which the server reports them.
    if node.multiple_of is not None:
        add("MultipleOf", node.multiple_of, _multiple_of)
    if node.minimum is not None:
        add("Minimum boundary", node.minimum, _at_least(node.exclusive_minimum))
    if node.maximum is not None:
        add("Maximum boundary", node.maximum, _at_most(node.exclusive_maximum))

    def bounds(value: int | float, path: str) -> Iterator[Problem]:
        if unfit(value):
            yield range_problem("Checked", path)
        for check in checks:
            yield from check(value, path)

    return bounds


def _multiple_of(value: int | float, factor: int | float, path: str) -> Problem | None:
    if factor <= 0:
        return invalid(path, factor, f"factor MultipleOf declared for {path} must be positive: {show(factor)}")
    if isinstance(value, int) and isinstance(factor, int):
        divides = value % factor == 0
    else:
        divides = is_integral(1 / factor * value if factor < 1 else value / factor)
    return None if divides else invalid(path, value, f"{path} in body should be a multiple of {show(factor)}")


def _at_least(exclusive: bool) -> Callable[[int | float, int | float, str], Problem | None]:
    wording = "greater than" if exclusive else "greater than or equal to"

    def compare(value: int | float, bound: int | float, path: str) -> Problem | None:
        if value > bound or (value == bound and not exclusive):
            return None
        return invalid(path, value, f"{path} in body should be {wording} {show(bound)}")

    return compare


def _at_most(exclusive: bool) -> Callable[[int | float, int | float, str], Problem | None]:
    wording = "less than" if exclusive else "less than or equal to"

    def compare(value: int | float, bound: int | float, path: str) -> Problem | None:
        if value < bound or (value == bound and not exclusive):
            return None
        return invalid(path, value, f"{path} in body should be {wording} {show(bound)}")

    return compare
