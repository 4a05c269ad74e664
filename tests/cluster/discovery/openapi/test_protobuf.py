import json
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.discovery.openapi.protobuf import as_protobuf


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The members of a message: number, and an integer, a double or bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 1:
            at += 8
            yield tag >> 3, struct.unpack("<d", message[at - 8 : at])[0]
        else:
            length = varint()
            at += length
            assert at <= len(message)
            yield tag >> 3, message[at - length : at]


def follow(message: bytes, *numbers: int) -> Any:
    """The first member of that number, in the first of the next…"""
    for number in numbers:
        message = next(value for found, value in fields(message) if found == number)
    return message


def written(document: Any) -> bytes:
    return b"".join(as_protobuf(json.dumps(document).encode()))


def schema(value: Any) -> bytes:
    return bytes(follow(written({"definitions": {"a": value}}), 9, 1, 2))


@pytest.mark.parametrize(
    ("value", "path", "wanted"),
    [
        ({"$ref": "#/definitions/b"}, (1,), b"#/definitions/b"),
        ({"description": "é"}, (4,), "é".encode()),
        ({"maximum": 1.5}, (7,), 1.5),
        ({"minimum": -3}, (9,), -3.0),
        ({"maxLength": 300}, (11,), 300),
        ({"exclusiveMaximum": True}, (8,), 1),
        ({"required": ["x", "y"]}, (19,), b"x"),
        ({"enum": ["A"]}, (20, 2), b'"A"\n'),
        ({"additionalProperties": True}, (21, 2), 1),
        ({"additionalProperties": {"type": "string"}}, (21, 1, 22, 1), b"string"),
        ({"items": {"type": "integer"}}, (23, 1, 22, 1), b"integer"),
        ({"properties": {"p": {"type": "object"}}}, (25, 1, 1), b"p"),
        ({"x-kubernetes-list-type": "map"}, (31, 1), b"x-kubernetes-list-type"),
        ({"x-kubernetes-list-type": "map"}, (31, 2, 2), b'"map"\n'),
    ],
)
def test_a_member_of_a_schema_has_its_number_and_form(value: Any, path: tuple[int, ...], wanted: Any) -> None:
    assert follow(schema(value), *path) == wanted


def test_parameters_of_each_place_have_a_message_of_their_own() -> None:
    places = {"path": (2, 4, 4), "query": (2, 3, 4), "body": (1, 2)}
    for place, path in places.items():
        message = written({"parameters": {"p": {"name": "called", "in": place}}})
        assert follow(message, 10, 1, 2, *path) == b"called"


def test_an_operation_refers_to_shared_parameters() -> None:
    operation = {"operationId": "id", "parameters": [{"$ref": "#/parameters/p"}], "responses": {"200": {}}}
    message = written({"paths": {"/x": {"patch": operation}}})
    assert follow(message, 8, 2, 1) == b"/x"
    assert follow(message, 8, 2, 2, 8, 8, 2, 1) == b"#/parameters/p"
    assert follow(message, 8, 2, 2, 8, 9, 1, 1) == b"200"


@given(st.integers(min_value=1, max_value=2**40))
def test_numbers_of_any_size_are_written(count: int) -> None:
    assert follow(schema({"maxLength": count}), 11) == count
