"""Finalizers: what keeps an object from going before its clean-up is done. Patches for them, pure.

A patch names the version of the object that it was made for (`test`), so that it cannot undo what another controller
did to the list meanwhile; then it is refused, and made again from what there is now.
"""

from typing import Any

from kubewright.cache import Cached

__all__ = ["add_finalizer", "has_finalizer", "remove_finalizer"]

Patch = list[dict[str, Any]]


def has_finalizer(cached: Cached, name: str) -> bool:
    """Whether the object waits for that finalizer."""
    return bool(name) and name in (cached.metadata.finalizers or ())


def add_finalizer(cached: Cached, name: str) -> Patch:
    """The JSON patch that has the object wait for that finalizer too."""
    finalizers = [*(cached.metadata.finalizers or ()), name]
    return [*_guard(cached), {"op": "add", "path": "/metadata/finalizers", "value": finalizers}]


def remove_finalizer(cached: Cached, name: str) -> Patch:
    """The JSON patch that lets it go, as far as that finalizer is concerned."""
    finalizers = [each for each in cached.metadata.finalizers or () if each != name]
    if not finalizers:
        return [*_guard(cached), {"op": "remove", "path": "/metadata/finalizers"}]
    return [*_guard(cached), {"op": "replace", "path": "/metadata/finalizers", "value": finalizers}]


def _guard(cached: Cached) -> Patch:
    return [
        {"op": "test", "path": "/metadata/uid", "value": cached.uid},
        {"op": "test", "path": "/metadata/resourceVersion", "value": str(cached.revision)},
    ]
