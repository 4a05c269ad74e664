"""How long a key that fails has to wait: twice as long each time, and never in step with others.

The n-th failure in a row waits `base · 2^(n-1)`, and up to a quarter more by chance, so that a thousand keys that
failed together (the server was down) do not come back together. Every delay lies within `base` and `cap`, and differs
by chance at the cap too: what is doubled stops at `cap / 1.25`.
"""

import math
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from kubewright.entropy import SYSTEM, Entropy

__all__ = ["Backoff"]

Key = TypeVar("Key", bound=Hashable)

#: Seconds: client-go's and controller-runtime's own.
_BASE: Final = 0.005
_CAP: Final = 1000.0
_JITTER: Final = 0.25
#: Doubling more often would overflow a float long after the cap is reached, whatever base and cap are.
_DOUBLINGS: Final = 256


class Backoff(Generic[Key]):
    """Counts failures in a row by key; keeps nothing of keys that were forgotten."""

    def __init__(self, base: float = _BASE, cap: float = _CAP, entropy: Entropy = SYSTEM) -> None:
        self._base = base
        self._top = max(base, cap / (1 + _JITTER))
        self._entropy = entropy
        self._failures: dict[Key, int] = {}

    def failed(self, key: Key, most: float = math.inf) -> float:
        """Count a failure; the seconds to wait, which are `most` at most: one that would have to wait longer is none.

        So the next failure, of another sort, does not wait for all those that could not.
        """
        before = self._failures.get(key, 0)
        wait, top = self._base * 2.0 ** min(before, _DOUBLINGS), most / (1 + _JITTER)
        if wait <= top:
            self._failures[key] = before + 1
        return min(wait, top, self._top) * (1 + _JITTER * self._entropy.fraction())

    def forget(self, key: Key) -> None:
        """The key succeeded: its next failure is the first again."""
        self._failures.pop(key, None)

    def failures(self, key: Key) -> int:
        """How often it failed in a row."""
        return self._failures.get(key, 0)
