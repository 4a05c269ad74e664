"""A large value in parts, each small enough to be worked on at once.

    {a, b, big: {c, d, …}, e}   ──►   {a, b}   big: {c, d, …}   {e}

Members of a container that are light go together, as a container of the same sort; one that is heavy goes by itself,
and is taken apart in its turn. What a value weighs is how many values there are in it, and not how long their texts
are: it is the members that are looked at one by one.
"""

from collections.abc import Generator
from typing import Any, Final, NamedTuple

__all__ = ["MOST", "Part", "is_light", "parts"]

#: A part has so many values, more or less: to look at each of them takes about a millisecond.
MOST: Final = 2000


class Part(NamedTuple):
    """Light members of a container, in a container of their own; or, with its name or index, a heavy one."""

    value: Any
    key: str | int | None = None
    #: Of members of a list, the index of the first.
    start: int = 0


def is_light(value: Any, most: int = MOST) -> bool:
    """Whether a value is small enough to be worked on at once."""
    return _weight(value, most) <= most


def parts(container: Any, most: int = MOST) -> Generator[Part, None, None]:
    """The parts of a map or a list, in order. It must not change meanwhile."""
    is_map = container.__class__ is dict
    group: Any = {} if is_map else []
    start = weight = 0
    for place, (name, member) in enumerate(container.items() if is_map else enumerate(container)):
        heavy = _weight(member, most)
        if group and weight + heavy > most:
            yield Part(group, start=start)
            group, weight = {} if is_map else [], 0
        if heavy > most:
            yield Part(member, name)
            continue
        if not group:
            start = place
        if is_map:
            group[name] = member
        else:
            group.append(member)
        weight += heavy
    if group:
        yield Part(group, start=start)


def _weight(value: Any, enough: int) -> int:
    """How many values there are in a value, itself included; if these are more than enough, any number that is."""
    if value.__class__ is not dict and value.__class__ is not list:
        return 1
    count, waiting = 1, [value]
    while waiting:
        container = waiting.pop()
        count += len(container)
        if count > enough:
            break
        members = container.values() if container.__class__ is dict else container
        waiting += [member for member in members if member.__class__ is dict or member.__class__ is list]
    return count
