"""What an annotation means: the small algebra of types a resource may be made of.

Every layer that reads a user's types — decoding, dumping, the schema, the rules — reads them as shapes, so that
`Annotated[list[Annotated[str, MinLength(1)]], MaxItems(3)] | None` is understood in one place:

    Scalar   str, int, bool, kw.Number, datetime, bytes, Quantity, Duration, IntOrString, Any
    Choice   Literal[...] or an Enum
    ListOf   list[T]
    MapOf    dict[str, T]
    StructOf a Model, perhaps a generic one with its arguments
    UnionOf  several Models of which one is meant, told apart by a member only it has

A shape carries the markers written on it and whether `None` was allowed. What cannot be a Kubernetes type is refused
here with the class, the field and the fix in one sentence.
"""

import types
import typing
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal, TypeVar, Union

import msgspec

from kubewright.errors import KubewrightError
from kubewright.model.duration import Duration
from kubewright.model.markers import Format, Marker
from kubewright.model.quantity import Quantity

__all__ = [
    "Choice",
    "DefinitionError",
    "Int32",
    "IntOrString",
    "ListOf",
    "MapOf",
    "MicroTime",
    "Number",
    "Scalar",
    "Shape",
    "StructOf",
    "Time",
    "UnionOf",
    "is_model",
    "shape_of",
]


M = TypeVar("M", bound=Marker)


class DefinitionError(KubewrightError, TypeError):
    """A type that cannot be what it says: names the class, the field and the fix."""


class _Approved(Marker):
    """Marks `Number`: the one spelling under which a float is let through."""

    __slots__ = ()


class _Micro(Marker):
    """Marks `MicroTime`: a time written with exactly six digits of fraction."""

    __slots__ = ()


