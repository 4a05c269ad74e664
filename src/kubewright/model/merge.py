"""Laying the changes of a typed object onto the document it was read from.

`before` and `after` are what our types made of the document, then and now; they know nothing of fields outside those
types, so such fields are in neither and no change touches them. Items of a list are matched by their list-map key where
the type declares one, else by index while the length is the same; a list whose length changed without keys is replaced.

Pure, and total: any three JSON values merge to one.
"""

from typing import Any

import msgspec

from kubewright.model.markers import ListMap
from kubewright.model.meta import fields_of, pick
from kubewright.model.shape import ListOf, MapOf, Shape, StructOf, UnionOf

__all__ = ["merge"]


def merge(document: Any, before: Any, after: Any, shape: Shape | None) -> Any:
    """The document with what differs between `before` and `after` carried over."""
    if _same(before, after):
        return document
    if isinstance(shape, UnionOf):
        kept = _member(shape, before)
        if kept is None or kept != _member(shape, after):
            return after  # another member: what was said of the old one goes with it
        shape = kept
    if isinstance(document, dict) and isinstance(before, dict) and isinstance(after, dict):
        return _merge_objects(document, before, after, shape)
    if isinstance(document, list) and isinstance(before, list) and isinstance(after, list):
        return _merge_lists(document, before, after, shape)
    return after


def _member(union: UnionOf, value: Any) -> StructOf | None:
    try:
        return pick(union, value)
    except ValueError:
        return None


def _same(before: Any, after: Any) -> bool:
    """Equality as JSON has it: in Python `1 == True` and `1 == 1.0`."""
    return before == after and msgspec.json.encode(before) == msgspec.json.encode(after)


def _merge_objects(document: dict[str, Any], before: dict[str, Any], after: dict[str, Any], shape: Shape | None) -> Any:
    inner: dict[str, Shape] = {}
    if isinstance(shape, StructOf):
        inner = {field.wire: field.shape for field in fields_of(shape.annotation)}
    elif isinstance(shape, MapOf):
        inner = dict.fromkeys(after, shape.value)
    merged = {key: value for key, value in document.items() if key in after or key not in before}
    for key, value in after.items():
        if key not in before:
            merged[key] = value
        elif key in merged:
            merged[key] = merge(merged[key], before[key], value, inner.get(key))
        # else: a constant of the class, such as its kind, which the document left out
    return merged


def _merge_lists(document: list[Any], before: list[Any], after: list[Any], shape: Shape | None) -> list[Any]:
    item = shape.item if isinstance(shape, ListOf) else None
    # `before` was read from `document`: they have the same items in the same order.
    old = list(zip(document, before, strict=True)) if len(document) == len(before) else []
    if keys := _keys(shape):
        by_key = {_key(was, keys): (doc, was) for doc, was in old}
        if len(by_key) == len(old) and len({_key(now, keys) for now in after}) == len(after):
            pairs = ((by_key.get(_key(now, keys)), now) for now in after)
            return [merge(match[0], match[1], now, item) if match else now for match, now in pairs]
    if len(old) == len(after):
        return [merge(doc, was, now, item) for (doc, was), now in zip(old, after, strict=True)]
    return after


def _keys(shape: Shape | None) -> tuple[str, ...]:
    """The names on the wire of the fields that tell a list's items apart."""
    if not isinstance(shape, ListOf) or not isinstance(shape.item, StructOf):
        return ()
    marker = shape.marker(ListMap)
    wires = {field.name: field.wire for field in fields_of(shape.item.annotation)}
    return tuple(wires[name] for name in marker.names) if marker else ()


def _key(item: Any, keys: tuple[str, ...]) -> tuple[str, ...]:
    """What an item is known by. As text: a key that is no scalar is wrong, but must not break the merge."""
    return tuple(repr(item.get(key)) for key in keys) if isinstance(item, dict) else (repr(item),)
