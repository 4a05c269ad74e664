"""What a call may cost, by function and overload, from the sizes of what it is called with.

Most calls cost 1. Those that go through a string, a list or a pattern cost in proportion, a tenth of a unit a
character. Some also say how large their result may be, which the calls around them go by.

The numbers are a contract: they decide which rules a CustomResourceDefinition may have, so they are Kubernetes' own to
the last digit, oddities included.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeAlias

from kubewright.cel.ast import Expr, Literal
from kubewright.cel.ranges import LARGEST, UNKNOWN, Range, add, exactly, multiply, scale
from kubewright.cel.types import Type

__all__ = ["CHARACTER", "LIST", "MAP", "PRICED", "PRICED_OVERLOADS", "Operand", "Price", "price"]

# What making a list, a map, a message costs; a character read; a character of a pattern.
LIST = 10
MAP = 30
_STRUCT = 40
CHARACTER = 0.1
_PATTERN_CHARACTER = 0.25
# The longest pattern behind a named format, the longest name of one.
_FORMAT_PATTERN = 128
_FORMAT_NAME = 64
_AUTHORIZATION_CHECK = 350_000
_ADDRESS: Range = (4, 16)  # bytes of an IP address
_ONE: Range = (1, 1)


@dataclass(slots=True)
class Operand:
    """An argument or target: its node and type, where it lies in the object if it does, and its size if known."""

    expr: Expr | None
    type: Type
    path: tuple[str, ...]
    size: Range | None


@dataclass(slots=True)
class Price:
    """Cost of a call without that of its arguments, and the size of its result if there is something to say."""

    cost: Range
    size: Range | None = None


# How large what lies at a path may get.
SizeOf: TypeAlias = Callable[[Sequence[str]], Range | None]
_Pricing: TypeAlias = Callable[["_Call"], Price | None]


@dataclass(slots=True)
class _Call:
    overload: str
    target: Operand | None
    args: Sequence[Operand]
    size_of: SizeOf

    def size(self, operand: Operand) -> Range:
        if operand.size is not None:
            return operand.size
        found = self.size_of(operand.path)
        return UNKNOWN if found is None else found

    def elements(self, operand: Operand) -> Operand | None:
        """Any one element of a list."""
        if not operand.type.params:
            return None
        path = (*operand.path, "@items") if operand.path else ()
        return Operand(None, operand.type.params[0], path, None)


def price(
    function: str, overload: str, target: Operand | None, args: Sequence[Operand], size_of: SizeOf
) -> Price | None:
    """What Kubernetes' and the extension libraries say of a call; None where it is the language's own."""
    call = _Call(overload, target, args, size_of)
    pricing = _BY_OVERLOAD.get(overload)
    if pricing is not None and (found := pricing(call)) is not None:
        return found
    pricing = _BY_FUNCTION.get(function)
    return None if pricing is None else pricing(call)


def _nominal(call: _Call) -> Price:
    return Price(_ONE)


def _check(call: _Call) -> Price:
    return Price(exactly(_AUTHORIZATION_CHECK))


def _selector(call: _Call) -> Price | None:
    """A selector is read, and may hold a requirement every two characters."""
    if len(call.args) != 1:
        return None
    length = call.size(call.args[0])
    requirements = scale(scale(length, 0.5), LIST + _STRUCT)
    return Price(add(add(exactly(LIST), scale(length, CHARACTER)), requirements))


def _search(call: _Call) -> Price | None:
    """Once through a list and all its strings, or once through a string."""
    if call.target is None:
        return None
    element = call.elements(call.target)
    if element is None:
        return Price(scale(call.size(call.target), CHARACTER))
    each = _ONE
    if element.type.kind in ("string", "bytes"):
        each = add(each, scale(call.size(element), CHARACTER))
    return Price(multiply(call.size(call.target), each))


def _read_argument(call: _Call) -> Price | None:
    if not call.args:
        return None
    return Price(scale(call.size(call.args[0]), CHARACTER))


def _read_url(call: _Call) -> Price | None:
    if len(call.args) != 1:
        return None
    size = call.size(call.args[0])
    return Price(scale(size, CHARACTER), size)


def _rewrite(call: _Call) -> Price | None:
    if call.target is None:
        return None
    size = call.size(call.target)
    return Price(scale(size, CHARACTER), size)


def _replace(call: _Call) -> Price | None:
    if call.target is None or len(call.args) < 2:
        return None
    size = call.size(call.target)
    old, new = call.size(call.args[0]), call.size(call.args[1])
    # Longest result. An empty `old` is found around every character.
    most_times, most_kept = 0, 0
    if old[0] == 0:
        most_times, most_kept = min(size[1] + 1, LARGEST), size[1]
    elif new[1] <= old[0]:
        most_kept = size[1]
    else:
        most_times = min(ceil(float(size[1]) / float(old[0])), LARGEST)
    # Shortest result.
    least_times, least_kept = 0, 0
    if old[1] == 0:
        least_times, least_kept = min(size[0] + 1, LARGEST), size[0]
    elif old[1] <= new[0]:
        least_kept = size[0]
    else:
        least_times = ceil(float(size[0]) / float(old[1]))
    result = add(multiply((least_times, most_times), new), (least_kept, most_kept))
    return Price(scale(size, 2 * CHARACTER), result)


def _split(call: _Call) -> Price | None:
    if call.target is None:
        return None
    size = call.size(call.target)
    most = size[1]
    if len(call.args) > 1:
        limit = call.args[1].expr
        if isinstance(limit, Literal) and type(limit.value) is int:
            most = limit.value & LARGEST
    return Price(scale(size, 2 * CHARACTER), (0, most))


def _join(call: _Call) -> Price | None:
    if call.target is None:
        return None
    count = call.size(call.target)
    size: Range = (0, 0)
    element = call.elements(call.target)
    if element is not None:
        size = multiply(count, call.size(element))
    if call.args:
        between = max(count[0] - 1, 0), max(count[1] - 1, 0)
        size = add(size, multiply(call.size(call.args[0]), between))
    return Price(scale(size, CHARACTER), size)


def _find(call: _Call) -> Price | None:
    if call.target is None or not call.args:
        return None
    size = call.size(call.target)
    through = scale(add(size, _ONE), CHARACTER)
    pattern = scale(call.size(call.args[0]), _PATTERN_CHARACTER)
    return Price(multiply(through, pattern), (0, size[1]))


def _ip(call: _Call) -> Price | None:
    return Price(_ONE) if call.overload == "cidr_ip" else _read_argument(call)


def _is_canonical(call: _Call) -> Price | None:
    return Price(scale(call.size(call.args[0]), 2 * CHARACTER)) if call.args else None


def _contains_ip(call: _Call) -> Price | None:
    if not call.args:
        return None
    cost = scale(add(_ADDRESS, _ADDRESS), CHARACTER)
    if call.overload == "cidr_contains_ip_string":
        cost = add(cost, scale(call.size(call.args[0]), CHARACTER))
    return Price(cost)


def _contains_cidr(call: _Call) -> Price | None:
    if not call.args:
        return None
    cost = add(add(scale(add(_ADDRESS, _ADDRESS), CHARACTER), scale(_ADDRESS, CHARACTER)), _ONE)
    if call.overload == "cidr_contains_cidr_string":
        cost = add(cost, scale(call.size(call.args[0]), CHARACTER))
    return Price(cost)


def _validate(call: _Call) -> Price | None:
    if not call.args:
        return None
    through = scale(call.size(call.args[0]), CHARACTER)
    return Price(scale(through, _FORMAT_PATTERN * _PATTERN_CHARACTER))


_SIMPLY_EQUAL = frozenset(
    (
        "net.IP",
        "net.CIDR",
        "kubernetes.Quantity",
        "kubernetes.Semver",
        "kubernetes.authorization.Authorizer",
        "kubernetes.authorization.PathCheck",
        "kubernetes.authorization.GroupCheck",
        "kubernetes.authorization.ResourceCheck",
        "kubernetes.authorization.Decision",
    )
)


def _equals(call: _Call) -> Price | None:
    """Of Kubernetes' own types; how others compare is the language's business."""
    left, right = call.args
    name = left.type.name
    if name != right.type.name:
        return None
    if name in _SIMPLY_EQUAL:
        return Price(_ONE)
    if name == "kubernetes.NamedFormat":
        return Price(scale((1, _FORMAT_NAME), CHARACTER))
    if name == "kubernetes.URL":
        most = 1 if right.size is None else right.size[1]
        return Price(scale((1, most), CHARACTER))
    return None


def _sets(factor: float) -> _Pricing:
    def pricing(call: _Call) -> Price | None:
        if len(call.args) != 2:
            return None
        pairs = multiply(call.size(call.args[0]), call.size(call.args[1]))
        return Price(add(scale(pairs, factor), _ONE))

    return pricing


def _new_list(factor: float, size: Range) -> Price:
    return Price(add(add(scale(size, factor), _ONE), exactly(LIST)), size)


def _number(operand: Operand, otherwise: int) -> int:
    """A literal's value, if it is one."""
    if isinstance(operand.expr, Literal) and type(operand.expr.value) is int:
        return max(operand.expr.value, 0)
    return otherwise


