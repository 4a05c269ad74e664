"""A document while a JSON patch works on it.

The document itself is never changed: a container that a path leads through is copied once and is then ours, all others
are shared. A value that the patch brings stays text until someone walks into it or the patch is done, because `test`
compares scalars by their text.

Objects that are ours come out with their members in order, as Go writes maps: where the server shows the patched object
in an error, its text has that order, and the order of the original everywhere else.

Go's library, whose behaviour this is, has three nulls, and they differ: a null inside a value (None here), a null that
is the whole value of an operation (`NULL`), and a copy of such a one (`COPIED_NULL`), which is equal to an object
without members and is not equal to null.
"""

import contextlib
import re
from collections.abc import Generator, Iterable
from operator import itemgetter
from typing import Any, Final

import msgspec

from kubewright.cluster.patches.errors import InapplicablePatch, PanickingPatch
from kubewright.model.documents import MAX_DEPTH, is_deep
from kubewright.model.piecemeal import decode_in_steps
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, marshal, quote

__all__ = ["COPIED_NULL", "FEW", "NULL", "Text", "Tree", "add", "equal", "get", "remove", "replace", "size"]


#: So many values are settled in one step.
FEW: Final = 1000

_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS: Final = msgspec.json.Decoder(list[msgspec.Raw])


class Text:
    """A value of the patch that nobody has walked into."""

    __slots__ = ("raw",)

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def inside(self) -> dict[str, Any] | list[Any] | None:
        """The members of an object or list, each a text of its own; None for a scalar."""
        if self.raw.startswith(b"{"):
            return {key: _member(raw) for key, raw in _MEMBERS.decode(self.raw).items()}
        if self.raw.startswith(b"["):
            return [_member(raw) for raw in _ITEMS.decode(self.raw)]
        return None


def _member(raw: msgspec.Raw) -> Text | None:
    text = bytes(raw)
    return None if text == b"null" else Text(text)


class _Null:
    """One of the nulls that are more than None."""


NULL: Final = _Null()
COPIED_NULL: Final = _Null()


class _Inside(dict[str, Any]):
    """What a copied null looks like from inside: it has no members and cannot get any."""

    def __setitem__(self, key: str, value: object) -> None:
        raise PanickingPatch("assignment to entry in nil map")


_INSIDE_COPIED_NULL: Final = _Inside()


class Tree:
    """The document, and what of it is ours."""

    def __init__(self, document: dict[str, Any] | list[Any]) -> None:
        # By their ids; the containers are kept too, for an id means nothing once its object is gone.
        self.ours: dict[int, Any] = {}
        self.root: Any = self.own(document)

    def find(self, path: str) -> tuple[Any, str]:
        """The container that a path leads into, which may be changed, and the key in it; or None."""
        parts = path.split("/")
        if len(parts) < 2:
            return None, ""
        here = self.root
        for part in parts[1:-1]:
            key: Any = _unescape(part)
            if isinstance(here, list):
                try:
                    key = _index(here, key)
                except InapplicablePatch:
                    return None, ""
                child = here[key]
            else:
                child = here.get(key)
            if isinstance(child, Text):
                child = here[key] = self.expand(child)
            if isinstance(child, (dict, list)):
                here[key] = here = self.own(child)
            elif child is COPIED_NULL:
                here = _INSIDE_COPIED_NULL
            else:
                return None, ""
        return here, _unescape(parts[-1])

    def expand(self, text: Text) -> Any:
        """One level of a value of the patch; a scalar stays the text it is."""
        inside = text.inside()
        return text if inside is None else self._keep(inside)

    def copy(self, node: object, depth: int = 0) -> object:
        """A value that will not change when this one does."""
        if depth > MAX_DEPTH:
            raise InapplicablePatch(f"the value to copy is nested more than {MAX_DEPTH} levels deep")
        if node is NULL:
            return COPIED_NULL
        if isinstance(node, Text):
            return Text(_as_written(node.raw))
        if id(node) not in self.ours:
            return node
        copied = self._keep(self.ours[id(node)].copy())
        for key, child in node.items() if isinstance(node, dict) else enumerate(copied):
            copied[key] = self.copy(child, depth + 1)
        return copied

    def done(self, few: int = FEW) -> Generator[None, None, object]:
        """The document as a plain value, in steps."""
        count = 0
        for container in self.ours.values():
            members: Iterable[tuple[Any, object]] = enumerate(container)
            if isinstance(container, dict):
                members = sorted(container.items(), key=itemgetter(0))
                container.clear()
            for key, child in members:
                if isinstance(child, Text):
                    container[key] = yield from decode_in_steps(child.raw)
                else:
                    container[key] = None if isinstance(child, _Null) else child
                count += 1
                if count % few == 0:
                    yield
        return self.root

    def own(self, container: Any) -> Any:
        """The container, if need be a copy of it, as one that may be changed."""
        return container if id(container) in self.ours else self._keep(container.copy())

    def _keep(self, container: Any) -> Any:
        self.ours[id(container)] = container
        return container


