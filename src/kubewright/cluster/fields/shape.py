"""What a value may be, as far as ownership asks: which parts of it are owned one by one, and which only as a whole.

A `Shape` allows a scalar, a list, a map, or several of these; the value then decides. A list is *atomic* (owned as a
whole) or *associative*: its items are told apart by keys, or are scalars and tell themselves apart. A map is atomic or
*granular*; a struct is a map with declared fields.

Shapes refer to each other, to themselves too, and there are many of them: a shape is filled in when it is first looked
at (`Unfilled(fill)`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

__all__ = [
    "ATOMIC",
    "BOOLEAN",
    "DEDUCED",
    "LIST",
    "MAP",
    "NUMERIC",
    "SCALAR",
    "STRING",
    "UNTYPED",
    "Invalid",
    "ListShape",
    "MapShape",
    "Shape",
    "Unfilled",
    "kind_of",
]

NUMERIC, STRING, BOOLEAN, UNTYPED = "numeric", "string", "boolean", "untyped"
#: What a value is taken for.
MAP, SCALAR, LIST = 1, 2, 3


class Invalid(Exception):
    """A value that does not fit its shape; the text is the server's. `path` grows as the walk unwinds."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class MapShape:
    """A map or struct. `fields` are declared; other keys have the shape `item`, or are not allowed if there is none."""

    __slots__ = ("atomic", "defaults", "fields", "flat", "item", "settled")

    def __init__(
        self,
        fields: "dict[str, Shape]",
        item: "Shape | None",
        *,
        atomic: bool = False,
        defaults: dict[str, Any] | None = None,
    ) -> None:
        #: The element of each declared field, and its shape.
        self.fields: dict[str, tuple[str, Shape]] = {name: ("f:" + name, shape) for name, shape in fields.items()}
        self.item = item
        self.atomic = atomic
        self.defaults = defaults or {}
        #: The paths of maps that hold nothing but scalars, by their keys: most maps do, and the same keys come again.
        self.flat: dict[tuple[str, ...], dict[str, Any]] = {}
        #: The texts of sets of paths that are as they are to be (see `reconcile`).
        self.settled: set[bytes] = set()

    def of(self, name: str) -> "Shape":
        """The shape of a member."""
        found = self.fields.get(name)
        if found is not None:
            return found[1]
        if self.item is None:
            raise Invalid("schema error: invalid atom: inlined", f".{name}")
        return self.item


class ListShape:
    """A list: atomic, told apart by `keys`, or, if there are none, a set."""

    __slots__ = ("atomic", "item", "keys", "seen")

    def __init__(self, item: "Shape", *, atomic: bool = True, keys: tuple[str, ...] = ()) -> None:
        self.item = item
        self.atomic = atomic
        self.keys = keys
        #: Elements of items, by the value of their key, or the values of several.
        self.seen: dict[Any, str] = {}


class Shape:
    """What a value may be."""

    __slots__ = ("_fill", "items", "members", "scalar")

    scalar: str | None
    items: ListShape | None
    members: MapShape | None

    def set(
        self, *, scalar: str | None = None, items: ListShape | None = None, members: MapShape | None = None
    ) -> "Shape":
        """Fill in the parts."""
        self.scalar, self.items, self.members = scalar, items, members
        return self


class Unfilled(Shape):
    """A shape whose parts `fill` sets when they are first asked for; from then on it is like any other."""

    __slots__ = ()

    def __init__(self, fill: Callable[[Shape], None]) -> None:
        self._fill = fill

    if not TYPE_CHECKING:  # or else every misspelt attribute would be one

        def __getattr__(self, name: str) -> Any:
            # A class with this method is slow to read: so it is left for good as soon as the parts are there.
            if name.startswith("_"):
                raise AttributeError(name)
            self._fill(self)
            self.__class__ = Shape
            return getattr(self, name)


def _fill_atomic(shape: Shape) -> None:
    shape.set(scalar=UNTYPED, items=ListShape(shape), members=MapShape({}, shape, atomic=True))


def _fill_deduced(shape: Shape) -> None:
    shape.set(scalar=UNTYPED, items=ListShape(ATOMIC), members=MapShape({}, shape))


#: Anything, owned as a whole.
ATOMIC: Final[Shape] = Unfilled(_fill_atomic)
#: Anything, where maps are owned key by key.
DEDUCED: Final[Shape] = Unfilled(_fill_deduced)


def kind_of(shape: Shape, value: object) -> int:
    """What a value is taken for: what it is if the shape allows that, or else the first that the shape allows."""
    if value.__class__ is dict:
        if shape.members is not None:
            return MAP
    elif value.__class__ is list:
        if shape.items is not None:
            return LIST
    elif value is not None and shape.scalar is not None:
        return SCALAR
    if shape.members is not None:
        return MAP
    if shape.scalar is not None:
        return SCALAR
    if shape.items is not None:
        return LIST
    raise Invalid("schema error: invalid atom: inlined")
