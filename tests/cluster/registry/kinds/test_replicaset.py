from tests.cluster.registry.kinds.judged import Judged

SETS = Judged("replicasets.apps")
CONTROLLERS = Judged("replicationcontrollers")
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SPEC = {"selector": {"matchLabels": {"a": "b"}}, "template": TEMPLATE}


def test_one_replica_is_wished_for_if_nothing_is_said() -> None:
    assert SETS.made(spec=SPEC)["spec"]["replicas"] == 1


def test_annotations_are_no_wish() -> None:
    old = SETS.made(spec=SPEC)
    assert SETS.changed(old, {"metadata": {"annotations": {"x": "y"}}})["metadata"]["generation"] == 1
    assert SETS.changed(old, {"spec": {"replicas": 0}})["metadata"]["generation"] == 2


def test_no_more_replicas_are_ready_than_there_are() -> None:
    [error] = SETS.kept(SETS.made(spec=SPEC), {"status": {"readyReplicas": 1}}, "status")
    assert error == "status.readyReplicas: Invalid value: 1: cannot be greater than status.replicas"


def test_the_labels_of_its_template_are_those_of_a_replication_controller() -> None:
    made = CONTROLLERS.made(spec={"template": TEMPLATE})
    assert made["metadata"]["labels"] == made["spec"]["selector"] == {"a": "b"}


def test_a_replication_controller_needs_a_template() -> None:
    assert CONTROLLERS.refused(spec={}) == ["spec.selector: Required value", "spec.template: Required value"]


def test_the_selector_of_a_replication_controller_may_change() -> None:
    old = CONTROLLERS.made(spec={"template": TEMPLATE})
    change = {"spec": {"selector": {"c": "d"}, "template": {"metadata": {"labels": {"c": "d"}}}}}
    assert CONTROLLERS.changed(old, change)["spec"]["selector"] == {"a": "b", "c": "d"}


def test_a_long_name_is_counted_in_bytes() -> None:
    [error] = CONTROLLERS.refused(metadata={"name": "a" * 254}, spec={"template": TEMPLATE})
    assert error.endswith("must be no more than 253 bytes")
