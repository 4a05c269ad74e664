"""Closures that read: variables, elements, entries, and what a schema declares a value to be."""

from collections.abc import Callable
from typing import Any

from kubewright.cel.access import out_of_bounds
from kubewright.cel.ast import Comprehension
from kubewright.cel.code import CONTAINERS, Code, Frame, Run
from kubewright.cel.schema_values import reader
from kubewright.cel.types import DYN, Type
from kubewright.cel.values import ABSENT, Native, no_such_key

__all__ = ["converted", "element", "entry", "entry_at", "inner_type", "inside", "local", "pair", "shaped", "variable"]


def variable(place: int, type_: Type) -> Code:
    """A variable of the expression; what a schema describes is handed on as it lies."""
    kept = type_ if type_.kind in CONTAINERS or type_.kind == "opaque" else None
    return local(place, type_, kept)


def local(place: int, type_: Type, raw: Type | None) -> Code:
    """A variable at a place; `raw` says that JSON of that type lies there."""
    path = (place, (), ()) if raw is not None and raw.kind == "struct" else None
    return Code(lambda frame: frame[place], type_, raw=raw, path=path)


def pair(node: Comprehension, place: int, types: tuple[Type, ...]) -> dict[str, Code]:
    """Two variables that lie in the frame as one pair."""
    second = node.iter_var2 or ""
    return {
        node.iter_var: Code(lambda frame: frame[place][0], types[0]),
        second: Code(lambda frame: frame[place][1], inner_type(types[1])),
    }


def shaped(
    run: Run, declared: Type, type_: Type, path: tuple[int, tuple[str, ...], tuple[str, ...]] | None = None
) -> Code:
    """What a schema declares a value to be: a container is handed on as JSON, anything else is read."""
    raw, convert = inside(declared)
    if raw is not None:
        return Code(run, type_, raw=raw, path=path if raw.kind == "struct" else None)
    return Code(_read(run, convert), type_)


def inner_type(type_: Type) -> Type:
    """What elements and entries can be relied on to be: a schema may allow nulls among them.

    Where Python would stumble over a null that is found out in time; as a condition it would pass for false.
    """
    return DYN if type_.kind == "bool" else type_


def inside(declared: Type | None) -> tuple[Type | None, Callable[[Any], Native] | None]:
    """How JSON of a type is held: as it is, if it is a container, else read by a function, if it needs one."""
    if declared is None:
        return None, None
    return (declared, None) if declared.kind in CONTAINERS else (None, reader(declared))


def _read(run: Run, convert: Callable[[Any], Native] | None) -> Run:
    if convert is None:
        return run

    def read(frame: Frame) -> Native:
        raw = run(frame)
        return None if raw is None else convert(raw)

    return read


def converted(run: Run, convert: Callable[[Any], Native] | None) -> Run:
    """A list with its elements read."""
    if convert is None:
        return run
    return lambda frame: [None if raw is None else convert(raw) for raw in run(frame)]


def entry(run: Run, key: str) -> Run:
    """The entry of a map at a known key."""

    def find(frame: Frame) -> Native:
        found = run(frame).get(key, ABSENT)
        if found is ABSENT:
            raise no_such_key(key)
        return found

    return find


def entry_at(run: Run, at: Run) -> Run:
    """The entry of a map at a key that is computed."""

    def find(frame: Frame) -> Native:
        mapping = run(frame)
        key = at(frame)
        found = mapping.get(key, ABSENT)
        if found is ABSENT:
            raise no_such_key(key)
        return found

    return find


def element(run: Run, at: Run) -> Run:
    """The element of a list at a place."""

    def find(frame: Frame) -> Native:
        elements = run(frame)
        place = at(frame)
        if 0 <= place < len(elements):
            return elements[place]
        raise out_of_bounds(place)

    return find
