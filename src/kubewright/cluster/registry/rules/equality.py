"""When two parts of an object are equal in meaning: a list or map that is empty means what none means.

Kubernetes compares so nearly everywhere. What was read from the store has no empty ones, what a client sends may have.
"""

from typing import Any

from kubewright.cluster.wire.reading import EmptyMap

__all__ = ["same"]


def same(new: Any, old: Any) -> bool:
    """Whether two parts mean the same."""
    # Most of what is in them is equal, and Python sees that soonest.
    if new == old:
        return True
    if isinstance(new, dict) and isinstance(old, dict):
        return all(same(new.get(name), old.get(name)) for name in {*new, *old})
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(same, new, old))
    return _is_none(new) and _is_none(old)


def _is_none(value: Any) -> bool:
    # A struct without members is something.
    return value is None or value == [] or (value.__class__ is EmptyMap and not value)
