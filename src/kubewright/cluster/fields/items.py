"""Which element an item of an associative list is."""

from typing import Any

from kubewright.cluster.fields.element import keyed, plainly_keyed, plainly_valued, valued
from kubewright.cluster.fields.shape import Invalid, ListShape
from kubewright.schema.walk.golang import quote

__all__ = ["REMEMBERED", "element_of", "elements_of"]

#: So many items of one list, and maps of one shape, are remembered by their keys.
REMEMBERED = 1024
#: Of these no two values are equal that are not the same.
_USUAL = {str, int}


def element_of(shape: ListShape, item: Any) -> str:
    """The element of an item; `Invalid` if it can have none."""
    keys = shape.keys
    if not keys:
        return _set_element(item)
    if item.__class__ is dict:
        # The same few keys come again and again: in the object, in the configuration, in the next request.
        if len(keys) == 1:
            known = item.get(keys[0])
            usual = known.__class__ is str
        else:
            known = tuple([item.get(name) for name in keys])
            usual = {*map(type, known)} <= _USUAL
        if usual:
            found = shape.seen.get(known)
            if found is None:
                found = _keyed(shape, item)
                if len(shape.seen) < REMEMBERED:
                    shape.seen[known] = found
            return found
    return _keyed(shape, item)


def _keyed(shape: ListShape, item: Any) -> str:
    if item is None:
        raise Invalid("associative list with keys may not have a null element")
    if item.__class__ is not dict:
        raise Invalid("associative list with keys may not have non-map elements")
    keys = shape.keys
    found = [(name, item[name]) for name in keys if name in item]
    if len(found) < len(keys):
        found += _defaults(shape, item)
        if not found:
            listed = " ".join(map(quote, keys))
            raise Invalid(
                f"associative list with keys has an element that omits all key fields [{listed}] "
                "(and doesn't have default values for any key fields)"
            )
    return keyed(sorted(found, key=_name))


def _name(pair: tuple[str, object]) -> str:
    return pair[0]


def _defaults(shape: ListShape, item: dict[str, Any]) -> list[tuple[str, object]]:
    """The keys that an item leaves to their defaults; one without a default is left out."""
    missing = next(name for name in shape.keys if name not in item)
    fields = shape.item.members
    if fields is None:
        raise Invalid(f"couldn't find default value for {missing}: associative list may not have non-map types")
    given = fields.defaults
    return [(name, given[name]) for name in shape.keys if name not in item and given.get(name) is not None]


def _set_element(item: object) -> str:
    if isinstance(item, dict):
        raise Invalid("associative list without keys has an element that's a map type")
    if isinstance(item, list):
        raise Invalid("not supported: associative list with lists as elements")
    if item is None:
        raise Invalid("associative list without keys has an element that's an explicit null")
    return valued(item)


def elements_of(shape: ListShape, items: list[Any]) -> list[str]:
    """The elements of all items."""
    try:
        if not shape.keys:
            return plainly_valued(items)
        if len(shape.keys) == 1:
            return _seen(shape, [item[shape.keys[0]] for item in items])
    except (KeyError, TypeError):
        pass  # one of them is odd
    made = []
    for index, item in enumerate(items):
        try:
            made.append(element_of(shape, item))
        except Invalid as error:
            raise Invalid(f"element {index}: {error.message}") from None
    return made


def _seen(shape: ListShape, texts: list[str]) -> list[str]:
    """The elements of items by the one key they have; `TypeError` if one is odd."""
    seen = shape.seen
    try:
        return [seen[text] for text in texts]
    except KeyError:
        made = plainly_keyed(shape.keys[0], texts)
    if len(seen) + len(made) <= REMEMBERED:
        seen.update(zip(texts, made, strict=True))
    return made
