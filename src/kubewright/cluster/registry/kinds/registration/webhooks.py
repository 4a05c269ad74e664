"""Configurations of webhooks, mutating and validating: the first may be called again, and nothing else differs."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.cluster.registry.kinds.registration.matching import (
    FAILURES,
    POLICIES,
    check_conditions,
    check_rule,
    one_of,
)
from kubewright.cluster.registry.rules.labels import check_selector
from kubewright.cluster.registry.rules.webhooks import check_client, check_reviews
from kubewright.schema.walk.errors import FieldError, duplicate, invalid, not_supported, required
from kubewright.schema.walk.names import subdomain

__all__ = ["MutatingStrategy", "ValidatingStrategy"]

Document = dict[str, Any]

#: What a webhook may do besides answering: nothing, or nothing in a dry run.
_HARMLESS: Final = ("None", "NoneOnDryRun")
_EFFECTS: Final = (*_HARMLESS, "Some", "Unknown")
_REVIEWS: Final = ("v1", "v1beta1")


class ValidatingStrategy(PlainStrategy):
    """What is particular to configurations of webhooks."""

    def default(self, obj: Document) -> None:
        for hook in obj.get("webhooks") or []:
            self._default(hook)

    def _default(self, hook: Document) -> None:
        hook.setdefault("failurePolicy", "Fail")
        hook.setdefault("matchPolicy", "Equivalent")
        hook.setdefault("namespaceSelector", {})
        hook.setdefault("objectSelector", {})
        hook.setdefault("timeoutSeconds", 10)
        for rule in hook.get("rules") or []:
            rule.setdefault("scope", "*")
        if (service := hook["clientConfig"].get("service")) is not None:
            service.setdefault("port", 443)

    def check(self, obj: Document) -> list[FieldError]:
        return [*self._check(obj, _Leniency())]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        leniency = _Leniency.of(old.get("webhooks") or [])
        return [*self.check_meta(obj), *self._check(obj, leniency)]

    def _check(self, obj: Document, leniency: "_Leniency") -> Iterator[FieldError]:
        seen: set[str] = set()
        for index, hook in enumerate(obj.get("webhooks") or []):
            path, name = f"webhooks[{index}]", hook.get("name", "")
            yield from self._check_hook(hook, path, leniency)
            reviews = hook.get("admissionReviewVersions") or []
            why = f"must specify one of {', '.join(_REVIEWS)}"
            place = f"{path}.admissionReviewVersions"
            yield from check_reviews(reviews, place, why_required=why, any_version=leniency.any_review)
            if name in seen and not leniency.same_name:
                yield duplicate(f"{path}.name", name)
            if name:
                seen.add(name)

    def _check_hook(self, hook: Document, path: str, leniency: "_Leniency") -> Iterator[FieldError]:
        yield from _name(hook.get("name", ""), f"{path}.name")
        for index, rule in enumerate(hook.get("rules") or []):
            yield from check_rule(rule, f"{path}.rules[{index}]")
        yield from one_of(hook, "failurePolicy", path, FAILURES)
        yield from one_of(hook, "matchPolicy", path, POLICIES)
        allowed = _EFFECTS if leniency.any_effect else _HARMLESS
        if hook.get("sideEffects") is None:
            yield required(f"{path}.sideEffects", f"must specify one of {', '.join(allowed)}")
        elif hook["sideEffects"] not in allowed:
            yield not_supported(f"{path}.sideEffects", hook["sideEffects"], allowed)
        seconds = hook["timeoutSeconds"]
        if not 1 <= seconds <= 30:
            yield invalid(f"{path}.timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds")
        yield from check_selector(hook["namespaceSelector"], f"{path}.namespaceSelector")
        yield from check_selector(hook["objectSelector"], f"{path}.objectSelector")
        yield from self._check_particular(hook, path)
        yield from check_client(hook["clientConfig"], f"{path}.clientConfig")
        yield from check_conditions(hook.get("matchConditions") or [], f"{path}.matchConditions")

    def _check_particular(self, hook: Document, path: str) -> Iterator[FieldError]:
        """What only one of the two kinds has."""
        return iter(())


class MutatingStrategy(ValidatingStrategy):
    """What is particular to configurations of webhooks that change objects."""

    def _default(self, hook: Document) -> None:
        super()._default(hook)
        hook.setdefault("reinvocationPolicy", "Never")

    def _check_particular(self, hook: Document, path: str) -> Iterator[FieldError]:
        return one_of(hook, "reinvocationPolicy", path, ("IfNeeded", "Never"))


class _Leniency:
    """What is no matter now, because the old object had it already."""

    def __init__(self) -> None:
        self.any_effect = self.any_review = self.same_name = False

    @classmethod
    def of(cls, hooks: list[Document]) -> "_Leniency":
        """How a configuration is judged that had these webhooks before."""
        leniency, names = cls(), [hook.get("name", "") for hook in hooks]
        leniency.any_effect = any(hook.get("sideEffects") not in _HARMLESS for hook in hooks)
        leniency.same_name = len({*names}) < len(names)
        for hook in hooks:
            reviews = hook.get("admissionReviewVersions") or []
            leniency.any_review |= bool(reviews) and not {*_REVIEWS} & {*reviews}
        return leniency


def _name(name: str, path: str) -> Iterator[FieldError]:
    if not name:
        yield required(path)
    elif complaints := subdomain(name):
        yield invalid(path, name, ",".join(complaints))
    elif name.count(".") < 2:
        yield invalid(path, name, "should be a domain with at least three segments separated by dots")
