"""Roles of the cluster that gather the rules of others, as far as it can be decided: pure.

A role with an `aggregationRule` has the rules of every role that one of its selectors means, by name, each rule once;
what it had before does not count.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kubewright.model.selectors import LabelSelector

__all__ = ["Role", "gather"]

Document = dict[str, Any]


class Role(NamedTuple):
    """What counts of a role; `selectors` is None for one that gathers nothing."""

    name: str
    labels: Mapping[str, str]
    rules: list[Document]
    selectors: tuple[LabelSelector, ...] | None

    @classmethod
    def read(cls, document: Document) -> "Role":
        """Of a role as it is stored."""
        meta, rule = document["metadata"], document.get("aggregationRule")
        selectors = None
        if rule is not None:
            selectors = tuple(LabelSelector.from_json(each) for each in rule.get("clusterRoleSelectors") or ())
        return cls(meta["name"], meta.get("labels") or {}, document.get("rules") or [], selectors)


def gather(role: Role, roles: Iterable[Role]) -> list[Document] | None:
    """The rules that a role is to have; None if it has them, or gathers nothing."""
    if role.selectors is None:
        return None
    others = sorted((each for each in roles if each.name != role.name), key=lambda each: each.name)
    found: list[Document] = []
    for selector in role.selectors:
        for other in others:
            if selector.matches(other.labels):
                found += [rule for rule in _once(other.rules) if rule not in found]
    return found if found != role.rules else None


def _once(rules: list[Document]) -> list[Document]:
    return [rule for index, rule in enumerate(rules) if rule not in rules[:index]]
