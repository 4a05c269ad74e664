"""The selector inside an object: `matchLabels` and `matchExpressions`.

Read as Go reads it: what is absent or null is empty, and a wrong type (which decoding refuses before anyone asks here)
is an error of ours.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from kubewright.model.selectors.names import SelectorError, label_key, label_value, marshal, quote

__all__ = ["Expression", "Problem", "problems", "read"]

_Part = TypeVar("_Part", dict[str, object], list[object], str)


class Expression(NamedTuple):
    """One item of `matchExpressions`."""

    key: str
    operator: str
    values: list[str]


class Problem(NamedTuple):
    """One finding in the selector of an object: a cause of the Status that refuses it."""

    reason: str
    field: str
    message: str


def read(value: object) -> tuple[list[tuple[str, str]], list[Expression]]:
    """The labels and the expressions of a selector."""
    try:
        selector = _typed(value, dict)
        labels = [(key, _typed(text, str)) for key, text in _typed(selector.get("matchLabels"), dict).items()]
        expressions = []
        for item in _typed(selector.get("matchExpressions"), list):
            part = _typed(item, dict)
            key, operator = _typed(part.get("key"), str), _typed(part.get("operator"), str)
            expressions.append(
                Expression(key, operator, [_typed(one, str) for one in _typed(part.get("values"), list)])
            )
    except TypeError:
        raise SelectorError(
            "a label selector is an object with matchLabels (strings by key) and matchExpressions "
            "(a list of objects with key, operator and values)"
        ) from None
    return labels, expressions


def _typed(value: object, wanted: type[_Part]) -> _Part:
    if value is None:
        return wanted()
    if not isinstance(value, wanted):
        raise TypeError
    return value


def problems(value: object, path: str) -> list[Problem]:
    """What validation finds in the selector that stands at `path` of an object. No selector has no problems."""
    if value is None:
        return []
    labels, expressions = read(value)
    found = []
    for key, text in labels:
        found += _invalid(f"{path}.matchLabels", key, label_key(key))
        found += _invalid(f"{path}.matchLabels", text, label_value(text))
    for index, (key, operator, values) in enumerate(expressions):
        place = f"{path}.matchExpressions[{index}]"
        if operator in ("In", "NotIn"):
            if not values:
                message = "Required value: must be specified when `operator` is 'In' or 'NotIn'"
                found.append(Problem("FieldValueRequired", f"{place}.values", message))
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                message = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                found.append(Problem("FieldValueForbidden", f"{place}.values", message))
        else:
            # To Go an operator is a type of its own, which errors show as JSON.
            message = f"Invalid value: {marshal([operator])[1:-1]}: not a valid selector operator"
            found.append(Problem("FieldValueInvalid", f"{place}.operator", message))
        found += _invalid(f"{place}.key", key, label_key(key))
        for position, text in enumerate(values):
            found += _invalid(f"{place}.values[{position}]", text, label_value(text))
    return found


def _invalid(place: str, text: str, complaints: Iterable[str]) -> list[Problem]:
    body = f"Invalid value: {quote(text)}: "
    return [Problem("FieldValueInvalid", place, body + complaint) for complaint in complaints]
