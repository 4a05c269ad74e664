"""The bytes of a request become a document, or are refused in the words of the server's decoder.

    read_object(body, media, want: GroupVersionKind, *, custom=False)              # by and by; Failure 400
    decode(body: bytes, media: str, *, custom=False) -> Parsed                     # Unreadable
    steps(body: bytes, media: str, *, custom=False) -> Generator of the Parsed     # the same, by and by
    strict_error(parsed, complaints) -> str                                        # fieldValidation=Strict
    warnings(parsed, complaints) -> list[str]                                      # fieldValidation=Warn

`media` is what `media.request_media` made of the Content-Type. `read_object` is what create and update call: it also
sees to it that the document is of the kind of the endpoint (see `identify`). `custom` says that it is a custom
resource: there the decoder reads into a map of anything, not into a Go struct, and that shows in what it says and does.

A `Parsed` has the document with numbers as the server holds them (an integer of 64 bits or a float; in YAML, a float
without a fraction is an integer; in JSON of a built-in kind, whose types go by the text of a number, a `Literal`), and
what field validation has to tell of its text: the paths that JSON named twice, for the codec to judge; or, for YAML,
one line for each key that is set twice. `strict_error` and `warnings` put these together with the codec's complaints;
neither says anything if there is nothing to say.

The usual body is JSON of a few kilobytes with nothing odd about it. It is decoded once and encoded once: most often
that gives the same text again, and else its quotation marks are counted: where a key was named twice, some are missing.
All else is found out only when something is amiss.
"""

import re
from collections.abc import Generator, Sequence
from functools import cache
from math import isinf
from typing import Any, Final, NamedTuple

import msgspec

from kubewright.cluster.patches.syntax import NUMBER, STRING, syntax_error_in_steps
from kubewright.cluster.wire.duplicates import duplicates_in_steps
from kubewright.cluster.wire.identify import default, identify, interpret, unhandled, unrecognized
from kubewright.cluster.wire.literal import Literal
from kubewright.cluster.wire.media import YAML
from kubewright.cluster.wire.unreadable import Unreadable, text_of
from kubewright.model.documents import MAX_DEPTH
from kubewright.model.kind import GroupVersionKind
from kubewright.model.parts import MOST, summed
from kubewright.model.piecemeal import PIECE, Decode, decode_in_steps
from kubewright.model.steps import finish
from kubewright.schema.walk.golang import INT64_MAX, INT64_MIN, as_float

__all__ = [
    "Parsed",
    "Unreadable",
    "as_object",
    "decode",
    "goes_deep",
    "hold",
    "may_be_long",
    "plain",
    "read_object",
    "steps",
    "strict_error",
    "warnings",
]

Document = dict[str, Any]

_NO_KIND: Final = "couldn't get version/kind; json parse error: "
_STRUCT: Final = r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
#: Digits become `0`, opening brackets `(`, all else a space. A run of 19 digits may be an integer that 64 bits cannot
#: hold; more brackets than levels may be too deep.
_OUTLINE: Final = bytes(48 if 48 <= byte < 58 else 40 if byte in b"{[" else 32 for byte in range(256))
_LONG: Final = b"0" * 19
_HEX: Final = rb"[0-9a-fA-F]{2}"


class _BeyondRange(Exception):
    """A number that no float64 can hold."""


def _float(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise _BeyondRange
    return value


def _whole(text: str) -> int | float:
    """A number as YAML hands it on: without a fraction it is an integer."""
    value = _float(text)
    return int(value) if value.is_integer() and INT64_MIN <= value < INT64_MAX else value


_decode: Final = msgspec.json.Decoder(float_hook=_float).decode
_decode_whole: Final = msgspec.json.Decoder(float_hook=_whole).decode
_decode_literally: Final = msgspec.json.Decoder(float_hook=Literal).decode
_ODD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, _BeyondRange)
_encode: Final = msgspec.json.Encoder(enc_hook=float).encode


