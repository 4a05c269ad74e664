"""A request for a certificate says who made it, whatever it said itself, and stays as it is: signers trust it.

What is decided about it is dated, if whoever decided did not do so himself.
"""

from typing import Any

from kubewright.cluster.auth.user import user_info
from kubewright.cluster.call import Call, timestamp

__all__ = ["date_conditions", "name_requester"]

Document = dict[str, Any]


def name_requester(call: Call, request: Document, old: Document | None) -> None:
    """Write down who asks for a certificate."""
    if old is not None:
        request["spec"] = old["spec"]
        return
    spec = request["spec"]
    for name in ("username", "uid", "groups", "extra"):
        spec.pop(name, None)
    spec.update(user_info(call.user))


def date_conditions(call: Call, request: Document, old: Document | None) -> None:
    """Say when each condition was written, and since when it holds."""
    known = {(each["type"], each.get("status")): each for each in _conditions(old or {})}
    for condition in _conditions(request):
        now = timestamp()
        before = known.get((condition["type"], condition.get("status"))) or {}
        condition["lastUpdateTime"] = condition.get("lastUpdateTime") or now
        since = condition.get("lastTransitionTime") or before.get("lastTransitionTime")
        condition["lastTransitionTime"] = since or now


def _conditions(request: Document) -> list[Document]:
    return (request.get("status") or {}).get("conditions") or []
