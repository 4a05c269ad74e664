"""An object of which metadata alone is in memory: what the map of a watch is handed.

Whatever else it were asked for would read as if nobody had set it: a map that looks at the phase of pods would name
nothing, for ever, and nobody would say so. Therefore it is refused.
"""

from functools import cache
from typing import Any

from kubewright.controller.reader import ContextError
from kubewright.model.meta import fields_of
from kubewright.model.resource import Resource

__all__ = ["bare"]


def bare(obj: Any) -> Any:
    """An object whose metadata alone can be read; a document or a view shows what it has by itself."""
    return _Bare(obj) if isinstance(obj, Resource) else obj


class _Bare:
    """Stands for an object, and is taken for one of its class."""

    __slots__ = ("_obj",)

    def __init__(self, obj: Resource) -> None:
        self._obj = obj

    @property  # type: ignore[misc]  # as mocks do, so that `isinstance` is asked of the object
    def __class__(self) -> type[Any]:
        return type(self._obj)

    def __getattr__(self, name: str) -> Any:
        model = type(self._obj)
        if name in _absent(model):
            kind = model.__name__
            raise ContextError(
                f"{name} of a {kind} that is only watched is not in memory, its metadata alone is: add reads=[{kind}]."
            )
        return getattr(self._obj, name)


@cache
def _absent(model: type[Resource]) -> frozenset[str]:
    return frozenset(field.name for field in fields_of(model)) - {"metadata"}
