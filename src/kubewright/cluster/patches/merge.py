"""JSON merge patch (RFC 7386), as kube-apiserver applies it.

Null takes a member away, objects merge, everything else is replaced. The server also drops nulls from objects inside
lists that the patch brings, which the RFC leaves alone; only where a list takes the place of an object it does not.

Objects that the patch goes through, or brings, come out with their members in order, as Go writes maps: where the
server shows the patched object in an error, its text has that order, and the order of the original everywhere else.
"""

from collections.abc import Generator
from typing import Any

from kubewright.cluster.patches.errors import TOO_DEEP, BadPatch
from kubewright.model.documents import MAX_DEPTH
from kubewright.model.parts import MOST, is_light, parts, rebuilt

__all__ = ["apply", "apply_in_steps"]


def apply(document: object, patch: object) -> object:
    """The document with the patch merged in. The value of a request's body comes from `decode.merge_patch`."""
    if isinstance(document, dict) and isinstance(patch, dict):
        return _merged(document, patch, 0)
    if isinstance(patch, (dict, list)):
        return _without_nulls(patch, 0)
    raise BadPatch("Invalid JSON Patch")


def apply_in_steps(document: object, patch: object, most: int = MOST) -> Generator[None, None, object]:
    """The same for a large patch."""
    if isinstance(document, dict) and isinstance(patch, dict):
        return (yield from _merged_in_steps(document, patch, 0, most))
    if isinstance(patch, (dict, list)):
        return (yield from rebuilt(patch, _without_nulls, most=most, order=sorted))
    return apply(document, patch)


def _merged_in_steps(
    document: dict[str, Any], patch: dict[str, Any], depth: int, most: int
) -> Generator[None, None, dict[str, Any]]:
    if depth > MAX_DEPTH or is_light(patch, most):
        return _merged(document, patch, depth)
    result = document
    for part, key, _ in parts(patch, most):
        if not isinstance(key, str):
            result = _merged(result, part, depth)
            yield
            continue
        current = document.get(key)
        if not isinstance(current, dict):
            value = yield from rebuilt(part, _without_nulls, most=most, order=sorted, depth=depth + 1)
        elif isinstance(part, dict):
            value = yield from _merged_in_steps(current, part, depth + 1, most)
        else:
            value = part
        result = result | {key: value}
    return {key: result[key] for key in sorted(result)}


def _merged(document: dict[str, Any], patch: dict[str, Any], depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    result = document.copy()
    for key, value in patch.items():
        current = document.get(key)
        if value is None:
            result.pop(key, None)
        elif not isinstance(value, (dict, list)) and depth < MAX_DEPTH:
            result[key] = value
        elif not isinstance(current, dict):
            result[key] = _without_nulls(value, depth + 1)
        elif isinstance(value, dict):
            result[key] = _merged(current, value, depth + 1)
        else:
            result[key] = value
    return {key: result[key] for key in sorted(result)}


def _without_nulls(value: Any, depth: int) -> Any:
    """The value without the members that are null. In a list null is an item like any other."""
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    if isinstance(value, dict):
        result = {}
        for key in sorted(value):
            if value[key] is not None:
                result[key] = _without_nulls(value[key], depth + 1)
        return result
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(_without_nulls(item, depth + 1))  # noqa: PERF401 - one frame a level, not two
        return items
    return value
