"""What stands around an object in protobuf: four bytes that say so, then its kind, then the message of that kind.

    read_object(body, want: GroupVersionKind) -> Document         # a new or changed object; Failure 400
    read_in_steps(body, want)                                     # the same in steps
    read_options(body, kind) -> Document                          # such as DeleteOptions; Unreadable, Undecodable
    write_object(document) -> bytes                               # with its kind and apiVersion in it
    pack(api_version, kind, document) -> bytes                    # its message alone
    enclose(api_version, kind, pieces) -> list[bytes]             # what stands around a message that is in pieces

An object may leave its kind open, as in JSON, and then has that of the endpoint. Fields that nobody knows are passed
over without a word: field validation is a matter of texts.
"""

from collections.abc import Generator
from typing import Any, Final

from kubewright.cluster.wire.body import goes_deep
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.identify import no_such_kind, stranger, unhandled, unrecognized
from kubewright.cluster.wire.protobuf.decode import decoders
from kubewright.cluster.wire.protobuf.encode import encoders
from kubewright.cluster.wire.protobuf.scan import LENGTH, Malformed, fields, text
from kubewright.cluster.wire.protobuf.write import message, number, tag
from kubewright.cluster.wire.types import Type, UnknownType, kind_type
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.model.kind import GroupVersionKind
from kubewright.model.steps import finish

__all__ = [
    "enclose",
    "open_envelope",
    "pack",
    "pack_in_steps",
    "read_in_steps",
    "read_object",
    "read_options",
    "unpack",
    "write_in_steps",
    "write_object",
]

Document = dict[str, Any]

_MAGIC: Final = b"k8s\0"
_ENVELOPE: Final = {
    1: ("TypeMeta", LENGTH),
    2: ("Raw", LENGTH),
    3: ("ContentEncoding", LENGTH),
    4: ("ContentType", LENGTH),
}
_TYPE: Final = {1: ("APIVersion", LENGTH), 2: ("Kind", LENGTH)}
_DEEP: Final = "exceeded max depth"
_META: Final = "meta.k8s.io/v1"
#: An encoding and a type of its content that are not told.
_TAIL: Final = b"\x1a\0\x22\0"


def read_object(body: bytes, want: GroupVersionKind) -> Document:
    """The object that a body means at an endpoint for `want`."""
    return finish(read_in_steps(body, want))


def read_in_steps(body: bytes, want: GroupVersionKind) -> Generator[None, None, Document]:
    """The same in steps, for a long body."""
    try:
        said, raw = open_envelope(body)
    except Unreadable as error:
        raise unrecognized(str(error), body, want) from None
    kind = said.kind or want.kind
    said = said._replace(kind=kind) if said.version else GroupVersionKind(want.group, want.version, kind)
    try:
        obj = yield from _unpacked(kind_type(said.api_version, kind), raw)
    except UnknownType:
        raise stranger(said, body, want) from None
    except Undecodable as error:
        raise unhandled(said, want, str(error)) from None
    if said != want:
        raise stranger(said, body, want)
    obj["kind"], obj["apiVersion"] = kind, want.api_version
    return obj


def read_options(body: bytes, kind: str) -> Document:
    """The options of a request that has them in its body."""
    said, raw = open_envelope(body)
    if said.kind not in ("", kind):
        raise Undecodable(no_such_kind(said._replace(version=said.version or "v1")))
    return unpack(kind_type(_META, kind), raw)


def open_envelope(body: bytes) -> tuple[GroupVersionKind, bytes]:
    """What an object says that it is, empty where it says nothing, and the message of it."""
    if not body:
        raise Unreadable("empty data")
    if not body.startswith(_MAGIC):
        prefix = " ".join(map(str, _MAGIC))
        raise Unreadable(f"provided data does not appear to be a protobuf message, expected prefix [{prefix}]")
    if len(body) == len(_MAGIC):
        raise Unreadable("empty body")
    said = {1: b"", 2: b""}
    raw = b""
    try:
        for number, value in fields(body[len(_MAGIC) :], "Unknown", _ENVELOPE):
            if number == 1:
                said.update(fields(value, "TypeMeta", _TYPE))
            elif number == 2:
                raw = value
    except Malformed as error:
        raise Unreadable(str(error)) from None
    group, slash, version = text(said[1]).partition("/")
    if not slash:
        group, version = "", group
    elif "/" in version:
        group = version = ""
    return GroupVersionKind(group, version, text(said[2])), raw


def unpack(target: Type, raw: bytes) -> Document:
    """The object that a message of a type means; `Undecodable` if none."""
    return finish(_unpacked(target, raw))


def _unpacked(target: Type, raw: bytes) -> Generator[None, None, Document]:
    obj: Document = {}
    try:
        yield from decoders().fill_in_steps(target, raw + b"\0", 0, len(raw), obj)
    except Malformed as error:
        raise Undecodable(str(error)) from None
    except RecursionError:
        raise Undecodable(_DEEP) from None
    # Of all types only schemas have themselves inside.
    if target.name.startswith("apiextensions/") and (yield from goes_deep(obj)):
        raise Undecodable(_DEEP)
    return obj


def write_object(document: Document) -> bytes:
    """The whole of an object, a list of objects, or a Status."""
    api_version, kind = document["apiVersion"], document["kind"]
    return b"".join(enclose(api_version, kind, [pack(api_version, kind, document)]))


def write_in_steps(document: Document) -> Generator[None, None, bytes]:
    """The same for a large object."""
    api_version, kind = document["apiVersion"], document["kind"]
    packed = yield from pack_in_steps(api_version, kind, document)
    yield
    return b"".join(enclose(api_version, kind, [packed]))


def pack(api_version: str, kind: str, document: Document) -> bytes:
    """The message of an object. The messages of parts of it, one behind the other, are that of the whole."""
    return encoders().of(_type(api_version, kind))(document)


def pack_in_steps(api_version: str, kind: str, document: Document) -> Generator[None, None, bytes]:
    """The same for a large object."""
    return encoders().encode_in_steps(_type(api_version, kind), document)


def _type(api_version: str, kind: str) -> Type:
    # Kinds of meta are known in every group, and have the same message in each of their versions.
    shared = kind == "Status" or api_version.startswith("meta.k8s.io/")
    return kind_type(_META if shared else api_version, kind)


def enclose(api_version: str, kind: str, pieces: list[bytes]) -> list[bytes]:
    """What stands around a message, and the message, which may be in pieces."""
    size = sum(map(len, pieces))
    head = _MAGIC + message(message(api_version.encode(), kind.encode())) + tag(2, LENGTH) + number(size)
    return [head, *pieces, _TAIL]
