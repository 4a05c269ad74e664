"""Literals that can be judged before anything runs.

`duration("1 day")` can never work, nor can `name.matches("[")`; and a list of numbers and strings is, in Kubernetes,
taken for a mistake although CEL has dyn for it.
"""

from kubewright.cel.ast import Call, Comprehension, Expr, ListLiteral, Literal, MapLiteral, Select
from kubewright.cel.checked import Checked
from kubewright.cel.conversions import to_duration, to_timestamp
from kubewright.cel.errors import Issue
from kubewright.cel.library.regex import matcher
from kubewright.cel.placeholders import verify_format
from kubewright.cel.types import Type
from kubewright.cel.values import EvaluationError

__all__ = ["verify"]

_JUDGES = {"duration": to_duration, "timestamp": to_timestamp, "matches": matcher}


def verify(checked: Checked) -> list[Issue]:
    """What is wrong with the literals of an expression that type-checks."""
    issues: list[Issue] = []
    offsets = checked.ast.offsets
    # Each node with whether it lies in an argument of `format`, whose list may hold anything.
    waiting: list[tuple[Expr, bool]] = [(checked.ast.expr, False)]
    while waiting:
        node, mixed = waiting.pop()
        match node:
            case Select():
                waiting.append((node.operand, mixed))
            case Call():
                function, args = node.function, node.args
                if function in _JUDGES and args and isinstance(literal := args[0], Literal):
                    try:
                        _JUDGES[function](literal.value)  # type: ignore[operator]  # a checked call: the type fits
                    except EvaluationError:
                        issues.append(Issue(offsets[literal.id], f"invalid {function} argument"))
                elif function == "format":
                    mixed = True
                    issues += verify_format(node, checked)
                waiting += [(one, mixed) for one in args]
                if node.target is not None:
                    waiting.append((node.target, mixed))
            case ListLiteral():
                waiting += [(one, mixed) for one in node.elements]
                if not mixed:
                    issues += _mixed_list(node, checked)
            case MapLiteral():
                for entry in node.entries:
                    waiting += ((entry.key, mixed), (entry.value, mixed))
                if not mixed and node.entries:
                    issues += _mixed_map(node, checked)
            case Comprehension():
                parts = (node.iter_range, node.accu_init, node.loop_condition, node.loop_step, node.result)
                waiting += [(one, mixed) for one in parts]
    return issues


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
