"""Which requests a webhook or a policy is about: rules, selectors and conditions."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.rules.labels import check_key, check_selector
from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required, too_many
from kubewright.schema.walk.names import path_segment

__all__ = ["FAILURES", "POLICIES", "check_conditions", "check_resources", "check_rule", "default_resources", "one_of"]

Document = dict[str, Any]

FAILURES: Final = ("Fail", "Ignore")
POLICIES: Final = ("Equivalent", "Exact")
_SCOPES: Final = ("*", "Cluster", "Namespaced")
_OPERATIONS: Final = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
_CONDITIONS: Final = 64


def one_of(obj: Document, name: str, path: str, known: tuple[str, ...]) -> Iterator[FieldError]:
    """What is wrong with a field that is one of a few words, if it is there."""
    if name in obj and obj[name] not in known:
        yield not_supported(f"{path}.{name}", obj[name], known)


def default_resources(resources: Document) -> None:
    """Fill in what the resources of a policy leave out."""
    resources.setdefault("matchPolicy", "Equivalent")
    resources.setdefault("namespaceSelector", {})
    resources.setdefault("objectSelector", {})
    for field in ("resourceRules", "excludeResourceRules"):
        for rule in resources.get(field) or []:
            rule.setdefault("scope", "*")


def check_resources(resources: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with the resources that a policy is about."""
    yield from one_of(resources, "matchPolicy", path, POLICIES)
    yield from check_selector(resources["namespaceSelector"], f"{path}.namespaceSelector")
    yield from check_selector(resources["objectSelector"], f"{path}.objectSelector")
    for field in ("resourceRules", "excludeResourceRules"):
        for index, rule in enumerate(resources.get(field) or []):
            yield from _named_rule(rule, f"{path}.{field}[{index}]")


def _named_rule(rule: Document, path: str) -> Iterator[FieldError]:
    names = rule.get("resourceNames") or []
    for index, name in enumerate(names):
        yield from (invalid(f"{path}.resourceNames[{index}]", name, complaint) for complaint in path_segment(name))
        if name in names[:index]:
            yield duplicate(f"{path}.resourceNames[{index}]", name)
    yield from check_rule(rule, path)


def check_rule(rule: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with operations on resources."""
    operations = rule.get("operations") or []
    yield from _words(operations, f"{path}.operations", "operations")
    for index, operation in enumerate(operations):
        if operation not in _OPERATIONS:
            yield not_supported(f"{path}.operations[{index}]", operation, _OPERATIONS)
    yield from _words(rule.get("apiGroups") or [], f"{path}.apiGroups", "API groups")
    versions = rule.get("apiVersions") or []
    yield from _words(versions, f"{path}.apiVersions", "API versions")
    yield from (required(f"{path}.apiVersions[{at}]") for at, version in enumerate(versions) if not version)
    yield from _resources(rule.get("resources") or [], f"{path}.resources")
    yield from one_of(rule, "scope", path, _SCOPES)


def _words(words: list[str], path: str, what: str) -> Iterator[FieldError]:
    """A list that must have something in it, and nothing else beside a star."""
    if not words:
        yield required(path)
    if len(words) > 1 and "*" in words:
        yield invalid(path, words, f"if '*' is present, must not specify other {what}")


def _resources(resources: list[str], path: str) -> Iterator[FieldError]:
    if not resources:
        yield required(path)
    whole: set[str] = set()
    every: set[str] = set()
    bare = False
    for index, resource in enumerate(resources):
        if not resource:
            yield required(f"{path}[{index}]")
            continue
        name, slash, sub = resource.partition("/")
        if not slash:
            bare = resource != "*"
            continue
        if name in whole:
            yield invalid(f"{path}[{index}]", resource, f"if '{name}/*' is present, must not specify {resource}")
        if sub in every:
            yield invalid(f"{path}[{index}]", resource, f"if '*/{sub}' is present, must not specify {resource}")
        if sub == "*":
            whole.add(name)
        if name == "*":
            every.add(sub)
    if len(resources) > 1 and "*/*" in resources:
        yield invalid(path, resources, "if '*/*' is present, must not specify other resources")
    if "*" in resources and bare:
        why = "if '*' is present, must not specify other resources without subresources"
        yield invalid(path, resources, why)


def check_conditions(conditions: list[Document], path: str, *, params: bool = False) -> Iterator[FieldError]:
    """What is wrong with conditions in CEL; `params`: they may speak of parameters."""
    if not conditions:
        return
    # Imported here: most have no conditions, and need no CEL.
    from kubewright.cel.types import BOOL
    from kubewright.cluster.registry.kinds.registration.expressions import Variables, check_condition

    environment = Variables(params=params).environment()
    if len(conditions) > _CONDITIONS:
        yield too_many(path, len(conditions), _CONDITIONS)
    seen: set[str] = set()
    for index, condition in enumerate(conditions):
        place, name = f"{path}[{index}]", condition.get("name", "")
        text = condition.get("expression", "").strip()
        if not text:
            yield required(f"{place}.expression")
        else:
            yield from check_condition(text, f"{place}.expression", environment, BOOL)[0]
        if not name:
            yield required(f"{place}.name")
            continue
        yield from check_key(name, f"{place}.name")
        if name in seen:
            yield duplicate(f"{place}.name", name)
        seen.add(name)