def _slice(call: _Call) -> Price | None:
    if call.target is None or len(call.args) != 2:
        return None
    size = call.size(call.target)
    length = _number(call.args[1], size[1]) - _number(call.args[0], 0)
    return _new_list(1, exactly(length & LARGEST))


def _range(call: _Call) -> Price | None:
    if call.target is not None or len(call.args) != 1:
        return None
    return _new_list(1, exactly(_number(call.args[0], LARGEST)))


def _reverse(call: _Call) -> Price | None:
    return None if call.target is None or call.args else _new_list(1, call.size(call.target))


def _flatten(call: _Call) -> Price | None:
    if call.target is None or len(call.args) > 1:
        return None
    depth = _number(call.args[0], LARGEST) if call.args else 1
    return _new_list(float(depth), call.size(call.target))


def _distinct(call: _Call) -> Price | None:
    if call.target is None or call.args:
        return None
    size = call.size(call.target)
    return _new_list(2.0, multiply(size, size))


def _sort(factor: float) -> _Pricing:
    def pricing(call: _Call) -> Price | None:
        # `sort()` compares the list itself, `sortBy` the list of its keys.
        keys = call.args[0] if call.args else call.target
        if call.target is None or keys is None:
            return None
        size = call.size(keys)
        return _new_list(factor, multiply(size, size))

    return pricing


