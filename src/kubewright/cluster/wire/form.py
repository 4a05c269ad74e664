"""What a client asked to have made of an object or a list: a Table, the metadata alone; and the bytes of it.

    object_form(document, output, columns) -> Document        # Failure 406
    list_form(document, output, columns) -> Document          # Failure 406
    encode(document, output) -> bytes                         # JSON, YAML or protobuf; no line end but YAML's

A Status stays as it is, whatever was asked for. In a watch the first Table tells the columns and every other has
`columnDefinitions: null`: that is for whoever writes the events. Documents are not changed, but share their parts with
what is made of them.
"""

from collections.abc import Generator, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from kubewright import clock
from kubewright.cluster.wire.identify import go_package
from kubewright.cluster.wire.media import JSON, PROTOBUF, YAML
from kubewright.cluster.wire.negotiate import Output
from kubewright.cluster.wire.status import Failure
from kubewright.cluster.wire.writing import escaped
from kubewright.model import ordered
from kubewright.model.parts import rebuilt

__all__ = [
    "METADATA",
    "Columns",
    "encode",
    "encode_in_steps",
    "encode_status_in_steps",
    "list_form",
    "metadata_of",
    "object_form",
]

Document = dict[str, Any]

METADATA: Final = "PartialObjectMetadata"
_METADATA: Final = (
    *("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers"),
    "managedFields",
)
_INITIAL_EVENTS_END: Final = "k8s.io/initial-events-end"
#: Inside, this is a field of DaemonSets, and so none of their metadata.
_INNER: Final = "deprecated.daemonset.template.generation"
_INNER_QUOTED: Final = f'"{_INNER}"'.encode()
_METADATA_OF: Final = b'{"kind":"PartialObjectMetadata","apiVersion":"%b","metadata":%b}'
#: Of a long Status so many items of a list are written in one step, and so many characters.
_FEW: Final = 500
_TEXT: Final = 256 * 1024
_encode: Final = msgspec.json.Encoder().encode


class _Outer(msgspec.Struct):
    metadata: msgspec.Raw


_outer: Final = msgspec.json.Decoder(_Outer).decode


class Columns(Protocol):
    """What a table of a kind shows."""

    @property
    def definitions(self) -> Sequence[Document]:
        """What the columns are called and how they are to be shown."""

    @property
    def null_when_empty(self) -> bool:
        """Whether a table of no objects has no rows at all, where others have an empty list of them."""

    def cells(self, obj: Document, now: datetime) -> list[Any]:
        """One row."""

    def conditions(self, obj: Document) -> list[Document]:
        """What is to be told of a row besides its cells."""


def object_form(document: Document, output: Output, columns: Columns) -> Document:
    """An object as the client wants it."""
    if not output.form or _is_status(document):
        return document
    if output.form == METADATA:
        return _partial(document, output)
    if output.form == "PartialObjectMetadataList":
        package = go_package(document["apiVersion"])
        if package is None:
            raise Failure(_status(500, "", "content is not a list"))
        kind = f"*{package}.{document['kind']}"
        why = f"you requested PartialObjectMetadataList, but the requested object is not a list ({kind})"
        raise Failure(_status(406, "NotAcceptable", why))
    meta = document["metadata"]
    listed = {"resourceVersion": meta["resourceVersion"]} if meta.get("resourceVersion") else {}
    return _table(listed, [_row(document, output, columns, clock.now())], output, columns)


def metadata_of(data: bytes, output: Output) -> bytes | None:
    """The bytes of an object's metadata as the client wants it, cut out of the object's own, which are as they are to
    be shown; None where they are not, or where the client wants something else.
    """
    if output.form != METADATA or output.media != JSON or output.pretty or _INNER_QUOTED in data:
        return None
    return _METADATA_OF % (output.api_version.encode(), _outer(data).metadata)


def list_form(document: Document, output: Output, columns: Columns) -> Document:
    """A list as the client wants it. Its items may lack their kind, as those of built-in lists do."""
    if not output.form or _is_status(document):
        return document
    if output.form == METADATA:
        package = go_package(document["apiVersion"])
        kind = f"*{package}.{document['kind']}" if package else "*unstructured.UnstructuredList"
        why = f"you requested PartialObjectMetadata, but the requested object is a list ({kind})"
        raise Failure(_status(406, "NotAcceptable", why))
    items = document["items"]
    meta = {name: value for name, value in document["metadata"].items() if value not in ("", None)}
    if output.form == "PartialObjectMetadataList":
        parts = [_partial(item, output) for item in items]
        return _kind(output) | {"metadata": meta, "items": parts or None}
    now = clock.now()
    if output.include == "Object" and items and "kind" not in items[0]:
        own = {"kind": document["kind"].removesuffix("List"), "apiVersion": document["apiVersion"]}
        items = [own | item for item in items]
    rows = [_row(item, output, columns, now) for item in items]
    return _table(meta, rows if rows or not columns.null_when_empty else None, output, columns)


