"""Lists that are sets or maps: no member twice.

The members of a set are compared whole, those of a map by their keys. Only the second occurrence is reported, however
many follow. Paths here are the server's other spelling: additional properties in brackets.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from kubewright.schema.walk.errors import FieldError, duplicate, invalid
from kubewright.schema.walk.golang import marshal
from kubewright.schema.walk.later import later
from kubewright.schema.walk.structure import Node, Unread
from kubewright.schema.walk.values import identity

__all__ = ["ListTypes", "compile_list_types", "compile_unique"]

ListTypes = Callable[[object, str], list[FieldError]]


def compile_list_types(node: Node) -> ListTypes | None:
    """Return the function that finds duplicates below a value at a path, or None if no list is a set or map."""
    if node.hollow and not node.list_type:
        return None
    below: dict[str, ListTypes]
    if isinstance(node.properties, Unread):
        below = later(
            node.properties.containers(), node.properties, lambda child: compile_list_types(child) or _no_errors
        )
    else:
        below = {name: inner for name, child in node.properties.items() if (inner := compile_list_types(child))}
    others = compile_list_types(node.additional) if isinstance(node.additional, Node) else None
    items = compile_list_types(node.items) if node.items is not None else None
    own = {"set": _set_errors, "map": _compile_map(node.list_keys)}.get(node.list_type)
    if not (below or others or items or own):
        return None

    def check(value: object, path: str) -> list[FieldError]:
        errors: list[FieldError] = []
        if type(value) is dict:
            if others is not None:
                for name, member in value.items():
                    errors += others(member, f"{path}[{name}]")
            for name, inner in below.items():
                if name in value:
                    errors += inner(value[name], f"{path}.{name}" if path else name)
        elif type(value) is list:
            if own is not None:
                errors += own(value, path)
            if items is not None:
                for index, member in enumerate(value):
                    errors += items(member, f"{path}[{index}]")
        return errors

    return check


def _no_errors(_: object, __: str) -> list[FieldError]:
    return []


def compile_unique(node: Node) -> Callable[[list[object]], bool] | None:
    """Return the function that says whether a list holds nothing twice, or None if the list may.

    Its items must have passed their own check. Where that leaves strings, integers and booleans to compare, Python's
    equality, which is coarser, settles most lists at once.
    """
    if node.list_type not in ("set", "map"):
        return None
    names, item = node.list_keys, node.items
    exact = _set_errors if node.list_type == "set" else _compile_map(names)
    if item is not None and node.list_type == "set" and _is_hashable(item):
        return lambda members: len(set(members)) == len(members) or not exact(members, "")
    if item is None or node.list_type == "set" or item.types != ("object",) or item.nullable or item.format:
        return lambda members: not exact(members, "")
    if not names or not all(name in item.properties and _is_hashable(item.properties[name]) for name in names):
        return lambda members: not exact(members, "")

    key = itemgetter(*names)

    def unique(elements: list[Any]) -> bool:
        try:
            if len(set(map(key, elements))) == len(elements):
                return True
        except KeyError:
            pass
        return not exact(elements, "")

    return unique


def _is_hashable(node: Node) -> bool:
    # A string with a format may be a list (see `kinds`); numbers beyond 64 bits are floats and differ in Python only.
    return node.types in (("integer",), ("boolean",)) or (
        node.types in (("string",), ("integer", "string")) and not node.format
    )


def _second_occurrences(members: list[object]) -> list[int]:
    times: dict[object, int] = {}
    found = []
    for index, member in enumerate(members):
        # Compound members are compared in print, scalars by type and value.
        key = marshal(member) if isinstance(member, dict | list) else identity(member)
        times[key] = times.get(key, 0) + 1
        if times[key] == 2:
            found.append(index)
    return found


def _set_errors(members: list[object], path: str) -> list[FieldError]:
    if len(members) < 2:
        return []
    return [duplicate(f"{path}[{index}]", members[index]) for index in _second_occurrences(members)]


_NO_KEY = object()


def _compile_map(names: tuple[str, ...]) -> Callable[[list[object], str], list[FieldError]]:
    def errors(elements: list[object], path: str) -> list[FieldError]:
        keys: list[dict[str, object]] = []
        for index, element in enumerate(elements):
            if not isinstance(element, dict | None):
                return [invalid(f"{path}[{index}]", element, "must be an object for an array of list-type map")]
            keys.append({name: element[name] for name in names if name in element} if element else {})
        if len(elements) < 2:
            return []
        # A single key is compared as a scalar, where 1 and 1.0 differ; several are compared in print.
        members = [key.get(names[0], _NO_KEY) for key in keys] if len(names) == 1 else list[object](keys)
        return [duplicate(f"{path}[{index}]", keys[index]) for index in _second_occurrences(members)]

    return errors
