"""An object as the cache keeps it: the bytes it came in, and of them as little read as must be at hand.

Who it is, which version it is, who owns it: that is the header. Everything else is read from the bytes when somebody
asks, anew each time, so that every reader has an object of its own and none can spoil another's. Bytes are also what
makes a cache small: a Pod of 3 KB read into Python objects takes 17.

Managed fields are cut out of the bytes: they are a third of many objects and nobody reads them, except what our own
managers own, which is kept aside in `managed`. Objects built alike own alike, so they share one copy; for that, their
owners, who are among their fields by uid, are called by their number there (`hide_owners`).
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar, overload

import msgspec

from kubewright.client.endpoint import Document, Endpoint
from kubewright.model.codec import decode
from kubewright.model.documents import Named

__all__ = ["Cached", "Key", "Managed", "Metadata", "Owner", "Source", "hide_owners", "key_of"]

T = TypeVar("T")


class Key(NamedTuple):
    """The name of an object among those of its kind; the namespace is empty for a kind that is in none."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


#: A key of a namespace and a name, made without a call of Python, as `Key(…)` is one: for who makes many.
key_of: Callable[[tuple[str, str]], Key] = partial(tuple.__new__, Key)


class Owner(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """An owner reference."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class Managed(msgspec.Struct, frozen=True, rename="camel", gc=False):
    """What one manager owns of an object; `fields` is the JSON of its set of fields, without the uids of owners."""

    manager: str = ""
    operation: str = ""
    api_version: str = ""
    fields: bytes = b""
    subresource: str = ""


class Metadata(msgspec.Struct, frozen=True, rename="camel"):
    """The metadata that decides whether a change matters, read for that alone; `Cached.object` has all of it."""

    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None
    finalizers: list[str] | None = None
    owner_references: list[Owner] | None = None
    deletion_timestamp: str | None = None
    creation_timestamp: str | None = None


class _Envelope(msgspec.Struct):
    metadata: Metadata


_metadata = msgspec.json.Decoder(_Envelope).decode


def hide_owners(references: Iterable[Document], owners: tuple[str, ...]) -> list[Document]:
    """The owner references of a document, with uids as `Managed.fields` has them; `owners` are those of the object."""
    numbers = {uid: f"*{number}" for number, uid in enumerate(owners)}
    return [{**each, "uid": numbers.get(each.get("uid", ""), each.get("uid"))} for each in references]


class Source(Protocol):
    """What all objects of one cache share."""

    endpoint: Endpoint[Any]

    def misfit(self, cached: "Cached", problem: str) -> object:
        """An object was read and did not fit its type; `problem` names the field."""


class Cached(msgspec.Struct, frozen=True, gc=False, eq=False):
    """One version of an object."""

    key: Key
    uid: str
    #: The resourceVersion; numbers, so that versions can be compared.
    revision: int
    generation: int
    #: Whether it has a deletionTimestamp.
    deleting: bool
    #: The uids of its owners.
    owners: tuple[str, ...]
    #: What our managers own of it.
    managed: tuple[Managed, ...]
    #: The JSON document, without managed fields.
    raw: bytes
    source: Source
    #: The uid of the owner that controls it; empty if none does.
    controller: str = ""

    @property
    def metadata(self) -> Metadata:
        """Labels, annotations and the like, read now."""
        return _metadata(self.raw).metadata

    @property
    def labels(self) -> dict[str, str]:
        """The labels, read now."""
        return self.metadata.labels or {}

    def applied(self, manager: str, subresource: str = "") -> bytes:
        """The set of fields that one of our managers owns by apply, to the object itself or to a subresource."""
        for each in self.managed:
            if each.manager == manager and each.operation == "Apply" and each.subresource == subresource:
                return each.fields
        return b"{}"

    @overload
    def object(self) -> Any: ...
    @overload
    def object(self, model: type[T]) -> T: ...
    def object(self, model: type[Any] | None = None) -> Any:
        """The object, read now and the reader's own: as `model`, or as its endpoint's class, or as a document.

        What does not fit the type stays as it came, and is reported with its field (`Informer.misfits`).
        """
        endpoint = self.source.endpoint
        model = model or endpoint.model
        if model is None:
            return endpoint.read(self.raw, Named(endpoint.resource, self.key))
        return decode(self.raw, model, Named(endpoint.resource, self.key), self._misfit)

    def document(self) -> Document:
        """The object as a plain document, with its apiVersion and kind."""
        endpoint = self.source.endpoint
        read: Document = msgspec.json.decode(self.raw)
        return {"apiVersion": endpoint.api_version, "kind": endpoint.kind, **read}

    def _misfit(self, problem: str) -> None:
        self.source.misfit(self, problem)
