"""Whether applying a configuration would change nothing: decided here, so that the request need not be sent.

Server-side apply does two things: it makes values so, and it records that they are ours. So a configuration changes
nothing only if both hold already: we own exactly the fields that it sets (one more, and something must be taken back),
and every value is there. The server tells what we own as a tree of path elements:

    {"f:spec": {"f:replicas": {}, "f:ports": {"k:{\\"port\\":80}": {".": {}, "f:port": {}}}}}

That tree is the map for the walk: it says which lists are merged by key, which are sets, and what is atomic. The type,
if there is one, says what the tree does not: that `1000m` and `1` are one quantity, and which fields of an atomic value
the server has filled in by itself.

In doubt the answer is no. An apply too many changes nothing, one too few leaves the world as it should not be.
"""

from base64 import b64decode
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec

from kubewright.controller.filled import FILLED
from kubewright.model.codec import plain
from kubewright.model.fields import Field
from kubewright.model.markers import Atomic, Default, ListMap, ListSet, Nullable
from kubewright.model.meta import fields_of, info_of, pick
from kubewright.model.quantity import Quantity, QuantityError
from kubewright.model.shape import ListOf, MapOf, Scalar, Shape, StructOf, UnionOf

__all__ = ["contested", "unchanged"]

Document = dict[str, Any]
#: Members of metadata that say which object is meant or are the server's to say, and belong to nobody.
_NOBODYS: Final = frozenset(
    ("creationTimestamp", "generation", "name", "namespace", "resourceVersion", "selfLink", "uid")
)
_ABSENT: Final = object()


class _Node:
    """A place in what we own: what is below it, by the sort of its path elements; nothing below is a leaf."""

    __slots__ = ("fields", "keyed", "values")

    def __init__(self, tree: Mapping[str, Any]) -> None:
        self.fields: dict[str, _Node] = {}
        self.keyed: list[tuple[dict[str, Any], _Node]] = []
        self.values: list[Any] = []
        for element, below in tree.items():
            sort, _, text = element.partition(":")
            if sort == "f":
                self.fields[text] = _Node(below)
            elif sort == "k":
                self.keyed.append((msgspec.json.decode(text), _Node(below)))
            elif sort == "v":
                self.values.append(msgspec.json.decode(text))
            elif element != ".":
                raise ValueError(element)  # places by index: nothing that an apply makes


@lru_cache(1024)
def _tree(fields: bytes) -> _Node | None:
    """The tree of a set of fields; None for one that is not understood. Objects made alike share it."""
    try:
        return _Node(msgspec.json.decode(fields))
    except (ValueError, AttributeError, msgspec.DecodeError):
        return None


def unchanged(config: Document, live: Document, owned: bytes, shape: Shape | None = None) -> bool:
    """Whether `config`, applied by who owns `owned` of `live`, would change nothing. `shape` is that of the object."""
    tree = _tree(owned)
    if tree is None:
        return False
    members = _members(shape)
    if "stringData" in config and (config.get("apiVersion"), config.get("kind")) == ("v1", "Secret"):
        live = _as_text(live)
    for name in config.keys() | tree.fields.keys():
        if name in ("apiVersion", "kind"):
            continue
        wanted = config.get(name, _ABSENT)
        node = tree.fields.get(name)
        if name == "metadata" and isinstance(wanted, dict):
            wanted = {key: value for key, value in wanted.items() if key not in _NOBODYS}
            if not wanted and node is None:
                continue
        if wanted is _ABSENT or node is None:
            if node is None and _says_nothing(wanted, members.get(name, _UNKNOWN).shape):
                continue
            if node is None and name == "status" and _is_void(wanted):
                continue  # the status has its own way; where it has none, this makes an empty one of nothing
            return False
        if name not in live:
            if _is_dropped(wanted, node):
                continue
            return False
        if not _walk(node, wanted, live[name], members.get(name, _UNKNOWN).shape):
            if wanted is None and _is_nothing(name, live, members):
                continue
            return False
    return True


def contested(config: Document, live: Document, owned: bytes, shape: Shape | None = None) -> str:
    """A field that `config` wants otherwise than another has made it, who owns `owned` of `live`; empty if none is."""
    tree = _tree(owned)
    return _contest(tree, config, live, shape).lstrip(".") if tree is not None else ""


