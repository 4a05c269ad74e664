from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kubewright as kw
from kubewright.client.endpoint import Document, Endpoint, EndpointError, document_bytes, endpoint_of
from kubewright.k8s.core.v1 import ConfigMap, Endpoints, Node, Pod
from kubewright.model.documents import DocumentError

PODS: Endpoint[Document] = Endpoint("", "v1", "pods", "Pod", True)


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ((), "/api/v1/pods"),
        ((None,), "/api/v1/pods"),
        (("",), "/api/v1/pods"),
        (("ns",), "/api/v1/namespaces/ns/pods"),
        (("ns", "web"), "/api/v1/namespaces/ns/pods/web"),
        (("ns", "web", "status"), "/api/v1/namespaces/ns/pods/web/status"),
        (("ns", "system:web a%"), "/api/v1/namespaces/ns/pods/system:web%20a%25"),
    ],
)
def test_a_path_leads_to_an_object_or_a_collection(asked: tuple[str, ...], path: str) -> None:
    assert PODS.path(*asked) == path


@pytest.mark.parametrize(
    ("namespace", "name", "message"),
    [
        ("ns", "", "has a name; this one is empty"),
        (None, "web", "is in a namespace; say which"),
        ("ns", "..", "would lead elsewhere"),
        ("ns", "a/b", "would lead elsewhere"),
        ("a/b", "web", "would lead elsewhere"),
    ],
)
def test_what_would_lead_elsewhere_is_refused(namespace: str | None, name: str, message: str) -> None:
    with pytest.raises(EndpointError, match=message):
        PODS.path(namespace, name)


@pytest.mark.parametrize(
    ("name", "sort"),
    [
        (None, "None"),
        (0, "something of the type int"),
        (5, "something of the type int"),
        (b"web", "something of the type bytes"),
        ({}, "something of the type dict"),
        (ConfigMap(), "something of the type ConfigMap"),
    ],
)
def test_a_name_that_is_no_string_is_refused_and_never_taken_for_the_collection(name: Any, sort: str) -> None:
    message = f"an object of pods is named by a string, not by {sort}: give its metadata.name."
    with pytest.raises(EndpointError) as raised:
        PODS.path("ns", name)
    assert str(raised.value) == message


def test_a_namespace_that_is_no_string_is_refused() -> None:
    with pytest.raises(EndpointError, match="a namespace is named by a string, not by something of the type int"):
        PODS.path(5, "web")  # type: ignore[arg-type]


def test_what_is_in_no_namespace_takes_none() -> None:
    nodes = endpoint_of(Node)
    assert nodes.path(None, "n") == "/api/v1/nodes/n"
    with pytest.raises(EndpointError, match=r"nodes are in no namespace; leave out namespace='x'"):
        nodes.path("x", "n")


@given(st.text(min_size=1))
def test_a_name_is_one_segment_whatever_it_is(name: str) -> None:
    try:
        path = PODS.path("ns", name)
    except EndpointError:
        assert "/" in name or name in (".", "..")
    except UnicodeEncodeError:
        assert any(0xD800 <= ord(letter) <= 0xDFFF for letter in name)
    else:
        assert path.count("/") == 6
        assert not set(path) & {"?", "#", " "}


def test_a_class_knows_its_endpoint_and_is_equal_to_the_one_without_class() -> None:
    typed: Endpoint[Any] = endpoint_of(Pod)
    assert typed == PODS
    assert hash(typed) == hash(PODS)
    assert typed.model is Pod
    assert endpoint_of(typed) is typed
    assert endpoint_of(Endpoints).plural == "endpoints"


def test_what_is_no_kind_is_told() -> None:
    with pytest.raises(EndpointError, match="is no kind: give a class"):
        endpoint_of(int)
    with pytest.raises(EndpointError, match="is no kind: give a class"):
        endpoint_of("pods")  # type: ignore[arg-type]


def test_an_object_is_read_as_its_class_or_as_a_document_that_says_what_it_is() -> None:
    data = b'{"metadata": {"name": "web"}}'
    assert endpoint_of(Pod).read(data).metadata.name == "web"
    assert PODS.read(data) == {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}
    with pytest.raises(EndpointError, match="is no object"):
        PODS.read(b"[]")


def test_only_what_is_set_is_sent() -> None:
    made = ConfigMap(metadata=kw.ObjectMeta(name="a"))
    assert document_bytes(made) == b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'
    assert document_bytes({"a": 1}) == b'{"a":1}'


class Phase(msgspec.Struct):
    """Of a status, the phase."""

    phase: str = ""


class Phased(msgspec.Struct):
    """Of a pod, its status."""

    status: Phase = msgspec.field(default_factory=Phase)


def test_a_view_reads_what_it_names_and_skips_the_rest() -> None:
    endpoint = endpoint_of(Pod).view(Phased)
    assert endpoint.path() == PODS.path()
    assert endpoint.read(b'{"metadata": 3, "status": {"phase": "Running"}}').status.phase == "Running"


def test_what_does_not_fit_a_view_is_told_with_its_place() -> None:
    with pytest.raises(DocumentError, match=r"pod a, byte 0: it does not fit Phased: .* `\$.status`"):
        endpoint_of(Pod).view(Phased).read(b'{"status": 3}', "pod a")
    with pytest.raises(DocumentError, match="pod a, byte 1"):
        endpoint_of(Pod).view(Phased).read(b"{", "pod a")
