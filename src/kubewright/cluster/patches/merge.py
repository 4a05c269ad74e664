"""JSON merge patch (RFC 7386), as kube-apiserver applies it.

Null takes a member away, objects merge, everything else is replaced. The server also drops nulls from objects inside
lists that the patch brings, which the RFC leaves alone; only where a list takes the place of an object it does not.
"""

from typing import Any

from kubewright.cluster.patches.errors import TOO_DEEP, BadPatch
from kubewright.model.documents import MAX_DEPTH

__all__ = ["apply"]


def apply(document: object, patch: object) -> object:
    """The document with the patch merged in. A document that the patch does not change comes back itself.

    The value of a request's body comes from `decode.merge_patch`.
    """
    if isinstance(document, dict) and isinstance(patch, dict):
        return _merged(document, patch, 0)
    if isinstance(patch, (dict, list)):
        return _without_nulls(patch, 0)
    raise BadPatch("Invalid JSON Patch")


def _merged(document: dict[str, Any], patch: dict[str, Any], depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    result = document
    for key, value in patch.items():
        current = document.get(key)
        if value is None:
            merged = None
        elif not isinstance(current, dict):
            merged = _without_nulls(value, depth + 1)
        elif isinstance(value, dict):
            merged = _merged(current, value, depth + 1)
        else:
            merged = value
        if merged is current and (merged is not None or key not in document):
            continue
        if result is document:
            result = document.copy()
        if merged is None:
            del result[key]
        else:
            result[key] = merged
    return result


def _without_nulls(value: Any, depth: int) -> Any:
    """The value without the members that are null; itself, if it has none. In a list null is an item like any other."""
    if depth > MAX_DEPTH:
        raise BadPatch(TOO_DEEP)
    result = value
    if isinstance(value, dict):
        for key, child in value.items():
            kept = None if child is None else _without_nulls(child, depth + 1)
            if kept is None or kept is not child:
                if result is value:
                    result = value.copy()
                if kept is None:
                    del result[key]
                else:
                    result[key] = kept
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if (kept := _without_nulls(child, depth + 1)) is not child:
                if result is value:
                    result = value.copy()
                result[index] = kept
    return result
