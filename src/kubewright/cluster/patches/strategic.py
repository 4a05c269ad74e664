"""Strategic merge patch, as kube-apiserver applies it.

Objects merge, null takes a member away, lists are replaced or, where the type says so, merged: items by their merge
key, scalars as a set. Directives inside the patch say otherwise:

| directive                       | what it does                                                                |
|---------------------------------|-----------------------------------------------------------------------------|
| `$patch: replace`               | this object, or this list, becomes what the patch gives                     |
| `$patch: delete`                | this object becomes empty; this item goes                                   |
| `$retainKeys: […]`              | members of the object that are not named go                                 |
| `$deleteFromPrimitiveList/x: […]` | these go from the list x                                                  |
| `$setElementOrder/x: […]`       | the order of the items of x that the patch's author knew                    |

What the patch brings where nothing was is taken without its nulls and marked objects; an item that is new to a merged
list is taken as it is. Go meets the members of an object in no order, and where two of them touch the same list
(`x` and `$deleteFromPrimitiveList/x`) its answer is a matter of chance; ours follows the patch.

Neither object nor patch is changed; what the patch does not touch is shared.
"""

from collections.abc import Generator
from heapq import heappop, heappush
from itertools import chain
from typing import Any, Final

from kubewright.cluster.patches.errors import TOO_DEEP, BadPatch, FailedPatch, InapplicablePatch, PanickingPatch
from kubewright.cluster.patches.lookup import PatchField, PatchType
from kubewright.cluster.patches.order import Places, arranged, partitioned
from kubewright.cluster.patches.values import LIST, MAP, equal, formatted, go_type, no_merge_key, token, wrong_type
from kubewright.model.documents import MAX_DEPTH
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import quote, sprint

__all__ = ["apply", "apply_in_steps"]

#: So many items of a list, or members of an object, are merged at once.
_MANY: Final = 500
_MARK: Final = "$patch"
_RETAIN: Final = "$retainKeys"
_DELETE: Final = "$deleteFromPrimitiveList"
_ORDER: Final = "$setElementOrder"


def apply(document: dict[str, Any], patch: dict[str, Any], schema: PatchType) -> dict[str, Any]:
    """The document with the patch merged in; `schema` is the type that both are of.

    The value of a request's body comes from `decode.strategic_patch`.
    """
    return finish(apply_in_steps(document, patch, schema))


def apply_in_steps(
    document: dict[str, Any], patch: dict[str, Any], schema: PatchType
) -> Generator[None, None, dict[str, Any]]:
    """The same for a large patch: a step for so many items of a list, or members of an object."""
    return _merged(document, patch, schema, 0)


def _merged(
    original: dict[str, Any], patch: dict[str, Any], schema: PatchType, depth: int
) -> Generator[None, None, dict[str, Any]]:
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    if not patch:
        return original
    if _MARK in patch:
        return _marked(patch)
    result = original.copy()
    if _RETAIN in patch:
        patch = _retained(result, patch)
    for name in [name for name in patch if name.startswith(_ORDER)]:
        patch = yield from _ordered(result, patch, name, schema, depth)
    for number, (name, value) in enumerate(patch.items(), 1):
        if number % _MANY == 0:
            yield
        deleting = name.startswith(_DELETE)
        key = (_directed(name) or name) if deleting else name
        if value is None:
            result.pop(key, None)
        elif key not in result or go_type(result[key]) != go_type(value):
            if not deleting:
                _take(result, key, value, depth)
        elif isinstance(value, dict):
            field = _field(schema, key)
            if _strategy(field) == "replace":
                result[key] = value
            else:
                result[key] = yield from _merged(result[key], value, field.type, depth + 1)
        elif isinstance(value, list):
            field, item = _list_field(schema, key)
            if _strategy(field) == "merge" or deleting:
                merging = _merged_list(result[key], value, item, field.merge_key, depth + 1, deleting=deleting)
                result[key], _ = yield from merging
            else:
                result[key] = value
        else:
            result[key] = value
    return result


# Directives of objects


def _marked(patch: dict[str, Any]) -> dict[str, Any]:
    mark = patch[_MARK]
    if mark == "replace":
        return {name: value for name, value in patch.items() if name != _MARK}
    if mark == "delete":
        return {}
    raise _unknown_mark(mark, patch)


def _unknown_mark(mark: object, patch: dict[str, Any]) -> FailedPatch:
    return FailedPatch(f"unknown patch type: {formatted(mark)} in map: {sprint(patch)}")


