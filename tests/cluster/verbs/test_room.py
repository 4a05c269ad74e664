import pytest
from tests.cluster.stage import Stage, play

from kubewright.cluster.verbs.room import FITS, overweight

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TOO_LARGE = "etcdserver: request is too large"
KEY = "/widgets.referee.example.com/jfb-big/b3100000"


def test_what_is_small_fits() -> None:
    assert overweight("/" + "k" * 1000, 1 << 60, FITS) == ""


@pytest.mark.parametrize(("size", "fits"), [(1_572_717, True), (1_572_718, False)])
def test_etcd_takes_one_and_a_half_mebibytes(size: int, fits: bool) -> None:
    assert (overweight(KEY, 0, size) == "") is fits


def test_its_client_says_how_long_a_message_is() -> None:
    said = overweight(KEY, 0, 3_100_264)
    assert said.endswith("trying to send message larger than max (3100397 vs. 2097152)")


def test_who_replaces_asks_for_more() -> None:
    assert overweight(KEY, 1, 3_100_264).endswith("(3100457 vs. 2097152)")


def test_a_definition_that_is_too_large_is_refused_and_nothing_is_written() -> None:
    schema = {"type": "object", "description": "x" * 1_600_000}

    async def story(stage: Stage) -> tuple[int, str, int]:
        names = {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"}
        version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
        code, said = await stage.ask("POST", CRDS, {"metadata": {"name": "things.example.com"}, "spec": spec})
        missing, _ = await stage.ask("GET", f"{CRDS}/things.example.com")
        return code, said["message"], missing

    assert play(story) == (500, TOO_LARGE, 404)
