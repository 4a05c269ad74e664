"""Built-in kinds over the wire: what kube-apiserver's decoder makes of a document, and its encoder of an object.

A codec is one kind's Go type from the table, with the functions that read and write it. What it does not do is what
the server does later: defaults, conversion between versions, validation.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from kubewright.cluster.wire.codec import Document, Read, Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import readers
from kubewright.cluster.wire.restoring import Restoring
from kubewright.cluster.wire.types import Type, kind_type, table
from kubewright.cluster.wire.writing import encode, writers

__all__ = ["BuiltinCodec", "builtin_codec", "read_options"]

_OPTIONS: Final = "meta.k8s.io/v1"
#: Their kinds are stored as JSON.
_JSON_STORED: Final = ("apiextensions.k8s.io", "apiregistration.k8s.io")


class BuiltinCodec:
    """The codec of one built-in kind in one version."""

    def __init__(self, api_version: str, kind: str, target: Type, *, keep_empty: bool) -> None:
        self._head = {"kind": kind, "apiVersion": api_version}
        self._target = target
        self._readers = readers(keep_empty=keep_empty)
        self._read = self._readers.of(target).read
        self._arrange = writers().of(target)

    def read(self, document: Document, duplicates: Sequence[str] = ()) -> Read:
        """The object that a client's document means; `Undecodable` if none."""
        found = Findings(duplicates)
        obj = self._read(document, None, found)
        if found.error is not None:
            raise Undecodable(found.error)
        obj |= self._head
        _keep_reset(document, obj)
        return Read(obj, list(found.complaints))

    def restore(self, document: Document) -> Read:
        """The object that the result of a strategic merge patch means, which the server does not decode from JSON."""
        restoring = Restoring(table(), self._readers)
        restored = restoring.restore(document, self._target)
        obj = self._read(restored, None, Findings()) | self._head
        _keep_reset(document, obj)
        return Read(obj, restoring.complaints)

    def write(self, obj: Document) -> bytes:
        """The object as JSON, in the order of its type's fields."""
        assert self._arrange is not None, "a kind is a struct"
        return encode(self._arrange(obj))


def _keep_reset(document: Document, obj: Document) -> None:
    """An empty list of managers asks for all to be forgotten, which none at all does not."""
    meta = document.get("metadata")
    if isinstance(meta, dict) and meta.get("managedFields") == []:
        obj["metadata"]["managedFields"] = []


@cache
def builtin_codec(group: str, version: str, kind: str) -> BuiltinCodec:
    """The codec of a built-in kind; `UnknownType` if there is no such kind."""
    api_version = f"{group}/{version}" if group else version
    return BuiltinCodec(api_version, kind, kind_type(api_version, kind), keep_empty=group in _JSON_STORED)


def read_options(kind: str, document: Document) -> Document:
    """Options that a request carries in its body, such as `DeleteOptions`; `Undecodable` if they are none."""
    found = Findings()
    options: Document = readers(keep_empty=False).of(kind_type(_OPTIONS, kind)).read(document, None, found)
    if found.error is not None:
        raise Undecodable(found.error)
    return options
