"""Keys that stand twice in one JSON object: found, told and resolved as Go's decoder does.

    find_duplicates(text: bytes, *, merge: bool) -> tuple[value, paths]
    duplicates_in_steps(text: bytes, *, merge: bool)                       # the same in steps

This is the slow way to read a body, taken only for one that is known to repeat a key. A path is told once, in the order
of the second mentions: `metadata`, then `metadata.labels.app`, then `items[0].uid`. Which value wins depends on where
it goes: in a map of anything (a custom resource) the last one does; into a Go struct or map (a built-in kind: `merge`)
the second is read over the first, so that both have a say, and numbers are known by their text.
"""

import re
from collections.abc import Generator
from json import JSONDecoder
from typing import Any, Final

import msgspec

from kubewright.cluster.patches.syntax import STRING
from kubewright.cluster.wire.literal import Literal
from kubewright.model.parts import MOST, is_light, parts
from kubewright.model.piecemeal import end_of_short
from kubewright.schema.walk.golang import truncate

__all__ = ["duplicates_in_steps", "find_duplicates"]

#: So many bytes are read at once, more or less: that takes a millisecond or two.
_PIECE: Final = 16 * 1024
#: To read a value by itself takes as long as to read so many bytes with others.
_VALUE: Final = 64
_SPACE: Final = rb"[ \t\r\n]*+"
_spaces: Final = re.compile(_SPACE).match
_key: Final = re.compile(rb"(" + STRING + rb")" + _SPACE + rb":" + _SPACE).match
_scalar: Final = re.compile(rb"[^ \t\r\n,\]}]++").match
_string: Final = msgspec.json.Decoder(str).decode

#: The pairs of one object, in order, before any key has taken the place of another.
_Pairs = list[tuple[str, Any]]


class _Object(_Pairs):
    """An object that is still pairs; a list is a plain list."""

    __slots__ = ()


def find_duplicates(text: bytes, *, merge: bool) -> tuple[Any, list[str]]:
    """The value of a valid JSON text, and the paths that it names twice.

    The text is not deep: what may recurse here was measured before.
    """
    pairs = _decoder(merge).decode(text.decode())
    paths: dict[str, None] = {}
    return _settle(pairs, "", paths, merge), list(paths)


def duplicates_in_steps(
    text: bytes, *, merge: bool, piece: int = _PIECE
) -> Generator[None, None, tuple[Any, list[str]]]:
    """The same in steps, for a long text."""
    if len(text) <= piece:
        return find_duplicates(text, merge=merge)
    reading = _Reading(text, merge, piece)
    value, _ = yield from reading.value(reading.beyond(0), "")
    return value, list(reading.paths)


