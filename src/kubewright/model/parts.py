"""A large value in parts, each small enough to be worked on at once.

    {a, b, big: {c, d, …}, e}   ──►   {a, b}   big: {c, d, …}   {e}

Members of a container that are light go together, as a container of the same sort; one that is heavy goes by itself,
and is taken apart in its turn. What a value weighs is how many values there are in it, and not how long their texts
are: it is the members that are looked at one by one.
"""

from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec

__all__ = ["DEEPEST", "MOST", "Part", "is_light", "parts", "rebuilt", "summed", "weight"]

#: A part has so many values, more or less: to look at each of them takes about a millisecond.
MOST: Final = 2000
#: Deeper than this nothing is taken apart.
DEEPEST: Final = 16
#: So many members are weighed together. No value takes fewer bytes in JSON, its comma included, than that; most take so
#: many.
_FEW: Final = 16
_SHORTEST: Final = 2
_USUAL: Final = 12

_encode: Final = msgspec.json.Encoder(enc_hook=str).encode


class Part(NamedTuple):
    """Light members of a container, in a container of their own; or, with its name or index, a heavy one."""

    value: Any
    key: str | int | None = None
    #: Of members of a list, the index of the first.
    start: int = 0


def is_light(value: Any, most: int = MOST) -> bool:
    """Whether a value is small enough to be worked on at once."""
    return weight(value, most) <= most


def parts(container: Any, most: int = MOST) -> Generator[Part, None, None]:
    """The parts of a map or a list, in order. It must not change meanwhile."""
    is_map = container.__class__ is dict
    group: Any = {} if is_map else []
    start = total = place = 0
    # Of a few, each may be nearly all there is: that is not written to be weighed.
    narrow = len(container) <= _FEW
    members = iter(container.items()) if is_map else iter(container)
    while few := [*islice(members, _FEW)]:
        # Most are light, and that is seen soonest in the text of some of them together.
        light = not narrow and (length := len(_encode(few))) <= most * _SHORTEST
        for each in [few] if light else [[one] for one in few]:
            heavy = length // _USUAL if light else weight(each[0][1] if is_map else each[0], most)
            if group and total + heavy > most:
                yield Part(group, start=start)
                group, total = {} if is_map else [], 0
            if heavy > most:
                yield Part(each[0][1], each[0][0]) if is_map else Part(each[0], place)
            else:
                if not group:
                    start = place
                if is_map:
                    group.update(each)
                else:
                    group += each
                total += heavy
            place += len(each)
    if group:
        yield Part(group, start=start)


def rebuilt(
    value: Any,
    build: Callable[[Any, int], Any],
    *,
    most: int = MOST,
    order: Callable[[Iterable[str]], Iterable[str]] | None = None,
    depth: int = 0,
) -> Generator[None, None, Any]:
    """What `build` makes of a large value, in steps, where it makes of every member what it would of that alone.

    It is told how deep the part is that it is given. `order` puts the names of maps in order.
    """
    if depth == DEEPEST or is_light(value, most):
        return build(value, depth)
    is_map = value.__class__ is dict
    made: Any = {} if is_map else []
    add = made.update if is_map else made.extend
    for part, key, _ in parts({name: value[name] for name in order(value)} if is_map and order else value, most):
        if key is None:
            add(build(part, depth))
            yield
        else:
            member = yield from rebuilt(part, build, most=most, order=order, depth=depth + 1)
            add({key: member} if is_map else [member])
    return made


def summed(value: Any, measure: Callable[[Any], int], most: int = MOST) -> Generator[None, None, int]:
    """What `measure` finds in the parts of a large value, all together; in steps."""
    if is_light(value, most):
        return measure(value)
    is_map = value.__class__ is dict
    total = measure(value.__class__())
    for part, key, _ in parts(value, most):
        if key is None:
            total += measure(part)
            yield
        else:
            total += measure({key: 0} if is_map else [0]) + (yield from summed(part, measure, most))
    return total


def weight(value: Any, enough: int) -> int:
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
