"""NEG-3, NEG-4, NEG-5, NEG-8: what is written for which Accept, held against recorded answers of a real server."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.media import PROTOBUF, YAML
from kubewright.cluster.wire.negotiate import (
    Output,
    negotiate,
    negotiate_error,
    negotiate_stream,
    wants_pretty,
    with_include,
)
from kubewright.cluster.wire.status import Failure

# Of each answer of the real server: Accept, what was asked for, the code, how it was written, and the form and its
# apiVersion, or what it said.
# HTTP takes the space around a value away.
RECORDED: list[Any] = [
    [accept.strip(" \t"), *rest]
    for accept, *rest in json.loads((Path(__file__).parent / "data" / "accepts.json").read_text())
]
TABLE = b"application/json;as=Table;v=v1;g=meta.k8s.io"


def answer(accept: bytes, where: str) -> tuple[Output, str]:
    """The output for a request of the recordings, and the refusal, if it is one."""
    try:
        if where == "watch":
            return negotiate_stream(accept, custom=False), ""
        return negotiate(accept, custom=where.startswith("custom"), watchable=where == "list"), ""
    except Failure as failure:
        return negotiate_error(accept), str(failure)


def style(output: Output) -> str:
    return "yaml" if output.media == YAML else "pretty" if output.pretty else "plain"


@pytest.mark.parametrize("where", ["object", "list", "custom object", "custom list", "watch"])
def test_neg_3_the_answers_are_those_of_a_real_server(where: str) -> None:
    for accept, asked, _, written, form, api_version, message in RECORDED:
        # That a list is no object, and an object no list, is found out when there is one.
        if asked != where or message.startswith("you requested") or message == "content is not a list":
            continue
        output, refusal = answer(accept.encode(), where)
        assert (style(output), refusal) == (written, message), accept
        if form:
            assert (output.form, output.api_version) == (form, api_version), accept


def test_err_failures_are_written_as_a_real_server_writes_them() -> None:
    for accept, asked, _, written, _, _, message in RECORDED:
        if asked != "missing":
            continue
        refused = answer(accept.encode(), "object")[1] or 'configmaps "nope" not found'
        assert (style(negotiate_error(accept.encode())), refused) == (written, message), accept


@given(st.binary(max_size=80) | st.text(alphabet="*/;,=q0.1 jsonapplicationyaml", max_size=60).map(str.encode))
def test_negotiation_raises_nothing_but_failures(accept: bytes) -> None:
    for where in ("object", "list", "custom list", "watch"):
        output, _ = answer(accept, where)
        assert hash(output) == hash(Output(*output))


def test_neg_3_protobuf_falls_back_to_json() -> None:
    accept = b"application/vnd.kubernetes.protobuf,application/json"
    assert negotiate(accept, custom=True) == negotiate(accept, custom=False) == Output()


def test_neg_3_who_takes_protobuf_alone_gets_it() -> None:
    assert negotiate(b"application/vnd.kubernetes.protobuf", custom=False).media == PROTOBUF
    assert negotiate_stream(b"application/vnd.kubernetes.protobuf;stream=watch", custom=False).media == PROTOBUF
    assert negotiate_error(b"application/vnd.kubernetes.protobuf").media == PROTOBUF


def test_neg_3_of_a_custom_resource_protobuf_has_the_metadata_alone() -> None:
    partial = b"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    assert negotiate(partial, custom=True).media == PROTOBUF
    with pytest.raises(Failure, match="only the following media types are accepted: application/json, application/ya"):
        negotiate(b"application/vnd.kubernetes.protobuf", custom=True)


def test_neg_4_protobuf_has_no_tables() -> None:
    with pytest.raises(Failure, match="only the following media types are accepted"):
        negotiate(b"application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1", custom=False)


def test_neg_5_the_metadata_client_gets_json() -> None:
    form = b";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    accept = b"application/vnd.kubernetes.protobuf" + form + b",application/json" + form + b",application/json"
    assert negotiate(accept, custom=True) == Output(form="PartialObjectMetadata")


@pytest.mark.parametrize("custom", [True, False])
def test_neg_5_a_list_of_metadata_is_protobuf_for_who_would_rather_have_that(custom: bool) -> None:
    protobuf, json = (
        b"application/%b;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" % media
        for media in (b"vnd.kubernetes.protobuf", b"json")
    )
    form = "PartialObjectMetadataList"
    assert negotiate(protobuf + b"," + json + b",application/json", custom=custom) == Output(PROTOBUF, form=form)
    assert negotiate(json + b"," + protobuf, custom=custom) == Output(form=form)
    assert negotiate(b"application/json;q=0.5," + protobuf, custom=custom) == Output(PROTOBUF, form=form)


def test_watches_are_never_yaml() -> None:
    with pytest.raises(Failure, match=r"accepted: application/json;stream=watch, application/vnd\.kubernetes\.proto"):
        negotiate_stream(b"application/yaml", custom=True)


def test_watches_are_never_pretty() -> None:
    assert negotiate_stream(b"application/json;pretty=1;stream=watch", custom=False) == Output()


@pytest.mark.parametrize(
    ("query", "agent", "pretty"),
    [
        ("1", None, True),
        ("true", None, True),
        ("yes", b"curl/8", False),
        ("0", b"curl/8", False),
        ("", b"curl/8", True),
        (None, b"Mozilla/5.0 (X11)", True),
        (None, b"Wget/1", True),
        (None, b"kubectl/v1", False),
        (None, None, False),
    ],
)
def test_neg_8_people_get_it_pretty(query: str | None, agent: bytes | None, pretty: bool) -> None:
    assert wants_pretty(query, agent) is pretty


def test_neg_8_yaml_is_pretty_enough() -> None:
    assert negotiate(b"application/yaml", custom=False, pretty=True) == Output(YAML)


@pytest.mark.parametrize("include", ["None", "Metadata", "Object"])
def test_neg_4_rows_hold_what_was_asked_for(include: str) -> None:
    assert with_include(negotiate(TABLE, custom=False), include) == Output(form="Table", include=include)


def test_neg_4_rows_hold_the_metadata_by_default() -> None:
    assert with_include(negotiate(TABLE, custom=False), "") == Output(form="Table", include="Metadata")


def test_neg_4_rows_hold_nothing_else() -> None:
    with pytest.raises(Failure) as refused:
        with_include(negotiate(TABLE, custom=False), "Foo")
    assert refused.value.document == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": 'Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be '
        "'Metadata', 'Object', 'None', or empty",
        "reason": "BadRequest",
        "code": 400,
    }


def test_what_rows_hold_is_asked_of_tables_alone() -> None:
    assert with_include(Output(), "Foo") == Output()
