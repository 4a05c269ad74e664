"""Keys that stand twice in one JSON object: found, told and resolved as Go's decoder does.

    find_duplicates(text: bytes, *, merge: bool) -> tuple[value, paths]

This is the slow way to read a body, taken only for one that is known to repeat a key. A path is told once, in the order
of the second mentions: `metadata`, then `metadata.labels.app`, then `items[0].uid`. Which value wins depends on where
it goes: in a map of anything (a custom resource) the last one does; into a Go struct or map (a built-in kind: `merge`)
the second is read over the first, so that both have a say, and numbers are known by their text.
"""

import json
from typing import Any

from kubewright.cluster.wire.literal import Literal
from kubewright.schema.walk.golang import truncate

__all__ = ["find_duplicates"]

#: The pairs of one object, in order, before any key has taken the place of another.
_Pairs = list[tuple[str, Any]]


class _Object(_Pairs):
    """An object that is still pairs; a list is a plain list."""

    __slots__ = ()


def find_duplicates(text: bytes, *, merge: bool) -> tuple[Any, list[str]]:
    """The value of a valid JSON text, and the paths that it names twice.

    The text is not deep: what may recurse here was measured before.
    """
    if merge:
        pairs = json.loads(text, object_pairs_hook=_Object, parse_int=_literal, parse_float=Literal)
    else:
        pairs = json.loads(text, object_pairs_hook=_Object, parse_int=_integer, parse_float=float)
    paths: dict[str, None] = {}
    return _settle(pairs, "", paths, merge), list(paths)


def _settle(value: Any, path: str, paths: dict[str, None], merge: bool) -> Any:
    if isinstance(value, _Object):
        settled: dict[str, Any] = {}
        for key, member in value:
            here = f"{path}.{key}" if path else key
            if key not in settled:
                settled[key] = _settle(member, here, paths, merge)
                continue
            paths.setdefault(here)
            again = _settle(member, here, paths, merge)
            # It takes the place of its last mention, where Go complains of it.
            first = settled.pop(key)
            settled[key] = _over(first, again) if merge else again
        return settled
    if isinstance(value, list):
        return [_settle(member, f"{path}[{index}]", paths, merge) for index, member in enumerate(value)]
    return value


def _over(first: Any, second: Any) -> Any:
    """What a Go value holds after both were read into it."""
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return second
    for key, value in second.items():
        first[key] = _over(first[key], value) if key in first else value
    return first


def _literal(text: str) -> int | float:
    """A number without a fraction; one that no type can hold keeps its text."""
    return int(text) if len(text) < 30 else Literal(text)


def _integer(text: str) -> int | float:
    return truncate(int(text)) if len(text) < 30 else float(text)