def _retained(result: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Take away what is not to be retained; the rest of the patch."""
    names = patch[_RETAIN]
    rest = {name: value for name, value in patch.items() if name != _RETAIN}
    if not isinstance(names, list):
        raise BadPatch("invalid patch format of retainKeys")
    kept = set(map(token, names))
    for name, value in rest.items():
        if value is not None and name not in kept and not name.startswith((_DELETE, _ORDER)):
            raise BadPatch("invalid patch format of retainKeys")
    for name in [name for name in result if name not in kept]:
        del result[name]
    return rest


def _directed(name: str) -> str:
    """The field that `$deleteFromPrimitiveList/…` or `$setElementOrder/…` is about."""
    directive, slash, key = name.partition("/")
    if name.startswith(_DELETE):
        if not slash or directive != _DELETE:
            raise BadPatch("invalid patch format of primitive list")
    elif not slash or directive != _ORDER:
        raise BadPatch("invalid patch format of setElementOrder list")
    return key


def _take(result: dict[str, Any], key: str, value: object, depth: int) -> None:
    """Take a value of the patch for what was not there, or was something else."""
    taken = _unmarked(value, depth + 1, nulls=False)
    if taken is _MARKED:
        result.pop(key, None)
    else:
        result[key] = taken


_MARKED: Final = object()


def _unmarked(value: Any, depth: int, *, nulls: bool) -> Any:
    """The value without marked objects and, unless they may stay, without members that are null."""
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    if isinstance(value, dict):
        if _MARK in value:
            return _MARKED
        result = {}
        for name, child in value.items():
            kept = _unmarked(child, depth + 1, nulls=nulls)
            if kept is not _MARKED and (nulls or child is not None):
                result[name] = kept
        return result
    if isinstance(value, list):
        items = []
        for child in value:
            items.append(_unmarked(child, depth + 1, nulls=nulls))  # noqa: PERF401 - one frame a level, not two
        return [item for item in items if item is not _MARKED]
    return value


# What the type says


def _field(schema: PatchType, name: str) -> PatchField:
    if schema.struct is None:
        raise FailedPatch(f"merging an object in json but data type is not struct, instead is: {schema.kind}")
    field = schema.field(name)
    if field is None:
        raise FailedPatch(f"unable to find api field in struct {schema.struct} for the json field {quote(name)}")
    return field


def _list_field(schema: PatchType, name: str) -> tuple[PatchField, PatchType]:
    """A field that must be a list, and the type of its items."""
    field = _field(schema, name)
    if field.item is None:
        raise FailedPatch(f"expected slice or array type, but got: {schema.kind}")
    if field.item.kind == "slice":
        raise FailedPatch("unexpected slice of slice")
    return field, field.item


def _strategy(field: PatchField) -> str:
    """The strategy beside `retainKeys`, which only those who make patches heed."""
    if len(field.strategies) < 2:
        return "" if field.strategies in ((), ("retainKeys",)) else field.strategies[0]
    if len(field.strategies) == 2 and "retainKeys" in field.strategies:
        return field.strategies[1 if field.strategies[0] == "retainKeys" else 0]
    raise FailedPatch(f"unexpected patch strategy: {sprint(list(field.strategies))}")


# Lists


def _merged_list(
    original: list[Any], patch: list[Any], schema: PatchType, key: str, depth: int, *, deleting: bool = False
) -> Generator[None, None, tuple[list[Any], list[Any]]]:
    """The merged list, and what Go leaves in the place of the original, by which `$setElementOrder` goes."""
    if not original and not patch:
        return original, original
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    kind = _item_type(original, patch)
    left = original
    if kind == MAP:
        if not key:
            raise FailedPatch(f"cannot merge lists without merge key for {schema.kind}")
        original, patch, left = _without_marked(original, patch, key)
        merged = yield from _merged_items(original, patch, schema, key, depth)
        if patch:  # new items go where deleted ones have been, as long as there is room
            left = merged[: len(left)] + left[len(merged) :]
    elif deleting:
        unwanted = set(map(token, patch))
        return [item for item in original if token(item) not in unwanted], original
    else:
        merged, rest = _distinct(original + patch)
        if not patch:  # Go then worked on the original itself
            original = left = merged + rest
    many = len(merged) > _MANY
    if many:
        yield
    named, others = yield from partitioned(merged, patch, key)
    if many:
        yield
    return (yield from arranged(named, others, patch, original, key if kind == MAP else None)), left


def _item_type(*lists: list[Any]) -> str:
    """The one type that all items have."""
    if {*map(type, chain(*lists))} == {dict}:
        return MAP  # nearly always
    kind = ""
    for items in lists:
        for item in items:
            if not kind:
                kind = go_type(item)
                if item is None:
                    raise PanickingPatch("the first item of a merged list is null")
                if kind == LIST:
                    raise InapplicablePatch("lists of lists are not supported")
            elif go_type(item) != kind:
                raise FailedPatch(f"list element types are not identical: {sprint(list(lists))}")
    if not kind:
        raise FailedPatch("no elements in any of the given slices")
    return kind


def _without_marked(original: list[Any], patch: list[Any], key: str) -> tuple[list[Any], list[Any], list[Any]]:
    """Do what marked items say: the list to merge into, the patch without them, and what is left of the original."""
    if not [item for item in patch if _MARK in item]:
        return original, patch, original
    plain = []
    gone: list[object] = []
    replace = False
    for item in patch:
        mark = item.get(_MARK)
        if _MARK not in item:
            plain.append(item)
        elif mark == "delete":
            if key not in item:
                raise no_merge_key(item, key)
            gone.append(item[key])
        elif mark == "replace":
            replace = True
        elif mark == "merge":
            raise FailedPatch("merging lists cannot yet be specified in the patch")
        else:
            raise _unknown_mark(mark, item)
    kept, left = _without(original, gone, key) if gone else (original, original)
    return (plain, [], left) if replace else (kept, plain, left)


def _without(items: list[Any], keys: list[object], key: str) -> tuple[list[Any], list[Any]]:
    """The items without those of some keys; and the same, as long as before.

    Go moves the items behind a deleted one up by one place, so that the last stands there twice.
    """
    places: dict[object, list[int]] = {}
    for index, item in enumerate(items):
        if key in item and not isinstance(item[key], (dict, list)):
            places.setdefault(token(item[key]), []).append(index)
    alive = [True] * len(items)
    last = len(items) - 1
    behind: list[Any] = []
    for value in keys:
        if isinstance(value, (dict, list)):
            for item in items:
                equal(item.get(key), value)
            continue
        for index in places.pop(token(value), ()):
            behind.append(items[last])
            alive[index] = False
            while last >= 0 and not alive[last]:
                last -= 1
    kept = [item for item, lives in zip(items, alive, strict=True) if lives]
    return kept, kept + behind[::-1]


def _merged_items(
    original: list[Any], patch: list[Any], schema: PatchType, key: str, depth: int
) -> Generator[None, None, list[Any]]:
    merged = original.copy()
    places = Places(merged, key)
    if len(merged) > _MANY:
        yield
    for number, item in enumerate(patch, 1):
        if number % _MANY == 0:
            yield
        if key not in item:
            raise no_merge_key(item, key)
        place = places.find(item[key])
        if place is None:
            merged.append(item)
            places.append(item[key])
        else:
            merged[place] = yield from _merged(merged[place], item, schema, depth + 1)
    return merged


def _distinct(items: list[Any]) -> tuple[list[Any], list[Any]]:
    """Each scalar once, and what lies behind them: Go fills the place of a second one with the last."""
    if len(set(items)) == len(items):
        return items, []
    places: dict[object, list[int]] = {}  # of each value, a heap
    for index, item in enumerate(items):
        places.setdefault(item, []).append(index)
    last = len(items) - 1
    index = 0
    while index < last:
        value = items[index]
        heap = places[value]
        while heap:
            place = heappop(heap)
            if index < place <= last and items[place] == value:
                items[place] = items[last]
                heappush(places[items[place]], place)
                last -= 1
        index += 1
    return items[: last + 1], items[last + 1 :]


# $setElementOrder


def _ordered(
    result: dict[str, Any], patch: dict[str, Any], name: str, schema: PatchType, depth: int
) -> Generator[None, None, dict[str, Any]]:
    """Merge the list that the directive is about and bring it into order; the rest of the patch."""
    order = patch[name]
    rest = {other: value for other, value in patch.items() if other != name}
    if not isinstance(order, list):
        raise wrong_type(LIST, order)
    key = _directed(name)
    for holder in (result, rest):
        if key in holder and not isinstance(holder[key], list):
            raise wrong_type(LIST, holder[key])
    original, given = result.get(key, []), rest.get(key, [])
    field, item = _list_field(schema, key)
    strategy = _strategy(field)
    _check_order(given, order, field.merge_key)
    if key not in rest:
        if key not in result:
            return rest
        merged = original
    elif key not in result:
        merged = _unmarked(given, depth + 1, nulls=True)
    elif strategy == "merge":
        merged, original = yield from _merged_list(original, given, item, field.merge_key, depth + 1)
    else:
        merged = given
    named, others = yield from partitioned(merged, order, field.merge_key)
    kind = _item_type(original, given)
    result[key] = yield from arranged(named, others, order, original, field.merge_key if kind == MAP else None)
    return {other: value for other, value in rest.items() if other != key}


def _check_order(given: list[Any], order: list[Any], key: str) -> None:
    """The items of the patch must stand in the order, and in that order."""
    if not order or not given:
        return
    items = given
    if key:
        for item in given:
            if not isinstance(item, dict):
                raise wrong_type(MAP, item)
        items = [item for item in given if item.get(_MARK) != "delete"]
    at = 0
    item_at = 0
    while item_at < len(items) and at < len(order):
        item = items[item_at]
        if isinstance(item, dict) and _MARK in item:
            item_at += 1
            continue
        if _same_key(item, order[at], key):
            item_at += 1
        at += 1
    if item_at < len(items) and at >= len(order):
        raise FailedPatch(
            f"The order in patch list:\n{sprint(given)}\n doesn't match {_ORDER} list:\n{sprint(order)}\n"
        )


def _same_key(item: object, other: object, key: str) -> bool:
    if not key:
        return equal(item, other)
    if not isinstance(item, dict):
        raise wrong_type(MAP, item)
    if not isinstance(other, dict):
        raise wrong_type(MAP, other)
    for one in (item, other):
        if key not in one:
            raise no_merge_key(one, key)
    return equal(item[key], other[key])
