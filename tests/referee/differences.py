"""Where the embedded server is meant to differ, and why a user would agree."""

from typing import NamedTuple

from tests.referee.compare import Difference

__all__ = ["INTENDED", "Intended", "reason_for"]


class Intended(NamedTuple):
    """A place of a script's transcript and everything below it; `step` 0 is every step."""

    script: str
    step: int
    path: str
    reason: str


INTENDED: tuple[Intended, ...] = ()


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
