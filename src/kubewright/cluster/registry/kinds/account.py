"""Service accounts."""

from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy

__all__ = ["AccountStrategy"]

Document = dict[str, Any]

_ENFORCE: Final = "kubernetes.io/enforce-mountable-secrets"


class AccountStrategy(PlainStrategy):
    """What is particular to service accounts."""

    def warnings(self, obj: Document, old: Document | None) -> list[str]:
        given, before = (
            _ENFORCE in (each["metadata"].get("annotations") or {}) if each is not None else False
            for each in (obj, old)
        )
        if not given or before:
            return []
        advice = "prefer separate namespaces to isolate access to mounted secrets"
        return [f"metadata.annotations[{_ENFORCE}]: deprecated in v1.32+; {advice}"]
