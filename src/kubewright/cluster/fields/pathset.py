"""Sets of paths, kept as FieldsV1: an object whose members are elements.

    {"f:spec": {"f:replicas": {}, "f:template": {".": {}, "f:spec": {...}}}}

An empty object says that the path down to it belongs to the set. One with members says that something below does; the
path itself belongs too if `.` is among them. So the set is its own JSON, reading it is decoding and most questions are
answered by dictionaries. A set is never changed once it is made: parts are shared freely.

The empty set is an empty object as well; only as a part does `{}` mean a path. Nothing here makes an empty part
otherwise.
"""

from collections.abc import Generator, Iterator
from typing import Any, Final

from kubewright.cluster.fields.element import BadElement, order, read, spelled
from kubewright.model.parts import DEEPEST, is_light, parts, rebuilt

__all__ = [
    "LEAF",
    "PathSet",
    "covers",
    "difference",
    "difference_in_steps",
    "intersection",
    "joined",
    "ordered",
    "ordered_in_steps",
    "path_text",
    "paths",
    "read_set",
    "read_set_in_steps",
    "recursive_difference",
    "set_of",
    "union",
    "united",
]

PathSet = dict[str, Any]
Path = tuple[str, ...]

#: A path that belongs to the set, and nothing below it.
LEAF: Final[PathSet] = {}
_OWN: Final[PathSet] = {".": LEAF}
#: Of a large set so many paths are put in order, or read, at once.
_MOST: Final = 1000


def set_of(*paths: Path) -> PathSet:
    """The set of some paths."""
    made: PathSet = {}
    for path in paths:
        part = LEAF
        for element in reversed(path):
            part = {element: part}
        made = union(made, part)
    return made


def joined(part: PathSet | None, *, own: bool) -> PathSet | None:
    """A part with its own path, if it belongs to the set; None if nothing does."""
    if not own:
        return part
    if not part:
        return LEAF
    return part if "." in part else {".": LEAF, **part}


def union(left: PathSet, right: PathSet) -> PathSet:
    """What is in one set or the other."""
    if left is right or not right:
        return left
    if not left:
        return right
    made = left.copy()
    for element, part in right.items():
        mine = made.get(element)
        if mine is None:
            made[element] = part
        elif mine is not part:
            made[element] = united(mine, part)
    return made


def united(one: PathSet, other: PathSet) -> PathSet:
    """The union of two parts."""
    return union(one or _OWN, other or _OWN) if one or other else LEAF


def intersection(left: PathSet, right: PathSet) -> PathSet:
    """What is in both sets."""
    made: PathSet = {}
    if not left or not right:
        return made
    for element, part in left.items():
        other = right.get(element)
        if other is None:
            continue
        if part is other:
            made[element] = part
            continue
        both = intersection(part or _OWN, other or _OWN)
        if both:
            made[element] = _short(both)
    return made


def difference(left: PathSet, right: PathSet) -> PathSet:
    """What is in the first set and not in the second; a path takes nothing below it along."""
    if not left or not right:
        return left
    made: PathSet = {}
    for element, part in left.items():
        other = right.get(element)
        if other is None:
            made[element] = part
        elif part is not other:
            rest = difference(part or _OWN, other or _OWN)
            if rest:
                made[element] = _short(rest)
    return made


def difference_in_steps(left: PathSet, right: PathSet, most: int = _MOST) -> Generator[None, None, PathSet]:
    """The same of large sets."""
    if not right or is_light(left, most):
        return difference(left, right)
    made: PathSet = {}
    for part, element, _ in parts(left, most):
        if not isinstance(element, str):
            made |= difference(part, right)
            yield
        elif (other := right.get(element)) is None:
            made[element] = part
        elif rest := (yield from difference_in_steps(part, other or _OWN, most)):
            made[element] = _short(rest)
    return made


def covers(whole: PathSet, part: PathSet) -> bool:
    """Whether every path of the second set is in the first."""
    for element, inner in part.items():
        mine = whole.get(element)
        if mine is None:
            return False
        if mine != inner and not covers(mine or _OWN, inner or _OWN):
            return False
    return True


def recursive_difference(left: PathSet, right: PathSet) -> PathSet:
    """What is in the first set, without the paths of the second and all below them."""
    if not left or not right:
        return left
    made: PathSet = {}
    for element, part in left.items():
        other = right.get(element)
        if other is None:
            made[element] = part
        elif other and "." not in other:
            rest = recursive_difference(part or _OWN, other)
            if rest:
                made[element] = _short(rest)
    return made


def _short(part: PathSet) -> PathSet:
    return LEAF if len(part) == 1 and "." in part else part


def ordered(fields: PathSet) -> PathSet:
    """The same set with its elements in the order in which they are written."""
    return {element: ordered(part) if (part := fields[element]) else LEAF for element in order(fields)}


def ordered_in_steps(fields: PathSet, most: int = _MOST) -> Generator[None, None, PathSet]:
    """The same for a large set."""
    return rebuilt(fields, lambda part, _: ordered(part), order=order, most=most)


def paths(fields: PathSet) -> Iterator[Path]:
    """Every path of a set, in order: those that end here, then those that go on."""
    elements = order(fields)
    for element in elements:
        part = fields[element]
        if element != "." and (not part or "." in part):
            yield (element,)
    for element in elements:
        for rest in paths(fields[element]):
            yield (element, *rest)


def path_text(path: Path) -> str:
    """A path as messages have it."""
    return "".join(map(spelled, path))


def read_set(fields: object) -> PathSet:
    """The set that a client wrote; `BadElement` if it is none. Elements of unknown sorts are passed over."""
    return _read(fields)[0] or {}


def read_set_in_steps(fields: object, most: int = _MOST) -> Generator[None, None, PathSet]:
    """The same for a large set."""
    return (yield from _read_in_steps(fields, most))[0] or {}


def _read_in_steps(fields: object, most: int, depth: int = 0) -> Generator[None, None, tuple[PathSet | None, bool]]:
    if not isinstance(fields, dict) or depth == DEEPEST or is_light(fields, most):
        return _read(fields)
    made: PathSet = {}
    for some, text, _ in parts(fields, most):
        found: PathSet = {}
        if not isinstance(text, str):
            found = _read(some)[0] or {}
            yield
        elif text != "." and (element := read(text)) is not None:
            below, member = yield from _read_in_steps(some, most, depth + 1)
            part = joined(below, own=member)
            found = {element: part} if part is not None else {}
        for element, part in found.items():
            made[element] = united(made[element], part) if element in made else part
    return made or None, "." in fields or not made


def _read(fields: object) -> tuple[PathSet | None, bool]:
    """What is below, and whether the path itself belongs."""
    if fields is None:
        return None, True
    if not isinstance(fields, dict):
        raise BadElement("ReadMapCB: expect { or n, but found another value")
    made: PathSet = {}
    own = False
    for text, inner in fields.items():
        if text == ".":
            own = True
            continue
        element = read(text)
        if element is None:
            continue
        below, member = _read(inner)
        part = joined(below, own=member)
        if part is not None:
            made[element] = united(made[element], part) if element in made else part
    return made or None, own or not made
