"""What stands around an object, and which kind it may be of."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.wire.protobuf.draw import kinds, objects

from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.protobuf.envelope import read_object, read_options, write_object
from kubewright.cluster.wire.protobuf.write import message, sized, tag
from kubewright.cluster.wire.status import Failure
from kubewright.cluster.wire.unreadable import Unreadable
from kubewright.model.resource import GroupVersionKind

CONFIGMAP = GroupVersionKind("", "v1", "ConfigMap")
CRD = GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
NAMED = message(message(b"a"))


def wrapped(api_version: str, kind: str, raw: bytes, *more: bytes) -> bytes:
    return b"k8s\0" + message(message(api_version.encode(), kind.encode()), raw, *more)


def told(body: bytes, want: GroupVersionKind = CONFIGMAP) -> str:
    with pytest.raises(Failure) as refused:
        read_object(body, want)
    assert refused.value.code == 400
    return str(refused.value)


@pytest.mark.parametrize(
    ("api_version", "kind"), [("v1", "ConfigMap"), ("", ""), ("v1", ""), ("", "ConfigMap"), ("a/b/c", ""), ("x/", "")]
)
def test_a_kind_that_is_left_open_is_the_endpoints(api_version: str, kind: str) -> None:
    found = read_object(wrapped(api_version, kind, NAMED), CONFIGMAP)
    assert found == {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a"}}


def test_how_the_message_is_encoded_is_no_matter() -> None:
    assert read_object(wrapped("v1", "ConfigMap", NAMED, b"gzip", b"application/json"), CONFIGMAP)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "empty data (<empty>)"),
        (b"k8s\0", "empty body (6b387300)"),
        (
            b"{}",
            "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})",
        ),
        (b"k8s\0\x0a", "unexpected EOF (6b3873000a)"),
        (b"k8s\0\x01", "proto: Unknown: illegal tag 0 (wire type 1) (6b38730001)"),
        (b"k8s\0\x08\x01", "proto: wrong wireType = 0 for field TypeMeta (6b3873000801)"),
    ],
)
def test_what_is_no_envelope_is_unrecognized(body: bytes, why: str) -> None:
    assert told(body) == f"the object provided is unrecognized (must be of type ConfigMap): {why}"


@pytest.mark.parametrize(
    ("body", "what", "why"),
    [
        (
            wrapped("v1", "Secret", NAMED),
            'Secret in version "v1"',
            "converting (v1.Secret) to (core.ConfigMap): unknown conversion",
        ),
        (
            wrapped("v1", "Nope", NAMED),
            'Nope in version "v1"',
            'no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
        ),
        (wrapped("apps/v1", "Deployment", b"\x0a\xff"), 'Deployment in version "v1"', "unexpected EOF"),
        (
            wrapped("v1", "ConfigMap", b"\x08\x01"),
            'ConfigMap in version "v1"',
            "proto: wrong wireType = 0 for field ObjectMeta",
        ),
    ],
)
def test_another_kind_or_a_broken_message_cannot_be_handled(body: bytes, what: str, why: str) -> None:
    assert told(body) == f"{what} cannot be handled as a ConfigMap: {why}"


def test_nesting_has_an_end() -> None:
    schema = b""
    for _ in range(600):
        schema = tag(28, 2) + sized(schema)  # `not`
    version = message(b"v1", 1, 1, message(schema))
    body = wrapped("apiextensions.k8s.io/v1", CRD.kind, message(message(b"a"), tag(7, 2) + sized(version)))
    assert told(body, CRD).endswith("exceeded max depth")


@pytest.mark.parametrize(("api_version", "kind"), [("v1", "DeleteOptions"), ("apps/v1", "DeleteOptions"), ("", "")])
def test_options_are_read_whatever_their_group(api_version: str, kind: str) -> None:
    found = read_options(wrapped(api_version, kind, b"\x08\x05\x22\x06Orphan"), "DeleteOptions")
    assert found == {"gracePeriodSeconds": 5, "propagationPolicy": "Orphan"}


def test_options_of_another_kind_are_refused() -> None:
    with pytest.raises(Undecodable, match='no kind "ConfigMap" is registered for version "v1"'):
        read_options(wrapped("v1", "ConfigMap", b""), "DeleteOptions")


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(Unreadable, match="empty body"):
        read_options(b"k8s\0", "DeleteOptions")
    with pytest.raises(Undecodable, match="wrong wireType = 2 for field GracePeriodSeconds"):
        read_options(wrapped("v1", "DeleteOptions", b"\x0a\xff"), "DeleteOptions")


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_refused(data: bytes) -> None:
    for body in (data, b"k8s\0" + data, wrapped("v1", "ConfigMap", data)):
        try:
            read_object(body, CONFIGMAP)
        except Failure as refused:
            assert refused.code == 400  # noqa: PT017 - either is right


@given(kinds().flatmap(objects), st.data())
def test_an_object_with_bytes_changed_is_an_object_or_refused(
    drawn: tuple[GroupVersionKind, Any], data: st.DataObject
) -> None:
    kind, document = drawn
    body = bytearray(write_object(builtin_codec(*kind).read(document).object))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(4, len(body) - 1))
        body[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    try:
        builtin_codec(*kind).write(read_object(bytes(body), kind))
    except Failure as refused:
        assert refused.code == 400  # noqa: PT017 - either is right
