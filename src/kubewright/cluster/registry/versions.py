"""The order in which Kubernetes prefers versions."""

import re
from typing import Final

__all__ = ["version_order"]

_VERSION: Final = re.compile(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?")
_STAGES: Final = {None: 0, "beta": 1, "alpha": 2}


def version_order(version: str) -> tuple[int, int, int, str]:
    """A key that sorts versions as Kubernetes does: v10, v2, v1, v1beta2, v11alpha1, and other names by themselves."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return 3, 0, 0, version
    return _STAGES[found[2]], -int(found[1]), -int(found[3] or 0), ""
