"""How the server reads an object out of a map of anything: the result of a strategic merge patch.

No JSON is written there and read again; each Go value is set from the one in the map. That differs from decoding in
what fits (a float without a fraction is an integer, and one that is too large for its type wraps around), in the words
for what does not, and in that struct fields come in the order of the type. The first value that does not fit ends it.
What fits is returned in a form that the readers take, without the fields that nobody knows.
"""

from collections.abc import Generator
from typing import Any, Final

from kubewright.cluster.wire.base64 import Base64Error, normalise
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import Readers
from kubewright.cluster.wire.sliced import is_whole, pointed
from kubewright.cluster.wire.types import Table, Type
from kubewright.model.parts import parts
from kubewright.schema.walk.golang import to_int64, truncate

__all__ = ["Restoring"]

_BITS: Final = {"int": 64, "int32": 32, "int64": 64, "uint8": 8}
#: Of a large object so many values are restored at once, more or less.
_MOST: Final = 800


class Restoring:
    """One object being restored."""

    def __init__(self, types: Table, readers: Readers, most: int = _MOST) -> None:
        self._types = types
        self._readers = readers
        self._most = most
        self._unknown: list[str] = []

    @property
    def complaints(self) -> list[str]:
        """Of fields that nobody knows, by name."""
        return sorted(f'unknown field "{path}"' for path in self._unknown)

    def restore(self, value: Any, target: Type, path: str = "") -> Any:
        """The value, as far as it is one of the type; `Undecodable` if something does not fit."""
        if value is None:
            return None
        if target.special:
            # It is written as JSON after all, by itself, for the type to read.
            self._readers.of(target).read(value, None, Findings())
            return value
        match target.kind:
            case "struct":
                return self._struct(value, target, path)
            case "map":
                return self._map(value, target, path)
            case "slice":
                return self._list(value, target, path)
            case "ptr":
                assert target.item is not None
                return self.restore(value, target.item, path)
            case "interface":
                return value
            case _:
                return _scalar(value, target)

    def _struct(self, value: Any, target: Type, path: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Undecodable(f"cannot restore struct from: {_kind(value)}")
        fields = self._types.fields(target.name)
        result = {}
        for name, field in fields.items():
            if name in value:
                result[name] = self.restore(value[name], field.type, _below(path, name))
        self._unknown += [_below(path, name) for name in value if name not in fields]
        return result

    def _map(self, value: Any, target: Type, path: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Undecodable(f"cannot restore map from {_kind(value)}")
        assert target.item is not None
        # The path does not tell of keys: Go's does not.
        return {name: self.restore(item, target.item, path) for name, item in value.items()}

    def _list(self, value: Any, target: Type, path: str) -> Any:
        assert target.item is not None
        if isinstance(value, str) and target.item.kind == "uint8":
            try:
                return normalise(value)
            except Base64Error as error:
                raise Undecodable(f"error decoding from json: {error}") from None
        if not isinstance(value, list):
            raise Undecodable(f"cannot restore slice from {_kind(value)}")
        return self._items(value, target.item, path, 0)

    def _items(self, value: list[Any], target: Type, path: str, start: int) -> list[Any]:
        return [self.restore(item, target, f"{path}[{index}]") for index, item in enumerate(value, start)]

    def restore_in_steps(self, value: Any, target: Type, path: str = "", depth: int = 0) -> Generator[None, None, Any]:
        """The same of a large value, in steps."""
        target = pointed(target)
        if is_whole(target, value, depth, self._most):
            return self.restore(value, target, path)
        if target.kind == "slice":
            return (yield from self._list_in_steps(value, target, path, depth))
        is_struct = target.kind == "struct"
        fields = self._types.fields(target.name) if is_struct else {}
        # In the order of the type; what it does not know comes last, since nothing about it can be wrong.
        known = {name: value[name] for name in fields if name in value} if is_struct else value
        result: dict[str, Any] = {}
        for part, key, _ in parts(known, self._most):
            if not isinstance(key, str):
                result |= self.restore(part, target, path)
                yield
            elif is_struct:
                result[key] = yield from self.restore_in_steps(part, fields[key].type, _below(path, key), depth + 1)
            else:
                assert target.item is not None, "a map holds something"
                result[key] = yield from self.restore_in_steps(part, target.item, path, depth + 1)
        if is_struct:
            self._unknown += [_below(path, name) for name in value if name not in fields]
        return result

    def _list_in_steps(self, value: list[Any], target: Type, path: str, depth: int) -> Generator[None, None, list[Any]]:
        assert target.item is not None, "a list holds something"
        result: list[Any] = []
        for part, key, start in parts(value, self._most):
            if key is None:
                result += self._items(part, target.item, path, start)
                yield
            else:
                result.append((yield from self.restore_in_steps(part, target.item, f"{path}[{key}]", depth + 1)))
        return result


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _scalar(value: Any, target: Type) -> Any:
    if isinstance(value, bool):
        fits = target.kind == "bool"
    elif isinstance(value, str):
        fits = target.kind == "string"
    elif isinstance(value, (int, float)):
        return _number(truncate(value), target)
    else:
        fits = False
    if not fits:
        raise Undecodable(f"unrecognized type: {target.kind}")
    return value


def _number(value: int | float, target: Type) -> int | float:
    if target.kind == "float64":
        return value
    if target.kind == "bool" or (target.kind == "string" and isinstance(value, float)):
        raise Undecodable(f"unrecognized type: {target.kind}")
    bits = _BITS.get(target.kind)
    if bits is None or (isinstance(value, float) and not value.is_integer()):
        raise Undecodable(f"cannot convert {_kind(value)} to {target.go}")
    whole = to_int64(value) if isinstance(value, float) else value
    lowest = 0 if target.kind == "uint8" else -(1 << (bits - 1))
    return (whole - lowest) % (1 << bits) + lowest


def _kind(value: object) -> str:
    """Go's word for what a value of the map is."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "int64" if isinstance(truncate(value), int) else "float64"
    if isinstance(value, str):
        return "string"
    return "map" if isinstance(value, dict) else "slice"
