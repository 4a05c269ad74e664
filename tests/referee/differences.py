"""Where the embedded server is meant to differ, and why a user would agree."""

from typing import NamedTuple

from tests.referee.compare import Difference

__all__ = ["DISAGREEMENTS", "INTENDED", "Intended", "reason_for"]


class Intended(NamedTuple):
    """A place of a script's transcript and everything below it; `step` 0 is every step."""

    script: str
    step: int
    path: str
    reason: str


INTENDED: tuple[Intended, ...] = ()

#: Drawn requests that are answered otherwise, counted by kind and verb. The number may only fall: most of them are the
#: defaults and checks of single kinds, which come with those kinds.
DISAGREEMENTS: dict[str, dict[str, int]] = {
    "ConfigMap": {"create": 2, "patch": 2, "delete": 4, "get": 1, "list": 7, "watch": 5},
    "Secret": {"patch": 2},
    "Namespace": {"create": 2, "patch": 2, "delete": 4, "get": 1, "list": 7, "watch": 5},
    "Widget": {"create": 2, "patch": 3, "delete": 4, "get": 1, "list": 7, "watch": 5},
    "CustomResourceDefinition": {"patch": 2},
    "Lease": {"create": 3, "update": 3, "patch": 5},
    "Event": {"create": 10, "update": 11, "patch": 10},
    "ServiceAccount": {"update": 2, "patch": 4},
    "Service": {"create": 87, "update": 98, "patch": 125, "delete": 31, "get": 1, "list": 1},
    "Deployment": {"create": 124, "update": 137, "patch": 165, "get": 1, "list": 1},
    "Pod": {"create": 136, "update": 153, "patch": 196, "delete": 31, "get": 1, "list": 1},
    "Role": {"create": 14, "update": 14, "patch": 13},
}


def reason_for(key: str, found: Difference) -> Intended | None:
    """Why a difference is meant, if it is."""
    for intended in INTENDED:
        if (
            intended.script == key
            and intended.step in (0, found.step)
            and found.path.startswith(intended.path)
            and found.path[len(intended.path) : len(intended.path) + 1] in ("", ".", "[")
        ):
            return intended
    return None
