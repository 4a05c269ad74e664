"""Built-in kinds that are served in another version, or by another group, than they are stored in."""

from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

from kubewright.model.kind import GroupVersionKind

__all__ = ["ELSEWHERE", "Elsewhere", "relatives"]

Document = dict[str, Any]


class Elsewhere(NamedTuple):
    """Where objects of a kind are stored, as what, and who converts them."""

    storage: str
    kind: GroupVersionKind
    #: A module of this package; it is imported when the first of them is met.
    module: str

    def to_stored(self, obj: Document) -> Document:
        """An object as it is stored; the parts that both have are shared."""
        made: Document = self._converter().to_stored(obj)
        return made

    def from_stored(self, obj: Document) -> Document:
        """The way back."""
        made: Document = self._converter().from_stored(obj)
        return made

    def _converter(self) -> ModuleType:
        return import_module(f"{__package__}.{self.module}")


ELSEWHERE: Final[dict[GroupVersionKind, Elsewhere]] = {
    GroupVersionKind("autoscaling", "v1", "HorizontalPodAutoscaler"): Elsewhere(
        "horizontalpodautoscalers.autoscaling",
        GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler"),
        "autoscaler.convert",
    ),
    GroupVersionKind("events.k8s.io", "v1", "Event"): Elsewhere("events", GroupVersionKind("", "v1", "Event"), "event"),
}


def relatives(kind: GroupVersionKind) -> dict[str, tuple[GroupVersionKind, Elsewhere | None]]:
    """The versions of a kind in its group, by apiVersion, each with what converts it if it is not stored.

    Who wrote what is told by version; what is told through another group is forgotten there, as the server does.
    """
    known = {kind: ELSEWHERE.get(kind)}
    for other, elsewhere in ELSEWHERE.items():
        if elsewhere.kind.group == other.group == kind.group and kind in (other, elsewhere.kind):
            known = {other: elsewhere, elsewhere.kind: None}
    return {each.api_version: (each, elsewhere) for each, elsewhere in known.items()}
