"""Which Services select a pod, without asking each of them.

A Service is filed under one of the labels that it selects by; of a pod with three labels only those filed under one of
the three are looked at.
"""

from collections.abc import Mapping

from kubewright.cache import Key

__all__ = ["Selectors"]

Label = tuple[str, str]


class Selectors:
    """The selectors of Services."""

    def __init__(self) -> None:
        self._selectors: dict[Key, dict[str, str]] = {}
        #: By namespace and label; dicts, so that the order is the same in every run.
        self._filed: dict[tuple[str, Label], dict[Key, None]] = {}

    def put(self, key: Key, selector: Mapping[str, str]) -> None:
        """A Service selects by this; an empty selector is none."""
        if self._selectors.get(key, {}) == selector:
            return
        self.drop(key)
        if selector:
            self._selectors[key] = dict(selector)
            self._filed.setdefault((key.namespace, min(selector.items())), {})[key] = None

    def drop(self, key: Key) -> None:
        """A Service is gone."""
        selector = self._selectors.pop(key, None)
        if selector is not None:
            place = (key.namespace, min(selector.items()))
            del self._filed[place][key]
            if not self._filed[place]:
                del self._filed[place]

    def match(self, namespace: str, labels: Mapping[str, str]) -> list[Key]:
        """The Services that select an object with these labels."""
        return [
            key
            for label in labels.items()
            for key in self._filed.get((namespace, label), ())
            if self._selectors[key].items() <= labels.items()
        ]
