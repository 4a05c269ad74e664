"""The rules of roles: what one allows, what one covers of another, and how it is told. Pure.

    allows      rule, what is asked                         may it be done, names apart
    uncovered   what somebody has, what is to be given      what he has not
    describe    rules                                       the lines in which a refusal tells them

A rule about resources has verbs, groups, resources and maybe names; one about paths has verbs and paths. A resource is
`pods`, `pods/log`, `*/scale` or `*`; a path may end with `*`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kubewright.cluster.auth.intent import Intent
from kubewright.schema.walk.golang import quote

__all__ = ["ALL", "Rule", "allows", "describe", "format_texts", "read_rules", "uncovered"]

Document = dict[str, Any]

ALL = "*"


class Rule(NamedTuple):
    """One rule; what it does not say is empty."""

    verbs: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


def read_rules(documents: Iterable[Document | None] | None) -> tuple[Rule, ...]:
    """The rules of a role as it is stored."""
    return tuple(
        Rule(
            *(
                tuple(each.get(field) or ())
                for field in ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")
            )
        )
        for each in documents or ()
        if each is not None
    )


def allows(rule: Rule, intent: Intent) -> bool:
    """Whether a rule allows what is asked, of one of its names at least."""
    if ALL not in rule.verbs and intent.verb not in rule.verbs:
        return False
    if not intent.is_resource:
        return any(_reaches(path, intent.path) for path in rule.paths)
    if ALL not in rule.groups and intent.group not in rule.groups:
        return False
    if ALL in rule.resources:
        return True
    if not intent.subresource:
        return intent.resource in rule.resources
    return f"{intent.resource}/{intent.subresource}" in rule.resources or f"*/{intent.subresource}" in rule.resources


def _reaches(pattern: str, path: str) -> bool:
    return pattern == path or (pattern.endswith(ALL) and path.startswith(pattern.rstrip(ALL)))


def uncovered(owned: Sequence[Rule], given: Iterable[Rule]) -> list[Rule]:
    """What of some rules is not covered by others, taken apart to one verb, one resource and one name each."""
    return [part for rule in given for part in _parts(rule) if not any(_covers(own, part) for own in owned)]


def _parts(rule: Rule) -> Iterator[Rule]:
    for group in rule.groups:
        for resource in rule.resources:
            for verb in rule.verbs:
                part = Rule((verb,), (group,), (resource,))
                if not rule.names:
                    yield part
                for name in rule.names:
                    yield part._replace(names=(name,))
    for path in rule.paths:
        for verb in rule.verbs:
            yield Rule((verb,), paths=(path,))


def _covers(own: Rule, part: Rule) -> bool:
    """Whether a rule covers a part of another."""
    if ALL not in own.verbs and part.verbs[0] not in own.verbs:
        return False
    if part.paths:
        return any(_reaches(path, part.paths[0]) for path in own.paths) and not own.names
    if ALL not in own.groups and part.groups[0] not in own.groups:
        return False
    if own.names and not (part.names and part.names[0] in own.names):
        return False
    resource = part.resources[0]
    if ALL in own.resources or resource in own.resources:
        return True
    _, slash, subresource = resource.partition("/")
    return bool(slash) and f"*/{subresource}" in own.resources


def describe(rules: Iterable[Rule]) -> list[str]:
    """Rules in words, one a line, sorted; those that differ in their verbs alone are told as one."""
    merged: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        # Rules about paths are never merged, each being its own key.
        key = rule[1:] if not rule.paths and len(rule.names) < 2 else (len(merged),)
        known = merged.get(key)
        merged[key] = rule if known is None else known._replace(verbs=known.verbs + rule.verbs)
    return sorted({_line(rule) for rule in merged.values()})


def _line(rule: Rule) -> str:
    told = {
        "APIGroups": rule.groups,
        "Resources": rule.resources,
        "NonResourceURLs": rule.paths,
        "ResourceNames": rule.names,
        "Verbs": rule.verbs,
    }
    return "{" + ", ".join(f"{name}:{format_texts(texts)}" for name, texts in told.items() if texts) + "}"


def format_texts(texts: Iterable[str]) -> str:
    """Texts as Go prints a list of them, quoted."""
    return f"[{' '.join(map(quote, texts))}]"
