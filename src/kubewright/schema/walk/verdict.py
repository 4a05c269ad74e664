"""Does an object fit its schema? Yes or no, as fast as Python can tell.

Nearly every object is valid, and for those nothing is needed but the yes. So validation has two halves compiled from
the same schema: this one answers with closures made for exactly the keywords a node has, builds no path and no message,
and stops at the first fault; `explain` then says what is wrong. The two must agree; a property test holds them to it.

A check guards its own type. The two checks that do nothing else, `is_text` and `is_flag`, are recognised by the object
around them, which compares types itself and saves the call.
"""

from collections.abc import Callable
from types import NoneType

from kubewright.schema.formats import format_check
from kubewright.schema.pattern import compile_pattern
from kubewright.schema.walk.enum import compile_enum
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, to_int64, truncate
from kubewright.schema.walk.kinds import kind_of, mismatch
from kubewright.schema.walk.numbers import compile_bounds
from kubewright.schema.walk.structure import Node

__all__ = ["Verdict", "compile_verdict"]

Verdict = Callable[[object], bool]

_UNLIMITED = 2**63
_SAMPLES: tuple[object, ...] = ("", False, 0, [], {})


def compile_verdict(node: Node) -> Verdict:
    """Return the function that says whether a value fits."""
    compilers = {str: _text, bool: _flag, int: _number, list: _items, dict: _properties}
    checks: dict[type, Verdict] = {}
    for sample in _SAMPLES:
        kind = kind_of(sample)
        # An integer stands for all numbers here: whoever takes floats takes integers.
        if mismatch(node.types, node.format, sample, kind) is None:
            checks[kind] = _with_rest(compilers[kind](node), node, kind)
    if int in checks:
        checks[float] = checks[int]
    if not node.enum and (node.nullable or not node.types):
        checks[NoneType] = _anything
    distinct = set(checks.values())
    if len(distinct) == 1:
        return distinct.pop()

    def check(value: object) -> bool:
        return checks.get(type(value), _nothing)(value)

    return check


def _anything(_: object) -> bool:
    return True


def _nothing(_: object) -> bool:
    return False


def is_text(value: object) -> bool:
    """A string."""
    return type(value) is str


def is_flag(value: object) -> bool:
    """A boolean."""
    return type(value) is bool


_PLAIN: dict[Verdict, type] = {is_text: str, is_flag: bool}


def _with_rest(check: Verdict, node: Node, kind: type) -> Verdict:
    """Add what applies to values of every type: the enumeration and the junctors."""
    rest: list[Verdict] = []
    if node.enum and kind is not str:
        rest.append(compile_enum(node.enum))
    if node.any_of:
        rest.append(_any_of([compile_verdict(child) for child in node.any_of]))
    if node.one_of:
        rest.append(_one_of([compile_verdict(child) for child in node.one_of]))
    rest.extend(compile_verdict(child) for child in node.all_of)
    if node.negated is not None:
        rest.append(_negated(compile_verdict(node.negated)))
    if not rest:
        return check

    def complete(value: object) -> bool:
        if not check(value):
            return False
        for further in rest:  # noqa: SIM110  # all() would make a generator
            if not further(value):
                return False
        return True

    return complete


def _any_of(branches: list[Verdict]) -> Verdict:
    def check(value: object) -> bool:
        for branch in branches:  # noqa: SIM110  # any() would make a generator
            if branch(value):
                return True
        return False

    return check


def _one_of(branches: list[Verdict]) -> Verdict:
    return lambda value: sum(branch(value) for branch in branches) == 1


def _negated(branch: Verdict) -> Verdict:
    return lambda value: not branch(value)


def _flag(_: Node) -> Verdict:
    return is_flag


def _text(node: Node) -> Verdict:
    low = node.min_length or 0
    high = _UNLIMITED if node.max_length is None else node.max_length
    tests: list[Callable[[str], bool]] = []
    if node.format and (shape := format_check(node.format)) is not None:
        tests.append(shape)
    if node.pattern:
        tests.append(compile_pattern(node.pattern))
    choices = frozenset(choice for choice in node.enum if isinstance(choice, str)) if node.enum else None

    if choices is not None and not tests and low <= 0 and high == _UNLIMITED:
        return lambda value: type(value) is str and value in choices

    if not tests and choices is None:
        if low <= 0 and high == _UNLIMITED:
            return is_text
        return lambda value: type(value) is str and low <= len(value) <= high

    def check(value: object) -> bool:
        if type(value) is not str or not low <= len(value) <= high:
            return False
        for test in tests:
            if not test(value):
                return False
        return choices is None or value in choices

    return check


def _number(node: Node) -> Verdict:
    types, format_, bounds = node.types, node.format, compile_bounds(node)

    def exact(value: object) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        value = truncate(value)
        return mismatch(types, format_, value, type(value)) is None and next(bounds(value, ""), None) is None

    limits = _integer_limits(node)
    if limits is None:
        return exact
    low, high, factor = limits

    def check(value: object) -> bool:
        if type(value) is int and low <= value <= high:
            return factor is None or value % factor == 0
        return exact(value)

    return check


def _integer_limits(node: Node) -> tuple[int, int, int | None] | None:
    """The range and the factor for 64-bit integers, or None where the schema's own bounds are out of order."""
    low, high = (-(2**31), 2**31 - 1) if node.format == "int32" else (INT64_MIN, INT64_MAX)
    factor = None
    for bound in (node.minimum, node.maximum, node.multiple_of):
        if bound is not None and not (low <= bound <= high and bound.is_integer()):
            return None
    if node.minimum is not None:
        low = max(low, to_int64(node.minimum) + node.exclusive_minimum)
    if node.maximum is not None:
        high = min(high, to_int64(node.maximum) - node.exclusive_maximum)
    if node.multiple_of is not None:
        factor = to_int64(node.multiple_of)
        if factor <= 0:
            return None
    return low, high, factor


def _items(node: Node) -> Verdict:
    low = node.min_items or 0
    high = _UNLIMITED if node.max_items is None else node.max_items
    item = compile_verdict(node.items) if node.items is not None else None
    plain = {_PLAIN[item]} if item in _PLAIN else None

    def check(value: object) -> bool:
        if type(value) is not list or not low <= len(value) <= high:
            return False
        if item is None or not value:
            return True
        return set(map(type, value)) == plain if plain else all(map(item, value))

    return check


def _properties(node: Node) -> Verdict:
    low = node.min_properties or 0
    high = _UNLIMITED if node.max_properties is None else node.max_properties
    required = frozenset(node.required)
    checks: dict[str, Verdict | type] = {}
    for name, child in node.properties.items():
        verdict = compile_verdict(child)
        checks[name] = _PLAIN.get(verdict, verdict)
    others: Verdict | None = None
    if node.additional is False:
        others = _nothing
    elif isinstance(node.additional, Node):
        others = compile_verdict(node.additional)
    find = checks.get

    def check(value: object) -> bool:
        if type(value) is not dict or not low <= len(value) <= high or not required <= value.keys():
            return False
        for name, member in value.items():
            wanted = find(name)
            if wanted is type(member):
                continue
            if wanted is None:
                if others is not None and not others(member):
                    return False
            elif wanted is str or wanted is bool or not wanted(member):
                return False
        return True

    return check