class _Reading:
    """One walk over a long text: members of a container that are short are read together, others one by one."""

    def __init__(self, text: bytes, merge: bool, piece: int) -> None:
        self.text = text
        self.merge = merge
        self.piece = piece
        self.paths: dict[str, None] = {}
        self.decode = _decoder(merge).decode
        self.left = piece

    def beyond(self, at: int) -> int:
        """Where the white space ends that begins here."""
        found = _spaces(self.text, at)
        return at if found is None else found.end()

    def value(self, at: int, path: str) -> Generator[None, None, tuple[Any, int]]:
        """The value that begins at a place, and where it ends."""
        text = self.text
        self.left -= _VALUE
        if text[at] in b'"':
            end = yield from self.end_of_string(at)
            return _string(text[at:end]), end
        if text[at] not in b"{[":
            found = _scalar(text, at)
            assert found is not None, "it is valid"
            return self.decode(found[0].decode()), found.end()
        is_map = text[at] in b"{"
        settled: Any = {} if is_map else []
        at = self.beyond(at + 1)
        while text[at] not in b"}]":
            if self.left < 0:
                self.left = self.piece
                yield
            end = end_of_short(text, at, self.piece, is_map)
            if end > at:
                self.add(settled, text[at : end - 1], path)
                self.left -= end - at
                at = end
            else:
                at = self.beyond((yield from self.member(settled, at, path)))
                at += text[at] in b","
            at = self.beyond(at)
        return settled, at + 1

    def end_of_string(self, at: int) -> Generator[None, None, int]:
        """Where the string ends that begins at a place: it may be nearly all there is."""
        text, end = self.text, at
        while True:
            end = before = text.find(b'"', end + 1)
            while text[before - 1] in b"\\":
                before -= 1
                self.left -= 1
                if self.left < 0:
                    self.left = self.piece
                    yield
            if (end - before) % 2 == 0:
                return end + 1

    def add(self, settled: Any, members: bytes, path: str) -> None:
        """Read members of a container."""
        if settled.__class__ is dict:
            _put(settled, self.decode(f"{{{members.decode()}}}"), path, self.paths, self.merge)
            return
        for item in self.decode(f"[{members.decode()}]"):
            settled.append(_settle(item, f"{path}[{len(settled)}]", self.paths, self.merge))

    def member(self, settled: Any, at: int, path: str) -> Generator[None, None, int]:
        """Read one member of a container; where it ends."""
        if settled.__class__ is list:
            value, at = yield from self.value(at, f"{path}[{len(settled)}]")
            settled.append(value)
            return at
        found = _key(self.text, at)
        assert found is not None, "it is valid"
        key = self.decode(found[1].decode())
        here = f"{path}.{key}" if path else key
        if key in settled:
            self.paths.setdefault(here)
        value, at = yield from self.value(found.end(), here)
        if key in settled:
            first = settled.pop(key)
            value = (yield from _over_in_steps(first, value)) if self.merge else value
        settled[key] = value
        return at


def _settle(value: Any, path: str, paths: dict[str, None], merge: bool) -> Any:
    if isinstance(value, _Object):
        settled: dict[str, Any] = {}
        _put(settled, value, path, paths, merge)
        return settled
    if isinstance(value, list):
        return [_settle(member, f"{path}[{index}]", paths, merge) for index, member in enumerate(value)]
    return value


def _put(settled: dict[str, Any], pairs: _Pairs, path: str, paths: dict[str, None], merge: bool) -> None:
    """Put members into an object."""
    for key, member in pairs:
        here = f"{path}.{key}" if path else key
        if key not in settled:
            settled[key] = _settle(member, here, paths, merge)
            continue
        paths.setdefault(here)
        again = _settle(member, here, paths, merge)
        # It takes the place of its last mention, where Go complains of it.
        first = settled.pop(key)
        settled[key] = _over(first, again) if merge else again


def _over(first: Any, second: Any) -> Any:
    """What a Go value holds after both were read into it."""
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return second
    for key, value in second.items():
        first[key] = _over(first[key], value) if key in first else value
    return first


def _over_in_steps(first: Any, second: Any, most: int = MOST) -> Generator[None, None, Any]:
    """The same of large ones."""
    if not (isinstance(first, dict) and isinstance(second, dict)) or is_light(second, most):
        return _over(first, second)
    for part, key, _ in parts(second, most):
        if key is None:
            _over(first, part)
        else:
            first[key] = (yield from _over_in_steps(first[key], part, most)) if key in first else part
        yield
    return first


def _decoder(merge: bool) -> JSONDecoder:
    """What reads objects as their pairs."""
    if merge:
        return JSONDecoder(object_pairs_hook=_Object, parse_int=_literal, parse_float=Literal)
    return JSONDecoder(object_pairs_hook=_Object, parse_int=_integer, parse_float=float)


def _literal(text: str) -> int | float:
    """A number without a fraction; one that no type can hold keeps its text."""
    return int(text) if len(text) < 30 else Literal(text)


def _integer(text: str) -> int | float:
    return truncate(int(text)) if len(text) < 30 else float(text)
