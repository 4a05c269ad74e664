"""The order of a list that was merged.

Items that the patch names take the order of the patch, the others keep theirs. Where the two meet the object's order
decides, and where that knows nothing the items of the patch come first. Long lists are put in order in steps.
"""

from collections.abc import Generator
from typing import Any, Final

from kubewright.cluster.patches.errors import FailedPatch, PanickingPatch
from kubewright.cluster.patches.values import MAP, go_type, no_merge_key, token, wrong_type

__all__ = ["Places", "arranged", "partitioned"]

#: More items are noted together, if they can be.
_FEW: Final = 16
#: Of so many each look at all of them is a step.
_MANY: Final = 500


class Places:
    """Where in a list each value stands first: the item itself or, with a key, that member of the item."""

    def __init__(self, items: list[Any], key: str | None) -> None:
        self._first: dict[object, int] = {}
        self._containers: set[str] = set()
        self._count = 0
        if len(items) > _FEW and (values := _texts(items, key)) is not None:
            self._first = dict(zip(reversed(values), range(len(values) - 1, -1, -1), strict=True))
            self._count = len(values)
            return
        for item in items:
            if key is None:
                self.append(item)
            elif key in item:
                self.append(item[key])
            else:
                self._count += 1

    def append(self, value: object) -> None:
        """Note the value of an item behind the last."""
        if isinstance(value, (dict, list)):
            self._containers.add(go_type(value))
        else:
            self._first.setdefault(token(value), self._count)
        self._count += 1

    def find(self, value: object) -> int | None:
        """The place of a value. To look for an object or a list among such is to compare them."""
        if value.__class__ is str:
            return self._first.get(value)
        if isinstance(value, (dict, list)):
            if go_type(value) in self._containers:
                raise PanickingPatch(f"comparing uncomparable type {go_type(value)}")
            return None
        return self._first.get(token(value))


def _texts(items: list[Any], key: str | None) -> list[str] | None:
    """The values of items if all are texts, as nearly always; None if not."""
    try:
        values = items if key is None else [item[key] for item in items]
    except KeyError:
        return None
    return values if {*map(type, values)} == {str} else None


def partitioned(items: list[Any], by: list[Any], merge_key: str) -> Generator[None, None, tuple[list[Any], list[Any]]]:
    """The items that another list names, and those it does not."""
    named: list[Any] = []
    others: list[Any] = []
    if not merge_key:
        tokens = set(map(token, by))
        for item in items:
            (named if token(item) in tokens else others).append(item)
        return named, others
    stray = next((index for index, item in enumerate(by) if not isinstance(item, dict)), None)
    places = Places(by[:stray], merge_key)
    if len(items) > _MANY:
        yield
    for item in items:
        if not isinstance(item, dict):
            raise wrong_type(MAP, item)
        if merge_key not in item:
            raise no_merge_key(item, merge_key)
        if places.find(item[merge_key]) is not None:
            named.append(item)
        elif stray is None:
            others.append(item)
        else:
            raise FailedPatch(f"value for key {stray} is not a map")
    return named, others


def arranged(
    named: list[Any], others: list[Any], patch_order: list[Any], server_order: list[Any], key: str | None
) -> Generator[None, None, list[Any]]:
    """All items in their final order. With a key they are objects, which all must have it."""
    named = yield from _sorted(named, patch_order, key)
    others = yield from _sorted(others, server_order, key)
    if not named or not others:
        return named + others
    many = len(named) + len(others) > _MANY
    places = Places(server_order, key)
    named_places = [places.find(item if key is None else item[key]) for item in named]
    if many:
        yield
    other_places = [places.find(item if key is None else item[key]) for item in others]
    if many:
        yield
    result: list[Any] = []
    at = 0
    for item, place in zip(named, named_places, strict=True):
        if place is not None:
            while at < len(others) and (before := other_places[at]) is not None and before < place:
                result.append(others[at])
                at += 1
        result.append(item)
    return result + others[at:]


def _sorted(items: list[Any], order: list[Any], key: str | None) -> Generator[None, None, list[Any]]:
    many = len(items) + len(order) > _MANY
    deleted: list[Any] = []
    if key is not None:
        for each in (items, order):
            _check_keys(each, key)
            if many:
                yield
        deleted = [item for item in items if item.get("$patch") == "delete"]
        if deleted:
            items = [item for item in items if item.get("$patch") != "delete"]
    if len(items) < 2:
        return items + deleted
    places = Places(order, key)
    if many:
        yield
    found = [places.find(item if key is None else item[key]) for item in items]
    if many:
        yield
    ranks = [place for place in found if place is not None]
    known = len(ranks) == len(items)
    indexes = sorted(range(len(items)), key=ranks.__getitem__) if known else _inserted(found)
    return [items[index] for index in indexes] + deleted


def _check_keys(items: list[Any], key: str) -> None:
    for item in items:
        if not isinstance(item, dict):
            raise wrong_type(MAP, item)
        if key not in item:
            raise no_merge_key(item, key)


def _inserted(places: list[int | None]) -> list[int]:
    """What Go's sort makes of items of which some are not in the order, for they count as less than any other.

    Such an order contradicts itself, so the steps of the sort decide: insertion, as Go sorts up to twenty items. (More
    of them, under an order that names none of them, it sorts in blocks; this does not.)
    """
    result: list[int] = []
    for index, place in enumerate(places):
        at = len(result)
        if place is None:
            at = 0
        while at > 0 and ((before := places[result[at - 1]]) is None or (place is not None and place < before)):
            at -= 1
        result.insert(at, index)
    return result
