"""May they: roles and bindings decide; who is a master may do everything.

A decision is kept until a role or a binding changes, for the same is asked again and again. It is kept without the name
of the object, which only rules with names look at, so that a thousand objects are one decision.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kubewright.cluster.auth.intent import Intent
from kubewright.cluster.auth.policy import Grant, Policy
from kubewright.cluster.auth.rules import Rule, allows
from kubewright.cluster.auth.user import MASTERS, User
from kubewright.cluster.wire.status import Failure, Target, forbidden, forbidden_path
from kubewright.schema.walk.golang import quote

__all__ = ["Authorizer", "Decision", "aggregate", "refusal"]

#: So many decisions are kept; who asks for more has made them up.
_KEPT = 20_000


class Decision(NamedTuple):
    """Whether something may be done, and why, as far as the server tells."""

    allowed: bool
    reason: str = ""


_MASTER = Decision(True)


class _Verdict(NamedTuple):
    """What was decided of a request: for every name, or for some, and for the others."""

    whole: Decision | None
    names: dict[str, Decision]
    refused: Decision


class Authorizer:
    """Decides by a policy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._generation = -1
        #: By what roles look at: the user's name and groups, and what is asked, the object's name apart.
        self._verdicts: dict[tuple[object, ...], _Verdict] = {}

    def authorize(self, user: User, intent: Intent) -> None:
        """Let a request pass, or raise the refusal."""
        decision = self.decide(user, intent)
        if not decision.allowed:
            raise refusal(user, intent, decision.reason)

    def decide(self, user: User, intent: Intent) -> Decision:
        """Whether a user may do something."""
        groups = user.groups
        if MASTERS in groups:
            return _MASTER
        verb, path, is_resource, group, _, namespace, resource, subresource, name, _, selected = intent
        key: tuple[object, ...] = (
            (user.name, groups, verb, group, resource, subresource, namespace)
            if is_resource
            else (user.name, groups, verb, path)
        )
        if self._generation != self.policy.generation:
            self._verdicts.clear()
            self._generation = self.policy.generation
        verdict = self._verdicts.get(key)
        if verdict is None:
            if len(self._verdicts) >= _KEPT:
                self._verdicts.clear()
            verdict = self._verdicts[key] = self._judge(user, intent)
        return verdict.whole or verdict.names.get(name or selected) or verdict.refused

    def rules(self, user: User, namespace: str) -> tuple[list[Rule], str]:
        """Every rule that holds for a user in a namespace, and what went wrong on the way."""
        found: list[Rule] = []
        errors: list[str] = []
        for grant in self.policy.grants(user, namespace):
            found += grant.rules
            errors += [grant.error] if grant.error else []
        return found, aggregate(errors)

    def _judge(self, user: User, intent: Intent) -> _Verdict:
        names: dict[str, Decision] = {}
        errors: list[str] = []
        for grant in self.policy.grants(user, intent.namespace):
            if grant.error:
                errors.append(grant.error)
            for rule in grant.rules:
                if not allows(rule, intent):
                    continue
                if not rule.names or not intent.is_resource:
                    return _Verdict(_allowed(grant), names, Decision(False))
                for name in rule.names:
                    names.setdefault(name, _allowed(grant))
        told = aggregate(errors)
        return _Verdict(None, names, Decision(False, f"RBAC: {told}" if told else ""))


def _allowed(grant: Grant) -> Decision:
    return Decision(True, f"RBAC: allowed by {grant.source}")


def aggregate(errors: Sequence[str]) -> str:
    """Some errors in one line, each once."""
    each = list(dict.fromkeys(errors))
    return each[0] if len(each) == 1 else f"[{', '.join(each)}]" if each else ""


def refusal(user: User, intent: Intent, reason: str = "") -> Failure:
    """The answer to whoever may not."""
    if intent.is_resource:
        resource = f"{intent.resource}/{intent.subresource}" if intent.subresource else intent.resource
        where = f"in the namespace {quote(intent.namespace)}" if intent.namespace else "at the cluster scope"
        why = f"User {quote(user.name)} cannot {intent.verb} resource {quote(resource)}"
        why = f"{why} in API group {quote(intent.group)} {where}"
    else:
        why = f"User {quote(user.name)} cannot {intent.verb} path {quote(intent.path)}"
    why = why.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    why = f"{why}: {reason}" if reason else why
    if not intent.is_resource:
        return forbidden_path(why)
    name = intent.name or intent.selected
    return forbidden(Target(intent.group, intent.resource, "", name), why, nosniff=True)
