"""A kind of which requests are drawn: one valid object of it with each part that is worth mutating."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.referee.objects import Document

__all__ = ["META", "Kind", "kind"]

META = {
    "labels": {"a": "b"},
    "annotations": {"example.com/n": "x"},
    "finalizers": ["example.com/f"],
    "ownerReferences": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "name": "n",
            "uid": "00000000-0000-4000-8000-000000000001",
            "controller": True,
        }
    ],
}


class Kind(NamedTuple):
    """Where objects of a kind live, and one with each part that is worth mutating, its name apart."""

    path: str
    body: Document
    #: Other valid objects, of which only creations are drawn: the least there can be, and each choice among many.
    variants: tuple[Document, ...] = ()
    #: How many requests are answered otherwise, by verb. A number may only fall.
    apart: Mapping[str, int] = {}
    #: Objects of this kind are in no namespace.
    cluster: bool = False
    #: What is said at `/status`, if there is such a path.
    status: Mapping[str, Any] = {}

    def named(self, name: str, body: Document | None = None) -> Document:
        """The object with a name."""
        body = body or self.body
        return {**body, "metadata": {"name": name, **body.get("metadata", {})}}


def kind(
    path: str,
    api: str,
    name: str,
    *,
    variants: tuple[Document, ...] = (),
    apart: Mapping[str, int] | None = None,
    cluster: bool = False,
    **fields: Any,
) -> Kind:
    """A kind; what is not said of its metadata is one label. Variants have the fields that they say, and no others."""
    head = {"apiVersion": api, "kind": name}
    metadata = fields.pop("metadata", {"labels": {"a": "b"}})
    others = tuple({**head, "metadata": {}, **variant} for variant in variants)
    return Kind(path, {**head, "metadata": metadata, **fields}, others, apart or {}, cluster)
