"""Conditions as metav1 has them."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required, too_long
from kubewright.schema.walk.names import label_key

__all__ = ["check_conditions"]

Document = dict[str, Any]

_REASON: Final = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_FORM: Final = re.compile(_REASON)
_LONGEST_REASON: Final = 1024
_LONGEST_MESSAGE: Final = 32 * 1024


def check_conditions(conditions: list[Document], path: str) -> Iterator[FieldError]:
    """What is wrong with a list of conditions."""
    seen: set[str] = set()
    for index, condition in enumerate(conditions):
        kind = condition.get("type", "")
        if kind in seen:
            yield duplicate(f"{path}[{index}].type", kind)
        seen.add(kind)
        yield from _check(condition, f"{path}[{index}]")


def _check(condition: Document, path: str) -> Iterator[FieldError]:
    kind = condition.get("type", "")
    yield from (invalid(f"{path}.type", kind, complaint) for complaint in label_key(kind))
    status = condition.get("status", "")
    if status not in ("False", "True", "Unknown"):
        yield not_supported(f"{path}.status", status, ("False", "True", "Unknown"))
    seen = condition.get("observedGeneration", 0)
    if seen < 0:
        yield invalid(f"{path}.observedGeneration", seen, "must be greater than or equal to zero")
    if not condition.get("lastTransitionTime"):
        yield required(f"{path}.lastTransitionTime")
    reason = condition.get("reason", "")
    if not reason:
        yield required(f"{path}.reason")
    else:
        if _FORM.fullmatch(reason) is None:
            why = "a condition reason must start with alphabetic character, optionally followed by a string of "
            why += "alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' "
            examples = "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB'"
            yield invalid(f"{path}.reason", reason, f"{why}(e.g. {examples}, regex used for validation is '{_REASON}')")
        if len(reason.encode()) > _LONGEST_REASON:
            yield too_long(f"{path}.reason", _LONGEST_REASON)
    if len(condition.get("message", "").encode()) > _LONGEST_MESSAGE:
        yield too_long(f"{path}.message", _LONGEST_MESSAGE)
