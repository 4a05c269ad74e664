"""What a Job says of failed pods and of its success."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.job.indexes import BadIndexes, count_indexes
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.cluster.registry.rules.labels import check_key
from kubewright.schema.walk.errors import (
    INVALID,
    FieldError,
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
)
from kubewright.schema.walk.golang import quote

__all__ = ["check_failure_policy", "check_success_policy", "default_failure_policy"]

Document = dict[str, Any]

_ACTIONS: Final = ("Count", "FailIndex", "FailJob", "Ignore")
_OPERATORS: Final = ("In", "NotIn")
_STATUSES: Final = ("False", "True", "Unknown")
_MOST_RULES: Final = 20
_MOST_PATTERNS: Final = 20
_MOST_CODES: Final = 255
_LONGEST_INDEXES: Final = 64 * 1024


def default_failure_policy(policy: Document | None) -> None:
    """Fill in, in place, what a policy of failures does not say."""
    for rule in (policy or {}).get("rules") or ():
        for pattern in rule.get("onPodConditions") or ():
            if not pattern.get("status"):
                pattern["status"] = "True"


def check_failure_policy(spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with what a Job says of failed pods."""
    rules = spec["podFailurePolicy"].get("rules") or []
    if len(rules) > _MOST_RULES:
        yield too_many(f"{path}.rules", len(rules), _MOST_RULES)
    pods = spec["template"]["spec"]
    containers = [*(pods.get("containers") or ()), *(pods.get("initContainers") or ())]
    names = {container["name"] for container in containers}
    for index, rule in enumerate(rules):
        yield from _check_rule(spec, rule, names, f"{path}.rules[{index}]")


def _check_rule(spec: Document, rule: Document, names: set[str], path: str) -> Iterator[FieldError]:
    action, codes, patterns = rule["action"], rule.get("onExitCodes"), rule.get("onPodConditions")
    if action == "FailIndex":
        if spec.get("backoffLimitPerIndex") is None:
            yield invalid(f"{path}.action", action, "requires the backoffLimitPerIndex to be set")
    else:
        yield from _check_choice(action, _ACTIONS, f"{path}.action")
    if codes is not None:
        yield from _check_codes(codes, names, f"{path}.onExitCodes")
    if patterns:
        yield from _check_patterns(patterns, f"{path}.onPodConditions")
    if codes is not None and patterns:
        yield _told(path, "specifying both OnExitCodes and OnPodConditions is not supported")
    if codes is None and not patterns:
        yield _told(path, "specifying one of OnExitCodes and OnPodConditions is required")


def _told(path: str, why: str) -> FieldError:
    """A refusal that does not show what it refuses."""
    return FieldError(INVALID, path, f"Invalid value: {why}")


def _check_choice(value: str, choices: tuple[str, ...], path: str) -> Iterator[FieldError]:
    if not value:
        yield required(path, f"valid values: [{' '.join(map(quote, choices))}]")
    elif value not in choices:
        yield not_supported(path, value, choices)


def _check_patterns(patterns: list[Document], path: str) -> Iterator[FieldError]:
    if len(patterns) > _MOST_PATTERNS:
        yield too_many(path, len(patterns), _MOST_PATTERNS)
    for index, pattern in enumerate(patterns):
        yield from check_key(pattern["type"], f"{path}[{index}].type")
        yield from _check_choice(pattern["status"], _STATUSES, f"{path}[{index}].status")


def _check_codes(codes: Document, names: set[str], path: str) -> Iterator[FieldError]:
    operator, container, values = codes["operator"], codes.get("containerName"), codes["values"]
    yield from _check_choice(operator, _OPERATORS, f"{path}.operator")
    if container is not None and container not in names:
        why = "must be one of the container or initContainer names in the pod template"
        yield invalid(f"{path}.containerName", container, why)
    if not values:
        yield invalid(f"{path}.values", values, "at least one value is required")
    elif len(values) > _MOST_CODES:
        yield too_many(f"{path}.values", len(values), _MOST_CODES)
    seen: set[int] = set()
    for index, value in enumerate(values or ()):
        if operator == "In" and value == 0:
            yield invalid(f"{path}.values[{index}]", value, "must not be 0 for the In operator")
        if value in seen:
            yield duplicate(f"{path}.values[{index}]", value)
        seen.add(value)
    if values and values != sorted(values):
        yield invalid(f"{path}.values", values, "must be ordered")


def check_success_policy(spec: Document, path: str) -> Iterator[FieldError]:
    """What is wrong with what a Job says of its success."""
    rules = spec["successPolicy"]["rules"] or []
    if not rules:
        yield required(f"{path}.rules", "at least one rules must be specified when the successPolicy is specified")
    if len(rules) > _MOST_RULES:
        yield too_many(f"{path}.rules", len(rules), _MOST_RULES)
    for index, rule in enumerate(rules):
        # The server fails where there are no completions; they are asked for anyway.
        yield from _check_success(rule, spec.get("completions") or 0, f"{path}.rules[{index}]")


def _check_success(rule: Document, completions: int, path: str) -> Iterator[FieldError]:
    count, indexes = rule.get("succeededCount"), rule.get("succeededIndexes")
    if count is None and indexes is None:
        yield required(path, "at least one of succeededCount or succeededIndexes must be specified")
    total = 0
    if indexes is not None:
        if len(indexes) > _LONGEST_INDEXES:
            yield too_long(f"{path}.succeededIndexes", _LONGEST_INDEXES)
        try:
            total = count_indexes(indexes, completions)
        except BadIndexes as error:
            yield invalid(f"{path}.succeededIndexes", indexes, f"error parsing succeededIndexes: {error}")
    yield from check_counts(rule, path, "succeededCount")
    if count is not None and count > completions:
        why = f"must be less than or equal to {completions} (the number of specified completions)"
        yield invalid(f"{path}.succeededCount", count, why)
    if count is not None and indexes is not None and count > total:
        why = f"must be less than or equal to {total} (the number of indexes in the specified succeededIndexes field)"
        yield invalid(f"{path}.succeededCount", count, why)
