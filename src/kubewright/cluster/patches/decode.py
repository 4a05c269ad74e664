"""The bytes of a patch become a value, or are refused in the words of Go's decoder.

`checked` is what the request's field validation asks for: with Warn and Strict the server decodes the patch once more
before it looks for duplicates, and then its complaints read otherwise than with Ignore.
"""

import re
from collections.abc import Generator, Sequence
from math import isinf
from typing import Any, Final

import msgspec

from kubewright.cluster.patches.errors import BadPatch
from kubewright.cluster.patches.syntax import NUMBER, STRING, syntax_error_in_steps
from kubewright.model.documents import is_shallow, load_json
from kubewright.model.parts import MOST
from kubewright.model.piecemeal import PIECE, cut_list, decode_in_steps
from kubewright.model.steps import finish

__all__ = ["json_patch", "json_patch_in_steps", "kind", "merge_patch", "shape_error", "strategic_patch"]

#: So many operations are looked at in one step.
_FEW: Final = 500
_MEMBER: Final = "Go struct field jsonPatchOp."
_NUMBERS: Final = re.compile(STRING + rb"|(" + NUMBER + rb")")


class _Text(msgspec.Struct):
    """An operation of which only the value is wanted, as it stands there."""

    value: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_TEXTS: Final = msgspec.json.Decoder(list[_Text | None] | None)


def json_patch(body: bytes, *, checked: bool = True) -> tuple[list[Any], list[bytes | None]]:
    """The operations of a JSON patch, and the texts of their values. No patch at all (null) is an empty one."""
    return finish(_json_patch(body, checked=checked))


def _json_patch(body: bytes, *, checked: bool) -> Generator[None, None, tuple[list[Any], list[bytes | None]]]:
    before = "error decoding patch: " if checked else ""
    try:
        patch = yield from _decode(body)
    except BadPatch as error:
        if isinstance(error, _BeyondRange):
            number = f"json: cannot unmarshal number {error.number} into {_MEMBER}value of type float64"
            error = BadPatch(shape_error(error.value, checked=checked) or number)
        raise BadPatch(f"{before}{error}") from None
    if wrong := shape_error(patch, checked=checked):
        raise BadPatch(before + wrong)
    assert patch is None or isinstance(patch, list), "or it would have the wrong shape"
    return patch or [], _values(body)


def json_patch_in_steps(
    body: bytes, *, checked: bool = True, piece: int = PIECE
) -> Generator[None, None, tuple[list[Any], list[bytes | None]]]:
    """The same for a long one, in steps."""
    if len(body) <= piece or not is_shallow(body):
        return json_patch(body, checked=checked)
    try:
        patch = yield from decode_in_steps(body, piece=piece)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        patch = None
    if type(patch) is not list:
        return (yield from _json_patch(body, checked=checked))
    for start in range(0, len(patch), _FEW):
        if shape_error(patch[start : start + _FEW], checked=checked):
            return (yield from _json_patch(body, checked=checked))
        yield
    values: list[bytes | None] = []
    for some in cut_list(body, piece=piece):
        values += _values(some)
        yield
    return patch, values


def _values(body: bytes) -> list[bytes | None]:
    """The texts of the values of operations."""
    texts = _TEXTS.decode(body) or []
    return [bytes(text.value) if text and isinstance(text.value, msgspec.Raw) else None for text in texts]


def merge_patch(body: bytes, *, checked: bool = True) -> Generator[None, None, object]:
    """The value of a merge patch, in steps: an object; or, unchecked, a list, which takes the whole object's place."""
    try:
        patch = yield from _mapping(body)
    except BadPatch as error:
        if checked:
            raise BadPatch(f"error decoding patch: {error}") from None
        # Go's merge looks at the bytes itself, and takes any list.
        if body.lstrip(b" \t\r\n").startswith(b"[") and (yield from syntax_error_in_steps(body)) is None:
            return (yield from _decode(body))
        raise BadPatch("Invalid JSON Patch") from None
    if patch is None:
        raise BadPatch("Invalid JSON Patch")
    return patch


def strategic_patch(body: bytes) -> Generator[None, None, dict[str, object]]:
    """The value of a strategic merge patch, in steps. No patch at all (null) is an empty one."""
    return (yield from _mapping(body)) or {}


def _mapping(body: bytes) -> Generator[None, None, dict[str, object] | None]:
    """A JSON object or null."""
    beyond: _BeyondRange | None = None
    try:
        value = yield from _decode(body)
    except _BeyondRange as error:
        value, beyond = error.value, error
    if value is not None and not isinstance(value, dict):
        raise BadPatch(f"json: cannot unmarshal {kind(value)} into Go value of type map[string]interface {{}}")
    if beyond:
        raise beyond
    return value


def shape_error(patch: object, *, checked: bool) -> str | None:
    """What keeps a value from being a list of operations."""
    whole, part = "jsonpatch.Patch", "jsonpatch.Operation"
    if checked:
        whole, part = "[]handlers.jsonPatchOp", "handlers.jsonPatchOp"
    if patch is None:
        return None
    if not isinstance(patch, Sequence) or isinstance(patch, str):
        return f"json: cannot unmarshal {kind(patch)} into Go value of type {whole}"
    for operation in patch:
        if operation is None:
            continue
        if not isinstance(operation, dict):
            return f"json: cannot unmarshal {kind(operation)} into Go value of type {part}"
        for name, value in operation.items() if checked else ():
            if name in ("op", "path", "from") and value is not None and not isinstance(value, str):
                return f"json: cannot unmarshal {kind(value)} into {_MEMBER}{name} of type string"
    return None


def kind(value: object) -> str:
    """What Go's decoder calls a value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "object" if isinstance(value, dict) else "array"


class _BeyondRange(BadPatch):
    """A number that no float64 can hold, in a body that `value` would be if such numbers were zeros.

    Go tells of it last: it reads numbers when all that is around them is in place.
    """

    def __init__(self, number: str, value: object) -> None:
        super().__init__(f"json: cannot unmarshal number {number} into Go value of type float64")
        self.number = number
        self.value = value


def _decode(body: bytes) -> Generator[None, None, object]:
    try:
        if len(body) > PIECE and is_shallow(body):
            return (yield from decode_in_steps(body, piece=PIECE))
        return load_json(body)
    except (ValueError, RecursionError):  # DocumentError is one, and what the decoders raise
        if wrong := (yield from syntax_error_in_steps(body)):
            raise BadPatch(wrong) from None
        numbers: dict[bytes, None] = {}
        for count, match in enumerate(_NUMBERS.finditer(body), 1):
            if match[1] and isinf(float(match[1])):
                numbers.setdefault(match[1])
            if count % MOST == 0:
                yield
        if not numbers:
            return _told(body)
        value = yield from _decode(_NUMBERS.sub(lambda match: b"0" if match[1] in numbers else match[0], body))
        raise _BeyondRange(next(iter(numbers)).decode(), value) from None


def _told(body: bytes) -> object:
    """What is wrong with a text that is JSON."""
    try:
        return load_json(body)
    except ValueError as error:
        raise BadPatch(str(error)) from None
