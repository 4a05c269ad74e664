import pytest

from kubewright.cluster.discovery.negotiation import AGGREGATED, Form, choose_form, choose_openapi, route
from kubewright.cluster.wire.status import Failure

V2 = f"application/json{AGGREGATED}"
V2BETA1 = V2.replace("v=v2", "v=v2beta1")


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", Form()),
        ("*/*", Form()),
        ("application/*", Form()),
        ("application/yaml", Form("application/yaml")),
        ("application/json;q=0.1,application/yaml", Form("application/yaml")),
        ("application/vnd.kubernetes.protobuf,application/json", Form()),
        (V2, Form(aggregated=True)),
        (f"{V2};profile=nopeer", Form(aggregated=True)),
        (f"application/yaml{AGGREGATED}", Form("application/yaml", aggregated=True)),
        (f"{V2},{V2BETA1},application/json", Form(aggregated=True)),
        (f"{V2BETA1},{V2}", Form(aggregated=True)),
        (f"{V2BETA1},application/json", Form()),
    ],
)
def test_the_form_is_the_first_that_can_be_had(accept: str, wanted: Form) -> None:
    assert choose_form(accept.encode(), aggregated=True) == wanted


@pytest.mark.parametrize(
    "accept",
    [V2BETA1, V2.replace("apidiscovery", "other"), "text/html", "application/json;as=Table;g=meta.k8s.io;v=v1"],
)
def test_what_cannot_be_had_is_refused(accept: str) -> None:
    with pytest.raises(Failure, match="only the following media types are accepted: application/json"):
        choose_form(accept.encode(), aggregated=True)


def test_only_the_roots_can_be_aggregated() -> None:
    with pytest.raises(Failure):
        choose_form(V2.encode())


@pytest.mark.parametrize("accept", [None, b"*/*", b"text/html, */*", b"application/yaml;x=y", V2.encode()])
def test_the_router_lets_pass_what_it_knows(accept: bytes | None) -> None:
    route(accept)


@pytest.mark.parametrize("accept", [b"text/html", b"application/*"])
def test_the_router_refuses_in_its_own_words(accept: bytes) -> None:
    with pytest.raises(Failure) as refused:
        route(accept, ("application/json",))
    assert refused.value.document["message"] == "406: Not Acceptable\n\nAvailable representations: application/json"
    assert refused.value.document["details"] == {}


OLD = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        (None, "application/json"),
        (b"*/*", "application/json"),
        (b"application/*", "application/json"),
        (b"application/json;as=Table", "application/json"),
        (OLD.encode(), OLD),
        (f"{OLD},application/json".encode(), OLD),
        (f"{OLD};q=0.5,application/json".encode(), "application/json"),
        (b"text/html", None),
    ],
)
def test_openapi_comes_as_what_the_client_prefers(accept: bytes | None, wanted: str | None) -> None:
    assert choose_openapi(accept, ("application/json", OLD)) == wanted
