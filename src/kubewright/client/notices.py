"""What the server warns of is logged, each text once.

A Warning header comes with the answer to a request, be it refused or not: a version that will go, a field nobody knows.
It comes with every such answer, so a loop would say it for ever; a text is logged the first time only.
"""

import logging
import re
from collections.abc import Sequence

__all__ = ["Notices", "warning_texts"]

_log = logging.getLogger("kubewright.client")

#: `299 <agent> "<text>"`, the text with backslashes before quotes; several stand in one header after commas.
_WARNING = re.compile(r'299 +(?:"[^"]*"|[^ ,"]+) +"((?:[^"\\]|\\.)*)"')
#: A server that says something new in every answer would fill our memory; then repeating is the lesser evil.
_MANY = 1000


def warning_texts(values: Sequence[bytes]) -> list[str]:
    """The texts of Warning headers of Kubernetes' code."""
    found = [match[1] for value in values for match in _WARNING.finditer(value.decode(errors="replace"))]
    return [re.sub(r"\\(.)", r"\1", text) for text in found]


class Notices:
    """Remembers what was said."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def take(self, values: Sequence[bytes], about: str) -> None:
        """Log the texts that were not logged yet."""
        for text in warning_texts(values):
            if text not in self._said:
                if len(self._said) >= _MANY:
                    self._said.clear()
                self._said.add(text)
                _log.warning("%s: the server warns: %s", about, text)