class Parsed(NamedTuple):
    """A document, and what was odd about its text."""

    document: Document
    #: Paths that stand twice in a JSON text, in order.
    duplicates: Sequence[str] = ()
    #: The same of a YAML text, in the words of its reader, such as `line 6: key "a" already set in map`.
    repeated: Sequence[str] = ()


def read_object(
    body: bytes, media: str, want: GroupVersionKind, *, custom: bool = False, lenient: bool = False
) -> Generator[None, None, Parsed]:
    """The document of a new or changed object at an endpoint for `want`, in steps; a `Failure` if it is none.

    `lenient`: nobody minds unknown fields.
    """
    try:
        parsed = yield from steps(body, media, custom=custom)
    except Unreadable as error:
        if error.document is None:
            raise unrecognized(str(error), body, want) from None
        try:
            kind = default(interpret(error.document), want)
        except Unreadable as earlier:
            raise unrecognized(str(earlier), body, want) from None
        raise unhandled(kind, want, str(error)) from None
    identify(parsed.document, body, want, custom=custom, lenient=lenient)
    return parsed


def decode(body: bytes, media: str, *, custom: bool = False) -> Parsed:
    """The document of a body, whatever its kind; `Unreadable` if there is none. No document at all is an empty one."""
    return finish(steps(body, media, custom=custom))


def steps(body: bytes, media: str, *, custom: bool = False) -> Generator[None, None, Parsed]:
    """The same in steps: YAML takes a hundred times longer than JSON, and there is something else to do meanwhile."""
    if media == YAML and (parsed := (yield from _decode_json_as_yaml(body))) is not None:
        return parsed
    if media == YAML:
        # Loaded when it is needed: most servers never are sent any.
        from kubewright.cluster.wire.yaml import decode_yaml

        value, repeated = yield from decode_yaml(body)
        yield
        value = (yield from hold({"": value}))[""]
        return Parsed(as_object(value), (), repeated)
    document = yield from plain(body, _decode if custom else _decode_literally)
    return Parsed(document) if document is not None else (yield from _decode_slowly(body, custom))


def plain(body: bytes, decode: Decode = _decode) -> Generator[None, None, Document | None]:
    """The document of a JSON text; None if there is anything odd about it."""
    try:
        value = yield from decode_in_steps(body, decode)
    except _ODD:
        return None
    return value if type(value) is dict and (yield from _is_plain(value, body)) else None


def strict_error(parsed: Parsed, complaints: Sequence[str]) -> str:
    """What strict field validation says of a document; empty if it is content."""
    found = [*_yaml_error(parsed.repeated), *complaints]
    return f"strict decoding error: {', '.join(found)}" if found else ""


def warnings(parsed: Parsed, complaints: Sequence[str]) -> list[str]:
    """The same as warnings, one for each."""
    return [*parsed.repeated, *complaints]


def _yaml_error(repeated: Sequence[str]) -> list[str]:
    return ["\n  ".join(["yaml: unmarshal errors:", *repeated])] if repeated else []


def _is_plain(value: Document, body: bytes) -> Generator[None, None, bool]:
    """Whether what was decoded is what the server would hold: not deep, no key twice, every integer of 64 bits."""
    outline = body.translate(_OUTLINE)
    # First: a newer Python decodes what is deeper than any walk through it can go.
    if outline.count(b"(") > MAX_DEPTH and (yield from goes_deep(value)):
        return False
    # A quotation mark inside a string is one mark in both texts, unless it is written by its number.
    if len(body) > PIECE:
        yield
        marks = yield from summed(value, _marks)
        if marks != body.count(b'"') or body.find(b"\\u0022") >= 0:
            return False
        yield
    elif (again := _encode(value)) != body and (again.count(b'"') != body.count(b'"') or body.find(b"\\u0022") >= 0):
        return False
    return outline.find(_LONG) < 0


def _marks(value: Any) -> int:
    return _encode(value).count(b'"')


