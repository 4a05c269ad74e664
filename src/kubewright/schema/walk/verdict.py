"""Does an object fit its schema? Yes or no, as fast as Python can tell.

Nearly every object is valid, and for those nothing is needed but the yes. So validation has two halves compiled from
the same schema: this one answers with closures made for exactly the keywords a node has, builds no path and no message,
and stops at the first fault; `explain` and `listtypes` then say what is wrong. The halves must agree; a property test
holds them to it.

A check guards its own type. The two checks that do nothing else, `is_text` and `is_flag`, are recognised by the object
around them, which compares types itself and saves the call.
"""

from collections.abc import Callable
from functools import reduce
from types import NoneType

from kubewright.schema.formats import format_check
from kubewright.schema.pattern import compile_pattern
from kubewright.schema.walk.enum import compile_enum
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, to_int64, truncate
from kubewright.schema.walk.kinds import kind_of, mismatch
from kubewright.schema.walk.listtypes import compile_unique
from kubewright.schema.walk.numbers import compile_bounds
from kubewright.schema.walk.structure import Node, Unread, is_shared

__all__ = ["Verdict", "compile_verdict"]

Verdict = Callable[[object], bool]

_UNLIMITED = 2**63
# Every update of an object repeats the strings in it. Those that passed a pattern or a format are remembered, this many
# for each, none longer than that.
_MANY, _SHORT = 512, 128
_SAMPLES: tuple[object, ...] = ("", False, 0, [], {})


_shared: dict[Node, Verdict] = {}


def compile_verdict(node: Node, *, structural: bool = True) -> Verdict:
    """Return the function that says whether a value fits.

    Only structural nodes have lists that are sets or maps, not those inside `allOf` and its kin.
    """
    known = _shared.get(node)
    if known is None:
        known = _compile_verdict(node, structural)
        if is_shared(node):
            _shared[node] = known
    return known


def _compile_verdict(node: Node, structural: bool) -> Verdict:
    checks: dict[type, Verdict] = {}
    junctors, settled = _junctors(node)
    for sample in _SAMPLES:
        kind = kind_of(sample)
        # An integer stands for all numbers here: whoever takes floats takes integers.
        if mismatch(node.types, node.format, sample, kind) is None:
            further = junctors if kind is not str else [junctor for junctor in junctors if junctor is not settled]
            checks[kind] = reduce(_both, further, _compile(kind, node, structural))
    if int in checks:
        checks[float] = checks[int]
    if not node.enum and (node.nullable or not node.types):
        checks[NoneType] = _anything
    distinct = set(checks.values())
    if len(distinct) == 1:
        return distinct.pop()
    if node.types == () and distinct <= _TRIVIAL:
        return _anything

    def check(value: object) -> bool:
        return checks.get(type(value), _nothing)(value)

    return check


def _compile(kind: type, node: Node, structural: bool) -> Verdict:
    """The check for values of one type, the enumeration included."""
    if kind is str:
        return _text(node)
    if kind is int:
        check = _number(node)
    elif kind is list:
        check = _items(node, structural)
    else:
        check = _properties(node, structural) if kind is dict else is_flag
    return _both(check, compile_enum(node.enum)) if node.enum else check


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


def is_object(value: object) -> bool:
    """An object."""
    return type(value) is dict


def is_array(value: object) -> bool:
    """A list."""
    return type(value) is list


def is_number(value: object) -> bool:
    """A number."""
    return type(value) is int or type(value) is float


_PLAIN: dict[Verdict, type] = {is_text: str, is_flag: bool}
_TRIVIAL = {is_text, is_flag, is_object, is_array, is_number, _anything}


def _both(first: Verdict, second: Verdict) -> Verdict:
    return lambda value: first(value) and second(value)


def _junctors(node: Node) -> tuple[list[Verdict], Verdict | None]:
    """The checks of the junctors, and which of them every string passes."""
    checks = [compile_verdict(child, structural=False) for child in node.all_of]
    settled = None
    if node.any_of:
        branches = [compile_verdict(child, structural=False) for child in node.any_of]
        checks.append(_any_of(branches))
        # `anyOf: [integer, string]` stands on every int-or-string, and has no question left for a string.
        settled = checks[-1] if is_text in branches else None
    if node.one_of:
        checks.append(_one_of([compile_verdict(child, structural=False) for child in node.one_of]))
    if node.negated is not None:
        checks.append(_negated(compile_verdict(node.negated, structural=False)))
    return checks, settled


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


