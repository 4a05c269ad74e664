from kubewright.cluster.registry.kinds.workload import LabelledStatus, check_endless, check_own_selector, name_warnings


def test_a_selector_must_be_there_and_say_something() -> None:
    assert [*map(str, check_own_selector(None, "x"))] == ["spec.selector: Required value"]
    [error] = check_own_selector({}, "statefulset")
    assert str(error) == "spec.selector: Invalid value: {}: empty selector is invalid for statefulset"
    assert [*check_own_selector({"matchLabels": {"a": "b"}}, "x")] == []


def test_pods_that_go_on_are_restarted_and_have_no_deadline() -> None:
    found = [*map(str, check_endless({"spec": {"restartPolicy": "Never", "activeDeadlineSeconds": 1}}, "ReplicaSet"))]
    assert found == [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported",
    ]


def test_a_name_with_dots_makes_odd_hosts() -> None:
    assert name_warnings({"metadata": {"name": "a"}}) == []
    [warning] = name_warnings({"metadata": {"name": "a.b"}})
    assert warning.endswith("a DNS label is recommended: [must not contain dots]")


def test_a_status_without_labels_leaves_the_object_those_of_its_pods() -> None:
    spec = {"template": {"metadata": {"labels": {"a": "b"}}}}
    obj = {"metadata": {"name": "x"}, "status": {}}
    LabelledStatus(namespaced=True).prepare_update(obj, {"metadata": {"name": "x"}, "spec": spec, "status": {}})
    assert obj["metadata"] == {"name": "x", "labels": {"a": "b"}}
