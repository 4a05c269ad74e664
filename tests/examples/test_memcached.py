"""The Memcached operator, on a cluster."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.examples.ground import EXAMPLES, Ground, at_work

from kubewright.testing.sandbox import Sandbox
from memcached import app

pytestmark = pytest.mark.usefixtures("kubectl")

SAMPLE = str(EXAMPLES / "memcached" / "samples" / "memcached.yaml")
NAME = "memcached-sample"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: NAME, labels: {app: memcached, memcached: CACHE}}
spec: {containers: [{name: c, image: memcached}]}
"""


@pytest.fixture
def ground(cluster: Sandbox) -> Iterator[Ground]:
    with at_work(app, cluster) as ground:
        assert ground.kubectl("apply", "-f", SAMPLE) == f"memcached.cache.example.com/{NAME} created\n"
        ground.observed("memcached", NAME)
        yield ground


def nodes(ground: Ground, name: str = NAME) -> Any:
    return ground.get("memcached", name)["status"].get("nodes", [])


def test_a_memcached_becomes_a_deployment_of_its_size(ground: Ground) -> None:
    assert ground.get("deployment", NAME)["spec"]["replicas"] == 3


def test_its_pods_are_its_nodes(ground: Ground) -> None:
    def named() -> bool:
        pods = ground.get("pods", "-l", "memcached=memcached-sample")["items"]
        return len(pods) == 3 and nodes(ground) == sorted(each["metadata"]["name"] for each in pods)

    ground.until(named)


def test_it_is_resized_by_a_patch_and_by_kubectl_scale(ground: Ground) -> None:
    ground.kubectl("patch", "memcached", NAME, "-p", '{"spec":{"size": 5}}', "--type=merge")
    ground.until(lambda: ground.get("deployment", NAME)["spec"]["replicas"] == 5)
    ground.kubectl("scale", "memcached", NAME, "--replicas=2")
    ground.until(lambda: ground.get("deployment", NAME)["spec"]["replicas"] == 2)


def test_its_nodes_are_the_names_of_its_pods(ground: Ground) -> None:
    """Of none that somebody else has: the pods here belong to no Deployment."""
    text = "apiVersion: cache.example.com/v1alpha1\nkind: Memcached\nmetadata: {name: empty}\nspec: {size: 0}\n"
    ground.kubectl("apply", "-f", "-", text=text)
    ground.observed("memcached", "empty")
    for name, cache in (("b", "empty"), ("a", "empty"), ("c", "other")):
        ground.kubectl("apply", "-f", "-", text=POD.replace("NAME", name).replace("CACHE", cache))
    ground.until(lambda: nodes(ground, "empty") == ["a", "b"])
    ground.kubectl("delete", "pod", "a", "--grace-period=0", "--force")
    ground.until(lambda: nodes(ground, "empty") == ["b"])


def test_a_size_that_is_none_is_refused(ground: Ground) -> None:
    for size in ("-1", "51", '"many"'):
        said = ground.refused("patch", "memcached", NAME, "--type=merge", "-p", f'{{"spec":{{"size":{size}}}}}')
        assert "spec.size" in said


def test_deletion_cleans_up(ground: Ground) -> None:
    ground.kubectl("delete", "-f", SAMPLE)
    ground.until(lambda: ground.get("deployment", NAME) is None)
