"""YAML: text to plain values and back, as Kubernetes reads and writes it.

YAML is read as `kubectl` reads it, which is YAML 1.1 by way of JSON:

* plain `y`, `yes`, `on` and their like are booleans; `0o17`, `017`, `0x1F`, `0b11`, `1_000` are integers; timestamps
  and sexagesimals stay strings; a float without a fraction, `1.0` or `1e3`, is an integer, as it is after JSON;
* keys that are numbers or booleans become strings; null, list and mapping keys are refused, as are NaN and infinity;
* a key may stand in a mapping once; merge keys (`<<`) act in the order in which they are written;
* an alias is a copy, so that changing one place never changes another; what aliases expand to is bounded, and so is
  nesting: neither a small text nor a deep one can exhaust the reader.

Where Kubernetes would replace or round silently we keep or refuse: `!!binary` that is no UTF-8 is refused, integers up
to 64 bits stay exact.

Writing is deterministic: block style, insertion order, no aliases, no folding; a text of several lines is a literal
block; a string that any YAML 1.1 or 1.2 reader could take for something else is quoted.
"""

import base64
import binascii
import re
import struct
from collections.abc import Generator, Iterator
from decimal import Decimal
from io import StringIO
from typing import Final, Protocol

import yaml
from yaml.resolver import Resolver

from kubewright.model.documents import MAX_DEPTH, DocumentError
from kubewright.model.steps import finish

__all__ = ["dump_yaml", "dump_yaml_in_steps", "load_first_yaml", "load_yaml", "load_yaml_documents"]

#: What aliases expand to may be 99 in 100 of a document's values; of one beyond the first of these sizes less and less,
#: down to one in ten. These are the numbers of Kubernetes' reader, which lets the first values pass.
_LARGE: Final = 400_000
_LARGEST: Final = 4_000_000
_LEAST: Final = 100
#: A step of a long text: so many of its scalars and brackets, which take a millisecond or two.
_STEP: Final = 500

# -- YAML in


class _Mark(Protocol):
    """A place in a text, from 0."""

    line: int
    column: int


def load_yaml(text: str | bytes, source: str = "YAML") -> object:
    """The value of a YAML text with one document; None where it is empty."""
    documents = filter(None, _documents(text, source))
    value = next(documents, (None, None))[0]
    for _, start in documents:
        raise _error(source, "a second document starts here, where one was expected", start)
    return value


def load_first_yaml(
    text: bytes, source: str = "YAML"
) -> Generator[None, None, tuple[object, list[tuple[int, object]]]]:
    """The value of the first document, as a server reads it, and each key that is set once more, with its line.

    What follows the document is not looked at, and of a key that is set twice the last value wins. A server has others
    to serve: it is read in steps.
    """
    repeated: list[tuple[int, object]] = []
    for document in _documents(text, source, repeated):
        if document is not None:
            return document[0], repeated
        yield
    return None, repeated


def load_yaml_documents(text: str | bytes, source: str = "YAML") -> list[object]:
    """The values of all documents of a YAML text, empty ones left out."""
    return [value for value, _ in filter(None, _documents(text, source)) if value is not None]


#: Keys that were set before, each with its line; where there is no such list they are refused.
_Repeated = list[tuple[int, object]] | None


def _documents(
    text: str | bytes, source: str, repeated: _Repeated = None
) -> Iterator[tuple[object, _Mark | None] | None]:
    """Each document with the place where it starts, and None after each step on the way there."""
    data = _utf8(text, source)
    events: list[yaml.Event] = []
    end: _Mark | None = None
    depth = 0
    try:
        for event in yaml.parse(data, Loader=yaml.CLoader):
            end = event.end_mark
            if isinstance(event, yaml.DocumentStartEvent):
                events, start = [], event.start_mark
                continue
            if isinstance(event, yaml.DocumentEndEvent):
                yield (yield from _construct(events, source, repeated)), start
                continue
            # Checked here too, before all is read: the time libyaml takes grows with the square of the depth.
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    raise _error(source, f"nested more than {MAX_DEPTH} levels deep", event.start_mark)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            events.append(event)
            if not len(events) % _STEP:
                yield None
    except yaml.MarkedYAMLError as error:
        problem = f"{error.context}: {error.problem}" if error.context else str(error.problem)
        raise _error(source, problem, error.problem_mark or error.context_mark or end) from None
    except yaml.reader.ReaderError as error:
        line, column = _place(data, error.position)
        raise DocumentError(source, str(error.reason), line=line, column=column) from None
    except UnicodeDecodeError:
        raise _error(source, "a tag here is not UTF-8", end) from None


