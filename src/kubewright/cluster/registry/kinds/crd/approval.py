"""Groups that belong to Kubernetes: whoever defines a kind in one must say who approved of it."""

from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

__all__ = ["ANNOTATION", "Approval", "approval"]

ANNOTATION: Final = "api-approved.kubernetes.io"
_SEE: Final = "see https://github.com/kubernetes/enhancements/pull/1111"


class Approval(NamedTuple):
    """What the annotation says: Invalid, Approved, Unapproved or Missing."""

    state: str
    reason: str


def approval(crd: dict[str, Any]) -> Approval | None:
    """What a CRD says of its approval; None if it needs none."""
    group: str = crd["spec"].get("group", "")
    if not any(group == domain or group.endswith(f".{domain}") for domain in ("k8s.io", "kubernetes.io")):
        return None
    text: str = (crd["metadata"].get("annotations") or {}).get(ANNOTATION, "")
    must = f'protected groups must have approval annotation "{ANNOTATION}"'
    if not text:
        return Approval("Missing", f"{must}, {_SEE}")
    if text.startswith("unapproved"):
        return Approval("Unapproved", f'not approved: "{text}"')
    if _is_address(text):
        return Approval("Approved", f"approved in {text}")
    return Approval("Invalid", f'{must} with either a URL or a reason starting with "unapproved", {_SEE}')


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.scheme and parts.netloc) and " " not in text
