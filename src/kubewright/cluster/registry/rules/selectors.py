"""Label selectors as parts of objects, and labels."""

from collections.abc import Iterator, Mapping
from typing import Any

from kubewright.schema.walk.errors import FieldError, forbidden, invalid, required
from kubewright.schema.walk.names import label_key, label_value

__all__ = ["check_labels", "check_requirement", "check_selector"]

Document = dict[str, Any]


def check_selector(selector: Document | None, path: str, *, any_value: bool = False) -> Iterator[FieldError]:
    """What is wrong with a LabelSelector; `any_value`: its values are no matter, for they were bad before."""
    if selector is None:
        return
    yield from check_labels(selector.get("matchLabels") or {}, f"{path}.matchLabels")
    for index, each in enumerate(selector.get("matchExpressions") or []):
        yield from check_requirement(each, f"{path}.matchExpressions[{index}]", any_value=any_value)


def check_requirement(requirement: Document, path: str, *, any_value: bool = False) -> Iterator[FieldError]:
    """What is wrong with one expression of a selector."""
    operator, values = requirement.get("operator", ""), requirement.get("values") or []
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")
    key = requirement.get("key", "")
    yield from (invalid(f"{path}.key", key, complaint) for complaint in label_key(key))
    for index, value in enumerate(() if any_value else values):
        yield from (invalid(f"{path}.values[{index}]", value, complaint) for complaint in label_value(value))


def check_labels(labels: Mapping[str, str], path: str) -> Iterator[FieldError]:
    """What is wrong with labels; all of it is told of the whole map."""
    for key, value in labels.items():
        yield from (invalid(path, key, complaint) for complaint in label_key(key))
        yield from (invalid(path, value, complaint) for complaint in label_value(value))
