"""Which objects of one cache do not fit their type, and how: told once each.

It is what all objects of a cache have in common (`Source`), and each of them holds it. The collector does not look into
objects, so nothing here may lead back to them: they, and the store that has them, would be kept for ever.
"""

import logging
from typing import Any

from kubewright.cache.cached import Cached, Key
from kubewright.client.endpoint import Endpoint

__all__ = ["Misfits"]

_log = logging.getLogger(__name__)

#: How many are remembered.
_MOST = 100


class Misfits(dict[Key, str]):
    """By key: a sentence with the field."""

    def __init__(self, endpoint: Endpoint[Any]) -> None:
        super().__init__()
        self.endpoint = endpoint

    def misfit(self, cached: Cached, problem: str, hence: str = "") -> str:
        """An object was read that does not fit its type: told once, with what follows; returns what is told."""
        told = f"{self.endpoint.kind} {cached.key} does not fit its type: {problem}."
        if self.get(cached.key) != told:
            _log.warning("%s %s", told, hence or "What does not fit is read as it is.")
            if len(self) < _MOST:
                self[cached.key] = told
        return told
