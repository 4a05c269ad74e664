from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.registry.kinds.pod.specs import read

from kubewright.cluster.registry.kinds.pod.defaults import default_pod, default_resource_list
from kubewright.schema.walk.values import copy


def test_a_pod_that_says_nothing_is_filled_in() -> None:
    spec = read()["spec"]
    assert spec["dnsPolicy"] == "ClusterFirst"
    assert spec["restartPolicy"] == "Always"
    assert spec["terminationGracePeriodSeconds"] == 30
    assert spec["enableServiceLinks"] is True
    assert spec["containers"][0] == {
        "name": "c",
        "image": "i",
        "resources": {},
        "imagePullPolicy": "Always",
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
    }


def test_requests_are_what_limits_are() -> None:
    limits, requests = {"cpu": "1", "memory": "1Gi"}, {"cpu": "100m"}
    spec = read(containers=[{"name": "c", "resources": {"limits": limits, "requests": requests}}])["spec"]
    assert spec["containers"][0]["resources"]["requests"] == {"cpu": "100m", "memory": "1Gi"}


def test_ports_are_those_of_the_host_where_its_network_is_shared() -> None:
    ports = [{"containerPort": 80}]
    spec = read(hostNetwork=True, containers=[{"name": "c", "ports": ports}])["spec"]
    assert spec["containers"][0]["ports"] == [{"containerPort": 80, "protocol": "TCP", "hostPort": 80}]


def test_a_negative_grace_is_one_second() -> None:
    assert read(terminationGracePeriodSeconds=-7)["spec"]["terminationGracePeriodSeconds"] == 1


def test_an_account_has_two_names() -> None:
    spec = read(serviceAccount="a")["spec"]
    assert (spec["serviceAccountName"], spec["serviceAccount"]) == ("a", "a")


def test_what_only_old_clients_wrote_is_forgotten() -> None:
    pod = read()
    pod["metadata"]["annotations"] = {"pod.beta.kubernetes.io/init-containers": "[]", "a": "b"}
    default_pod(pod)
    assert pod["metadata"]["annotations"] == {"a": "b"}


def test_the_first_address_stands_in_two_places() -> None:
    pod = read()
    pod["status"] = {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.2"}]}
    default_pod(pod)
    assert pod["status"]["podIPs"] == [{"ip": "10.0.0.1"}]


@pytest.mark.parametrize(
    ("source", "filled"),
    [
        ({}, {"emptyDir": {}}),
        ({"hostPath": {"path": "/x"}}, {"hostPath": {"path": "/x", "type": ""}}),
        ({"secret": {"secretName": "s"}}, {"secret": {"secretName": "s", "defaultMode": 420}}),
        ({"image": {"reference": "r"}}, {"image": {"reference": "r", "pullPolicy": "Always"}}),
        (
            {"projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}},
            {
                "projected": {
                    "sources": [{"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}],
                    "defaultMode": 420,
                }
            },
        ),
    ],
)
def test_volumes_are_filled_in(source: dict[str, Any], filled: dict[str, Any]) -> None:
    assert read(volumes=[{"name": "v", **source}])["spec"]["volumes"] == [{"name": "v", **filled}]


def test_probes_are_filled_in() -> None:
    probe = {"httpGet": {"port": 80}}
    spec = read(containers=[{"name": "c", "livenessProbe": probe, "startupProbe": {"grpc": {"port": 1}}}])["spec"]
    assert spec["containers"][0]["livenessProbe"] == {
        "httpGet": {"port": 80, "path": "/", "scheme": "HTTP"},
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    }
    assert spec["containers"][0]["startupProbe"]["grpc"] == {"port": 1, "service": ""}


@pytest.mark.parametrize(("given", "kept"), [("100m", "100m"), ("1u", "1m"), ("1.0005", "1001m"), ("1500u", "2m")])
def test_amounts_are_rounded_up_to_thousandths(given: str, kept: str) -> None:
    amounts = {"cpu": given}
    default_resource_list(amounts)
    assert amounts == {"cpu": kept}


@given(st.booleans(), st.sampled_from([None, "1", "1n", "1.5"]), st.sampled_from(["Always", "Never"]))
def test_once_more_changes_nothing(host: bool, limit: str | None, policy: str) -> None:
    resources = {"limits": {"cpu": limit}} if limit else {}
    ports = [{"containerPort": 1}]
    pod = read(
        hostNetwork=host,
        restartPolicy=policy,
        containers=[{"name": "c", "resources": resources, "ports": ports}],
        volumes=[
            {"name": "v"},
            {"name": "w", "downwardAPI": {"items": [{"path": "p", "fieldRef": {"fieldPath": "x"}}]}},
        ],
        resources={"limits": {"cpu": "2"}},
    )
    before = {name: copy(value) for name, value in pod.items()}
    default_pod(pod)
    assert pod == before
