"""The conditions of a CRD: one of each type, in the order in which they came."""

from typing import Any

__all__ = ["find_condition", "is_true", "set_condition"]

Document = dict[str, Any]


def find_condition(crd: Document, kind: str) -> Document | None:
    """The condition of a type."""
    return next((each for each in crd["status"].get("conditions") or [] if each["type"] == kind), None)


def is_true(crd: Document, kind: str) -> bool:
    """Whether there is such a condition and it holds."""
    found = find_condition(crd, kind)
    return found is not None and found["status"] == "True"


def set_condition(status: Document, kind: str, value: str, reason: str, message: str, now: str) -> Document:
    """A status with a condition; its time stays while its value does."""
    conditions: list[Document] = status.get("conditions") or []
    made = {"type": kind, "status": value, "lastTransitionTime": now, "reason": reason, "message": message}
    old = next((each for each in conditions if each["type"] == kind), None)
    if old is None:
        return status | {"conditions": [*conditions, made]}
    if old["status"] == value and old.get("lastTransitionTime"):
        made["lastTransitionTime"] = old["lastTransitionTime"]
    return status | {"conditions": [made if each is old else each for each in conditions]}
