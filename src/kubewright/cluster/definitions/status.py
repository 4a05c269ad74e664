"""What the status of a CRD is to be, as a function of that CRD and the others of its group.

    created ──► names accepted ──► established        and served from the first of the two on
        └─────► names refused, until whoever has them gives them up

Each function gives the status to be written next, or None if there is nothing to do: they are steps, because whoever
watches CRDs sees each of them. `NonStructuralSchema` is never told: no CRD with such a schema is stored here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from kubewright.cluster.registry.kinds.crd.approval import approval
from kubewright.cluster.registry.kinds.crd.conditions import find_condition, is_true, set_condition
from kubewright.cluster.registry.kinds.crd.webhook import bundle_problem
from kubewright.schema.walk.golang import quote

__all__ = ["is_served", "next_status"]

Document = dict[str, Any]
Step = Callable[[Document, Sequence[Document], str], Document | None]


def is_served(crd: Document) -> bool:
    """Whether requests for its objects are answered."""
    return is_true(crd, "NamesAccepted") or is_true(crd, "Established")


def next_status(crd: Document, others: Iterable[Document], now: str) -> Document | None:
    """The status to be written next; `others` are the other CRDs."""
    group = crd["spec"]["group"]
    peers = [other for other in others if other["spec"]["group"] == group]
    return next((status for step in _STEPS if (status := step(crd, peers, now)) is not None), None)


# -- names


def _names(crd: Document, peers: Sequence[Document], now: str) -> Document | None:
    wanted, status = crd["spec"]["names"], crd["status"]
    accepted = status.get("acceptedNames") or {}
    if _same(wanted, accepted):
        return None
    given, reason, message = _granted(wanted, accepted, [*peers, crd])
    old = find_condition(crd, "NamesAccepted")
    value = "False" if reason else "True"
    reason, message = (reason, message) if reason else ("NoConflicts", "no conflicts found")
    unchanged = old is not None and (old["status"], old["reason"], old["message"]) == (value, reason, message)
    if _same(given, accepted) and unchanged:
        return None
    made = set_condition(status | {"acceptedNames": given}, "NamesAccepted", value, reason, message, now)
    return _not_yet(crd, made, now, accepted=value == "True")


def _not_yet(crd: Document, status: Document, now: str, *, accepted: bool) -> Document:
    """The condition that is to become true next."""
    old = find_condition(crd, "Established")
    if old is not None and old["status"] == "True":
        return status
    if accepted:
        return set_condition(status, "Established", "False", "Installing", "the initial names have been accepted", now)
    if old is not None:
        return status
    return set_condition(status, "Established", "False", "NotAccepted", "not all names are accepted", now)


def _granted(wanted: Document, accepted: Document, owners: Sequence[Document]) -> tuple[Document, str, str]:
    """The names that a CRD gets, and the last conflict among those it does not."""
    resources: set[str] = set()
    kinds: set[str] = set()
    for owner in owners:
        names = owner["status"].get("acceptedNames") or {}
        resources |= {names.get("plural", ""), names.get("singular", ""), *(names.get("shortNames") or ())}
        kinds |= {names.get("kind", ""), names.get("listKind", "")}
    given = {**accepted}
    reason = message = ""
    for name, taken in (("plural", resources), ("singular", resources), ("shortNames", resources)):
        problem = _conflict(wanted, accepted, name, taken)
        if problem:
            reason, message = f"{name[0].upper()}{name[1:]}Conflict", problem
        else:
            _take(given, wanted, name)
    for name in ("kind", "listKind"):
        problem = _conflict(wanted, accepted, name, kinds)
        if problem:
            reason, message = f"{name[0].upper()}{name[1:]}Conflict", problem
        else:
            _take(given, wanted, name)
    _take(given, wanted, "categories")
    return given, reason, message


def _conflict(wanted: Document, accepted: Document, name: str, taken: set[str]) -> str:
    if name != "shortNames":
        text = wanted.get(name, "")
        return f"{quote(text)} is already in use" if text != accepted.get(name, "") and text in taken else ""
    ours = accepted.get(name) or ()
    problems = [
        f"{quote(text)} is already in use" for text in wanted.get(name) or () if text not in ours and text in taken
    ]
    problems = list(dict.fromkeys(problems))
    return f"[{', '.join(problems)}]" if len(problems) > 1 else "".join(problems)


def _take(given: Document, wanted: Document, name: str) -> None:
    if name in wanted:
        given[name] = wanted[name]
    else:
        given.pop(name, None)


def _same(wanted: Document, accepted: Document) -> bool:
    """Whether names are equal, none being as good as an empty one."""
    names = ("plural", "singular", "shortNames", "kind", "listKind", "categories")
    return all((wanted.get(name) or None) == (accepted.get(name) or None) for name in names)


# -- established


def _established(crd: Document, peers: Sequence[Document], now: str) -> Document | None:
    if not is_true(crd, "NamesAccepted") or is_true(crd, "Established"):
        return None
    client = ((crd["spec"].get("conversion") or {}).get("webhook") or {}).get("clientConfig") or {}
    if bundle_problem(client.get("caBundle") or ""):
        reason, message = "InvalidCABundle", "The conversion webhook CABundle is invalid"
        old = find_condition(crd, "Established")
        if old is not None and old["reason"] == reason:
            return None
        return set_condition(crd["status"], "Established", "False", reason, message, now)
    message = "the initial names have been accepted"
    return set_condition(crd["status"], "Established", "True", "InitialNamesAccepted", message, now)


# -- what is told besides


_APPROVALS: Final = {
    "Approved": ("True", "ApprovedAnnotation"),
    "Invalid": ("False", "InvalidAnnotation"),
    "Missing": ("False", "MissingAnnotation"),
    "Unapproved": ("False", "UnapprovedAnnotation"),
}


def _approved(crd: Document, peers: Sequence[Document], now: str) -> Document | None:
    found = approval(crd)
    if found is None:
        return None
    value, reason = _APPROVALS[found.state]
    return _told(crd, "KubernetesAPIApprovalPolicyConformant", value, reason, found.reason, now)


def _told(crd: Document, kind: str, value: str, reason: str, message: str, now: str) -> Document | None:
    old = find_condition(crd, kind)
    if old is not None and (old["status"], old["reason"], old["message"]) == (value, reason, message):
        return None
    return set_condition(crd["status"], kind, value, reason, message, now)


_STEPS: Final[tuple[Step, ...]] = (_names, _established, _approved)
