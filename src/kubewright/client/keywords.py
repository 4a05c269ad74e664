"""Keywords that nobody knows are refused: `dryrun=True` that is swallowed is a write that was not meant to be kept.

Type checkers say so too, but not every script meets one.
"""

import difflib
from collections.abc import Collection, Iterable

from kubewright.errors import KubewrightError

__all__ = ["KeywordError", "check_keywords"]


class KeywordError(KubewrightError, TypeError):
    """A keyword that is none; a TypeError, as Python's own refusal is."""


def check_keywords(given: Iterable[str], known: Collection[str], what: str) -> None:
    """Refuse what is not among those known; `what` can be told them, as in "a write"."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it knows {', '.join(known)}."
            raise KeywordError(f"{what} has no option {name!r}; {hint}")
