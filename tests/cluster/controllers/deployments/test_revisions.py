"""Revisions, and what annotations say of them."""

from typing import Any

import msgspec

from kubewright.cluster.controllers.deployments.revisions import (
    DESIRED,
    HASH,
    MAXIMUM,
    REVISION,
    by_revision,
    counted,
    find_new,
    last_revision,
    max_revision,
    new_annotations,
    same_template,
    sized_annotations,
)
from kubewright.cluster.controllers.deployments.views import Deployment, read_deployment
from kubewright.cluster.controllers.views import ReplicaSet, read_parts, read_replica_set

HISTORY = "deployment.kubernetes.io/revision-history"


def replica_set(
    name: str, annotations: dict[str, str] | None = None, *, image: str = "one", made: int = 0
) -> ReplicaSet:
    metadata = {"name": name, "creationTimestamp": f"2026-01-01T00:00:{made:02}Z", "annotations": annotations or {}}
    template = {"metadata": {"creationTimestamp": None, "labels": {"app": "web", HASH: name}}, "spec": spec(image)}
    document = {"metadata": metadata, "spec": {"template": template}}
    return read_replica_set(read_parts(msgspec.json.encode(document)))


def spec(image: str) -> dict[str, Any]:
    return {"containers": [{"name": "c", "image": image}]}


def deployment(image: str = "one", **labels: str) -> Deployment:
    template = {"metadata": {"labels": {"app": "web", **labels}}, "spec": spec(image)}
    document = {"metadata": {"name": "web"}, "spec": {"template": template}}
    return read_deployment(read_parts(msgspec.json.encode(document)))


def test_templates_are_compared_without_the_hash() -> None:
    assert same_template(deployment(), replica_set("a"))
    assert not same_template(deployment("two"), replica_set("a"))
    assert not same_template(deployment(tier="gold"), replica_set("a"))


def test_the_order_of_fields_makes_no_other_template() -> None:
    spec = b'{"template":{"spec":{"containers":[{"image":"one","name":"c"}]},"metadata":{"labels":{"app":"web"}}}}'
    other = b'{"metadata":{"name":"web"},"spec":' + spec + b"}"
    assert same_template(read_deployment(read_parts(other)), replica_set("a"))


def test_the_oldest_with_the_template_is_the_new_one() -> None:
    sets = [replica_set("late", made=9), replica_set("early", made=1), replica_set("other", image="two")]
    found = find_new(deployment(), sets)
    assert found is not None
    assert found.metadata.name == "early"
    assert find_new(deployment("three"), sets) is None


def test_revisions_that_are_no_numbers_do_not_count() -> None:
    sets = [replica_set("a", {REVISION: "7"}), replica_set("b", {REVISION: "x"}), replica_set("c")]
    assert max_revision(sets) == 7
    assert last_revision(sets) == 0
    assert last_revision([*sets, replica_set("d", {REVISION: "3"})]) == 3
    assert [each.metadata.name for each in by_revision(sets)] == ["b", "c", "a"]


def test_the_new_one_gets_the_next_number_and_the_annotations_of_the_deployment() -> None:
    theirs = {"note": "hello", "kubectl.kubernetes.io/last-applied-configuration": "{}", REVISION: "1"}
    assert new_annotations(theirs, {}, 2) == {"note": "hello", REVISION: "2"}


def test_one_that_is_gone_back_to_remembers_its_numbers() -> None:
    back = new_annotations({}, {REVISION: "1"}, 3)
    assert back == {REVISION: "3", HISTORY: "1"}
    assert new_annotations({}, back, 5) == {REVISION: "5", HISTORY: "1,3"}
    assert new_annotations({}, back, 2) == back


def test_a_history_does_not_grow_without_end() -> None:
    annotations = {REVISION: "1000"}
    for revision in range(1001, 1800):
        annotations = new_annotations({}, annotations, revision)
    assert len(annotations[HISTORY]) <= 2000
    assert annotations[HISTORY].endswith(",1797,1798")


def test_sizes_are_noted_and_read() -> None:
    noted = sized_annotations({"a": "b"}, 3, 1)
    assert noted == {"a": "b", DESIRED: "3", MAXIMUM: "4"}
    assert counted(replica_set("a", noted), MAXIMUM) == 4
    assert counted(replica_set("a", {MAXIMUM: "-4"}), MAXIMUM) is None
    assert counted(replica_set("a"), MAXIMUM) is None
