import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.naming import plural, python_name, wire_name


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("replicas", "replicas"),
        ("readyReplicas", "ready_replicas"),
        ("podIPs", "pod_ips"),
        ("clusterIP", "cluster_ip"),
        ("nonResourceURLs", "non_resource_urls"),
        ("awsElasticBlockStore", "aws_elastic_block_store"),
        ("fieldsV1", "fields_v1"),
        ("openAPIV3Schema", "open_api_v3_schema"),
        ("stubPKCS10Request", "stub_pkcs10_request"),
        ("ipv6Only", "ipv6_only"),
        ("podIPv6Address", "pod_ipv6_address"),
        ("from", "from_"),
        ("class", "class_"),
        ("$ref", "ref"),
        ("x-kubernetes-list-type", "x_kubernetes_list_type"),
        ("2fast", "n2fast"),
        ("日本", "field"),
        ("", "field"),
    ],
)
def test_wire_names_become_python_names(wire: str, python: str) -> None:
    assert python_name(wire) == python


@pytest.mark.parametrize(
    ("python", "wire"), [("ready_replicas", "readyReplicas"), ("from_", "from"), ("pod_ip", "podIp"), ("a", "a")]
)
def test_python_names_become_camel_case(python: str, wire: str) -> None:
    assert wire_name(python) == wire


@given(st.text())
def test_any_name_becomes_an_identifier(name: str) -> None:
    assert python_name(name).isidentifier()
    assert not keyword.iskeyword(python_name(name))


@given(st.from_regex(r"\A[a-z][a-z0-9]*(_[a-z][a-z0-9]+){0,3}\Z"))
def test_a_plain_python_name_survives_the_way_there_and_back(name: str) -> None:
    assert python_name(wire_name(name)).strip("_") == name


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("WebServer", "webservers"),
        ("Proxy", "proxies"),
        ("Gateway", "gateways"),
        ("Ingress", "ingresses"),
        ("Box", "boxes"),
    ],
)
def test_plurals_are_formed_as_the_go_tools_form_them(kind: str, expected: str) -> None:
    assert plural(kind) == expected
