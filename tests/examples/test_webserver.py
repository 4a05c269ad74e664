"""The WebServer operator: on a cluster, and its functions by themselves."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.examples.ground import EXAMPLES, Ground, at_work

import kubewright as kw
from kubewright.k8s.apps.v1 import Deployment, DeploymentCondition, DeploymentStatus
from kubewright.k8s.core.v1 import Service
from kubewright.testing.sandbox import Sandbox
from webserver import WebServer, WebServerSpec, app, deployment_for, deployment_news, report, service_for, service_news

pytestmark = pytest.mark.usefixtures("kubectl")

SAMPLE = str(EXAMPLES / "webserver" / "samples" / "webserver.yaml")
REFUSED = str(EXAMPLES / "webserver" / "samples" / "refused.yaml")
NAME, SERVICE = "webserver-sample", "webserver-sample-service"


@pytest.fixture
def ground(cluster: Sandbox) -> Iterator[Ground]:
    with at_work(app, cluster) as ground:
        assert ground.kubectl("apply", "-f", SAMPLE) == f"webserver.web.example.com/{NAME} created\n"
        ground.observed("webserver", NAME)
        yield ground


def image(deployment: Any) -> Any:
    return deployment["spec"]["template"]["spec"]["containers"][0]["image"]


def test_a_web_server_becomes_a_deployment_and_a_node_port_service(ground: Ground) -> None:
    deployment = ground.get("deployment", NAME)
    assert (deployment["spec"]["replicas"], image(deployment)) == (3, "nginx:1.23.1")
    service = ground.get("service", SERVICE)
    assert service["spec"]["type"] == "NodePort"
    assert service["spec"]["selector"] == deployment["spec"]["selector"]["matchLabels"]
    table = ground.kubectl("get", "service", SERVICE)
    assert "80:30010/TCP" in table


def test_its_columns_conditions_and_events_say_how_it_is(ground: Ground) -> None:
    header, row = ground.kubectl("get", "ws", "-o", "wide").splitlines()
    assert header.split() == ["NAME", "IMAGE", "REPLICAS", "READY", "AVAILABLE", "NODE-PORT", "AGE"]
    assert row.split()[:3] == [NAME, "nginx:1.23.1", "3"]
    assert row.split()[5] == "30010"
    conditions = {each["type"] for each in ground.get("webserver", NAME)["status"]["conditions"]}
    assert conditions == {"Available", "Progressing"}
    shown = ground.until(lambda: (text := ground.kubectl("describe", "ws", NAME)) and "ServiceCreated" in text and text)
    assert f"{NAME}: 3 pods of nginx:1.23.1" in shown


def test_its_pods_run_and_roll_and_the_status_says_so(ground: Ground) -> None:
    def available(ready: int, image: str) -> bool:
        status = ground.get("webserver", NAME)["status"]
        told = {each["type"]: each["status"] for each in status["conditions"]}
        pods = ground.get("pods", "-l", status["selector"])["items"]
        there = {each["spec"]["containers"][0]["image"] for each in pods}
        return (status["readyReplicas"], told, there) == (ready, {"Available": "True", "Progressing": "False"}, {image})

    ground.until(lambda: available(3, "nginx:1.23.1"))
    ground.kubectl("patch", "ws", NAME, "--type=merge", "-p", '{"spec":{"replicas":4,"image":"nginx:1.23.0"}}')
    ground.until(lambda: available(4, "nginx:1.23.0"))


def test_it_is_scaled_by_its_spec_and_by_kubectl_scale(ground: Ground) -> None:
    ground.kubectl("patch", "ws", NAME, "--type=merge", "-p", '{"spec":{"replicas":4}}')
    ground.until(lambda: ground.get("deployment", NAME)["spec"]["replicas"] == 4)
    ground.kubectl("scale", "ws", NAME, "--replicas=5")
    ground.until(lambda: ground.get("deployment", NAME)["spec"]["replicas"] == 5)
    ground.until(lambda: "from 4 to 5 pods" in ground.kubectl("get", "events"))


def test_a_new_image_reaches_the_deployment(ground: Ground) -> None:
    ground.kubectl("patch", "ws", NAME, "--type=merge", "-p", '{"spec":{"image":"nginx:1.23.0"}}')
    ground.until(lambda: image(ground.get("deployment", NAME)) == "nginx:1.23.0")
    ground.until(lambda: "from nginx:1.23.1 to nginx:1.23.0" in ground.kubectl("get", "events"))


def test_a_deleted_service_comes_back_under_the_same_port(ground: Ground) -> None:
    old = ground.get("service", SERVICE)
    ground.kubectl("delete", "service", SERVICE)
    new = ground.until(lambda: ground.get("service", SERVICE))
    assert new["metadata"]["uid"] != old["metadata"]["uid"]
    assert new["spec"]["ports"][0]["nodePort"] == 30010


def test_a_port_that_the_cluster_chose_is_kept_too(ground: Ground) -> None:
    text = "apiVersion: web.example.com/v1\nkind: WebServer\nmetadata: {name: any}\nspec: {image: nginx}\n"
    ground.kubectl("apply", "-f", "-", text=text)
    port = ground.observed("webserver", "any")["status"]["nodePort"]
    ground.kubectl("delete", "service", "any-service")
    new = ground.until(lambda: ground.get("service", "any-service"))
    assert new["spec"]["ports"][0]["nodePort"] == port


def test_a_changed_service_is_put_right(ground: Ground) -> None:
    before = ground.get("service", SERVICE)["spec"]
    change = '{"spec":{"type":"ClusterIP","selector":{"app":"other"},"ports":[{"name":"http","port":81}]}}'
    ground.kubectl("patch", "service", SERVICE, "--type=merge", "-p", change)
    ground.until(lambda: ground.get("service", SERVICE)["spec"]["type"] == "NodePort")
    assert ground.get("service", SERVICE)["spec"]["selector"] == before["selector"]
    assert ground.get("service", SERVICE)["spec"]["ports"] == before["ports"]
    ground.until(lambda: "ServiceCorrected" in ground.kubectl("get", "events"))


def test_deletion_cleans_up(ground: Ground) -> None:
    ground.kubectl("delete", "-f", SAMPLE)
    ground.until(lambda: ground.get("deployment", NAME) is None and ground.get("service", SERVICE) is None)


def test_a_bad_spec_is_refused_with_a_sentence_for_each_mistake(ground: Ground) -> None:
    said = ground.refused("apply", "-f", REFUSED)
    assert "spec.image in body should be at least 1 chars long" in said
    assert "spec.replicas in body should be less than or equal to 100" in said


def test_a_sudden_shrink_is_refused_by_a_rule(ground: Ground) -> None:
    said = ground.refused("scale", "ws", NAME, "--replicas=1")
    assert "replicas may not shrink by more than half at once" in said


def test_a_port_that_is_taken_is_told(ground: Ground) -> None:
    text = (
        "apiVersion: web.example.com/v1\nkind: WebServer\nmetadata: {name: late}\nspec: {image: i, nodePort: 30010}\n"
    )
    ground.kubectl("apply", "-f", "-", text=text)
    available = ground.observed("webserver", "late")["status"]["conditions"][0]
    assert (available["status"], available["reason"]) == ("False", "ServiceRefused")
    assert "provided port is already allocated" in available["message"]


# Its functions.


def shop(image: str = "nginx:1", replicas: int = 3, node_port: int | None = None) -> WebServer:
    spec = WebServerSpec(image=image, replicas=replicas, node_port=node_port)
    return WebServer(metadata=kw.ObjectMeta(name="shop"), spec=spec)


def reported(**status: Any) -> dict[str, tuple[str, str, str]]:
    web, deployment = shop(), deployment_for(shop())
    deployment.metadata.generation = 2
    deployment.status = DeploymentStatus(**status)
    report(web, deployment, service_for(web))
    return {each.type: (each.status, each.reason, each.message) for each in web.status.conditions}


def test_all_pods_ready_is_available_and_done() -> None:
    assert reported(observed_generation=2, replicas=3, updated_replicas=3, ready_replicas=3) == {
        "Available": ("True", "Ready", "3 of 3 pods are ready"),
        "Progressing": ("False", "Done", ""),
    }


@pytest.mark.parametrize(
    "status",
    [
        {"observed_generation": 1, "replicas": 3, "updated_replicas": 3, "ready_replicas": 3},  # of the spec before
        {"observed_generation": 2, "replicas": 4, "updated_replicas": 2, "ready_replicas": 3},
        {"observed_generation": 2, "replicas": 4, "updated_replicas": 3, "ready_replicas": 4},  # an old pod still goes
    ],
)
def test_pods_that_are_being_replaced_are_progress(status: dict[str, int]) -> None:
    assert reported(**status)["Progressing"][:2] == ("True", "RollingOut")


def test_a_rollout_that_is_stuck_is_told() -> None:
    stuck = DeploymentCondition(type="Progressing", status="False", reason="ProgressDeadlineExceeded", message="late")
    found = reported(observed_generation=2, replicas=3, updated_replicas=1, ready_replicas=2, conditions=[stuck])
    assert found["Progressing"] == ("False", "Stuck", "late")
    assert found["Available"] == ("False", "PodsMissing", "2 of 3 pods are ready")


def test_news_are_told_of_what_differs_and_of_nothing_else() -> None:
    old, new = deployment_for(shop()), deployment_for(shop(replicas=4, image="nginx:2"))
    assert deployment_news(None, old) == [("DeploymentCreated", "shop: 3 pods of nginx:1")]
    assert deployment_news(old, new) == [
        ("Scaled", "from 3 to 4 pods"),
        ("ImageChanged", "from nginx:1 to nginx:2"),
    ]
    assert deployment_news(old, kw.from_dict(kw.to_dict(old), Deployment)) == []
    service = service_for(shop())
    assert service_news(None, service) == [("ServiceCreated", "shop-service")]
    assert service_news(service_for(shop(node_port=30001)), service) == [("ServiceCorrected", "shop-service")]
    assert service_news(service, kw.from_dict(kw.to_dict(service), Service)) == []