def _utf8(text: str | bytes, source: str) -> bytes:
    if isinstance(text, str):
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            line, column = _place(text[: error.start].encode(), None)
            raise DocumentError(source, "a lone surrogate is no character", line=line, column=column) from None
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line, column = _place(text[: error.start], None)
        raise DocumentError(source, "this is not UTF-8", line=line, column=column) from None
    return text


def _place(data: bytes, offset: int | None) -> tuple[int, int]:
    """Line and column, from 1, of a byte."""
    before = data[:offset]
    return before.count(b"\n") + 1, len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1


def _error(source: str, problem: str, mark: _Mark | None) -> DocumentError:
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return DocumentError(source, problem, line=line, column=column)


class _Mapping:
    """A mapping being built: the key that waits for its value (or the merge that does), and where each key stood."""

    __slots__ = ("key", "merging", "seen", "value")

    def __init__(self) -> None:
        self.value: dict[str, object] = {}
        self.key: str | None = None
        self.merging = False
        self.seen: dict[str, _Mark | None] = {}


def _construct(events: list[yaml.Event], source: str, repeated: _Repeated) -> Generator[None, None, object]:
    """Build one document's value, in steps.

    An alias replays the events of what it names, so every place gets its own copy and every copy is counted. There is
    no recursion: the frames of open collections and the places to return to are lists.
    """
    targets, ends = yield from _resolve_aliases(events, source)
    frames: list[_Mapping | list[object]] = []
    returns: list[tuple[int, int]] = []
    position, end = 0, len(events)
    counted = expanded = 0
    value: object = None
    while True:
        while position == end:
            if not returns:
                return value
            position, end = returns.pop()
        event = events[position]
        position += 1
        if returns:
            expanded += 1
            if expanded > _LEAST and _is_excessive(expanded, counted):
                raise _error(source, f"aliases expand to {expanded:,} values and more", event.start_mark)
        counted += 1
        if not counted % _STEP:
            yield
        if isinstance(event, yaml.ScalarEvent):
            parent = frames[-1] if frames else None
            if isinstance(parent, _Mapping) and parent.key is None:
                _open_key(parent, event, source, repeated)
                continue
            value = _scalar(event, source)
        elif isinstance(event, yaml.AliasEvent):
            start = targets[position - 1]
            returns.append((position, end))
            position, end = start, ends[start] + 1
            continue
        elif isinstance(event, yaml.CollectionStartEvent):
            parent = frames[-1] if frames else None
            if isinstance(parent, _Mapping) and parent.key is None:
                raise _error(source, "a list or mapping cannot be a key: write a string", event.start_mark)
            if len(frames) == MAX_DEPTH:
                raise _error(source, f"nested more than {MAX_DEPTH} levels deep", event.start_mark)
            frames.append(_Mapping() if isinstance(event, yaml.MappingStartEvent) else [])
            continue
        else:  # the end of a collection
            done = frames.pop()
            value = done.value if isinstance(done, _Mapping) else done
        if frames:
            parent = frames[-1]
            if isinstance(parent, _Mapping):
                _close_key(parent, value, event, source)
            else:
                parent.append(value)


def _is_excessive(expanded: int, counted: int) -> bool:
    """Whether too many of the values so far are there by aliases alone."""
    beyond = min(max(counted - _LARGE, 0) / (_LARGEST - _LARGE), 1)
    return counted > 10 * _LEAST and expanded / counted > 0.99 - 0.89 * beyond


def _resolve_aliases(
    events: list[yaml.Event], source: str
) -> Generator[None, None, tuple[dict[int, int], dict[int, int]]]:
    """For each alias the index of the event it names, and for each anchored start the index of its end; in steps."""
    targets: dict[int, int] = {}
    ends: dict[int, int] = {}
    anchors: dict[str, int] = {}
    open_starts: list[int] = []
    if not any(type(event) is yaml.AliasEvent for event in events):
        return targets, ends  # as in most texts
    for index, event in enumerate(events):
        if not index % _STEP:
            yield
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise _error(source, f"no anchor named {event.anchor!r} comes before this alias", event.start_mark)
            targets[index] = anchors[event.anchor]
            if targets[index] not in ends:
                raise _error(source, f"the value of anchor {event.anchor!r} contains itself", event.start_mark)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            ends[open_starts.pop()] = index
            continue
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            anchors[event.anchor] = index
        if isinstance(event, yaml.CollectionStartEvent):
            open_starts.append(index)
        else:
            ends[index] = index
    return targets, ends


