"""A large object, walked in steps: part by part (see `model.parts`), with what is compiled for the whole.

What is done in place to a member does not depend on others, but for names: a name that is absent is filled in. So a
part goes through the walk of the whole, inside containers like those around it that hold nothing else:

    {spec: {size, table: {a, b, c, d}}}   ──►   {spec: {size}}   {spec: {table: {a, b}}}   {spec: {table: {c, d}}}

A verdict has more to ask of a container: which names it must have, how many members, whether one is there twice. That
is asked of the container itself; and of parts of it only what is asked of each member.
"""

from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from kubewright.model.parts import DEEPEST, MOST, is_light, parts
from kubewright.schema.walk.listtypes import compile_unique
from kubewright.schema.walk.structure import Node, read
from kubewright.schema.walk.verdict import Verdict, compile_verdict

__all__ = ["Judge", "in_place", "prune_in_steps"]

Way = tuple[str | int, ...]
#: Walks an object that holds nothing but a part; that is at the end of a way, and its first item has an index.
_Visit = Callable[[Any, Way, int], object]

_ANYTHING: Final = read({})


class _Gone(Exception):
    """A container on the way to a part was dropped: the one that has this place on the way."""

    def __init__(self, place: int) -> None:
        self.place = place


def in_place(obj: Any, walk: Callable[[Any], object], most: int = MOST) -> Generator[None, None, None]:
    """Do to a large object what `walk` does in place."""
    return _in_place(obj, (), lambda around, _, __: walk(around), most)


def _in_place(value: Any, way: Way, walk: _Visit, most: int) -> Generator[None, None, None]:
    if len(way) == DEEPEST or is_light(value, most):
        _visit(value, way, 0, walk)
        yield
        return
    is_map = value.__class__ is dict
    dropped: list[Any] = []
    changed: dict[str, Any] = {}
    absent: dict[str, Any] = {}
    if is_map:
        # What is absent is found so even if all members are heavy.
        _visit(absent, way, 0, walk)
    for part, key, start in parts(value, most):
        if key is not None:
            try:
                yield from _in_place(part, (*way, key), walk, most)
            except _Gone as gone:
                if gone.place < len(way):
                    raise
                dropped.append(key)
            continue
        names = [*part] if is_map else ()
        _visit(part, way, start, walk)
        for name in names:
            if name not in part:
                dropped.append(name)
            elif part[name] is not value[name]:
                changed[name] = part[name]
        if not is_map:
            value[start : start + len(part)] = part
        yield
    for name in dropped:
        del value[name]
    if is_map:
        value |= changed
        for name, member in absent.items():
            value.setdefault(name, member)


def _visit(part: Any, way: Way, start: int, walk: _Visit) -> None:
    """Walk an object that holds nothing but a part."""
    around = part
    for key in reversed(way):
        around = {key: around} if isinstance(key, str) else [around]
    walk(around, way, start)
    for place, key in enumerate(way):
        if isinstance(key, str) and key not in around:
            raise _Gone(place)
        around = around[key if isinstance(key, str) else 0]


def prune_in_steps(
    obj: Any, prune: Callable[[Any], list[str] | None], most: int = MOST
) -> Generator[None, None, list[str]]:
    """Prune a large object in place; the paths that were dropped, as `prune` tells them."""
    found: dict[str, None] = {}

    def walk(around: Any, way: Way, start: int) -> None:
        found.update(dict.fromkeys(_moved(path, way, start) for path in prune(around) or ()))

    yield from _in_place(obj, (), walk, most)
    return [*found]


def _moved(path: str, way: Way, start: int) -> str:
    """A path in an object that holds nothing but a part, as it is in the whole."""
    seen = true = ""
    for key in way:
        step, real = (f".{key}",) * 2 if isinstance(key, str) else ("[0]", f"[{key}]")
        if not path.startswith(seen + step):
            return true + path[len(seen) :]
        seen, true = seen + step, true + real
    rest = path[len(seen) :]
    if start and rest.startswith("["):
        index, _, rest = rest[1:].partition("]")
        rest = f"[{int(index) + start}]{rest}"
    return true + rest


class Judge:
    """Whether large values fit a schema."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._inner: dict[Node, Judge] = {}

    @cached_property
    def _whole(self) -> Verdict:
        return compile_verdict(self._node)

    @cached_property
    def _members(self) -> Verdict:
        """What is asked of each member."""
        bare = replace(self._node, enum=(), required=(), all_of=(), any_of=(), one_of=(), negated=None, list_type="")
        return compile_verdict(replace(bare, min_items=None, max_items=None, min_properties=None, max_properties=None))

    @cached_property
    def _itself(self) -> Verdict:
        """What is asked of a container besides; its members have been found to fit."""
        node = self._node
        outer = replace(
            node,
            properties=dict.fromkeys(node.properties, _ANYTHING),
            additional=_ANYTHING if isinstance(node.additional, Node) else node.additional,
            items=_ANYTHING if node.items is not None else None,
            list_type="",
        )
        fits, unique = compile_verdict(outer), compile_unique(node)
        return lambda value: fits(value) and (type(value) is not list or unique is None or unique(value))

    def fits(self, value: Any, most: int = MOST) -> Generator[None, None, bool]:
        """Whether a value does, in steps."""
        if is_light(value, most):
            return self._whole(value)
        for part, key, _ in parts(value, most):
            if key is None:
                if not self._members(part):
                    return False
                yield
            elif (inner := self._of(key)) is not None and not (yield from inner.fits(part, most)):
                return False
        return self._itself(value)

    def _of(self, key: str | int) -> "Judge | None":
        """Who judges a member."""
        node = self._node
        found = node.items if isinstance(key, int) else node.properties.get(key, node.additional)
        if not isinstance(found, Node):
            return None
        if found not in self._inner:
            self._inner[found] = Judge(found)
        return self._inner[found]
