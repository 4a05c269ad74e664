"""Whether a label selector selects the pods of a template, and how one is refused as a whole."""

from typing import Any, Final

from kubewright.model.selectors.labels import LabelSelector
from kubewright.model.selectors.names import SelectorError
from kubewright.schema.walk.errors import INVALID, FieldError
from kubewright.schema.walk.golang import marshal

__all__ = ["invalid_selector", "is_blank", "read_selector"]

Document = dict[str, Any]

_EXPRESSION: Final = ("key", "operator", "values")


def is_blank(selector: Document) -> bool:
    """Whether a selector says nothing."""
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def read_selector(selector: Document | None) -> LabelSelector | None:
    """What a selector means, none being the selector of nothing; None if it cannot be read."""
    try:
        return LabelSelector.from_json(selector)
    except SelectorError:
        return None


def invalid_selector(path: str, selector: Document | None, detail: str) -> FieldError:
    """A selector that is refused as a whole."""
    body = f"Invalid value: {_shown(selector)}"
    return FieldError(INVALID, path, f"{body}: {detail}" if detail else body)


def _shown(selector: Document | None) -> str:
    """A selector as JSON, members in the order of the type."""
    if selector is None:
        return "null"
    shown: Document = {}
    if labels := selector.get("matchLabels"):
        shown["matchLabels"] = dict(sorted(labels.items()))
    if expressions := selector.get("matchExpressions"):
        shown["matchExpressions"] = [
            {name: one[name] for name in _EXPRESSION if name in one and one[name] != []} for one in expressions
        ]
    return marshal(shown, sort=False)
