"""Literals that can be judged before anything runs.

`duration("1 day")` can never work, nor can `name.matches("[")`; and a list of numbers and strings is, in Kubernetes,
taken for a mistake although CEL has dyn for it.
"""

from collections.abc import Iterator

from kubewright.cel.ast import Call, Comprehension, Expr, ListLiteral, Literal, MapLiteral, Select
from kubewright.cel.checked import Checked
from kubewright.cel.conversions import to_duration, to_timestamp
from kubewright.cel.errors import Issue
from kubewright.cel.library.regex import matcher
from kubewright.cel.types import Type
from kubewright.cel.values import EvaluationError

__all__ = ["verify"]

_JUDGES = {"duration": to_duration, "timestamp": to_timestamp, "matches": matcher}


def verify(checked: Checked) -> list[Issue]:
    """What is wrong with the literals of an expression that type-checks."""
    issues: list[Issue] = []
    offsets = checked.ast.offsets
    for node in _nodes(checked.ast.expr):
        match node:
            case Call(function=function, args=(Literal(id=number, value=value), *_)) if function in _JUDGES:
                try:
                    _JUDGES[function](value)  # type: ignore[operator]  # a checked call: the type fits
                except EvaluationError:
                    issues.append(Issue(offsets[number], f"invalid {function} argument"))
            case ListLiteral(elements=(_, _, *_)):
                issues += _mixed_list(node, checked)
            case MapLiteral(entries=(_, _, *_)):
                issues += _mixed_map(node, checked)
    return issues


def _nodes(root: Expr) -> Iterator[Expr]:
    """Every node, in any order."""
    waiting: list[Expr] = [root]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Select():
                waiting.append(node.operand)
            case Call():
                waiting += node.args
                if node.target is not None:
                    waiting.append(node.target)
            case ListLiteral():
                waiting += node.elements
            case MapLiteral():
                for entry in node.entries:
                    waiting += (entry.key, entry.value)
            case Comprehension():
                waiting += (node.iter_range, node.accu_init, node.loop_condition, node.loop_step, node.result)


def _mixed_list(node: ListLiteral, checked: Checked) -> list[Issue]:
    first: Type | None = None
    for index, element in enumerate(node.elements):
        found = checked.types[element.id]
        if index in node.optional_indices:
            found = _inside(found)
        if first is None:
            first = found
        elif found.key != first.key:
            return [_mismatch(element, first, found, checked)]
    return []


def _mixed_map(node: MapLiteral, checked: Checked) -> list[Issue]:
    issues: list[Issue] = []
    types = checked.types
    keys, values = types[node.entries[0].key.id], types[node.entries[0].value.id]
    if node.entries[0].optional:
        values = _inside(values)
    for entry in node.entries[1:]:
        key, value = types[entry.key.id], types[entry.value.id]
        if entry.optional:
            value = _inside(value)
        if key.key != keys.key:
            issues.append(_mismatch(entry.key, keys, key, checked))
        if value.key != values.key:
            issues.append(_mismatch(entry.value, values, value, checked))
    return issues


def _inside(found: Type) -> Type:
    return found.params[0] if found.params else found


def _mismatch(node: Expr, wanted: Type, found: Type, checked: Checked) -> Issue:
    return Issue(checked.ast.offsets[node.id], f"expected type '{wanted.text}' but found '{found.text}'")