def _text(node: Node) -> Verdict:
    low = node.min_length or 0
    high = _UNLIMITED if node.max_length is None else node.max_length
    tests: list[Callable[[str], bool]] = []
    if node.format and (shape := format_check(node.format)) is not None:
        tests.append(shape)
    if node.pattern:
        tests.append(compile_pattern(node.pattern))
    choices = frozenset(choice for choice in node.enum if isinstance(choice, str)) if node.enum else None

    unbounded = low <= 0 and high == _UNLIMITED
    if choices is not None and not tests and unbounded:
        return lambda value: type(value) is str and value in choices
    if choices is None and not tests:
        return is_text if unbounded else lambda value: type(value) is str and low <= len(value) <= high

    def exact(value: str) -> bool:
        if not low <= len(value) <= high or (choices is not None and value not in choices):
            return False
        for test in tests:
            if not test(value):
                return False
        if len(value) <= _SHORT:
            if len(passed) >= _MANY:
                passed.clear()
            passed[value] = True
        return True

    passed: dict[str, bool] = {}
    known = passed.get
    return lambda value: type(value) is str and (known(value) or exact(value))


def _number(node: Node) -> Verdict:
    types, format_, bounds = node.types, node.format, compile_bounds(node)

    def exact(value: object) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        value = truncate(value)
        return mismatch(types, format_, value, type(value)) is None and next(bounds(value, ""), None) is None

    if types in ((), ("number",)) and not format_ and (node.minimum, node.maximum, node.multiple_of) == (None,) * 3:
        return is_number
    limits = _integer_limits(node)
    if limits is None:
        return exact
    low, high, factor = limits

    if factor is None:
        return lambda value: (type(value) is int and low <= value <= high) or exact(value)
    return lambda value: (type(value) is int and low <= value <= high and value % factor == 0) or exact(value)


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


def _items(node: Node, structural: bool) -> Verdict:
    low = node.min_items or 0
    high = _UNLIMITED if node.max_items is None else node.max_items
    item = compile_verdict(node.items, structural=structural) if node.items is not None else None
    plain = frozenset((_PLAIN[item],)).issuperset if item in _PLAIN else None
    unique = compile_unique(node) if structural else None
    if low <= 0 and high == _UNLIMITED and unique is None and item in (None, _anything):
        return is_array

    def check(value: object) -> bool:
        if type(value) is not list or not low <= len(value) <= high:
            return False
        if not value:
            return True
        if plain is not None:
            if not plain(map(type, value)):
                return False
        elif item is not None and not all(map(item, value)):
            return False
        return unique is None or unique(value)

    return check


def _properties(node: Node, structural: bool) -> Verdict:
    checks: dict[str, Verdict | type] = {}
    if isinstance(node.properties, Unread):
        checks |= {name: _later(checks, name, node.properties, structural) for name in node.properties}
    else:
        for name, child in node.properties.items():
            verdict = compile_verdict(child, structural=structural)
            checks[name] = _PLAIN.get(verdict, verdict)
    others: Verdict | type = _anything
    if node.additional is False:
        others = _nothing
    elif isinstance(node.additional, Node):
        verdict = compile_verdict(node.additional, structural=structural)
        others = _PLAIN.get(verdict, verdict)
    check = _record(checks, others, node.required) if checks or node.required else _map(others)
    if node.min_properties is None and node.max_properties is None:
        return check
    low, high = node.min_properties or 0, _UNLIMITED if node.max_properties is None else node.max_properties
    return lambda value: type(value) is dict and low <= len(value) <= high and check(value)


def _later(checks: dict[str, Verdict | type], name: str, nodes: Unread, structural: bool) -> Verdict:
    """A check that is compiled, and takes its own place, when a value is met."""

    def check(value: object) -> bool:
        verdict = compile_verdict(nodes[name], structural=structural)
        checks[name] = _PLAIN.get(verdict, verdict)
        return verdict(value)

    return check


def _record(checks: dict[str, Verdict | type], others: Verdict | type, required: tuple[str, ...]) -> Verdict:
    find = checks.get

    def check(value: object) -> bool:
        if type(value) is not dict:
            return False
        for name in required:
            if name not in value:
                return False
        for name, member in value.items():
            wanted = find(name, others)
            if wanted is member.__class__:
                continue
            if wanted is str or wanted is bool or not wanted(member):
                return False
        return True

    return check


def _map(member: Verdict | type) -> Verdict:
    """An object whose properties have no names: they are all alike."""
    if member is _anything:
        return is_object
    if member is str or member is bool:
        only = frozenset((member,)).issuperset
        return lambda value: type(value) is dict and only(map(type, value.values()))
    return lambda value: type(value) is dict and all(map(member, value.values()))
