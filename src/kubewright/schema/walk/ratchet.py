"""Pairs of a new value and the one it replaces.

On an update the server forgets the problems of values that did not change, so that tightening a schema does not lock
the objects that are already stored. What "did not change" means is decided here: properties are paired by name, and
elements of a list by their keys if the list is a map; elements of other lists have no partner, such a list changes as a
whole. A property is paired only where the schema names it or has a schema for additional ones: below
`x-kubernetes-preserve-unknown-fields` an object with members always counts as changed.
"""

from collections.abc import Generator
from typing import Final

from kubewright.schema.walk.structure import Node
from kubewright.schema.walk.values import identity, same

__all__ = ["Correlation"]

#: So many members are compared at once.
_FEW: Final = 500


class Correlation:
    """A value, its predecessor and the schema of both."""

    __slots__ = ("_children", "_keyed", "_unchanged", "new", "node", "old")

    def __init__(self, new: object, old: object, node: Node) -> None:
        self.new = new
        self.old = old
        self.node = node
        self._children: dict[str | int, Correlation | None] = {}
        self._keyed: dict[object, object] | None = None
        self._unchanged: bool | None = None

    def under(self, name: str) -> "Correlation | None":
        """The pair of a property, if both sides have it and the schema describes it."""
        if name not in self._children:
            self._children[name] = self._property(name)
        return self._children[name]

    def _property(self, name: str) -> "Correlation | None":
        if not isinstance(self.new, dict) or not isinstance(self.old, dict):
            return None
        if name not in self.new or name not in self.old:
            return None
        child = self.node.properties.get(name, self.node.additional)
        return Correlation(self.new[name], self.old[name], child) if isinstance(child, Node) else None

    def at(self, index: int) -> "Correlation | None":
        """The pair of an element, if the list is a map and held an element with the same keys before."""
        if index not in self._children:
            self._children[index] = self._element(index)
        return self._children[index]

    def _element(self, index: int) -> "Correlation | None":
        if not self._is_map() or not isinstance(self.new, list) or self.node.items is None:
            return None
        if self._keyed is None:
            self._keyed = {}
            for element in self.old if isinstance(self.old, list) else ():
                self._keyed.setdefault(_key(element, self.node.list_keys), element)
        key = _key(self.new[index], self.node.list_keys)
        if key is None or key not in self._keyed:
            return None
        return Correlation(self.new[index], self._keyed[key], self.node.items)

    def _is_map(self) -> bool:
        return self.node.list_type == "map" and isinstance(self.old, list)

    def unchanged(self) -> bool:
        """Say whether the two values are equal, as far as their parts can be paired."""
        if self._unchanged is None:
            self._unchanged = self._equal()
        return self._unchanged

    def unchanged_in_steps(self) -> Generator[None, None, bool]:
        """The same, in steps."""
        new = self.new
        if self._unchanged is None and isinstance(new, dict | list):
            # What is found out about the parts is not asked again for the whole.
            pairs = map(self.under, new) if isinstance(new, dict) else map(self.at, range(len(new)))
            for number, pair in enumerate(pairs, 1):
                if pair is None or not (yield from pair.unchanged_in_steps()):
                    break
                if number % _FEW == 0:
                    yield
        return self.unchanged()

    def _equal(self) -> bool:
        new, old = self.new, self.old
        if isinstance(new, dict):
            if not isinstance(old, dict) or len(new) != len(old):
                return False
            return all((child := self.under(name)) is not None and child.unchanged() for name in new)
        if isinstance(new, list) and self._is_map():
            if not isinstance(old, list) or len(new) != len(old):
                return False
            return all((child := self.at(index)) is not None and child.unchanged() for index in range(len(new)))
        return same(new, old)


def _key(element: object, names: tuple[str, ...]) -> object:
    """What an element of a list-map is found by, or None if it lacks a key or one is no scalar."""
    if not isinstance(element, dict) or not names:
        return None
    parts = []
    for name in names:
        value = element.get(name)
        if not isinstance(value, str | int | float):
            return None
        # Several keys are compared in print, where floats have six digits after the point.
        float_text = len(names) > 1 and isinstance(value, float)
        parts.append((*identity(f"{value:f}" if float_text else value), float_text))
    return tuple(parts)
