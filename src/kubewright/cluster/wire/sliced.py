"""A large object of a built-in kind, read and written in steps: part by part (see `model.parts`).

Light members go through what reads or arranges the whole (`reading`, `writing`); a heavy one is looked into by its own
type.
"""

from collections.abc import Generator
from typing import Any, Final

from kubewright.cluster.wire.findings import Findings, Path, Step
from kubewright.cluster.wire.reading import Readers
from kubewright.cluster.wire.types import Table, Type
from kubewright.cluster.wire.writing import Writers
from kubewright.model.parts import DEEPEST, is_light, parts

__all__ = ["Sliced", "is_whole", "pointed"]

#: A part has so many values, more or less: to arrange a struct takes longer than to look at it.
_MOST: Final = 800


class Sliced:
    """How values of all types are read and arranged in steps."""

    def __init__(self, types: Table, readers: Readers, writers: Writers, most: int = _MOST) -> None:
        self._types = types
        self._readers = readers
        self._writers = writers
        self._most = most

    def read(self, target: Type, value: Any, path: Path, found: Findings, depth: int = 0) -> Generator[None, None, Any]:
        """What the reader of a type gives."""
        target = pointed(target)
        whole = self._readers.of(target).read
        if is_whole(target, value, depth, self._most):
            return whole(value, path, found)
        if target.kind == "slice":
            return (yield from self._read_list(target, value, path, found, depth))
        fields = self._types.fields(target.name) if target.kind == "struct" else {}
        zeros = whole({}, None, Findings()) if fields else {}
        result: dict[str, Any] = {}
        for part, key, _ in parts(value, self._most):
            if not isinstance(key, str) or (fields and key not in fields):
                given = part if key is None else {key: part}
                result |= {name: own for name, own in whole(given, path, found).items() if name in given}
                yield
                continue
            if found.duplicates:
                found.repeated(path, key)
            if not fields:
                assert target.item is not None, "a map holds something"
                result[key] = yield from self.read(target.item, part, (path, key), found, depth + 1)
                continue
            step = Step(target.go.rpartition(".")[2], key, fields[key].within)
            own = yield from self.read(fields[key].type, part, (path, step), found, depth + 1)
            if own:
                result[key] = own
            elif key in (made := whole({key: part.__class__()}, None, Findings())):
                result[key] = made[key]
        return result | {name: zero for name, zero in zeros.items() if name not in result}

    def _read_list(
        self, target: Type, value: list[Any], path: Path, found: Findings, depth: int
    ) -> Generator[None, None, list[Any]]:
        assert target.item is not None, "a list holds something"
        inner, plain = self._readers.of(target.item)
        result: list[Any] = []
        for part, key, start in parts(value, self._most):
            if key is not None:
                result.append((yield from self.read(target.item, part, (path, key), found, depth + 1)))
                continue
            result += [
                item if item.__class__ is plain else inner(item, (path, index), found)
                for index, item in enumerate(part, start)
            ]
            yield
        return result

    def arrange(self, target: Type, value: Any, depth: int = 0) -> Generator[None, None, Any]:
        """What arranges the values of a type makes of one."""
        target = pointed(target)
        whole = self._writers.of(target)
        if whole is None or is_whole(target, value, depth, self._most):
            return value if whole is None or value is None else whole(value)
        if target.kind == "struct":
            return (yield from self._arrange_struct(target, value, depth))
        assert target.item is not None, "lists and maps hold something"
        is_map = target.kind == "map"
        result: Any = {} if is_map else []
        for part, key, _ in parts(dict(sorted(value.items())) if is_map else value, self._most):
            if key is None:
                made = whole(part)
                yield
            else:
                member = yield from self.arrange(target.item, part, depth + 1)
                made = {key: member} if is_map else [member]
            if is_map:
                result |= made
            else:
                result += made
        return result

    def _arrange_struct(self, target: Type, value: dict[str, Any], depth: int) -> Generator[None, None, dict[str, Any]]:
        fields, whole = self._types.fields(target.name), self._writers.of(target)
        assert whole is not None, "a struct is arranged"
        light: dict[str, Any] = {}
        heavy: dict[str, Any] = {}
        for part, key, _ in parts(value, self._most):
            if isinstance(key, str):
                heavy[key] = yield from self.arrange(fields[key].type, part, depth + 1)
            else:
                light |= part
        made = whole(light) | heavy
        return {name: made[name] for name in fields if name in made}


def is_whole(target: Type, value: Any, depth: int, most: int) -> bool:
    """Whether a value is not taken apart."""
    if depth == DEEPEST or target.special or target.go == "[]uint8":
        return True
    wanted = {"struct": dict, "map": dict, "slice": list}.get(target.kind)
    return value.__class__ is not wanted or is_light(value, most)


def pointed(target: Type) -> Type:
    """What is behind a pointer."""
    while target.kind == "ptr" and not target.special:
        assert target.item is not None, "a pointer points to something"
        target = target.item
    return target
