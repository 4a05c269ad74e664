"""Objects of a built-in kind, made and changed as the verbs do it, without a server."""

from copy import deepcopy
from functools import cache
from typing import Any

import msgspec

from kubewright.cluster.patches import merge
from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.registry.strategy import Strategy

__all__ = ["Judged"]

Document = dict[str, Any]


@cache
def _resources() -> dict[str, Resource]:
    return {resource.qualified: resource for resource in builtin_resources()}


class Judged:
    """One kind: what becomes of its objects, and what is said against them."""

    def __init__(self, qualified: str) -> None:
        self._resource = _resources()[qualified]

    def made(self, **fields: Any) -> Document:
        """A new object, which is right."""
        obj, errors = self._create(fields)
        assert errors == []
        return obj

    def refused(self, **fields: Any) -> list[str]:
        """What is said against a new object."""
        return self._create(fields)[1]

    def warned(self, **fields: Any) -> list[str]:
        """What the writer of a new object is told."""
        return self._resource.strategy.warnings(self.made(**fields), None)

    def changed(self, old: Document, change: Document, part: str = "") -> Document:
        """An object after a change, which is right; `part` is a subresource."""
        obj, errors = self._update(old, change, part)
        assert errors == []
        return obj

    def kept(self, old: Document, change: Document, part: str = "") -> list[str]:
        """What is said against a change."""
        return self._update(old, change, part)[1]

    def _create(self, fields: Document) -> tuple[Document, list[str]]:
        meta = {"name": "a", **fields.pop("metadata", {})}
        if self._resource.namespaced:
            meta["namespace"] = "default"
        obj = self._resource.codec.read({"metadata": meta, **deepcopy(fields)}).object
        strategy = self._resource.strategy
        strategy.default(obj)
        obj["metadata"]["uid"] = "00000000-0000-4000-8000-000000000001"
        strategy.prepare_create(obj)
        return obj, [*map(str, strategy.validate(obj))]

    def _update(self, old: Document, change: Document, part: str) -> tuple[Document, list[str]]:
        strategy = self._strategy(part)
        # As it comes from the store.
        before: Document = msgspec.json.decode(self._resource.codec.write(old))
        before["metadata"]["resourceVersion"] = "1"
        patched = merge.apply(deepcopy(before), deepcopy(change))
        assert isinstance(patched, dict)
        obj = self._resource.codec.read(patched).object
        strategy.default(obj)
        strategy.prepare_update(obj, before)
        return obj, [*map(str, strategy.validate_update(obj, before))]

    def _strategy(self, part: str) -> Strategy:
        found = self._resource.subresource(part) if part else None
        strategy = found.strategy if found is not None else self._resource.strategy
        assert strategy is not None
        return strategy
