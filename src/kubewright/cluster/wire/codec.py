"""How a document becomes an object of its kind, and is written again.

A codec belongs to one version of one kind. Reading is what Go's decoder does to a document: unknown fields go, what
cannot be read is refused, zeros vanish where the type says so; defaults of the schema are filled in. What strict
field validation would refuse is told, in the server's words, for the caller to warn of, refuse or ignore.
"""

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple, Protocol

__all__ = ["Codec", "Document", "Read", "Undecodable"]

Document = dict[str, Any]


class Undecodable(Exception):
    """A document that is no object of the kind; the text is what the server says behind `cannot be handled as a X:`."""


class Read(NamedTuple):
    """An object, and what was odd about its document."""

    object: Document
    #: Such as `unknown field "spec.zzz"` and `duplicate field "data.a"`, in the server's order.
    complaints: list[str]
    #: Whether it holds lists or maps that are empty and therefore not written.
    hollow: bool = False


class Codec(Protocol):
    """One version of one kind."""

    def read(self, document: Document, duplicates: Sequence[str] = ()) -> Read:
        """The object that a client's document means; `Undecodable` if none. The document may be changed or kept.

        `duplicates` are the paths that stood twice in the document's text, in order.
        """

    def read_in_steps(self, document: Document, duplicates: Sequence[str] = ()) -> Generator[None, None, Read]:
        """The same for a large object, in steps."""

    def write(self, obj: Document) -> bytes:
        """The object as JSON: for a built-in kind in the order of its type's fields, `kind` and `apiVersion` first; for
        a custom one by name."""

    def write_in_steps(self, obj: Document) -> Generator[None, None, bytes]:
        """The same for a large object, in steps."""