def encode(document: Document, output: Output) -> bytes:
    """The bytes of an answer."""
    if output.media == PROTOBUF:
        # Loaded when it is needed, as few clients ask for it; so is the next.
        from kubewright.cluster.wire.protobuf.envelope import write_object

        return write_object(document)
    if output.media == YAML:
        from kubewright.model.yaml import dump_yaml

        return dump_yaml(_sorted(document)).encode()
    text = _encoded(document)
    return msgspec.json.format(text, indent=2) if output.pretty else text


def encode_in_steps(document: Document, output: Output) -> Generator[None, None, bytes]:
    """The same for a large answer, in steps."""
    if output.media == PROTOBUF:
        from kubewright.cluster.wire.protobuf.envelope import write_in_steps

        return (yield from write_in_steps(document))
    if output.media == YAML:
        from kubewright.model.yaml import dump_yaml_in_steps

        shown = yield from rebuilt(document, lambda part, _: _sorted(part), order=sorted)
        written = yield from dump_yaml_in_steps(shown)
        yield
        del shown  # which takes its time, too
        yield
        return written.encode()
    text = yield from ordered.encode_in_steps(document, _encoded, ordered=False)
    if not output.pretty:
        return text
    yield
    return msgspec.json.format(text, indent=2)


def encode_status_in_steps(
    document: Document, output: Output, few: int = _FEW, length: int = _TEXT
) -> Generator[None, None, bytes]:
    """The bytes of a Status that says much, which may be in texts that are long themselves."""
    if output.media != JSON or output.pretty:
        return (yield from encode_in_steps(document, output))
    pieces: list[bytes] = []
    yield from _write_long(document, pieces, few, length)
    text = b"".join(pieces)
    yield
    return text


def _write_long(value: Any, pieces: list[bytes], few: int, length: int) -> Generator[None, None, None]:
    """Add the text of a value whose long texts are in no list but in maps."""
    before = b""
    if isinstance(value, dict):
        pieces.append(b"{")
        for name, member in value.items():
            pieces += [before, _encoded(name), b":"]
            yield from _write_long(member, pieces, few, length)
            before = b","
        pieces.append(b"}")
    elif isinstance(value, list):
        pieces.append(b"[")
        for start in range(0, len(value), few):
            some = value[start : start + few]
            short = sum(map(_length, some)) <= length
            for part in [some] if short else [[item] for item in some]:
                pieces.append(before)
                before = b","
                if short:
                    pieces.append(_encoded(part)[1:-1])
                    yield
                else:
                    yield from _write_long(part[0], pieces, few, length)
        pieces.append(b"]")
    elif isinstance(value, str) and len(value) > length:
        pieces.append(b'"')
        for start in range(0, len(value), length):
            pieces.append(_encoded(value[start : start + length])[1:-1])
            yield
        pieces.append(b'"')
    else:
        pieces.append(_encoded(value))


def _length(item: Any) -> int:
    """How much text is in a map."""
    return sum(len(text) for text in item.values() if isinstance(text, str)) if isinstance(item, dict) else 0


def _encoded(value: Any) -> bytes:
    return escaped(_encode(value))


def _kind(output: Output) -> Document:
    return {"kind": output.form, "apiVersion": output.api_version}


def _table(meta: Document, rows: list[Document] | None, output: Output, columns: Columns) -> Document:
    return _kind(output) | {"metadata": meta, "columnDefinitions": list(columns.definitions), "rows": rows}


def _row(obj: Document, output: Output, columns: Columns, now: datetime) -> Document:
    shown: Document | None = None
    if output.include == "Object":
        shown = obj
    elif output.include == "Metadata" or _INITIAL_EVENTS_END in (obj["metadata"].get("annotations") or ()):
        shown = _partial(obj, output)
    row: Document = {"cells": columns.cells(obj, now)}
    if conditions := columns.conditions(obj):
        row["conditions"] = conditions
    return row | {"object": shown}


def _partial(obj: Document, output: Output) -> Document:
    meta = obj["metadata"]
    shown = {name: meta[name] for name in _METADATA if name in meta}
    if _INNER in (meta.get("annotations") or ()):
        rest = {name: text for name, text in meta["annotations"].items() if name != _INNER}
        shown = {
            name: rest if name == "annotations" else shown[name] for name in shown if rest or name != "annotations"
        }
    return {"kind": METADATA, "apiVersion": output.api_version, "metadata": shown}


def _is_status(document: Document) -> bool:
    return document.get("kind") == "Status" and document.get("apiVersion") == "v1"


def _status(code: int, reason: str, message: str) -> Document:
    named = {"reason": reason} if reason else {}
    document: Document = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    return document | named | {"code": code}


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(part) for part in value] if isinstance(value, list) else value
