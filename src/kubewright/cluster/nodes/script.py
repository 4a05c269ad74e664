"""What is to happen to which pods: the settings of their own annotations, and of the Stages that select them.

A pod of which a setting cannot be understood has none; why is told once, in the log and to who looked at it first.
"""

import logging
import zlib
from collections.abc import Callable
from typing import Any, Final

from kubewright.cluster.nodes.settings import Settings, SettingsError, read_settings
from kubewright.entropy import Entropy
from kubewright.model.selectors import LabelSelector

__all__ = ["STAGES", "Script"]

Document = dict[str, Any]

#: What the CRD of Stages is called.
STAGES: Final = "stages.kubewright.dev"

_log = logging.getLogger(__name__)


class Script:
    """The settings of all pods."""

    def __init__(self, entropy: Entropy) -> None:
        #: The Stages by name: whom they select, and what they set.
        self.stages: dict[tuple[str, str], tuple[LabelSelector, dict[str, str]]] = {}
        self._salt = int(entropy.fraction() * 2**53)
        self._told: set[tuple[str, str]] = set()

    def of(self, pod: Document, tell: Callable[[str], None] | None = None) -> Settings:
        """The settings of a pod; `tell` is called once if they cannot be understood, with why."""
        meta = pod["metadata"]
        chosen: list[dict[str, str]] = []
        if self.stages:
            labels = meta.get("labels") or {}
            chosen = [
                settings
                for (namespace, _), (selector, settings) in sorted(self.stages.items())
                if namespace == meta["namespace"] and selector.matches(labels)
            ]
        try:
            return read_settings(pod, chosen)
        except SettingsError as error:
            why = f"{error} Its settings are taken as if they were not there."
            if (meta["uid"], why) not in self._told:
                self._told.add((meta["uid"], why))
                _log.warning("pod %s/%s: %s", meta["namespace"], meta["name"], why)
                if tell is not None:
                    tell(why)
            return Settings()

    def chance(self, uid: str) -> Callable[[str], float]:
        """How much of its jitter each delay of a pod has: a number below 1, drawn from the seed and what it is for."""

        def draw(what: str) -> float:
            return Entropy(self._salt ^ zlib.crc32(f"{uid}/{what}".encode())).fraction()

        return draw