def goes_deep(value: Any) -> Generator[None, None, bool]:
    """Whether a value is nested deeper than objects may be, in steps."""
    level: list[Any] = [value] if type(value) is dict or type(value) is list else []
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for start in range(0, len(level), MOST):
            below += [
                part
                for whole in level[start : start + MOST]
                for part in (whole.values() if type(whole) is dict else whole)
                if type(part) is dict or type(part) is list
            ]
            yield
        if not below:
            return False
        level = below
    return True


def _decode_json_as_yaml(body: bytes) -> Generator[None, None, Parsed | None]:
    """JSON is YAML, and read a hundred times faster; None if the two might differ, or it is no JSON."""
    if body[:1] != b"{" or b"\\u" in body:
        return None
    document = yield from plain(body, _decode_whole)
    return Parsed(document) if document is not None else None


@cache
def _patterns() -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """A pair of surrogates, or one that is alone, or another escape; and a string, or a number."""
    high, low, any_ = rb"u[dD][89abAB]" + _HEX, rb"\\u[dD][c-fC-F]" + _HEX, rb"u[dD][89a-fA-F]" + _HEX
    # What all begin with is told once: it is found far sooner.
    escapes = rb"\\(?:" + high + low + rb"|(" + any_ + rb")|.)"
    return re.compile(escapes), re.compile(STRING + rb"|(" + NUMBER + rb")")


def _decode_slowly(body: bytes, custom: bool) -> Generator[None, None, Parsed]:
    """What is odd about a body, by and by."""
    if wrong := (yield from syntax_error_in_steps(body)):
        raise Unreadable(_NO_KIND + wrong)
    text = yield from _readable(body)
    value, duplicates = yield from duplicates_in_steps(text, merge=not custom)
    document = as_object(value)
    if custom:
        for count, found in enumerate(_patterns()[1].finditer(text), 1):
            if found[1] and isinf(float(found[1])):
                why = f"json: cannot unmarshal number {found[1].decode()} into Go value of type float64"
                raise Unreadable(why, document)
            if count % MOST == 0:
                yield
    return Parsed(document, duplicates)


def _readable(body: bytes) -> Generator[None, None, bytes]:
    """The text of a body, with U+FFFD for what is no character: bytes, and halves of surrogate pairs."""
    pieces: list[bytes] = []
    at = 0
    try:
        body.decode()
        text = body
    except UnicodeDecodeError:
        while at < len(body):
            # No character goes beyond a quotation mark.
            end = body.find(b'"', at + PIECE)
            end = len(body) if end < 0 else end
            pieces.append(text_of(body[at:end]).encode())
            at = end
            yield
        text = b"".join(pieces)
    if text.find(b"\\u") < 0:
        return text
    pieces, at = [], 0
    for count, found in enumerate(_patterns()[0].finditer(text), 1):
        if found[1]:
            pieces += [text[at : found.start()], rb"\ufffd"]
            at = found.end()
        if count % MOST == 0:
            yield
    return b"".join([*pieces, text[at:]])


def as_object(value: Any) -> Document:
    """A value that has to be an object; `Unreadable` if it is none."""
    if isinstance(value, dict):
        return value
    if value is None:
        return {}
    kind = "bool" if isinstance(value, bool) else "string" if isinstance(value, str) else "array"
    kind = "number" if isinstance(value, (int, float)) and kind != "bool" else kind
    raise Unreadable(f"{_NO_KIND}json: cannot unmarshal {kind} into Go value of type {_STRUCT}")


def hold(value: Document) -> Generator[None, None, Document]:
    """The document with its integers as the server holds them, in place; in steps."""
    pending: list[Any] = [value]
    seen = 0
    while pending:
        whole = pending.pop()
        for key, part in whole.items() if isinstance(whole, dict) else enumerate(whole):
            if type(part) is dict or type(part) is list:
                pending.append(part)
            elif type(part) is int and not INT64_MIN <= part <= INT64_MAX:
                whole[key] = as_float(part)
            seen += 1
            if seen % MOST == 0:
                yield
    return value


def may_be_long(body: bytes) -> bool:
    """Whether a number in a text may be an integer that 64 bits cannot hold."""
    return body.translate(_OUTLINE).find(_LONG) >= 0
