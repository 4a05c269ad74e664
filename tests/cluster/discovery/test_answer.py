import json
from typing import Any

import pytest
from tests.cluster.discovery.definitions import DEFINITIONS
from tests.cluster.discovery.record import AGGREGATED, ask
from tests.cluster.discovery.served import builtin_registry

from kubewright.cluster.discovery.answer import Discovery
from kubewright.cluster.registry.registry import Registry
from kubewright.http import Response

DISCOVERY = Discovery(builtin_registry(*DEFINITIONS), address="127.0.0.1:6443")


def decoded(answer: Response) -> Any:
    assert isinstance(answer.body, bytes)
    return json.loads(answer.body)


def headers(answer: Response) -> dict[str, str]:
    return {name.decode().lower(): value.decode() for name, value in answer.headers}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api", "APIVersions"),
        ("/api/", "APIVersions"),
        ("/api/v1", "APIResourceList"),
        ("/apis", "APIGroupList"),
        ("/apis/", "APIGroupList"),
        ("/apis/apps", "APIGroup"),
        ("/apis/apps/", "APIGroup"),
        ("/apis/apps/v1", "APIResourceList"),
        ("/apis/apps/v1/", "APIResourceList"),
        ("/apis/stable.example.com/v1", "APIResourceList"),
    ],
)
def test_every_level_has_its_document(path: str, kind: str) -> None:
    """DISC-1."""
    answer = ask(DISCOVERY, path)
    assert answer.status == 200
    assert decoded(answer)["kind"] == kind
    assert headers(answer) == {"cache-control": "no-cache, private", "content-type": "application/json"}


@pytest.mark.parametrize(
    "path",
    [
        "/apis/nosuch",
        "/apis/nosuch/v1",
        "/apis/stable.example.com/v7",
        "/openapi",
        "/openapi/v2/",
        "/logs",
        "/readyz/x",
    ],
)
def test_what_is_not_there_is_for_the_front_to_say(path: str) -> None:
    """DISC-3."""
    answer = ask(DISCOVERY, path)
    assert (answer.status, answer.body) == (404, b"")


@pytest.mark.parametrize("path", ["/apis/apps/v7", "/api/v2"])
def test_an_unknown_version_of_a_built_in_group_is_an_unknown_resource(path: str) -> None:
    """DISC-3."""
    answer = ask(DISCOVERY, path)
    assert answer.status == 404
    assert decoded(answer)["message"] == "the server could not find the requested resource"


def test_json_ends_its_line_and_indented_json_does_not() -> None:
    plain, pretty = ask(DISCOVERY, "/apis/apps").body, ask(DISCOVERY, "/apis/apps?pretty=true").body
    assert isinstance(plain, bytes)
    assert isinstance(pretty, bytes)
    assert plain.endswith(b"}\n")
    assert pretty.startswith(b'{\n  "kind": "APIGroup",\n')
    assert pretty.endswith(b"}")


def test_yaml_can_be_had() -> None:
    answer = ask(DISCOVERY, "/apis/apps", Accept="application/yaml")
    assert headers(answer)["content-type"] == "application/yaml"
    assert isinstance(answer.body, bytes)
    assert answer.body.startswith(b"apiVersion: v1\nkind: APIGroup\nname: apps\n")


@pytest.mark.parametrize("path", ["/api", "/api/v1", "/apis/apps/v1", "/version"])
def test_the_router_takes_nothing_but_get(path: str) -> None:
    assert ask(DISCOVERY, path, "POST").status == 405
    assert ask(DISCOVERY, path, "HEAD").status == 405


@pytest.mark.parametrize("path", ["/apis", "/apis/apps", "/apis/stable.example.com/v1", "/healthz"])
def test_other_paths_answer_whatever_the_method(path: str) -> None:
    assert ask(DISCOVERY, path, "POST").status == 200


def test_the_address_may_be_told_later() -> None:
    discovery = Discovery(builtin_registry())
    ask(discovery, "/api")
    discovery.address = "10.0.0.1:443"
    assert decoded(ask(discovery, "/api"))["serverAddressByClientCIDRs"][0]["serverAddress"] == "10.0.0.1:443"


@pytest.mark.parametrize("path", ["/api", "/apis"])
def test_the_aggregated_form_names_itself_and_may_be_kept(path: str) -> None:
    """DISC-2."""
    answer = ask(DISCOVERY, path, Accept=AGGREGATED)
    found = headers(answer)
    tag = found.pop("etag")
    assert found == {"cache-control": "public", "content-type": AGGREGATED, "vary": "Accept"}
    again = ask(DISCOVERY, path, Accept=AGGREGATED, If_None_Match=tag)
    assert (again.status, again.body) == (304, b"")
    assert headers(again) == {"cache-control": "public", "vary": "Accept", "etag": tag}


def test_only_the_exact_tag_spares_the_aggregated_form() -> None:
    tag = headers(ask(DISCOVERY, "/apis", Accept=AGGREGATED))["etag"]
    for other in (f"W/{tag}", f'"x", {tag}', "*"):
        assert ask(DISCOVERY, "/apis", Accept=AGGREGATED, If_None_Match=other).status == 200


