"""Mutations of a document: each part missing, null, of another type, out of range, twice, unknown, changed. Pure."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Mutant", "mutants"]

Path = tuple[str | int, ...]


class Mutant(NamedTuple):
    """A document with one thing wrong, and what that is: `spec.replicas: null`."""

    what: str
    path: Path
    document: Any

    @property
    def text(self) -> bytes:
        """The document as it is sent: a key that stands twice cannot be said otherwise."""
        return _text(self.document)


class Twice(NamedTuple):
    """An object in which one key stands twice."""

    key: str
    fields: dict[str, Any]


_LONG = "a" * 300


def mutants(document: dict[str, Any], *, changed: bool = False) -> Iterator[Mutant]:
    """Every document with one thing wrong; with `changed`, also those with one thing merely changed."""
    for path, value in _parts(document, ()):
        shown = ".".join(map(str, path))
        if isinstance(path[-1], str):
            yield Mutant(f"{shown}: missing", path, _set(document, path, _MISSING))
            yield Mutant(f"{shown}: twice", path, _set(document, path, _TWICE))
        else:
            yield Mutant(f"{shown}: repeated", path, _set(document, path, _REPEATED))
        for other in _others(value):
            yield Mutant(f"{shown}: {_short(other)}", path, _set(document, path, other))
        if isinstance(value, dict):
            yield Mutant(f"{shown}: one unknown", path, _set(document, path, {**value, "nope": {"x": 1}}))
        if changed and isinstance(value, str | int) and not isinstance(value, bool):
            other = value + 1 if isinstance(value, int) else f"{value}x"
            yield Mutant(f"{shown}: changed", path, _set(document, path, other))


def _others(value: Any) -> list[Any]:
    """Null, a scalar and a container of another type, and values of the same type that few fields take."""
    if isinstance(value, bool):
        return [None, "x", 7, {}, not value]
    if isinstance(value, str):
        return [None, 7, True, {}, [], "", "A B", _LONG]
    if isinstance(value, int | float):
        return [None, "x", [], -1, 0, 1.5, 2**31, 2**63]
    if isinstance(value, dict):
        return [None, "x", [], *([{}] if value else [])]
    return [None, "x", {}, [None], *([[]] if value else [])]


_MISSING = object()
_TWICE = object()
_REPEATED = object()


def _parts(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if path:
        yield path, value
    if isinstance(value, dict):
        for key in value:
            yield from _parts(value[key], (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _parts(item, (*path, at))


def _set(value: Any, path: Path, new: Any) -> Any:
    head, *rest = path
    if isinstance(value, list):
        items = list(value)
        if rest:
            items[int(head)] = _set(items[int(head)], tuple(rest), new)
        elif new is _REPEATED:
            items.insert(int(head), items[int(head)])
        else:
            items[int(head)] = new
        return items
    key = str(head)
    if rest:
        return {**value, key: _set(value[key], tuple(rest), new)}
    if new is _MISSING:
        return {name: item for name, item in value.items() if name != key}
    return Twice(key, value) if new is _TWICE else {**value, key: new}


def _short(value: Any) -> str:
    return f"{len(value)} letters" if value == _LONG else json.dumps(value)


def _text(value: Any) -> bytes:
    if isinstance(value, Twice):
        fields = [*value.fields.items(), (value.key, value.fields[value.key])]
        return b"{" + b",".join(json.dumps(key).encode() + b":" + _text(item) for key, item in fields) + b"}"
    if isinstance(value, dict):
        return b"{" + b",".join(json.dumps(key).encode() + b":" + _text(item) for key, item in value.items()) + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(map(_text, value)) + b"]"
    return json.dumps(value).encode()
