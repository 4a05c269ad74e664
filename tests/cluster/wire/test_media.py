"""NEG-1: which Content-Types are read as what."""

import pytest

from kubewright.cluster.wire.media import JSON, PROTOBUF, YAML, request_media
from kubewright.cluster.wire.status import Failure


@pytest.mark.parametrize("content_type", [None, b"", b"application/json", b"application/json;", b"APPLICATION/JSON"])
def test_neg_1_no_type_means_json(content_type: bytes | None) -> None:
    assert request_media(content_type) == JSON


def test_neg_1_parameters_are_ignored() -> None:
    assert request_media(b'application/yaml; charset="utf-8" ;a=b') == YAML


@pytest.mark.parametrize(
    "content_type",
    [
        b"application/json; charset",
        b"application/json; a=b; a=c",
        b"application/json, application/yaml",
        b"application/*",
        b"json",
        b"text/yaml",
        b"application/cbor",
        b"application/apply-patch+yaml",
        b'application/json; a="b',
    ],
)
def test_neg_1_an_unknown_type_is_refused_with_the_list(content_type: bytes) -> None:
    with pytest.raises(Failure) as refused:
        request_media(content_type)
    assert refused.value.code == 415
    assert str(refused.value) == (
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    )


def test_protobuf_is_read() -> None:
    assert request_media(b"application/vnd.kubernetes.protobuf") == PROTOBUF


def test_protobuf_has_no_message_for_a_custom_resource() -> None:
    with pytest.raises(Failure, match=r"include: application/json, application/yaml$"):
        request_media(b"application/vnd.kubernetes.protobuf", custom=True)
