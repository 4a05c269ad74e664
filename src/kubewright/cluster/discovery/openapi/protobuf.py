"""OpenAPI v2 as protobuf, which is how kubectl asks for it.

The messages are those of gnostic's `openapi.v2` package: a table below for each, from a member's name in JSON to its
number and form. What a table does not list does not occur in our documents; values of any shape are carried as YAML,
which JSON is.
"""

import struct
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

__all__ = ["as_protobuf"]

#: The bytes of a message, of what JSON has.
Encode = Callable[[Any], bytes]
#: The same with its number in front, as a member of another message.
Member = Callable[[Any], bytes]


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # a negative one is written as its complement
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _tagged(number: int, payload: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(payload)) + payload


def _text(number: int) -> Member:
    return lambda value: _tagged(number, value.encode())


def _texts(number: int) -> Member:
    return lambda values: b"".join([_tagged(number, value.encode()) for value in values])


def _count(number: int) -> Member:
    """A number or a flag; 0 and false are not written."""
    tag = _varint(number << 3)
    return lambda value: tag + _varint(int(value)) if value else b""


def _double(number: int) -> Member:
    tag = _varint(number << 3 | 1)
    return lambda value: tag + struct.pack("<d", value) if value else b""


def _one(number: int, encode: Encode) -> Member:
    return lambda value: _tagged(number, encode(value))


def _many(number: int, encode: Encode) -> Member:
    return lambda values: b"".join([_tagged(number, encode(value)) for value in values])


def _pair(encode: Encode) -> Callable[[str, Any], bytes]:
    return lambda name, value: _tagged(1, name.encode()) + _tagged(2, encode(value))


def _named(number: int, encode: Encode) -> Encode:
    """A map: a message for each member, with its name."""
    pair = _pair(encode)
    return lambda value: b"".join([_tagged(number, pair(name, each)) for name, each in value.items()])


def _any(value: Any) -> bytes:
    return _tagged(2, msgspec.json.encode(value) + b"\n")


_extension: Final = _pair(_any)


def _message(members: dict[str, Member], extension: int) -> Encode:
    def encode(value: dict[str, Any]) -> bytes:
        pieces = []
        for key, each in value.items():
            if key.startswith("x-"):
                pieces.append(_tagged(extension, _extension(key, each)))
            else:
                pieces.append(members[key](each))
        return b"".join(pieces)

    return encode


def _schema(value: Any) -> bytes:
    return _SCHEMA(value)


def _additional(value: Any) -> bytes:
    return _count(2)(value) if isinstance(value, bool) else _tagged(1, _schema(value))


_DOCS: Final = _message({"description": _text(1), "url": _text(2)}, 3)
_SCHEMA: Final = _message(
    {
        "$ref": _text(1),
        "format": _text(2),
        "title": _text(3),
        "description": _text(4),
        "multipleOf": _double(6),
        "maximum": _double(7),
        "exclusiveMaximum": _count(8),
        "minimum": _double(9),
        "exclusiveMinimum": _count(10),
        "maxLength": _count(11),
        "minLength": _count(12),
        "pattern": _text(13),
        "maxItems": _count(14),
        "minItems": _count(15),
        "uniqueItems": _count(16),
        "maxProperties": _count(17),
        "minProperties": _count(18),
        "required": _texts(19),
        "enum": _many(20, _any),
        "additionalProperties": _one(21, _additional),
        "type": _one(22, _text(1)),
        "items": _one(23, _one(1, _schema)),
        "properties": _one(25, _named(1, _schema)),
        "externalDocs": _one(29, _DOCS),
        "example": _one(30, _any),
    },
    31,
)
_BODY: Final = _message({"name": _text(2), "in": _text(3), "required": _count(4), "schema": _one(5, _schema)}, 6)
_QUERY: Final = _message(
    {"required": _count(1), "in": _text(2), "name": _text(4), "type": _text(6), "uniqueItems": _count(20)}, 23
)
_PATH: Final = _message(
    {"required": _count(1), "in": _text(2), "name": _text(4), "type": _text(5), "uniqueItems": _count(19)}, 22
)


def _parameter(value: Any) -> bytes:
    if value["in"] == "body":
        return _tagged(1, _BODY(value))
    return _tagged(2, _tagged(4, _PATH(value)) if value["in"] == "path" else _tagged(3, _QUERY(value)))


def _parameter_or_reference(value: Any) -> bytes:
    return _tagged(2, _text(1)(value["$ref"])) if "$ref" in value else _tagged(1, _parameter(value))


_RESPONSE: Final = _message({"description": _text(1), "schema": _one(2, _one(1, _schema))}, 5)
_OPERATION: Final = _message(
    {
        "tags": _texts(1),
        "operationId": _text(5),
        "produces": _texts(6),
        "consumes": _texts(7),
        "parameters": _many(8, _parameter_or_reference),
        "responses": _one(9, _named(1, _one(1, _RESPONSE))),
        "schemes": _texts(10),
    },
    13,
)
_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch")
_ITEM: Final = _message(
    {method: _one(number, _OPERATION) for number, method in enumerate(_METHODS, 2)}
    | {"parameters": _many(9, _parameter_or_reference)},
    10,
)
_KEY: Final = _message({"type": _text(1), "name": _text(2), "in": _text(3)}, 5)
_DOCUMENT: Final = _message(
    {
        "swagger": _text(1),
        "info": _one(2, _message({"title": _text(1), "version": _text(2)}, 7)),
        "parameters": _one(10, _named(1, _parameter)),
        "security": _many(12, _named(1, _texts(1))),
        "securityDefinitions": _one(13, _named(1, _one(2, _KEY))),
    },
    16,
)
#: The two that are large: the member's number, that of each part, and how a part is written.
_LARGE: Final[dict[str, tuple[int, int, Encode]]] = {"paths": (8, 2, _ITEM), "definitions": (9, 1, _schema)}


def as_protobuf(document: bytes) -> Iterator[bytes]:
    """A document, which is JSON, as protobuf, in pieces; an empty one is nothing but a pause."""
    top = msgspec.json.decode(document, type=dict[str, msgspec.Raw])
    yield b""
    for key, content in top.items():
        if key not in _LARGE:
            yield _DOCUMENT({key: msgspec.json.decode(content)})
            continue
        number, part, encode = _LARGE[key]
        pair, parts = _pair(encode), []
        for name, raw in msgspec.json.decode(content, type=dict[str, msgspec.Raw]).items():
            parts.append(_tagged(part, pair(name, msgspec.json.decode(raw))))
            yield b""
        yield _tagged(number, b"".join(parts))
