"""Messages become objects of Go types."""

from collections.abc import Callable
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.wire.protobuf.draw import kinds, objects

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.protobuf.decode import Decoders, decoders
from kubewright.cluster.wire.protobuf.encode import encoders
from kubewright.cluster.wire.protobuf.envelope import open_envelope, read_in_steps, unpack, write_object
from kubewright.cluster.wire.protobuf.scan import Malformed
from kubewright.cluster.wire.protobuf.write import message, number, sized, tag
from kubewright.cluster.wire.reading import Readers
from kubewright.cluster.wire.types import Table, kind_type
from kubewright.model.kind import GroupVersionKind
from kubewright.model.steps import counted, finish

TYPES = Table("""
kind v1 Thing a/v1.Thing

struct a/v1.Inner
value string 1
extra string 2 omitempty

struct a/v1.Source
here *a/v1.Inner 1,HERE omitempty
there string 2 omitempty

struct a/v1.Thing
text string 1 omitempty
flag bool 2
small int32 3 omitempty
large int64 4 omitempty
ratio *float64 5 omitempty
pointer *string 6 omitempty
inner a/v1.Inner 7 omitempty
inners []a/v1.Inner 8 omitempty
list []string 9
map map[string]string 10 omitempty
bytes []uint8 11 omitempty
blobs map[string][]uint8 12 omitempty
self *a/v1.Thing 13 omitempty
when meta/v1.Time 14 omitempty omitzero
then *meta/v1.Time 15 omitempty
numbers []int32 16 omitempty
extras map[string]authentication/v1.ExtraValue 17 omitempty
inline a/v1.Source 18 Source
switch *bool 19 omitempty
written []uint8 20

special meta/v1.Time

name authentication/v1.ExtraValue []string
""")
ALWAYS = {"flag": False, "inner": {"value": ""}, "list": None, "written": None}


def put(place: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return tag(place, 0) + number(value)
    return tag(place, 2) + sized(value)


def decode(*parts: bytes) -> Any:
    data = b"".join(parts)
    made: dict[str, Any] = {}
    Decoders(TYPES, Readers(TYPES)).of(TYPES.type("a/v1.Thing"))(data + b"\0", 0, len(data), made)
    return made


def told(*parts: bytes) -> str:
    with pytest.raises(Malformed) as refused:
        decode(*parts)
    return str(refused.value)


def told_or_made(fill: Callable[..., None], data: bytes) -> tuple[str, Any]:
    made: dict[str, Any] = {}
    try:
        fill(data + b"\0", 0, len(data), made)
    except Malformed as error:
        return str(error), None
    return "", made


@given(kinds().flatmap(objects), st.integers(1, 40), st.integers(0, 300), st.integers(0, 255), st.booleans())
def test_what_is_read_in_steps_is_the_same(
    drawn: tuple[GroupVersionKind, Any], most: int, at: int, byte: int, twice: bool
) -> None:
    kind, document = drawn
    target = kind_type(kind.api_version, kind.kind)
    data = encoders().of(target)(builtin_codec(*kind).read(document).object) * (2 if twice else 1)
    broken = data[:at] + bytes((byte,)) + data[at + 1 :]

    def in_steps(read: bytes, start: int, end: int, made: dict[str, Any]) -> None:
        finish(decoders().fill_in_steps(target, read, start, end, made, most))

    for each in (data, data[:at], broken):
        assert told_or_made(in_steps, each) == told_or_made(decoders().of(target), each)


def test_a_long_message_is_read_in_steps() -> None:
    env = [{"name": f"V{number}", "value": "v"} for number in range(10_000)]
    owned: dict[str, Any] = {".": {}, "f:name": {}}
    fields = {"f:spec": {f'k:{{"name":"V{number}"}}': owned for number in range(10_000)}}
    entry = {"manager": "m", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields}
    pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p", "managedFields": [entry]}}
    pod["spec"] = {"containers": [{"name": "c", "image": "i", "env": env}, {"name": "d", "image": "i"}]}
    target, data = kind_type("v1", "Pod"), write_object(pod)
    said, raw = open_envelope(data)
    made, count = counted(read_in_steps(data, said))
    assert count > 10
    assert made == unpack(target, raw) | {"kind": "Pod", "apiVersion": "v1"}
    assert made["spec"]["containers"][0]["env"] == env
    assert made["metadata"]["managedFields"][0]["fieldsV1"] == fields


def test_what_is_always_written_is_there() -> None:
    assert decode() == ALWAYS


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (put(1, b"a"), {"text": "a"}),
        (put(1, b"x" * 300), {"text": "x" * 300}),
        (put(2, 1), {"flag": True}),
        (put(2, 300), {"flag": True}),
        (put(3, 5), {"small": 5}),
        (put(3, -5), {"small": -5}),
        (put(3, 2**32 + 7), {"small": 7}),
        (put(4, 2**62), {"large": 2**62}),
        (put(4, -1), {"large": -1}),
        (tag(5, 1) + pack("<d", 0.5), {"ratio": 0.5}),
        (tag(5, 1) + pack("<d", 3.0), {"ratio": 3}),
        (put(6, b""), {"pointer": ""}),
        (put(7, put(1, b"v")), {"inner": {"value": "v"}}),
        (put(8, b"") + put(8, put(1, b"v")), {"inners": [{"value": ""}, {"value": "v"}]}),
        (put(9, b"a") + put(9, b""), {"list": ["a", ""]}),
        (put(10, message(b"k", b"v")) + put(10, message(b"k", b"w")), {"map": {"k": "w"}}),
        (put(10, b""), {"map": {"": ""}}),
        (put(11, b"\0\1"), {"bytes": "AAE="}),
        (put(12, message(b"k")), {"blobs": {"k": ""}}),
        (put(13, put(1, b"s")), {"self": ALWAYS | {"text": "s"}}),
        (put(14, message(0)), {"when": "1970-01-01T00:00:00Z"}),
        (put(15, b""), {"then": None}),
        (put(16, 1) + put(16, b"\x02\x03"), {"numbers": [1, 2, 3]}),
        (put(17, message(b"k", message(b"a") + message(b"b"))), {"extras": {"k": ["a", "b"]}}),
        (put(17, message(b"k")), {"extras": {"k": []}}),
        (put(19, 0), {"switch": False}),
        (put(20, b""), {"written": ""}),
    ],
)
def test_a_field_is_what_json_has_for_it(part: bytes, expected: dict[str, Any]) -> None:
    assert decode(part) == ALWAYS | expected


