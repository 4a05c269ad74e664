"""Built-in kinds over the wire: what kube-apiserver's decoder makes of a document, and its encoder of an object.

A codec is one kind's Go type from the table, with the functions that read and write it. What it does not do is what
the server does later: defaults, conversion between versions, validation.
"""

from collections.abc import Generator, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from kubewright.cluster.wire.codec import Document, Read, Undecodable
from kubewright.cluster.wire.findings import Findings
from kubewright.cluster.wire.reading import readers
from kubewright.cluster.wire.restoring import Restoring
from kubewright.cluster.wire.sliced import Sliced
from kubewright.cluster.wire.types import Type, kind_type, table
from kubewright.cluster.wire.writing import encode, writers
from kubewright.model.ordered import encode_in_steps
from kubewright.model.piecemeal import decode_in_steps

__all__ = ["BuiltinCodec", "builtin_codec", "read_options"]

_decode: Final = msgspec.json.Decoder(dict[str, Any]).decode
_OPTIONS: Final = "meta.k8s.io/v1"
#: Their kinds are stored as JSON, or are only asked and never stored: nothing empty is lost by way of protobuf.
_EMPTY_KEPT: Final = ("apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io")


class BuiltinCodec:
    """The codec of one built-in kind in one version. `keep_empty`: empty lists and maps are told from none."""

    def __init__(self, api_version: str, kind: str, target: Type, *, keep_empty: bool) -> None:
        self._head = {"kind": kind, "apiVersion": api_version}
        self._target = target
        self._readers = readers()
        self._read = self._readers.of(target).read
        self._arrange = writers(keep_empty=keep_empty).of(target)
        self._sliced = Sliced(table(), self._readers, writers(keep_empty=keep_empty))

    def read(self, document: Document, duplicates: Sequence[str] = ()) -> Read:
        """The object that a client's document means; `Undecodable` if none."""
        found = Findings(duplicates)
        return self._found(self._read(document, None, found), found)

    def read_in_steps(self, document: Document, duplicates: Sequence[str] = ()) -> Generator[None, None, Read]:
        """The same for a large object, in steps."""
        found = Findings(duplicates)
        return self._found((yield from self._sliced.read(self._target, document, None, found)), found)

    def _found(self, obj: Document, found: Findings) -> Read:
        if found.error is not None:
            raise Undecodable(found.error)
        obj |= self._head
        return Read(obj, list(found.complaints), found.hollow)

    def restore(self, document: Document) -> Read:
        """The object that the result of a strategic merge patch means, which the server does not decode from JSON."""
        restoring = Restoring(table(), self._readers)
        restored = restoring.restore(document, self._target)
        found = Findings()
        obj = self._read(restored, None, found) | self._head
        return Read(obj, restoring.complaints, found.hollow)

    def restore_in_steps(self, document: Document) -> Generator[None, None, Read]:
        """The same for a large object, in steps."""
        restoring = Restoring(table(), self._readers)
        restored = yield from restoring.restore_in_steps(document, self._target)
        found = Findings()
        obj = yield from self._sliced.read(self._target, restored, None, found)
        return Read(obj | self._head, restoring.complaints, found.hollow)

    def write(self, obj: Document) -> bytes:
        """The object as JSON, in the order of its type's fields."""
        assert self._arrange is not None, "a kind is a struct"
        return encode(self._arrange(obj))

    def write_around(self, obj: Document, name: str, text: msgspec.Raw) -> bytes:
        """The same, of an object of which one member is known as it is written."""
        assert self._arrange is not None, "a kind is a struct"
        arranged = self._arrange(obj | {name: {}})
        arranged[name] = text
        return encode(arranged)

    def write_in_steps(self, obj: Document) -> Generator[None, None, bytes]:
        """The same for a large object, in steps."""
        arranged = yield from self._sliced.arrange(self._target, obj)
        yield
        return (yield from encode_in_steps(arranged, encode, ordered=False))

    def told(self, obj: Document) -> Document:
        """The object without what is not written of it, before it is stored anywhere."""
        arrange = writers(keep_empty=True).of(self._target)
        assert arrange is not None, "a kind is a struct"
        return _decode(msgspec.json.encode(arrange(obj)))

    def told_in_steps(self, obj: Document) -> Generator[None, None, Document]:
        """The same for a large object, in steps."""
        sliced = Sliced(table(), self._readers, writers(keep_empty=True))
        arranged = yield from sliced.arrange(self._target, obj)
        yield
        data = yield from encode_in_steps(arranged, msgspec.json.encode, ordered=False)
        told: Document = yield from decode_in_steps(data)
        return told


@cache
def builtin_codec(group: str, version: str, kind: str) -> BuiltinCodec:
    """The codec of a built-in kind; `UnknownType` if there is no such kind."""
    api_version = f"{group}/{version}" if group else version
    return BuiltinCodec(api_version, kind, kind_type(api_version, kind), keep_empty=group in _EMPTY_KEPT)


def read_options(kind: str, document: Document) -> Document:
    """Options that a request carries in its body, such as `DeleteOptions`; `Undecodable` if they are none."""
    found = Findings()
    options: Document = readers().of(kind_type(_OPTIONS, kind)).read(document, None, found)
    if found.error is not None:
        raise Undecodable(found.error)
    return options
