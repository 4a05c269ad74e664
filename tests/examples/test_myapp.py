"""The MyApp operator, on a cluster."""

from collections.abc import Iterator

import pytest
from tests.examples.ground import EXAMPLES, Ground, at_work

from kubewright.testing.sandbox import Sandbox
from myapp import app

pytestmark = pytest.mark.usefixtures("kubectl")

SAMPLE = EXAMPLES / "myapp" / "samples" / "myapp.yaml"
NAME = "myapp-sample"


@pytest.fixture
def ground(cluster: Sandbox) -> Iterator[Ground]:
    with at_work(app, cluster) as ground:
        assert ground.kubectl("apply", "-f", str(SAMPLE)) == f"myapp.example.com/{NAME} created\n"
        ground.until(lambda: ground.get("deployment", NAME))
        yield ground


def test_it_is_shown_with_its_age_replicas_and_image(ground: Ground) -> None:
    header, row = ground.kubectl("get", "myapp").splitlines()
    assert header.split() == ["NAME", "AGE", "REPLICAS", "IMAGE"]
    name, _, *rest = row.split()
    assert (name, rest) == (NAME, ["3", "myapp:latest"])


def test_an_update_is_followed(ground: Ground) -> None:
    text = SAMPLE.read_text().replace("replicas: 3", "replicas: 5").replace(":latest", ":2")
    assert ground.kubectl("apply", "-f", "-", text=text) == f"myapp.example.com/{NAME} configured\n"
    ground.until(lambda: ground.get("deployment", NAME)["spec"]["replicas"] == 5)
    assert ground.get("deployment", NAME)["spec"]["template"]["spec"]["containers"][0]["image"] == "myapp:2"


def test_deletion_cleans_up(ground: Ground) -> None:
    assert ground.kubectl("delete", "-f", str(SAMPLE)).startswith(f'myapp.example.com "{NAME}" deleted')
    ground.until(lambda: ground.get("deployment", NAME) is None)
