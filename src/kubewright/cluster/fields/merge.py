"""A configuration laid over an object: what it says is so, what it does not mention stays.

Maps are united and the configuration wins at leaves. Associative lists are united too: items that both have keep the
order of the configuration, items that only the object has stay where they stood among them. Whatever the configuration
does not change is the object's own part, not a copy; a merge that changes nothing gives the object itself.
"""

from collections.abc import Iterator, Sequence
from operator import is_
from typing import Any, Final

import msgspec

from kubewright.cluster.fields.check import check_scalar, same
from kubewright.cluster.fields.element import spelled
from kubewright.cluster.fields.items import elements_of
from kubewright.cluster.fields.shape import LIST, MAP, Invalid, ListShape, MapShape, Shape, kind_of

__all__ = ["merge", "merged_order"]

_ABSENT: Final = object()
_encode: Final = msgspec.json.Encoder().encode


def merge(live: Any, config: Any, shape: Shape) -> Any:
    """The object with the configuration in it."""
    # A value of another sort than before takes its place: the configuration decides what it is.
    kind = kind_of(shape, config)
    if kind == MAP:
        fields = shape.members
        assert fields is not None
        before, after = live if live.__class__ is dict else None, config if config.__class__ is dict else None
        # Two empty ones are leaves, so that null and {} stay apart.
        if not fields.atomic and (before or after):
            if not after:
                return before
            return _merge_maps(before, after, fields) if before else after
    elif kind == LIST:
        items = shape.items
        assert items is not None
        earlier, later = live if live.__class__ is list else None, config if config.__class__ is list else None
        if not items.atomic and (earlier or later):
            return _merge_lists(earlier or [], later or [], items)
    else:
        check_scalar(live, config, shape)
    return live if same(live, config) else config


def _merge_maps(live: dict[str, Any], config: dict[str, Any], shape: MapShape) -> dict[str, Any]:
    made = None
    for name, given in config.items():
        before = live.get(name, _ABSENT)
        if before is _ABSENT:
            merged = given
        else:
            # Most members are texts that did not change.
            if given.__class__ is str and before.__class__ is str and given == before:
                continue
            merged = merge(before, given, shape.of(name))
            if merged is before:
                continue
        if made is None:
            made = live.copy()
        made[name] = merged
    return live if made is None else made


def _merge_lists(live: list[Any], config: list[Any], shape: ListShape) -> list[Any]:
    if len(live) == len(config) > 1 and _encode(live) == _encode(config):
        return live
    theirs, ours = elements_of(shape, live), elements_of(shape, config)
    if theirs == ours and len({*ours}) == len(ours):
        made = [merge(before, given, shape.item) for before, given in zip(live, config, strict=True)]
        return live if all(map(is_, made, live)) else made
    found: dict[str, Any] = {}
    for element, item in zip(theirs, live, strict=True):
        # Items that cannot be told apart are not merged into; one that is applied takes the place of all.
        found[element] = None if element in found else item
    given: dict[str, Any] = {}
    for element, item in zip(ours, config, strict=True):
        if element in given:
            raise Invalid(f"duplicate entries for key {spelled(element)}")
        given[element] = item
    made = []
    for element, place in merged_order(theirs, ours):
        if place is not None:
            made.append(live[place])
        elif (before := found.get(element, _ABSENT)) is _ABSENT:
            made.append(given[element])
        else:
            made.append(merge(before, given[element], shape.item))
    return live if len(made) == len(live) and all(map(is_, made, live)) else made


def merged_order(theirs: Sequence[str], ours: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """The elements of a merged list, in order: each with its place in the object, if the configuration has it not."""
    there, given = {*theirs}, {*ours}
    done: set[str] = set()
    shared = iter([element for element in ours if element in there])
    expected = next(shared, None)
    left = right = 0
    while left < len(theirs) or right < len(ours):
        if left < len(theirs) and right < len(ours):
            element = theirs[left]
            if element == ours[right]:
                done.add(element)
                yield element, None
                left, right = left + 1, right + 1
                expected = next(shared, None)
                continue
            if element in given and expected is not None and expected != element:
                # Both have it, but it is not its turn.
                left += 1
                continue
        if left < len(theirs):
            element = theirs[left]
            if element not in given:
                yield element, left
                left += 1
                continue
            if element in done:
                left += 1
        if right < len(ours):
            element = ours[right]
            done.add(element)
            yield element, None
            right += 1
            if expected == element:
                expected = next(shared, None)
