"""What a role or binding that every cluster has becomes when it was changed since, or is from an older release. Pure.

What is missing is added, what somebody added stays; so do labels and annotations. An object that says that it is not to
be updated is left alone.
"""

from typing import Any, Final

from kubewright.cluster.auth.rules import Rule, read_rules, uncovered

__all__ = ["reconcile"]

Document = dict[str, Any]

_AUTOUPDATE: Final = "rbac.authorization.kubernetes.io/autoupdate"
_FIELDS: Final = {
    "verbs": "verbs",
    "groups": "apiGroups",
    "resources": "resources",
    "names": "resourceNames",
    "paths": "nonResourceURLs",
}


def reconcile(existing: Document, expected: Document) -> Document | None:
    """What is to be stored instead of an object; None if it is well as it is.

    A binding to another role than expected is the expected one afterwards, with a uid of its own: it must be made anew.
    """
    before = existing["metadata"]
    if (before.get("annotations") or {}).get(_AUTOUPDATE) == "false":
        return None
    if "roleRef" in expected and existing.get("roleRef") != expected["roleRef"]:
        return expected
    wanted = expected["metadata"]
    made = {**existing, "metadata": {**before}}
    for field in ("annotations", "labels"):
        if merged := {**(wanted.get(field) or {}), **(before.get(field) or {})}:
            made["metadata"][field] = dict(sorted(merged.items()))
    if "roleRef" in expected:
        _add_subjects(made, expected)
    else:
        _add_rules(made, expected)
    return made if made != existing else None


def _add_subjects(made: Document, expected: Document) -> None:
    have = made.get("subjects") or []
    if missing := [each for each in expected.get("subjects") or [] if each not in have]:
        made["subjects"] = [*have, *missing]


def _add_rules(made: Document, expected: Document) -> None:
    have = made.get("rules") or []
    if missing := uncovered(read_rules(have), read_rules(expected.get("rules"))):
        made["rules"] = [*have, *map(_written, missing)]
    if "aggregationRule" not in expected:
        made.pop("aggregationRule", None)
        return
    rule = made.get("aggregationRule") or {}
    selectors = rule.get("clusterRoleSelectors") or []
    wanted = expected["aggregationRule"].get("clusterRoleSelectors") or []
    if missing_selectors := [each for each in wanted if each not in selectors]:
        made["aggregationRule"] = {**rule, "clusterRoleSelectors": [*selectors, *missing_selectors]}


def _written(rule: Rule) -> Document:
    return {name: [*texts] for field, name in _FIELDS.items() if (texts := getattr(rule, field))}
