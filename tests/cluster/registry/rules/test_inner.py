import json

from kubewright.cluster.registry.rules.inner import changed_inner, inner_text, not_supported_inner


def test_everything_that_is_not_there_is_told_with_the_names_of_go() -> None:
    assert inner_text({"type": "x"}, "apps/v1.DeploymentStrategy") == '{"Type":"x","RollingUpdate":null}'


def test_members_that_are_no_pointers_inside_are_zero() -> None:
    strategy = {"type": "x", "rollingUpdate": {"maxSurge": "1%"}}
    text = '{"Type":"x","RollingUpdate":{"MaxUnavailable":0,"MaxSurge":"1%"}}'
    assert inner_text(strategy, "*apps/v1.DeploymentStrategy") == text


def test_metadata_is_inlined_with_its_own_names() -> None:
    template = json.loads(inner_text({"metadata": {"labels": {"a": "b"}}, "spec": {}}, "core/v1.PodTemplateSpec"))
    assert [*template] == ["labels", "Spec"]


def test_what_a_pod_shares_with_its_host_is_told_of_its_security() -> None:
    spec = json.loads(inner_text({"hostNetwork": True, "securityContext": {"fsGroup": 1}}, "core/v1.PodSpec"))
    assert "HostNetwork" not in spec
    assert spec["SecurityContext"]["HostNetwork"] is True
    assert spec["SecurityContext"]["HostUsers"] is None
    assert spec["SecurityContext"]["FSGroup"] == 1


def test_members_that_moved_stand_where_the_inner_type_has_them() -> None:
    names = [*json.loads(inner_text({}, "batch/v1.JobSpec"))]
    assert names[names.index("SuccessPolicy") + 1] == "ActiveDeadlineSeconds"
    assert names[-1] == "ManagedBy"


def test_nothing_is_null() -> None:
    assert inner_text(None, "*batch/v1.SuccessPolicy") == "null"


def test_what_did_not_change_is_right() -> None:
    assert changed_inner("spec.x", {"rules": []}, {"rules": []}, "*batch/v1.SuccessPolicy") == []
    [error] = changed_inner("spec.x", None, {"rules": []}, "*batch/v1.SuccessPolicy")
    assert str(error) == "spec.x: Invalid value: null: field is immutable"


def test_choices_are_listed() -> None:
    error = not_supported_inner("spec.strategy", {"type": "x"}, "apps/v1.DeploymentStrategy", "A", "B")
    assert error.message == 'Unsupported value: {"Type":"x","RollingUpdate":null}: supported values: "A", "B"'
