"""Labels and selectors of labels, as parts of an object."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kubewright.schema.walk.errors import FieldError, forbidden, invalid, required
from kubewright.schema.walk.names import label_key, label_value

__all__ = ["check_key", "check_labels", "check_selector", "check_value"]


def check_key(key: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the key of a label, or any other qualified name."""
    return (invalid(path, key, complaint) for complaint in label_key(key))


def check_value(value: str, path: str) -> Iterator[FieldError]:
    """What is wrong with the value of a label."""
    return (invalid(path, value, complaint) for complaint in label_value(value))


def check_labels(labels: Mapping[str, str] | None, path: str) -> Iterator[FieldError]:
    """What is wrong with labels, in the order of their keys."""
    for key in sorted(labels or ()):
        yield from check_key(key, path)
        yield from check_value((labels or {})[key], path)


def check_selector(selector: dict[str, Any] | None, path: str) -> Iterator[FieldError]:
    """What is wrong with a LabelSelector; none is no mistake."""
    if not selector:
        return
    yield from check_labels(selector.get("matchLabels"), f"{path}.matchLabels")
    for index, each in enumerate(selector.get("matchExpressions") or ()):
        yield from _requirement(each, f"{path}.matchExpressions[{index}]")


def _requirement(each: dict[str, Any], path: str) -> Iterator[FieldError]:
    operator: str = each["operator"]
    values: Iterable[str] = each.get("values") or ()
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    yield from check_key(each["key"], f"{path}.key")
    for at, value in enumerate(values):
        yield from check_value(value, f"{path}.values[{at}]")
