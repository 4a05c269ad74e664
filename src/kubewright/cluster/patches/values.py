"""JSON values as Go sees them: their types, their equality, and how errors tell of them.

To Go 1 is neither 1.0 nor true, an integer beyond 64 bits is a float, and two objects or two lists cannot be compared:
trying is a panic.
"""

from typing import Any, Final

from kubewright.cluster.patches.errors import FailedPatch, PanickingPatch
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, sprint

__all__ = ["LIST", "MAP", "equal", "formatted", "go_type", "no_merge_key", "token", "wrong_type"]

MAP: Final = "map[string]interface {}"
LIST: Final = "[]interface {}"
_TYPES: Final = {str: "string", bool: "bool", float: "float64", dict: MAP, list: LIST}


def go_type(value: object) -> str:
    """The type that Go gives a JSON value; for null, which has none, what Go prints in its place."""
    if type(value) is int:
        return "int64" if INT64_MIN <= value <= INT64_MAX else "float64"
    return _TYPES.get(type(value), "%!s(<nil>)")


def token(value: object) -> object:
    """What stands for a scalar among the keys of a dict; an object or a list is no key."""
    if type(value) is str:
        return value
    if isinstance(value, (dict, list)):
        raise PanickingPatch(f"hash of unhashable type {go_type(value)}")
    return go_type(value), value


def equal(one: object, other: object) -> bool:
    """Go's `==`."""
    if go_type(one) != go_type(other):
        return False
    if isinstance(one, (dict, list)):
        raise PanickingPatch(f"comparing uncomparable type {go_type(one)}")
    return one == other


def formatted(value: object) -> str:
    """`%s` of a JSON value, which is made for strings and says so of others."""
    if value is None:
        return go_type(value)
    # Every other scalar becomes its text; with no recursion, for nobody has measured how deep the value is.
    root: list[Any] = [value]
    waiting: list[Any] = [root]
    while waiting:
        container = waiting.pop()
        for key, child in list(container.items() if isinstance(container, dict) else enumerate(container)):
            if isinstance(child, (dict, list)):
                container[key] = child.copy()
                waiting.append(container[key])
            elif child is not None and not isinstance(child, str):
                container[key] = f"%!s({go_type(child)}={sprint(child)})"
    return sprint(root[0])


def wrong_type(expected: str, value: object) -> FailedPatch:
    """A value of another type than its place asks for."""
    return FailedPatch(f"expected a {expected}, but received a {go_type(value)}")


def no_merge_key(item: dict[str, Any], key: str) -> FailedPatch:
    """An item that cannot be told from the others."""
    return FailedPatch(f"map: {sprint(item)} does not contain declared merge key: {key}")
