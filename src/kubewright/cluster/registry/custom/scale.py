"""The scale of a custom resource, by the three paths that its CRD names."""

from typing import Any, Final, TypeVar

from kubewright.cluster.registry.custom.gotype import go_type
from kubewright.cluster.registry.scale import Sizes
from kubewright.schema.walk.errors import FieldError, invalid
from kubewright.schema.walk.golang import sprint

__all__ = ["PathScale"]

Document = dict[str, Any]
T = TypeVar("T", int, str)

_INT32: Final = 2**31 - 1


class PathScale:
    """Reads and writes sizes where a CRD says they are."""

    def __init__(self, scale: Document) -> None:
        self.place: str = scale["specReplicasPath"]
        self._status: str = scale["statusReplicasPath"]
        self._selector: str | None = scale.get("labelSelectorPath")

    def read(self, obj: Document) -> Sizes:
        """The sizes of an object; ValueError if something else stands there."""
        wanted, found = _at(obj, self.place, int), _at(obj, self._status, int)
        selector = _at(obj, self._selector, str) if self._selector else ""
        return Sizes(wanted, found or 0, selector or "")

    def write(self, obj: Document, wanted: int) -> None:
        """Say in an object, in place, how many replicas are wanted."""
        *way, last = self.place.removeprefix(".").split(".")
        place = obj
        for index, name in enumerate(way):
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                where = "." + ".".join(way[: index + 1])
                raise ValueError(f"value cannot be set because {where} is not a map[string]interface{{}}")
        place[last] = wanted

    def check(self, scale: Document) -> list[FieldError]:
        """Nothing: the object is judged once it is written."""
        return []

    def check_spec(self, obj: Document) -> list[FieldError]:
        """What is wrong with the number of replicas that an object wants."""
        return _check_size(obj, self.place)

    def check_status(self, obj: Document) -> list[FieldError]:
        """What is wrong with the number of replicas that there are, and their selector."""
        errors = _check_size(obj, self._status)
        if self._selector is not None:
            try:
                _at(obj, self._selector, str)
            except ValueError as error:
                errors.append(invalid(self._selector, "", str(error)))
        return errors


def _check_size(obj: Document, path: str) -> list[FieldError]:
    try:
        size = _at(obj, path, int) or 0
    except ValueError as error:
        return [invalid(path, 0, str(error))]
    if size < 0:
        return [invalid(path, size, "should be a non-negative integer")]
    if size > _INT32:
        return [invalid(path, size, f"should be less than or equal to {_INT32}")]
    return []


def _at(obj: Document, path: str, kind: type[T]) -> T | None:
    """What stands at a path, None if nothing."""
    names = path.removeprefix(".").split(".")
    value: Any = obj
    for index, name in enumerate(names):
        if value is None:
            return None
        if type(value) is not dict:
            raise _misplaced(names[: index + 1], value, "map[string]interface{}")
        if name not in value:
            return None
        value = value[name]
    if type(value) is not kind:
        raise _misplaced(names, value, "string" if kind is str else "int64")
    return value


def _misplaced(way: list[str], value: object, wanted: str) -> ValueError:
    place = "." + ".".join(way)
    return ValueError(f"{place} accessor error: {sprint(value)} is of the type {go_type(value)}, expected {wanted}")