def _contest(node: _Node, wanted: Any, found: Any, shape: Shape | None) -> str:
    if node.fields and isinstance(wanted, dict) and isinstance(found, dict):
        members = _members(shape, wanted)
        value = shape.value if isinstance(shape, MapOf) else None
        for name in node.fields.keys() & wanted.keys() & found.keys():
            inner = value or members.get(name, _UNKNOWN).shape
            if not _has_parts(node.fields[name]):
                if not _is_merged(inner) and not _same(wanted[name], found[name], inner):
                    return f".{name}"
            elif place := _contest(node.fields[name], wanted[name], found[name], inner):
                return f".{name}{place}"
    elif node.keyed and isinstance(wanted, list) and isinstance(found, list):
        item = shape.item if isinstance(shape, ListOf) else None
        for key, below in node.keyed:
            here, there = _place(wanted, key, None), _place(found, key, None)
            if here is None or there is None:
                continue
            if place := _contest(below, wanted[here], found[there], item):
                return f"[{here}]{place}"
    return ""


def _has_parts(node: _Node) -> bool:
    return bool(node.fields or node.keyed or node.values)


def _walk(node: _Node, wanted: Any, found: Any, shape: Shape | None) -> bool:
    fields = node.fields
    if fields:
        if not isinstance(wanted, dict) or not isinstance(found, dict):
            return False
        members = _members(shape, wanted)
        value = shape.value if isinstance(shape, MapOf) else None
        for name, below in fields.items():
            if name not in wanted:
                return False
            if name not in found:
                if _is_dropped(wanted[name], below):
                    continue
                return False
            if not _walk(below, wanted[name], found[name], value or members.get(name, _UNKNOWN).shape):
                if wanted[name] is None and _is_nothing(name, found, members):
                    continue
                return False
        if len(wanted) == len(fields):
            return True
        return all(
            _says_nothing(wanted[name], value or members.get(name, _UNKNOWN).shape)
            for name in wanted.keys() - fields.keys()
        )
    item = shape.item if isinstance(shape, ListOf) else None
    if node.keyed:
        return _walk_items(node.keyed, wanted, found, item)
    if node.values:
        return _walk_set(node.values, wanted, found)
    if _is_merged(shape):
        # Of something that is merged we own the place alone: it was applied empty, or null, and must be so again.
        if wanted is None:
            return found is None or not _is_nullable(shape)
        return not wanted and type(wanted) is type(found)
    return _same(wanted, found, shape)


def _is_dropped(wanted: Any, node: _Node) -> bool:
    """Whether it is one of the empty values that the server's own kinds leave out.

    If somebody else had taken it away, it would not be ours any more.
    """
    return wanted in (None, {}, [], "", 0) and not _has_parts(node)


def _is_nothing(name: str, found: Document, members: Mapping[str, "_Member"]) -> bool:
    """Whether a null says nothing, and what is found is what the server made of it. It is ours, as any value is."""
    return not _is_nullable(members.get(name, _UNKNOWN).shape) and _is_filled(name, found, members)


def _is_nullable(shape: Shape | None) -> bool:
    """Whether a null is a value, which is kept."""
    return shape is not None and shape.marker(Nullable) is not None


def _is_filled(name: str, found: Document, members: Mapping[str, "_Member"]) -> bool:
    """Whether what is found is what the server makes of an absent field."""
    default = members.get(name, _UNKNOWN).default
    return bool(found[name] == (default(found) if callable(default) else default))


def _says_nothing(wanted: Any, shape: Shape | None) -> bool:
    """An empty list that is merged item by item sets nothing, and nobody owns it."""
    return wanted == [] and isinstance(shape, ListOf) and _is_merged(shape)


def _is_void(wanted: Any) -> bool:
    """Whether there is no value in it, at any depth: `status: {loadBalancer: {}}`, as kubectl writes it."""
    return wanted is None or (isinstance(wanted, dict) and all(map(_is_void, wanted.values())))


def _as_text(live: Document) -> Document:
    """A Secret as it would be written with `stringData`, which is owned by that name, and is never read again."""
    text: dict[str, str] = {}
    for name, value in (live.get("data") or {}).items():
        try:
            text[name] = b64decode(value).decode()
        except ValueError:
            continue  # no text, so it is none of those
    return {**live, "stringData": text}


def _is_merged(shape: Shape | None) -> bool:
    """Whether a type says that values are merged with what is there, and not taken as a whole."""
    if isinstance(shape, ListOf):
        return shape.marker(ListMap) is not None or shape.marker(ListSet) is not None
    if isinstance(shape, StructOf):
        return not any(isinstance(marker, Atomic) for marker in (*shape.markers, *info_of(shape.annotation).markers))
    return isinstance(shape, MapOf) and shape.marker(Atomic) is None


