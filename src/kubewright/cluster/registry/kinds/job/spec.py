"""What is wrong with the spec of a Job, or with that of the Jobs a CronJob makes."""

import re
from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.job.policies import check_failure_policy, check_success_policy
from kubewright.cluster.registry.kinds.pod.template import check_template, template_warnings
from kubewright.cluster.registry.rules.counts import check_counts
from kubewright.cluster.registry.rules.inner import invalid_inner
from kubewright.cluster.registry.rules.names import check_subdomain
from kubewright.schema.walk.errors import FieldError, invalid, not_supported, required, too_long

__all__ = ["check_spec", "is_indexed", "spec_warnings"]

Document = dict[str, Any]

_MODES: Final = ("NonIndexed", "Indexed")
_MOST_AT_ONCE: Final = 100_000
_MOST_FAILED: Final = 100_000
#: With more completions than this, fewer pods may run and fail.
_MANY: Final = 100_000
_FEWER: Final = 10_000
_LONGEST_MANAGER: Final = 63
_PATH: Final = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"
_is_path: Final = re.compile(_PATH).fullmatch


def is_indexed(spec: Document) -> bool:
    """Whether each completion has an index."""
    return bool(spec.get("completionMode") == "Indexed")


def check_spec(spec: Document, path: str, old: Document | None = None) -> Iterator[FieldError]:
    """What is wrong with a JobSpec, its selector apart."""
    counts = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")
    yield from check_counts(spec, path, *counts, "backoffLimitPerIndex", "maxFailedIndexes")
    if spec.get("maxFailedIndexes") is not None and spec.get("backoffLimitPerIndex") is None:
        yield required(f"{path}.backoffLimitPerIndex", "when maxFailedIndexes is specified")
    if (manager := spec.get("managedBy")) is not None:
        yield from _check_manager(manager, f"{path}.managedBy")
    yield from _check_mode(spec, path)
    if spec.get("podFailurePolicy") is not None:
        yield from check_failure_policy(spec, f"{path}.podFailurePolicy")
    if (policy := spec.get("successPolicy")) is not None:
        if is_indexed(spec):
            yield from check_success_policy(spec, f"{path}.successPolicy")
        else:
            why = "requires indexed completion mode"
            yield invalid_inner(f"{path}.successPolicy", policy, "batch/v1.SuccessPolicy", why)
    yield from _check_replacement(spec, f"{path}.podReplacementPolicy")
    yield from check_template(spec["template"], f"{path}.template", old["template"] if old else None)
    yield from _check_restart(spec, f"{path}.template.spec.restartPolicy")


def _check_manager(manager: str, path: str) -> Iterator[FieldError]:
    host, _, rest = manager.partition("/")
    if not manager:
        yield required(path)
    elif not host or not rest:
        yield invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")')
    else:
        yield from check_subdomain(host, path)
        if _is_path(rest) is None:
            yield invalid(path, rest, f"Invalid path (regex used for validation is '{_PATH}')")
    if len(manager.encode(errors="replace")) > _LONGEST_MANAGER:
        yield too_long(path, _LONGEST_MANAGER)


def _check_mode(spec: Document, path: str) -> Iterator[FieldError]:
    mode = spec.get("completionMode")
    if mode is not None and mode not in _MODES:
        yield not_supported(f"{path}.completionMode", mode, _MODES)
    elif mode == "Indexed":
        yield from _check_indexed(spec, path)
    if mode is None or mode == "NonIndexed":
        for name in ("backoffLimitPerIndex", "maxFailedIndexes"):
            if (value := spec.get(name)) is not None:
                yield invalid(f"{path}.{name}", value, "requires indexed completion mode")


def _check_indexed(spec: Document, path: str) -> Iterator[FieldError]:
    completions, at_once, failed = (spec.get(name) for name in ("completions", "parallelism", "maxFailedIndexes"))
    if completions is None:
        yield required(f"{path}.completions", "when completion mode is Indexed")
    if at_once is not None and at_once > _MOST_AT_ONCE:
        why = f"must be less than or equal to {_MOST_AT_ONCE} when completion mode is Indexed"
        yield invalid(f"{path}.parallelism", at_once, why)
    if completions is not None and failed is not None and failed > completions:
        yield invalid(f"{path}.maxFailedIndexes", failed, "must be less than or equal to completions")
    if failed is not None and failed > _MOST_FAILED:
        yield invalid(f"{path}.maxFailedIndexes", failed, f"must be less than or equal to {_MOST_FAILED}")
    if completions is not None and completions > _MANY and spec.get("backoffLimitPerIndex") is not None:
        when = f"when completions are above {_MANY} and used with backoff limit per index"
        if failed is None:
            yield required(f"{path}.maxFailedIndexes", f"must be specified when completions is above {_MANY}")
        if at_once is not None and at_once > _FEWER:
            yield invalid(f"{path}.parallelism", at_once, f"must be less than or equal to {_FEWER} {when}")
        if failed is not None and failed > _FEWER:
            yield invalid(f"{path}.maxFailedIndexes", failed, f"must be less than or equal to {_FEWER} {when}")


def _check_replacement(spec: Document, path: str) -> Iterator[FieldError]:
    choices = ["Failed"] if spec.get("podFailurePolicy") is not None else ["Failed", "TerminatingOrFailed"]
    if (policy := spec.get("podReplacementPolicy")) is not None and policy not in choices:
        yield not_supported(path, policy, choices)


def _check_restart(spec: Document, path: str) -> Iterator[FieldError]:
    policy = spec["template"]["spec"].get("restartPolicy", "")
    if policy in ("", "Always"):
        yield required(path, 'valid values: "OnFailure", "Never"')
    elif policy not in ("OnFailure", "Never"):
        yield not_supported(path, policy, ["OnFailure", "Never"])
    elif spec.get("podFailurePolicy") is not None and policy != "Never":
        yield invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')


def spec_warnings(spec: Document, path: str, old: Document | None) -> list[str]:
    """What the writer of a JobSpec should know."""
    warnings = []
    if is_indexed(spec) and spec.get("completions", 0) > _MANY and spec.get("parallelism", 0) > _FEWER:
        why = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, "
        why += "Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
        warnings.append(f"{path}: {why}")
    return warnings + template_warnings(spec["template"], f"{path}.template", old["template"] if old else None)
