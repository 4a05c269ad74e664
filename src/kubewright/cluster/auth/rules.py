"""The rules of roles: what one allows, what one covers of another, and how it is told. Pure.

    allows      rule, what is asked                         may it be done, names apart
    uncovered   what somebody has, what is to be given      what he has not
    describe    rules                                       the lines in which a refusal tells them

A rule about resources has verbs, groups, resources and maybe names; one about paths has verbs and paths. A resource is
`pods`, `pods/log`, `*/scale` or `*`; a path may end with `*`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Final, NamedTuple

from kubewright.cluster.auth.intent import Intent
from kubewright.schema.walk.golang import quote

__all__ = ["ALL", "MOST_PARTS", "Rule", "allows", "describe", "format_texts", "read_rules", "uncovered"]

Document = dict[str, Any]

ALL = "*"
#: So many parts of rules are looked at one by one: in some milliseconds, and hardly any role has more.
MOST_PARTS: Final = 20_000


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
    """What of some rules is not covered by others, taken apart to one verb, one resource and one name each.

    A few lines can stand for more parts than anybody can go through: where there are too many, what no single rule
    covers counts as not covered, and is told as it stands.
    """
    held = _Held(owned)
    missing: list[Rule] = []
    left = MOST_PARTS
    for rule in given:
        if held.covers(rule):
            continue
        left -= len(rule.verbs) * (len(rule.groups) * len(rule.resources) * max(1, len(rule.names)) + len(rule.paths))
        missing += held.lacks(rule) if left >= 0 else [rule]
    return missing


class _Held:
    """Rules, asked all at once: an answer is a number in which every rule that allows something has its bit."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._fields: list[dict[str, int]] = [{} for _ in Rule._fields]
        #: Those that are about all names.
        self._nameless = 0
        for at, rule in enumerate(rules):
            for found, texts in zip(self._fields, rule, strict=True):
                for text in texts:
                    found[text] = found.get(text, 0) | 1 << at
            if not rule.names:
                self._nameless |= 1 << at
        self._verbs, self._groups, self._resources, self._names, self._paths = self._fields
        #: Of paths that end with a star, what stands before it.
        self._beginnings: dict[str, int] = {}
        for path, bits in self._paths.items():
            if path.endswith(ALL):
                beginning = path.rstrip(ALL)
                self._beginnings[beginning] = self._beginnings.get(beginning, 0) | bits
        self._lengths = {*map(len, self._beginnings)}

    def covers(self, rule: Rule) -> bool:
        """Whether one of the rules covers a whole other one."""
        verbs = reduce(and_, [_of(self._verbs, verb) for verb in rule.verbs], -1)
        if rule.verbs and rule.groups and rule.resources:
            groups = reduce(and_, [_of(self._groups, group) for group in rule.groups])
            resources = reduce(and_, map(self._of_resource, rule.resources))
            names = reduce(and_, map(self._of_name, rule.names or (None,)))
            if not verbs & groups & resources & names:
                return False
        return not (rule.verbs and rule.paths) or bool(verbs & reduce(and_, map(self._of_path, rule.paths)))

    def lacks(self, rule: Rule) -> Iterator[Rule]:
        """The parts of a rule that none of the rules covers."""
        verbs = [(verb, _of(self._verbs, verb)) for verb in rule.verbs]
        names = [(name, self._of_name(name)) for name in rule.names or (None,)]
        resources = [(resource, self._of_resource(resource)) for resource in rule.resources]
        for group in rule.groups:
            in_group = _of(self._groups, group)
            for resource, of_resource in resources:
                for verb, of_verb in verbs:
                    may = in_group & of_resource & of_verb
                    for name, of_name in names:
                        if not may & of_name:
                            yield Rule((verb,), (group,), (resource,), () if name is None else (name,))
        for path in rule.paths:
            of_path = self._of_path(path)
            yield from (Rule((verb,), paths=(path,)) for verb, of_verb in verbs if not of_path & of_verb)

    def _of_name(self, name: str | None) -> int:
        return self._nameless if name is None else self._nameless | self._names.get(name, 0)

    def _of_resource(self, resource: str) -> int:
        _, slash, subresource = resource.partition("/")
        bits = _of(self._resources, resource)
        return bits | self._resources.get(f"*/{subresource}", 0) if slash else bits

    def _of_path(self, path: str) -> int:
        beginnings = [self._beginnings.get(path[:length], 0) for length in self._lengths if length <= len(path)]
        return self._nameless & reduce(or_, beginnings, self._paths.get(path, 0))


def _of(found: dict[str, int], text: str) -> int:
    return found.get(text, 0) | found.get(ALL, 0)


def describe(rules: Iterable[Rule]) -> list[str]:
    """Rules in words, one a line, sorted; those that differ in their verbs alone are told as one."""
    merged: dict[tuple[object, ...], tuple[Rule, list[str]]] = {}
    for rule in rules:
        # Rules about paths are never merged, each being its own key.
        key = rule[1:] if not rule.paths and len(rule.names) < 2 else (len(merged),)
        merged.setdefault(key, (rule, []))[1].extend(rule.verbs)
    return sorted({_line(rule._replace(verbs=(*verbs,))) for rule, verbs in merged.values()})


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