def _walk_items(keyed: list[tuple[dict[str, Any], _Node]], wanted: Any, found: Any, shape: Shape | None) -> bool:
    if not isinstance(wanted, list) or not isinstance(found, list) or len(wanted) != len(keyed):
        return False
    places: dict[int, int] = {}
    for key, below in keyed:
        here = _place(wanted, key, below)
        there = _place(found, key, None)
        if here is None or there is None or here in places:
            return False
        if not _walk(below, wanted[here], found[there], shape):
            return False
        places[here] = there
    order = [places[index] for index in range(len(wanted))]
    return order == sorted(order)  # what comes before what is ours to say, too


def _place(items: list[Any], key: dict[str, Any], owned: _Node | None) -> int | None:
    """Where the item with that key is. One that leaves a part of it to the server's default must not own that part."""
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            return None
        for name, value in key.items():
            if name not in item:
                if owned is None or name in owned.fields:
                    break
            elif item[name] != value:
                break
        else:
            return index
    return None


def _walk_set(values: list[Any], wanted: Any, found: Any) -> bool:
    if not isinstance(wanted, list) or not isinstance(found, list) or len(wanted) != len(values):
        return False
    if any(value not in wanted for value in values):
        return False
    return [value for value in found if value in wanted] == wanted


def _same(wanted: Any, found: Any, shape: Shape | None) -> bool:
    """Whether two values are one, but for their spelling and what the server fills in."""
    if wanted == found or (wanted is None and found == ""):  # which a null becomes in a map of texts
        return True
    if isinstance(wanted, dict) and isinstance(found, dict):
        members = _members(shape, wanted)
        value = shape.value if isinstance(shape, MapOf) else None
        if isinstance(shape, StructOf) and _is_builtin(shape.annotation, "LimitRangeItem"):
            wanted = _complete_limits(wanted)
        for name, here in wanted.items():
            if name not in found and here is None:
                continue
            if name not in found:
                return False
            if not _same(here, found[name], value or members.get(name, _UNKNOWN).shape):
                if here is None and _is_nothing(name, found, members):
                    continue
                return False
        return all(_is_filled(name, found, members) for name in found.keys() - wanted.keys())
    if isinstance(wanted, list) and isinstance(found, list):
        item = shape.item if isinstance(shape, ListOf) else None
        return len(wanted) == len(found) and all(
            _same(here, there, item) for here, there in zip(wanted, found, strict=True)
        )
    return isinstance(shape, Scalar) and _one_value(wanted, found, shape.python)


def _one_value(wanted: Any, found: Any, python: Any) -> bool:
    if python is Quantity:
        try:
            return Quantity(wanted) == Quantity(found)
        except QuantityError:
            return False
    if python is datetime and isinstance(wanted, str) and isinstance(found, str):
        try:
            return datetime.fromisoformat(wanted) == datetime.fromisoformat(found)
        except ValueError:
            return False
    return False


class _Member(msgspec.Struct, frozen=True):
    """A field of a type: its shape, and what an absent one becomes."""

    shape: Shape | None
    #: The value, or a function that tells it of the object which has the field.
    default: Any


_UNKNOWN: Final = _Member(None, _ABSENT)
_NONE: Final[Mapping[str, _Member]] = {}


def _members(shape: Shape | None, value: Any = None) -> Mapping[str, _Member]:
    if isinstance(shape, UnionOf):
        try:
            shape = pick(shape, value)
        except ValueError:
            return _NONE
    return _members_of(shape.annotation) if isinstance(shape, StructOf) else _NONE


@lru_cache(4096)
def _members_of(model: Any) -> Mapping[str, _Member]:
    members = {field.wire: _Member(field.shape, _default(field)) for field in fields_of(model)}
    if _is_builtin(model):
        for wire, value in FILLED.get(model.__name__, {}).items():
            members[wire] = _Member(members[wire].shape if wire in members else None, value)
    return members


def _is_builtin(model: Any, name: str = "") -> bool:
    """Whether a type is one of Kubernetes' own, of that name."""
    return model.__module__.startswith("kubewright.k8s.") and name in ("", model.__name__)


def _complete_limits(item: Document) -> Document:
    """A limit for containers as the server completes it: each default by the next that there is; none is empty."""
    if item.get("type") != "Container":
        return item
    limits = {**(item.get("max") or {}), **(item.get("default") or {})}
    requests = {**(item.get("min") or {}), **limits, **(item.get("defaultRequest") or {})}
    whole = {**item, "default": limits, "defaultRequest": requests}
    return {name: each for name, each in whole.items() if each}


def _default(field: Field) -> Any:
    """What the server makes of an absent field, as its schema says."""
    marker = field.shape.marker(Default)
    if marker is not None:
        return marker.value
    declared = field.declaration
    if declared.has_default and declared.default_factory is None and declared.default is not None:
        return plain(declared.default)
    return _ABSENT
