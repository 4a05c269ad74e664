"""PriorityClasses: names for numbers. Those that begin with `system-` are the server's own."""

from collections.abc import Iterator
from typing import Any, Final

from kubewright.cluster.registry.kinds.plain import PlainStrategy
from kubewright.schema.walk.errors import FieldError, forbidden, invalid, not_supported, required

__all__ = ["PriorityClassStrategy"]

Document = dict[str, Any]

_PREFIX: Final = "system-"
_SYSTEM: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
#: What is larger is the server's own.
_LARGEST: Final = 1_000_000_000
_POLICIES: Final = ("PreemptLowerPriority", "Never")


class PriorityClassStrategy(PlainStrategy):
    """What is particular to PriorityClasses."""

    def default(self, obj: Document) -> None:
        obj.setdefault("preemptionPolicy", "PreemptLowerPriority")

    def prepare_update(self, obj: Document, old: Document) -> None:
        """Nothing is kept, and the generation does not count."""

    def check(self, obj: Document) -> list[FieldError]:
        return [*_check(obj)]

    def validate_update(self, obj: Document, old: Document) -> list[FieldError]:
        errors = self.check_meta_update(obj, old)
        if obj["value"] != old["value"]:
            errors.append(forbidden("value", "may not be changed in an update."))
        policy = obj["preemptionPolicy"]
        if policy != old["preemptionPolicy"]:
            errors.append(invalid("preemptionPolicy", policy, "field is immutable"))
        return errors


def _check(obj: Document) -> Iterator[FieldError]:
    name, value, policy = obj["metadata"].get("name", ""), obj["value"], obj["preemptionPolicy"]
    if name.startswith(_PREFIX):
        if wrong := _misuse(name, value, obj.get("globalDefault", False)):
            why = f"priority class names with '{_PREFIX}' prefix are reserved for system use only. error: {wrong}"
            yield forbidden("metadata.name", why)
    elif value > _LARGEST:
        yield forbidden("value", f"maximum allowed value of a user defined priority is {_LARGEST}")
    if not policy:
        yield required("preemptionPolicy")
    elif policy not in _POLICIES:
        yield not_supported("preemptionPolicy", policy, _POLICIES)


def _misuse(name: str, value: int, default: bool) -> str:
    """Why a class is none of the server's own; empty if it is one."""
    if name not in _SYSTEM:
        return f"{name} is not a known system priority class"
    if value != _SYSTEM[name]:
        return f"value of {name} PriorityClass must be {_SYSTEM[name]}"
    return f"globalDefault of {name} PriorityClass must be false" if default else ""
