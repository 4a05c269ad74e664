"""Conditions in the status of a pod."""

from typing import Any

from kubewright import clock

__all__ = ["find_condition", "set_condition"]

Document = dict[str, Any]


def find_condition(status: Document, kind: str) -> Document:
    """The condition of a type; an empty one if there is none."""
    return next((each for each in status.get("conditions") or () if each["type"] == kind), {})


def set_condition(status: Document, kind: str, truth: str, reason: str = "", message: str = "") -> None:
    """Say how it stands with one condition, in place; it has been so since its truth changed."""
    old = find_condition(status, kind)
    now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    since = old.get("lastTransitionTime") if old.get("status") == truth else now
    new: Document = {"type": kind, "status": truth, "lastProbeTime": None, "lastTransitionTime": since}
    new |= {"reason": reason} if reason else {}
    new |= {"message": message} if message else {}
    others = status.get("conditions") or []
    status["conditions"] = [new if each is old else each for each in others] if old else [*others, new]