def test_documents_change_with_the_registry() -> None:
    registry = builtin_registry(*DEFINITIONS)
    discovery = Discovery(registry)
    assert ask(discovery, "/apis/lab.k8s.io/v1").status == 200
    registry.replace(registry.resources("lab.k8s.io", "v1"), ())
    assert ask(discovery, "/apis/lab.k8s.io/v1").status == 404
    assert "apis/lab.k8s.io/v1" not in decoded(ask(discovery, "/openapi/v3"))["paths"]
    assert ask(discovery, "/openapi/v3/apis/lab.k8s.io/v1").status == 404


def test_the_index_names_every_document_with_its_hash() -> None:
    """OAPI-1."""
    paths = decoded(ask(DISCOVERY, "/openapi/v3"))["paths"]
    assert len(paths) == 45 + 13
    for name, entry in paths.items():
        answer = ask(DISCOVERY, entry["serverRelativeURL"])
        assert answer.status == 200, name
        tag = headers(answer)["etag"]
        assert entry["serverRelativeURL"] == f"/openapi/v3/{name}?hash={tag.strip(chr(34))}"


def test_a_document_asked_for_by_its_hash_may_be_kept_for_ever() -> None:
    url = decoded(ask(DISCOVERY, "/openapi/v3"))["paths"]["apis/apps/v1"]["serverRelativeURL"]
    found = headers(ask(DISCOVERY, url))
    assert found["cache-control"] == "public, immutable"
    assert found["expires"].endswith(" UTC")
    assert found["vary"] == "Accept"


def test_a_hash_that_is_past_leads_to_the_present_one() -> None:
    url = decoded(ask(DISCOVERY, "/openapi/v3"))["paths"]["apis/apps/v1"]["serverRelativeURL"]
    answer = ask(DISCOVERY, "/openapi/v3/apis/apps/v1?hash=stale")
    assert answer.status == 301
    assert headers(answer)["location"] == url


@pytest.mark.parametrize("path", ["/openapi/v3/apis/apps/v1", "/openapi/v2"])
def test_whoever_has_a_document_is_not_sent_it_again(path: str) -> None:
    found = headers(ask(DISCOVERY, path))
    for tag in (found["etag"], f"W/{found['etag']}", f'"x", {found["etag"]}', "*"):
        assert ask(DISCOVERY, path, If_None_Match=tag).status == 304
    assert ask(DISCOVERY, path, If_None_Match='"x"').status == 200


def test_a_time_in_seconds_spares_nothing() -> None:
    """kubectl would not see a CRD that was published within the second in which it asked last."""
    for path in ("/openapi/v3", "/openapi/v3/apis/apps/v1"):
        since = headers(ask(DISCOVERY, path))["last-modified"]
        assert ask(DISCOVERY, path, If_Modified_Since=since).status == 200


def test_v2_can_be_had_as_protobuf_and_is_tagged_by_its_form() -> None:
    """OAPI-2."""
    old = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
    answer = ask(DISCOVERY, "/openapi/v2", Accept=old)
    found = headers(answer)
    assert found["content-type"] == "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
    assert ask(DISCOVERY, "/openapi/v2", If_None_Match=found["etag"]).status == 200
    assert ask(DISCOVERY, "/openapi/v2", Accept=old, If_None_Match=found["etag"]).status == 304


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/openapi/v3/apis/apps/v1", "application/com.github.proto-openapi.spec.v3.v1.0+protobuf"),
        ("/openapi/v2", "application/vnd.kubernetes.protobuf"),
        ("/openapi/v2", "application/yaml"),
    ],
)
def test_other_forms_of_openapi_cannot_be_had(path: str, accept: str) -> None:
    answer = ask(DISCOVERY, path, Accept=accept)
    assert (answer.status, answer.body) == (406, b"")


def test_who_signs_tokens_is_told() -> None:
    """OIDC-1."""
    told = Discovery(Registry(), address="127.0.0.1:6443", keys=lambda: b'{"keys":[1]}')
    answer = ask(told, "/openid/v1/jwks", accept="*/*")
    assert (answer.body, headers(answer)["content-type"]) == (b'{"keys":[1]}', "application/jwk-set+json")
    assert decoded(ask(told, "/.well-known/openid-configuration/")) == {
        "issuer": "https://kubernetes.default.svc",
        "jwks_uri": "https://127.0.0.1:6443/openid/v1/jwks",
        "response_types_supported": ["id_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    }


def test_the_root_lists_the_paths_there_are() -> None:
    paths = decoded(ask(DISCOVERY, "/"))["paths"]
    assert paths == sorted(paths)
    assert {"/api/v1", "/apis/acme.io/foo1", "/healthz/ping", "/openapi/v3", "/version"} <= set(paths)
    for path in paths:
        if path != "/openapi/v3/":
            assert ask(DISCOVERY, path).status == 200, path
