"""What the shapes of several versions of a kind have in common: where an object can be cut in all of them alike."""

from collections.abc import Sequence

from kubewright.cluster.fields.shape import ATOMIC, ListShape, MapShape, Shape, Unfilled

__all__ = ["joint"]


def joint(shapes: Sequence[Shape]) -> Shape:
    """A shape whose containers are owned part by part only if those of all shapes are, and their parts are the same."""
    first = shapes[0]
    if all(each is first for each in shapes):
        return first

    def fill(made: Shape) -> None:
        scalars = [each.scalar for each in shapes if each.scalar is not None]
        made.set(scalar=scalars[0] if scalars else None, items=_items(shapes), members=_members(shapes))

    return Unfilled(fill)


def _members(shapes: Sequence[Shape]) -> MapShape | None:
    maps = [each.members for each in shapes if each.members is not None and not each.members.atomic]
    if len(maps) < len(shapes):
        # Some have no parts of their own there.
        return MapShape({}, None, atomic=True) if any(each.members is not None for each in shapes) else None
    names = {name: None for each in maps for name in each.fields}
    fields = {
        name: joint([each.of(name) for each in maps]) if all(name in each.fields for each in maps) else ATOMIC
        for name in names
    }
    rest = [each.item for each in maps if each.item is not None]
    return MapShape(fields, joint(rest) if len(rest) == len(maps) else None, defaults=maps[0].defaults)


def _items(shapes: Sequence[Shape]) -> ListShape | None:
    lists = [each.items for each in shapes if each.items is not None and not each.items.atomic]
    if len(lists) < len(shapes) or any(each.members is not None for each in shapes):
        return None
    first = lists[0]
    if any(each.keys != first.keys or _defaults(each) != _defaults(first) for each in lists):
        return None
    return ListShape(joint([each.item for each in lists]), atomic=False, keys=first.keys)


def _defaults(shape: ListShape) -> list[object]:
    """What an item is taken for that leaves its keys out."""
    members = shape.item.members
    return [repr(members.defaults.get(name)) for name in shape.keys] if members is not None else []