def _open_key(parent: _Mapping, event: yaml.ScalarEvent, source: str, repeated: _Repeated) -> None:
    if event.value == "<<" and (event.implicit[0] or event.tag == "tag:yaml.org,2002:merge"):
        parent.key, parent.merging = event.value, True
        return
    key = _scalar(event, source, key=True)
    if key is None:
        raise _error(source, "null cannot be a key: write a string", event.start_mark)
    if isinstance(key, bool):
        name = "true" if key else "false"
    else:
        name = _float_key(key) if isinstance(key, float) else str(key)
    parent.key = name
    if first := parent.seen.get(name):
        if repeated is None:
            before = f"line {first.line + 1}, column {first.column + 1}"
            raise _error(source, f"key {name!r} is already in this mapping, at {before}: remove one", event.start_mark)
        repeated.append((event.start_mark.line + 1 if event.start_mark else 0, key))
    parent.seen[name] = event.start_mark


def _close_key(parent: _Mapping, value: object, event: yaml.Event, source: str) -> None:
    key, parent.key = parent.key, None
    assert key is not None  # a value follows its key
    if not parent.merging:
        parent.value[key] = value
        return
    parent.merging = False
    for merged in reversed(value) if isinstance(value, list) else [value]:  # the first of a list wins
        if not isinstance(merged, dict):
            raise _error(source, "a merge key takes a mapping or a list of mappings", event.start_mark)
        parent.value.update(merged)


# -- scalars, by the rules of YAML 1.1 as Kubernetes' reader has them

_WORDS: Final[dict[str, object]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_HINTS: Final = frozenset("+-.0123456789yYnNtTfFoO~")
_INTEGER: Final = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|([1-9][0-9]*|0))")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_DIGIT_GROUPS: Final = re.compile(r"(?<=[0-9])_(?=[0-9])")
_TAG: Final = "tag:yaml.org,2002:"


def _scalar(event: yaml.ScalarEvent, source: str, *, key: bool = False) -> object:
    text: str = event.value
    tag: str | None = event.tag
    if tag is None:
        value = _plain(text) if event.implicit[0] else text
    elif not tag.startswith(_TAG) or tag == _TAG + "str":
        return text
    elif tag == _TAG + "binary":
        return _binary(text, event, source)
    else:
        value = _tagged(text, tag.removeprefix(_TAG), event, source)
    if isinstance(value, float) and not key:
        if value != value or abs(value) == float("inf"):
            raise _error(source, f"{text} has no place in JSON: write a finite number or a string", event.start_mark)
        return _narrow(value)
    return value


def _plain(text: str) -> object:
    """What an unquoted scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _HINTS:
        return text
    plain = _DIGIT_GROUPS.sub("", text) if text[0] == "." else text.replace("_", "")
    if (match := _INTEGER.fullmatch(plain)) and len(plain) < 100:
        sign, *digits = match.groups()
        number = next(int(part, base) for part, base in zip(digits, (16, 8, 2, 10), strict=True) if part is not None)
        if sign == "-":
            number = -number
        if -(2**63) <= number < (2**63 if sign else 2**64):
            return number
    if _FLOAT.fullmatch(plain) and abs(value := float(plain)) != float("inf"):
        return value
    return text


def _tagged(text: str, name: str, event: yaml.ScalarEvent, source: str) -> object:
    """What a scalar with one of YAML's own tags means."""
    value = _plain(text)
    if name == "float" and type(value) is int:
        value = float(value)
    kind = {"int": int, "float": float, "bool": bool, "null": type(None)}.get(name)
    if kind is None:
        return text
    if type(value) is not kind:
        raise _error(source, f"{text!r} cannot be read as !!{name}", event.start_mark)
    return value


def _binary(text: str, event: yaml.ScalarEvent, source: str) -> str:
    try:
        return base64.b64decode(text.replace("\n", "").replace("\r", ""), validate=True).decode()
    except (binascii.Error, ValueError):
        raise _error(source, "this !!binary is not UTF-8 text in base64", event.start_mark) from None