_BY_OVERLOAD: dict[str, _Pricing] = {
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
}
for _name in ("int", "uint", "double", "bool", "google.protobuf.Duration", "google.protobuf.Timestamp"):
    _BY_OVERLOAD[f"list_{_name}_sort"] = _BY_OVERLOAD[f"list_{_name}_sortByAssociatedKeys"] = _sort(2.0)
for _name in ("string", "bytes"):
    _BY_OVERLOAD[f"list_{_name}_sort"] = _BY_OVERLOAD[f"list_{_name}_sortByAssociatedKeys"] = _sort(2.0 + CHARACTER)

_BY_FUNCTION: dict[str, _Pricing] = {
    "check": _check,
    "fieldSelector": _selector,
    "labelSelector": _selector,
    "url": _read_url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "ip": _ip,
    "ip.isCanonical": _is_canonical,
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validate,
    "_==_": _equals,
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"), _search),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _rewrite),
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver"), _read_argument),
    **dict.fromkeys(
        (
            *("serviceAccount", "path", "group", "resource", "subresource", "namespace", "name"),
            *("allowed", "reason", "error", "errored"),
            *("masked", "prefixLength", "family", "isUnspecified", "isLoopback"),
            *("isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast"),
            "format.named",
            *("sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan", "isLessThan"),
            *("compareTo", "add", "sub", "major", "minor", "patch"),
            *("getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery"),
        ),
        _nominal,
    ),
}

# Functions and overloads that `price` has something to say about.
PRICED = frozenset(_BY_FUNCTION)
PRICED_OVERLOADS = frozenset(_BY_OVERLOAD)