#: A floating-point number. A bare `float` is refused: its text form is not stable across languages.
Number = Annotated[float, _Approved()]
#: A number or a name or percentage, as in `maxUnavailable: 25%`.
IntOrString = int | str
#: An integer that must fit 32 bits, as most of Kubernetes' own do.
Int32 = Annotated[int, Format("int32")]
#: A point in time, to the second.
Time = datetime
#: A point in time, to the microsecond; what a Lease is renewed with.
MicroTime = Annotated[datetime, _Micro()]


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The meaning of one annotation."""

    markers: tuple[Marker, ...] = ()
    optional: bool = False

    @property
    def sort(self) -> str:
        """Which markers it takes: string, integer, number, boolean, int-or-string, list, map, struct or any."""
        raise NotImplementedError

    def marker(self, kind: type[M]) -> M | None:
        """The last marker of that kind, which is the one that counts."""
        return next((marker for marker in reversed(self.markers) if isinstance(marker, kind)), None)


class Scalar(Shape, frozen=True, kw_only=True):
    """One JSON value; `python` is the type it has in Python."""

    python: Any

    @property
    def sort(self) -> str:
        return _SCALARS.get(self.python, "any")

    @property
    def micro(self) -> bool:
        """Whether a time is written to the microsecond."""
        return any(isinstance(marker, _Micro) for marker in self.markers)


class Choice(Shape, frozen=True, kw_only=True):
    """One of a few strings or integers; `enum` is the Enum they are members of, if any."""

    values: tuple[str | int, ...]
    enum: type[Enum] | None = None

    @property
    def sort(self) -> str:
        return "string" if isinstance(self.values[0], str) else "integer"


class ListOf(Shape, frozen=True, kw_only=True):
    """A list."""

    item: Shape

    @property
    def sort(self) -> str:
        return "list"


class MapOf(Shape, frozen=True, kw_only=True):
    """A dictionary with string keys."""

    value: Shape

    @property
    def sort(self) -> str:
        return "map"


class StructOf(Shape, frozen=True, kw_only=True):
    """A Model; `annotation` is the class or, for a generic one, the class with its arguments."""

    annotation: Any

    @property
    def sort(self) -> str:
        return "struct"

    @property
    def model(self) -> Any:
        """The class itself."""
        return typing.get_origin(self.annotation) or self.annotation


class UnionOf(Shape, frozen=True, kw_only=True):
    """One of several Models."""

    members: tuple[StructOf, ...]

    @property
    def sort(self) -> str:
        return "struct"


_SCALARS: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    datetime: "string",
    bytes: "string",
    Duration: "string",
    Quantity: "int-or-string",
    IntOrString: "int-or-string",
    msgspec.Raw: "any",
    Any: "any",
    object: "any",
}


def shape_of(annotation: Any, where: str, *, bind: dict[Any, Any] | None = None) -> Shape:
    """The shape of an annotation whose names are resolved; `bind` gives type variables their arguments."""
    shape = _read(annotation, where, bind or {})
    _check_markers(shape, where)
    return shape


def _read(annotation: Any, where: str, bind: dict[Any, Any]) -> Shape:
    if isinstance(annotation, TypeVar):
        bound = bind.get(annotation, annotation.__bound__ or Any)
        return Scalar(python=annotation) if bound is annotation else _read(bound, where, bind)
    if hasattr(annotation, "__supertype__"):  # NewType
        return _read(annotation.__supertype__, where, bind)
    if hasattr(annotation, "__value__"):  # type X = ...
        return _read(annotation.__value__, where, bind)
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        inner, *extras = typing.get_args(annotation)
        for extra in extras:
            if isinstance(extra, type) and issubclass(extra, Marker):
                raise DefinitionError(
                    f"{where}: kw.{extra.__name__} lacks its parentheses: write kw.{extra.__name__}(…)."
                )
        markers = tuple(extra for extra in extras if isinstance(extra, Marker))
        if inner is float and any(isinstance(marker, _Approved) for marker in markers):
            return Scalar(python=float, markers=tuple(m for m in markers if not isinstance(m, _Approved)))
        shape = _read(inner, where, bind)
        return msgspec.structs.replace(shape, markers=shape.markers + markers)
    if origin in (Union, types.UnionType):
        return _read_union(typing.get_args(annotation), where, bind)
    if origin is Literal:
        return _read_literal(typing.get_args(annotation), where)
    if origin in (list, typing.List):  # noqa: UP006  (what an old-style annotation yields)
        return ListOf(item=_read(typing.get_args(annotation)[0], where, bind))
    if origin in (dict, typing.Dict):  # noqa: UP006
        key, value = typing.get_args(annotation)
        if _read(key, where, bind).sort != "string":
            raise DefinitionError(f"{where}: a map key must be a string in JSON, not {_name(key)}; write dict[str, …].")
        return MapOf(value=_read(value, where, bind))
    if is_model(origin):
        arguments = tuple(bind.get(a, a) if isinstance(a, TypeVar) else a for a in typing.get_args(annotation))
        return StructOf(annotation=origin[arguments])
    if is_model(annotation):
        return StructOf(annotation=annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _read_enum(annotation, where)
    if annotation is float:
        raise DefinitionError(f"{where}: a bare float is refused, its text differs between languages; use kw.Number, "
                              "or better a Quantity or an int in a smaller unit.")  # fmt: skip
    if isinstance(annotation, types.UnionType | type) or annotation is Any:
        if annotation in (list, dict):
            example = "list[str]" if annotation is list else "dict[str, str]"
            raise DefinitionError(f"{where}: say what the {_name(annotation)} holds, as in {example}.")
        if annotation in _SCALARS:
            return Scalar(python=annotation)
    instead = _INSTEAD.get(getattr(origin or annotation, "__name__", ""), _ALL)
    raise DefinitionError(f"{where}: {_name(annotation)} has no form in Kubernetes' schemas; use {instead}.")


_ALL = (
    "str, int, bool, kw.Number, datetime, bytes, kw.Quantity, kw.Duration, kw.IntOrString, a Literal or Enum, list[…], "
    "dict[str, …], a kw.Model, or Any"
)
_INSTEAD = {
    "Decimal": "kw.Quantity",
    "timedelta": "kw.Duration",
    "set": "Annotated[list[…], kw.ListSet()]",
    "frozenset": "Annotated[list[…], kw.ListSet()]",
    "tuple": "list[…], or a kw.Model with a field for each part",
    "date": "datetime, or a str with kw.Format",
}


def _read_union(members: tuple[Any, ...], where: str, bind: dict[Any, Any]) -> Shape:
    optional = type(None) in members
    rest = [member for member in members if member is not type(None)]
    if len(rest) == 1:
        shape = _read(rest[0], where, bind)
    elif set(rest) == {int, str}:
        shape = Scalar(python=IntOrString)
    else:
        shapes = [_read(member, where, bind) for member in rest]
        structs = tuple(shape for shape in shapes if isinstance(shape, StructOf))
        if len(structs) < len(shapes):
            raise DefinitionError(
                f"{where}: {' | '.join(map(_name, rest))} is not one type in a schema; only int | str, a union of "
                "models, and T | None are."
            )
        shape = UnionOf(members=structs)
    return msgspec.structs.replace(shape, optional=True) if optional else shape


def _read_literal(values: tuple[Any, ...], where: str) -> Shape:
    present = tuple(value for value in values if value is not None)
    if not present or len({type(value) for value in present}) > 1 or type(present[0]) not in (str, int):
        raise DefinitionError(f"{where}: Literal{list(values)} must hold strings only or integers only.")
    return Choice(values=present, optional=len(present) < len(values))


def _read_enum(kind: type[Enum], where: str) -> Shape:
    values = tuple(member.value for member in kind)
    if not values or len({type(value) for value in values}) > 1 or type(values[0]) not in (str, int):
        raise DefinitionError(f"{where}: the members of {kind.__name__} must be strings only or integers only.")
    return Choice(values=values, enum=kind)


def _check_markers(shape: Shape, where: str) -> None:
    for marker in shape.markers:
        if fault := marker.fault():
            raise DefinitionError(f"{where}: {fault}.")
        if shape.sort not in marker.on:
            allowed = " or ".join(sorted(marker.on))
            raise DefinitionError(f"{where}: {marker!r} is for {allowed}, and this is {shape.sort}; take it off.")
    _check_bounds(shape, where)
    if isinstance(shape, ListOf):
        _check_markers(shape.item, f"{where}[]")
    elif isinstance(shape, MapOf):
        _check_markers(shape.value, f"{where}{{}}")


_BOUNDED = ("imum", "Length", "Items", "Properties")


def _check_bounds(shape: Shape, where: str) -> None:
    """Two markers, each fine alone, between which nothing fits."""
    said: dict[str, Any] = {}
    for marker in shape.markers:
        said.update(marker.fragment())
    for low, high in ((f"min{what}", f"max{what}") for what in _BOUNDED):
        if low in said and high in said and said[low] > said[high]:
            raise DefinitionError(f"{where}: {low} {said[low]} is more than {high} {said[high]}; nothing fits both.")


def is_model(annotation: Any) -> bool:
    """Whether this is a Model class; asked by what it has, for Model itself is built on shapes."""
    return isinstance(annotation, msgspec.StructMeta) and hasattr(annotation, "__kw__")


def _name(annotation: Any) -> str:
    return getattr(annotation, "__name__", None) or str(annotation).replace("typing.", "")
