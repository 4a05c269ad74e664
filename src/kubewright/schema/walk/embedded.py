"""Resources inside resources (`x-kubernetes-embedded-resource`).

On decoding, `coerce` does to an embedded resource what the server does to every object: `apiVersion` and `kind` must be
strings, metadata is read and written back. On validation, `check` asks for the two and applies the rules of metadata,
with names that only need to fit into a path.
"""

from collections.abc import Callable
from typing import TypeVar

from kubewright.errors import KubewrightError
from kubewright.schema.walk.errors import FieldError, invalid, required
from kubewright.schema.walk.later import later
from kubewright.schema.walk.metarules import check_meta
from kubewright.schema.walk.names import path_segment, path_segment_prefix, resource_kind
from kubewright.schema.walk.objectmeta import DecodeError, decode
from kubewright.schema.walk.structure import Node, Unread

__all__ = ["Coerce", "Embedded", "MalformedError", "coerce_metadata", "compile_coerce", "compile_embedded"]

T = TypeVar("T")
Coerce = Callable[[object, str], list[str]]
Embedded = Callable[[object, str], list[FieldError]]


class MalformedError(KubewrightError):
    """An object that cannot be decoded as a resource; the text is the server's."""


def compile_coerce(node: Node, *, lenient: bool = False) -> Coerce | None:
    """Return the function that coerces the resources embedded below a value at a path, or None if there are none.

    It returns the paths of unknown metadata fields, and raises `MalformedError`; `lenient` drops what is malformed.
    """

    def own(value: dict[str, object], path: str) -> list[str]:
        for name in ("apiVersion", "kind"):
            if name in value and not isinstance(value[name], str):
                if not lenient:
                    raise MalformedError(str(invalid(_join(path, name), value[name], "must be a string")))
                del value[name]
        try:
            return coerce_metadata(value, _join(path, "metadata"), lenient=lenient)
        except DecodeError as error:
            if lenient:
                return []
            raise MalformedError(str(invalid(_join(path, "metadata"), value["metadata"], str(error)))) from None

    return _compile(node, own)


def coerce_metadata(value: dict[str, object], path: str, *, lenient: bool = False) -> list[str]:
    """Read and write back the metadata of a resource; return the paths of its unknown fields, below `path`."""
    if "metadata" not in value:
        return []
    decoded = decode(value["metadata"], lenient=lenient)
    value["metadata"] = decoded.meta
    return [f"{path}.{field}" for field in decoded.unknown]


def compile_embedded(node: Node) -> Embedded | None:
    """Return the function that checks the resources embedded below a value at a path, or None if there are none."""
    return _compile(node, _check)


def _compile(node: Node, own: Callable[[dict[str, object], str], list[T]]) -> Callable[[object, str], list[T]] | None:
    """Compile the way down to the embedded resources, where `own` is called."""
    if node.hollow and not node.embedded:
        return None
    below: dict[str, Callable[[object, str], list[T]]]
    if isinstance(node.properties, Unread):
        below = later(node.properties.containers(), node.properties, lambda child: _compile(child, own) or _nothing)
    else:
        below = {name: inner for name, child in node.properties.items() if (inner := _compile(child, own))}
    others = _compile(node.additional, own) if isinstance(node.additional, Node) else None
    items = _compile(node.items, own) if node.items is not None else None
    known, embedded = frozenset(node.properties), node.embedded
    if not (embedded or below or others or items):
        return None

    def walk(value: object, path: str) -> list[T]:
        found: list[T] = []
        if type(value) is dict:
            if embedded:
                found += own(value, path)
            for name, inner in below.items():
                if name in value:
                    found += inner(value[name], _join(path, name))
            if others is not None:
                for name, member in value.items():
                    if name not in known:
                        found += others(member, f"{path}[{name}]")
        elif type(value) is list and items is not None:
            for index, member in enumerate(value):
                found += items(member, f"{path}[{index}]")
        return found

    return walk


def _nothing(_: object, __: str) -> list[T]:
    return []


def _check(value: dict[str, object], path: str) -> list[FieldError]:
    errors = [required(_join(path, name)) for name in ("apiVersion", "kind") if name not in value]
    if "apiVersion" in value:
        errors += _check_api_version(value["apiVersion"], _join(path, "apiVersion"))
    if "kind" in value:
        errors += _check_kind(value["kind"], _join(path, "kind"))
    if "metadata" in value:
        errors += _check_metadata(value["metadata"], _join(path, "metadata"))
    return errors


def _check_api_version(value: object, path: str) -> list[FieldError]:
    if not isinstance(value, str):
        return [invalid(path, value, "must be a string")]
    if not value:
        return [invalid(path, value, "must not be empty")]
    if value.count("/") > 1:
        return [invalid(path, value, f"unexpected GroupVersion string: {value}")]
    return []


def _check_kind(value: object, path: str) -> list[FieldError]:
    if not isinstance(value, str):
        return [invalid(path, value, "must be a string")]
    if not value:
        return [invalid(path, value, "must not be empty")]
    if complaints := resource_kind(value.lower()):
        return [invalid(path, value, "may have mixed case, but should otherwise match: " + ",".join(complaints))]
    return []


def _check_metadata(value: object, path: str) -> list[FieldError]:
    try:
        # An embedded resource needs no name, and is in a namespace if it says so.
        meta = {"name": "fakename"} | decode(value).meta
    except DecodeError as error:
        return [invalid(path, value, str(error))]
    namespaced = "namespace" in meta
    return check_meta(meta, path, name=path_segment, name_prefix=path_segment_prefix, namespaced=namespaced)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