def _narrow(value: float) -> float | int:
    """The number as it is after a trip through JSON, which writes no fraction that is zero."""
    if value.is_integer():
        whole = int(Decimal(repr(value)))
        if -(2**63) <= whole < 2**63:
            return whole
    return value


def _float_key(value: float) -> str:
    """A float key as text: the shortest digits that single precision tells apart."""
    if value != value:
        return ".nan"
    try:
        single = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        single = value * float("inf")
    if abs(single) == float("inf"):
        return ".inf" if value > 0 else "-.inf"
    for digits in range(9):
        text = f"{single:.{digits}e}"
        if struct.unpack("f", struct.pack("f", float(text)))[0] == single:
            break
    exponent = int(text.partition("e")[2])
    if -4 <= exponent < 6:
        return f"{Decimal(text):f}".rstrip("0").rstrip(".") if digits > exponent else f"{Decimal(text):f}"
    return text


# -- YAML out

_IMPLICIT: Final = (True, True)
#: So many events are written in one step.
_WRITTEN: Final = 200


def dump_yaml(value: object) -> str:
    """The value as one YAML document in block style, keys in the order they have."""
    return finish(dump_yaml_in_steps(value))


def dump_yaml_in_steps(value: object) -> Generator[None, None, str]:
    """The same for a large value. It must not change meanwhile."""
    stream = StringIO()
    dumper = yaml.CDumper(stream, allow_unicode=True, width=2**31 - 1)
    try:
        for number, event in enumerate(_events(value), 1):
            dumper.emit(event)
            if number % _WRITTEN == 0:
                yield
    except UnicodeEncodeError as error:
        raise DocumentError("YAML", f"{error.object!r} has a lone surrogate", line=1, column=1) from None
    finally:
        dumper.dispose()
    text = stream.getvalue()
    # libyaml closes some documents with a marker that nobody else writes.
    return text[:-4] if text.endswith("\n...\n") else text


def _events(value: object) -> Iterator[yaml.Event]:
    """The events of one document, with no recursion, so that depth is ours to bound."""
    yield yaml.StreamStartEvent(encoding=None)
    yield yaml.DocumentStartEvent(explicit=False)
    pending: list[Iterator[object]] = [iter((value,))]
    closings: list[yaml.Event] = []
    while pending:
        for item in pending[-1]:
            if isinstance(item, dict):
                yield yaml.MappingStartEvent(None, None, True, flow_style=not item)
                pending.append(part for entry in item.items() for part in _entry(entry))
                closings.append(yaml.MappingEndEvent())
            elif isinstance(item, list | tuple):
                yield yaml.SequenceStartEvent(None, None, True, flow_style=not item)
                pending.append(iter(item))
                closings.append(yaml.SequenceEndEvent())
            else:
                yield _scalar_event(item)
                continue
            if len(pending) > MAX_DEPTH + 1:
                raise DocumentError("YAML", f"nested more than {MAX_DEPTH} levels deep", line=1, column=1)
            break
        else:
            pending.pop()
            if closings:
                yield closings.pop()
    yield yaml.DocumentEndEvent(explicit=False)
    yield yaml.StreamEndEvent()


def _entry(entry: tuple[object, object]) -> tuple[object, object]:
    if not isinstance(entry[0], str):
        raise TypeError(f"a key must be a string, not {entry[0]!r}")
    return entry


def _scalar_event(value: object) -> yaml.ScalarEvent:
    if isinstance(value, str):
        style = "|" if "\n" in value else '"' if _ambiguous(value) else None
        return yaml.ScalarEvent(None, None, _IMPLICIT, value, style=style)
    if value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int):
        text = int.__repr__(value)
    elif isinstance(value, float):
        text = _float_text(value)
    else:
        raise TypeError(f"a document holds what JSON can say, not {value!r}")
    return yaml.ScalarEvent(None, None, _IMPLICIT, text)


def _float_text(value: float) -> str:
    if value != value or abs(value) == float("inf"):
        raise TypeError(f"a document holds finite numbers, not {value!r}")
    text = float.__repr__(value)
    # YAML 1.1 asks for a point, YAML 1.2 minds none.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _ambiguous(text: str) -> bool:
    """Whether some reader would take the text, unquoted, for something other than a string."""
    if not text or not isinstance(_plain(text), str):
        return True
    return any(pattern.match(text) for _, pattern in Resolver.yaml_implicit_resolvers.get(text[0], ()))