def _unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~") if "~" in part else part


# One member of a container

_INTEGER: Final = re.compile("[+-]?[0-9]+")


def _number(key: str) -> int:
    if not _INTEGER.fullmatch(key):
        raise InapplicablePatch(f"strconv.Atoi: parsing {quote(key)}: invalid syntax")
    digits = key.lstrip("+-").lstrip("0")[:20]  # twenty are too many already
    number = int(digits or "0") * (-1 if key[0] == "-" else 1)
    if not INT64_MIN <= number <= INT64_MAX:
        raise InapplicablePatch(f"strconv.Atoi: parsing {quote(key)}: value out of range")
    return number


def _bounded(number: int, size: int) -> int:
    if not -size <= number < size:
        raise InapplicablePatch(f"Unable to access invalid index: {number}: invalid index referenced")
    return number % size


def _index(container: list[Any], key: str) -> int:
    return _bounded(_number(key), len(container))


def get(container: Any, key: str) -> object:
    """A member. An object has every member: those it lacks are None."""
    return container[_index(container, key)] if isinstance(container, list) else container.get(key)


def replace(container: Any, key: str, value: object) -> None:
    """Put a value in a member's place; an object need not have had it."""
    if isinstance(container, list):
        container[_index(container, key)] = value
    else:
        container[key] = value


def add(container: Any, key: str, value: object) -> None:
    """Set a member of an object, or insert an item into a list (`-`: behind the last)."""
    if not isinstance(container, list):
        container[key] = value
    elif key == "-":
        container.append(value)
    else:
        try:
            number = _number(key)
        except InapplicablePatch as error:
            raise InapplicablePatch(f"value was not a proper array index: '{key}': {error}") from None
        container.insert(_bounded(number, len(container) + 1), value)


def remove(container: Any, key: str) -> None:
    """Take a member away, which must be there."""
    if isinstance(container, list):
        del container[_index(container, key)]
    elif key in container:
        del container[key]
    else:
        raise InapplicablePatch(f"Unable to remove nonexistent key: {key}: missing value")


# Texts


def equal(node: object, wanted: object, depth: int = 0) -> bool:
    """Whether a value of the tree is what a `test` wants."""
    if node is None or wanted is None:
        raise PanickingPatch("a null inside a list cannot be tested")
    if depth > MAX_DEPTH:
        raise InapplicablePatch(f"the value to test is nested more than {MAX_DEPTH} levels deep")
    one, other = _seen(node), _seen(wanted)
    if isinstance(one, dict):
        if not isinstance(other, dict) or len(one) != len(other):
            return False
        for key, value in one.items():
            if key not in other or (value is None) != (other[key] is None):
                return False
            if value is not None and not equal(value, other[key], depth + 1):
                return False
        return True
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other):
            return False
        for mine, theirs in zip(one, other, strict=True):  # noqa: SIM110 - one frame a level, not two
            if not equal(mine, theirs, depth + 1):
                return False
        return True
    return one == other


def _seen(node: object) -> dict[str, Any] | list[Any] | bytes:
    """A node as a comparison sees it: a container, or the text of a scalar."""
    if isinstance(node, Text):
        inside = node.inside()
        return node.raw if inside is None else inside
    if isinstance(node, (dict, list)):
        return node
    if node is COPIED_NULL:
        return {}
    return b"" if node is NULL else marshal(node).encode()


# Go writes these as escapes, to be safe inside HTML and JavaScript. Outside of strings JSON has none of them.
_ESCAPES: Final = {
    b"<": rb"\u003c",
    b">": rb"\u003e",
    b"&": rb"\u0026",
    b"\xe2\x80\xa8": rb"\u2028",
    b"\xe2\x80\xa9": rb"\u2029",
}


def _as_written(text: bytes) -> bytes:
    for char, escape in _ESCAPES.items():
        text = text.replace(char, escape)
    return text


def size(node: object) -> int:
    """The bytes of a copied value in Go's writing."""
    if node is None:
        return 0
    with contextlib.suppress(RecursionError):
        text = msgspec.json.encode(node, enc_hook=_raw)
        if not is_deep(text):
            return len(_as_written(msgspec.json.format(text, indent=-1)))
    raise InapplicablePatch(f"the value to copy is nested more than {MAX_DEPTH} levels deep")


def _raw(node: object) -> msgspec.Raw:
    return msgspec.Raw(node.raw if isinstance(node, Text) else b"null")
