"""NEG-1, NEG-2, NEG-6, CREATE-3: bodies, held against recorded answers of a real server; and by property."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.body import Parsed, Unreadable, decode, read_object, steps, strict_error, warnings
from kubewright.cluster.wire.media import JSON, YAML
from kubewright.cluster.wire.status import Failure
from kubewright.model.resource import GroupVersionKind
from kubewright.model.steps import counted, finish
from kubewright.schema.walk.golang import quote

# Of each answer of the real server: c for a ConfigMap and w for a custom resource that keeps all fields, json or yaml,
# the body, the code, what was said, the warnings, the object without its metadata, and what strict validation said.
RECORDED: list[Any] = json.loads((Path(__file__).parent / "data" / "bodies.json").read_text())
KINDS = {"c": GroupVersionKind("", "v1", "ConfigMap"), "w": GroupVersionKind("example.com", "v1", "Widget")}
DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")


def read(row: list[Any]) -> Parsed:
    kind, media, text = row[:3]
    return finish(read_object(text.encode("latin-1"), f"application/{media}", KINDS[kind], custom=kind == "w"))


def complaints(parsed: Parsed) -> list[str]:
    """What the codec of a custom resource that keeps all fields has to say."""
    return [f"duplicate field {quote(path)}" for path in parsed.duplicates]


def refusal(body: bytes, want: GroupVersionKind, *, media: str = JSON, custom: bool = False) -> str:
    with pytest.raises(Failure) as refused:
        finish(read_object(body, media, want, custom=custom))
    assert (refused.value.code, refused.value.document["reason"]) == (400, "BadRequest")
    return str(refused.value)


def test_what_a_real_server_refuses_is_refused_in_its_words() -> None:
    refused = [row for row in RECORDED if row[3] == 400]
    assert len(refused) > 100
    for row in refused:
        assert (
            refusal(row[2].encode("latin-1"), KINDS[row[0]], media=f"application/{row[1]}", custom=row[0] == "w")
            == (row[4])
        ), row


def test_what_a_real_server_takes_is_taken() -> None:
    taken = [row for row in RECORDED if row[3] == 201]
    assert len(taken) > 50
    for row in taken:
        read(row)


def test_documents_hold_what_a_real_server_holds() -> None:
    for row in RECORDED:
        if row[6] is not None:
            document = {name: value for name, value in read(row).document.items() if name != "metadata"}
            assert as_floats(document) == as_floats(row[6]), row


def as_floats(value: Any) -> Any:
    """The value with its numbers as floats: how they are written is not looked at here."""
    if isinstance(value, dict):
        return {name: as_floats(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_floats(part) for part in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def test_neg_6_custom_resources_are_warned_of_what_stands_twice() -> None:
    for row in RECORDED:
        if row[0] == "w" and row[3] == 201:
            told = dict.fromkeys(warnings(parsed := read(row), complaints(parsed)))
            escaped = [text.replace("\\", "\\\\").replace('"', '\\"') for text in told]
            assert [f'299 - "{text}"' for text in escaped] == row[5], row


def test_neg_6_strict_validation_refuses_what_stands_twice() -> None:
    strict = [row for row in RECORDED if row[0] == "w" and row[7]]
    assert len(strict) > 10
    for row in strict:
        parsed = read(row)
        assert row[7].endswith(f": {strict_error(parsed, complaints(parsed))}"), row


def test_neg_6_a_built_in_kind_reads_the_second_object_over_the_first() -> None:
    body = b'{"data":{"a":"1","b":"2"},"data":{"b":"3"},"metadata":null,"metadata":{}}'
    parsed = finish(read_object(body, JSON, KINDS["c"]))
    assert parsed.document["data"] == {"a": "1", "b": "3"}
    assert parsed.document["metadata"] == {}
    assert parsed.duplicates == ["data", "metadata"]


def test_neg_6_in_a_custom_resource_the_last_object_wins() -> None:
    body = b'{"apiVersion":"example.com/v1","kind":"Widget","data":{"a":"1","b":"2"},"data":{"b":"3"}}'
    assert finish(read_object(body, JSON, KINDS["w"], custom=True)).document["data"] == {"b": "3"}


def test_nothing_odd_needs_no_word() -> None:
    parsed = decode(b'{"a":1}', JSON)
    assert (strict_error(parsed, []), warnings(parsed, [])) == ("", [])


def test_create_3_a_built_in_kind_may_leave_its_kind_to_the_endpoint() -> None:
    assert finish(read_object(b"{}", JSON, DEPLOYMENT)).document == {"apiVersion": "apps/v1", "kind": "Deployment"}


OTHERWISE = "the API version in the data ({}) does not match the expected API version ({})".format
UNKNOWN = 'no kind "{}" is registered for version "{}" in scheme "pkg/runtime/scheme.go:111"'.format
UNLIKE = "converting ({}) to ({}): unknown conversion".format
AS = '{} in version "v1" cannot be handled as a {}: {}'.format
EVENT = GroupVersionKind("events.k8s.io", "v1", "Event")
ROLE = GroupVersionKind("rbac.authorization.k8s.io", "v1", "Role")
CRD = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
SCALE = GroupVersionKind("autoscaling", "v1", "Scale")
AUTOSCALER = GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")


@pytest.mark.parametrize(
    ("want", "api_version", "kind", "why"),
    [
        (AUTOSCALER, "autoscaling/v1", AUTOSCALER.kind, OTHERWISE("autoscaling/v1", "autoscaling/v2")),
        (EVENT, "v1", "Event", OTHERWISE("v1", "events.k8s.io/v1")),
        (DEPLOYMENT, "apps/__internal", "Deployment", OTHERWISE("apps/__internal", "apps/v1")),
        (EVENT, "v1", "Secret", AS("Secret", "Event", UNLIKE("v1.Secret", "core.Event"))),
        (ROLE, "v1", "Secret", AS("Secret", "Role", UNLIKE("v1.Secret", "rbac.Role"))),
        (SCALE, "apps/v1", "Deployment", AS("Deployment", "Scale", UNLIKE("v1.Deployment", "autoscaling.Scale"))),
        (CRD, "v1", "Status", AS("Status", CRD.kind, UNLIKE("v1.Status", f"apiextensions.{CRD.kind}"))),
        (
            CRD,
            "v1",
            "DeleteOptions",
            AS("DeleteOptions", CRD.kind, UNLIKE("v1.DeleteOptions", f"apiextensions.{CRD.kind}")),
        ),
        (CRD, "v1", "Secret", AS("Secret", CRD.kind, UNKNOWN("Secret", "v1"))),
        (DEPLOYMENT, "apps/v1", "Scale", AS("Scale", "Deployment", UNKNOWN("Scale", "apps/v1"))),
    ],
)
def test_a_document_of_another_kind_is_told_what_it_is(
    want: GroupVersionKind, api_version: str, kind: str, why: str
) -> None:
    assert refusal(json.dumps({"apiVersion": api_version, "kind": kind}).encode(), want) == why


def test_neg_2_y_and_n_are_booleans() -> None:
    assert decode(b"{q: y, r: n, s: 'y'}", YAML).document == {"q": True, "r": False, "s": "y"}


def test_json_is_read_as_yaml_without_a_yaml_reader() -> None:
    assert decode(b'{"a":[1,2.0,"y"],"b":null}', YAML).document == {"a": [1, 2, "y"], "b": None}


@pytest.mark.parametrize("media", [JSON, YAML])
@pytest.mark.parametrize("depth", [501, 2_000, 100_000])
def test_deep_nesting_is_refused(media: str, depth: int) -> None:
    body = b'{"x":' + b"[" * depth + b"]" * depth + b"}"
    with pytest.raises(Unreadable, match=r"exceeded max depth|levels deep"):
        decode(body, media)


def test_breadth_is_not_depth() -> None:
    assert len(decode(b'{"x":[' + b",".join([b"[]"] * 2_000) + b"]}", JSON).document["x"]) == 2_000


def test_bytes_that_are_no_text_are_replaced_one_by_one_and_fast() -> None:
    body = b'{"x":"' + b"\xff\xe2\x82" * 300_000 + b'"}'
    assert decode(body, JSON).document["x"] == "\ufffd" * 900_000


def test_numbers_without_end_are_floats() -> None:
    assert decode(b'{"x":' + b"1" * 309 + b"}", JSON).document["x"] == pytest.approx(1.1111111111111111e308)


def test_numbers_beyond_floats_are_no_concern_of_a_built_in_kind() -> None:
    assert decode(b'{"x":1e999}', JSON).document == {"x": float("inf")}


NAMES = st.sampled_from(["a", "b", '"', "\\", "é", "\u2028", "a.b"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(NAMES, inner), max_size=4).map(tuple),
    max_leaves=15,
)


def write(value: Any, *, ascii_only: bool) -> str:
    """JSON in which an object is a tuple of pairs, so that a key may stand twice."""
    if isinstance(value, tuple):
        pairs = (
            f"{json.dumps(key, ensure_ascii=ascii_only)}: {write(part, ascii_only=ascii_only)}" for key, part in value
        )
        return "{" + " , ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write(part, ascii_only=ascii_only) for part in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def repeats(value: Any, path: str = "") -> dict[str, None]:
    """The paths that stand twice, from the pairs themselves."""
    found: dict[str, None] = {}
    seen = set()
    if isinstance(value, tuple):
        for key, part in value:
            here = f"{path}.{key}" if path else key
            if key in seen:
                found[here] = None
            seen.add(key)
            found |= repeats(part, here)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            found |= repeats(part, f"{path}[{index}]")
    return found


@given(st.lists(st.tuples(NAMES, VALUES), max_size=4).map(tuple), st.booleans())
def test_neg_6_every_key_that_stands_twice_is_found(pairs: Any, ascii_only: bool) -> None:
    text = write(pairs, ascii_only=ascii_only)
    parsed = decode(text.encode(), JSON, custom=True)
    assert list(parsed.duplicates) == list(repeats(pairs))
    assert parsed.document == json.loads(text, parse_int=lambda digits: held(int(digits)))


def held(number: int) -> int | float:
    return number if -(2**63) <= number < 2**63 else float(number)


@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,\\u0ab1.e-tfn \n', max_size=40).map(str.encode), st.booleans())
def test_any_bytes_are_read_or_refused(body: bytes, custom: bool) -> None:
    for media in (JSON, YAML):
        refused = None
        try:
            finish(read_object(body, media, KINDS["w" if custom else "c"], custom=custom))
        except Failure as failure:
            refused = failure
        if refused is not None:
            assert refused.code == 400
            msgspec.json.encode(refused.document)


@pytest.mark.parametrize("custom", [True, False])
@pytest.mark.parametrize(
    ("odd", "value"),
    [
        (b'"odd":1,"odd":"x"', "x"),
        (rb'"odd":"\u0022\ud800\ud83d\ude00"', '"\ufffd\U0001f600'),
        (b'"odd":"\xff\xc3"', "\ufffd\ufffd"),
        (b'"odd":"\xe2\x82\xac\xe2\x82"', "\u20ac\ufffd\ufffd"),
    ],
)
def test_an_odd_body_that_is_long_is_read_in_steps(odd: bytes, value: str, custom: bool) -> None:
    rest = ",".join(f'"k{number}":"{"é" * 20}"' for number in range(5_000)).encode()
    short = decode(b'{"data":{%b}}' % odd, JSON, custom=custom)
    long, count = counted(steps(b'{"data":{%b,%b}}' % (odd, rest), JSON, custom=custom))
    assert short.document["data"]["odd"] == long.document["data"]["odd"] == value
    assert list(long.duplicates) == list(short.duplicates)
    assert len(long.document["data"]) == 5_001
    assert count > 30


@pytest.mark.parametrize("media", [JSON, YAML])
def test_a_long_body_that_is_none_is_refused_in_steps(media: str) -> None:
    body = msgspec.json.encode({f"key-{number}": "v" * 40 for number in range(10_000)})[:-1]
    reading = steps(body, media)
    for _ in range(30):
        next(reading)
    with pytest.raises(Unreadable, match=r"unexpected end of JSON input|did not find expected ',' or '}'"):
        finish(reading)
