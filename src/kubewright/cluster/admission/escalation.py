"""Nobody gives what he has not: a role may hold, and a binding may give, what its writer may do himself.

Who may `escalate` a role, or `bind` the role that is bound, is not looked at further; nor are masters, nor changes to
finalizers and owners, which garbage collection makes.
"""

from typing import Any, Final

from kubewright.cluster.auth.authorize import Authorizer
from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.policy import GROUP, MissingRole, RoleRef, UnsupportedRole
from kubewright.cluster.auth.rules import ALL, Rule, describe, format_texts, read_rules, uncovered
from kubewright.cluster.auth.user import MASTERS
from kubewright.cluster.call import Call
from kubewright.cluster.wire.status import bad_request, broken, forbidden, not_found
from kubewright.schema.walk.golang import quote

__all__ = ["check_binding", "check_role"]

Document = dict[str, Any]

_EVERYTHING: Final = (Rule((ALL,), (ALL,), (ALL,)), Rule((ALL,), paths=(ALL,)))
#: What garbage collection writes.
_COLLECTED: Final = ("ownerReferences", "finalizers", "selfLink", "managedFields")


def check_role(call: Call, obj: Document, old: Document | None) -> None:
    """Before a role is written."""
    authorizer = _judge(call, obj, old)
    if authorizer is None or _may(call, authorizer, "escalate", call.resource.names.plural, call.name):
        return
    _check(call, authorizer, obj, read_rules(obj.get("rules")))
    if _gathers(obj) or (old is not None and _gathers(old)):
        owned, _ = authorizer.rules(call.user, call.namespace)
        if uncovered(owned, _EVERYTHING):
            why = "must have cluster-admin privileges to use the aggregationRule"
            raise forbidden(call.named(obj["metadata"].get("name", "")), why)


def check_binding(call: Call, obj: Document, old: Document | None) -> None:
    """Before a binding is written."""
    authorizer = _judge(call, obj, old)
    if authorizer is None:
        return
    ref = RoleRef(*(obj["roleRef"].get(field, "") for field in ("apiGroup", "kind", "name")))
    known = ref.kind in ("Role", "ClusterRole")
    if known and _may(call, authorizer, "bind", f"{ref.kind.lower()}s", ref.name, ref.group):
        return
    if ref.kind == "Role" and not call.namespace:
        raise bad_request("Namespace parameter required.")
    try:
        rules = authorizer.policy.rules(ref, call.namespace)
    except UnsupportedRole as error:
        raise broken(str(error)) from None
    except MissingRole as error:
        raise not_found(call.named(error.name)) from None
    _check(call, authorizer, obj, rules)


def _judge(call: Call, obj: Document, old: Document | None) -> Authorizer | None:
    """Who decides; None if there is nothing to decide."""
    if MASTERS in call.user.groups or (old is not None and _collected(obj, old)):
        return None
    access = call.api.access
    assert access is not None, "who writes was let in"
    return access.authorizer


def _collected(obj: Document, old: Document) -> bool:
    def rest(document: Document) -> Document:
        meta = {name: value for name, value in document["metadata"].items() if name not in _COLLECTED}
        return {**document, "metadata": meta}

    return rest(obj) == rest(old)


def _may(call: Call, authorizer: Authorizer, verb: str, resource: str, name: str, group: str = GROUP) -> bool:
    asked = Intent(verb, "", True, group, ALL, call.namespace, resource, "", name)
    return authorizer.decide(call.user, asked).allowed


def _check(call: Call, authorizer: Authorizer, obj: Document, given: tuple[Rule, ...]) -> None:
    owned, error = authorizer.rules(call.user, call.namespace)
    missing = uncovered(owned, given)
    if not missing:
        return
    user = call.user
    why = f"user {quote(user.name)} (groups={format_texts(user.groups)}) is attempting to grant RBAC permissions"
    why = "\n".join([f"{why} not currently held:", *describe(missing)])
    why += f"; resolution errors: [{error}]" if error else ""
    raise forbidden(call.named(obj["metadata"].get("name", "")), why)


def _gathers(role: Document) -> bool:
    return bool((role.get("aggregationRule") or {}).get("clusterRoleSelectors"))