@pytest.mark.parametrize("part", [put(1, b""), put(3, 0), put(11, b""), put(14, b""), put(16, b"")])
def test_what_is_empty_vanishes(part: bytes) -> None:
    assert decode(part) == ALWAYS


@pytest.mark.parametrize(("first", "then"), [(put(1, b"a"), put(1, b"")), (put(3, 1), put(3, 0))])
def test_the_last_of_two_counts(first: bytes, then: bytes) -> None:
    assert decode(first, then) == ALWAYS


def test_two_parts_of_a_message_are_one() -> None:
    found = decode(put(13, put(1, b"a") + put(9, b"x")), put(13, put(3, 1) + put(9, b"y")))
    assert found["self"] == ALWAYS | {"text": "a", "small": 1, "list": ["x", "y"]}


def test_a_message_inside_may_have_its_fields_outside_in_json() -> None:
    source = put(1, put(2, b"e")) + put(2, b"t")
    assert decode(put(18, source)) == ALWAYS | {"here": {"value": "", "extra": "e"}, "there": "t"}


def test_fields_that_nobody_knows_are_passed_over() -> None:
    assert decode(put(99, b"x"), put(98, 1), b"\xa3\x06\x08\x01\xa4\x06", put(1, b"a")) == ALWAYS | {"text": "a"}


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    assert decode(put(1, b"a\xff"), put(10, message(b"\xfe", b"\xff"))) == ALWAYS | {"text": "a�", "map": {"�": "�"}}


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (put(1, 1), "proto: wrong wireType = 0 for field Text"),
        (put(2, b"x"), "proto: wrong wireType = 2 for field Flag"),
        (tag(16, 1), "proto: wrong wireType = 1 for field Numbers"),
        (put(18, b"\x08\x01"), "proto: wrong wireType = 0 for field HERE"),
        (put(7, put(1, 1)), "proto: wrong wireType = 0 for field Value"),
        (put(7, b"\x0c"), "proto: Inner: wiretype end group for non-group"),
        (put(7, b"\x00"), "proto: Inner: illegal tag 0 (wire type 0)"),
        (put(7, b"\x0a"), "unexpected EOF"),
        (put(7, b"\x0a\x05ab") + put(1, b"abcdefg"), "unexpected EOF"),
        (put(13, b"\x18"), "unexpected EOF"),
        (put(13, b"\x18\x80") + put(1, b"abcdefg"), "unexpected EOF"),
        (put(13, b"\x18" + b"\xff" * 10 + b"\x01"), "proto: integer overflow"),
        (put(13, b"\x29abc") + put(1, b"abcdefg"), "unexpected EOF"),
        (b"\x29abc", "unexpected EOF"),
        (b"\x0a" + number(2**63), "proto: negative length found during unmarshaling"),
        (b"\x80", "unexpected EOF"),
        (put(10, b"\x0a"), "unexpected EOF"),
        (put(10, b"\x0a\x05a") + put(1, b"abcdefg"), "unexpected EOF"),
        (put(17, message(b"k", put(1, 1))), "proto: wrong wireType = 0 for field Items"),
        (tag(5, 1) + pack("<d", float("nan")), "json: unsupported value: NaN"),
        (tag(5, 1) + pack("<d", float("-inf")), "json: unsupported value: -Inf"),
    ],
)
def test_what_is_wrong_is_told_as_go_tells_it(part: bytes, why: str) -> None:
    assert told(part) == why
