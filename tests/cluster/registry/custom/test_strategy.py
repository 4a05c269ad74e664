from typing import Any

import pytest
from tests.cluster.registry.custom.things import defined, schema, thing, version

from kubewright.cluster.registry.custom import custom_resources
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.registry.strategy import Lengthy
from kubewright.model.steps import counted, finish

NUMBER: dict[str, Any] = {"type": "integer"}
SCALE = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}


def resource(openapi: dict[str, Any] | None = None, **more: Any) -> Resource:
    [made] = custom_resources(defined(version(openapi=openapi, **more)))
    return made


def status_of(made: Resource) -> Any:
    found = made.subresource("status")
    assert found is not None
    return found.strategy


WITH_STATUS = resource(subresources={"status": {}})
PLAIN = resource()


def test_a_new_object_has_no_status_where_that_has_a_path_of_its_own() -> None:
    obj = {**thing(), "status": {"x": 1}}
    WITH_STATUS.strategy.prepare_create(obj)
    assert "status" not in obj
    assert obj["metadata"]["generation"] == 1


def test_a_new_object_keeps_its_status_where_it_is_a_field_like_others() -> None:
    obj = {**thing(), "status": {"x": 1}}
    PLAIN.strategy.prepare_create(obj)
    assert obj["status"] == {"x": 1}


@pytest.mark.parametrize(
    ("old", "new", "generation"),
    [({"a": 1}, {"a": 1}, 1), ({"a": 1}, {"a": 2}, 2), ({"a": 1}, {"a": True}, 2), ({"a": 1}, None, 2)],
)
def test_the_generation_counts_changes_of_content(old: Any, new: Any, generation: int) -> None:
    obj = thing(new, labels={"x": "y"})
    PLAIN.strategy.prepare_update(obj, thing(old))
    assert obj["metadata"]["generation"] == generation


def test_an_update_leaves_the_status_alone() -> None:
    obj, old = {**thing(), "status": {"x": 2}}, {**thing(), "status": {"x": 1}}
    WITH_STATUS.strategy.prepare_update(obj, old)
    assert obj["status"] == {"x": 1}
    assert obj["metadata"]["generation"] == 1


def test_an_update_makes_no_status() -> None:
    obj = {**thing(), "status": {"x": 2}}
    WITH_STATUS.strategy.prepare_update(obj, thing())
    assert "status" not in obj


def test_the_path_of_the_status_changes_nothing_else() -> None:
    obj = {**thing({"a": 2}, labels={"x": "y"}, managedFields=[{"manager": "m"}]), "status": {"x": 2}}
    meta = obj["metadata"]
    status_of(WITH_STATUS).prepare_update(obj, thing({"a": 1}))
    assert obj == {**thing({"a": 1}, managedFields=[{"manager": "m"}]), "status": {"x": 2}}
    assert obj["metadata"] is meta


def test_the_path_of_the_status_may_take_it_away() -> None:
    obj = thing()
    status_of(WITH_STATUS).prepare_update(obj, {**thing(), "status": {"x": 1}})
    assert "status" not in obj


def test_an_object_of_another_kind_is_told_that_and_nothing_else() -> None:
    obj = {**thing(name=""), "kind": "Other"}
    assert [str(error) for error in PLAIN.strategy.validate(obj)] == ['kind: Invalid value: "Other": must be Thing']


def test_metadata_comes_first_then_the_schema_then_the_scale() -> None:
    made = resource(schema(size=NUMBER), subresources={"scale": SCALE})
    fields = [error.field for error in made.strategy.validate(thing({"size": "x"}, name="A b"))]
    assert fields == ["metadata.name", "spec.size", ".spec.size"]


def test_what_was_wrong_before_may_stay() -> None:
    made = resource(schema(a={"type": "string", "maxLength": 1}, b=NUMBER))
    assert made.strategy.validate_update(thing({"a": "xx", "b": 2}), thing({"a": "xx", "b": 1})) == []


def test_a_status_is_judged_at_its_own_path() -> None:
    openapi = {"type": "object", "properties": {"status": {"type": "object", "properties": {"a": NUMBER}}}}
    made = resource(openapi, subresources={"status": {}})
    errors = status_of(made).validate_update({**thing(), "status": {"a": "x"}}, thing())
    assert [error.field for error in errors] == ["status.a"]


RULES = {"x-kubernetes-validations": [{"rule": "true"}]}


def test_rules_that_could_not_be_checked_are_told_of() -> None:
    made = resource(schema(a={**NUMBER, **RULES}))
    *_, last = made.strategy.validate(thing({"a": "x"}))
    assert str(last).startswith("<nil>: Invalid value: null: some validation rules were not checked because")


def test_rules_are_not_told_of_after_findings_that_do_not_block_them() -> None:
    made = resource(schema(a={**NUMBER, "maximum": 1, **RULES}))
    assert [error.field for error in made.strategy.validate(thing({"a": 5}))] == ["spec.a"]


def test_finalizers_without_a_domain_are_warned_of_when_they_are_new() -> None:
    new, old = thing(finalizers=["x", "y.z", "ex.com/f", "orphan"]), thing(finalizers=["x"])
    [warning] = PLAIN.strategy.warnings(new, old)
    assert warning == (
        'metadata.finalizers: "y.z": prefer a domain-qualified finalizer name including a path (/) to avoid '
        "accidental conflicts with other finalizer writers"
    )


def test_nothing_is_made_while_the_definition_is_going() -> None:
    definition = defined()
    [made] = custom_resources(definition)
    assert made.strategy.closed == ""
    definition.terminating = True
    assert made.strategy.closed == "create not allowed while custom resource definition is terminating"


def test_rules_of_a_large_schema_are_compiled_in_steps_before_the_first_object_is_judged() -> None:
    fields = {f"f{number}": NUMBER for number in range(2000)}
    spec = {**fields, "a": {**NUMBER, "x-kubernetes-validations": [{"rule": "self > 1"}, {"rule": "self > 2"}]}}
    judge = resource(schema(**spec)).strategy
    obj = thing({"a": 2})
    with pytest.raises(Lengthy):
        judge.validate(obj)
    errors, steps = counted(judge.judge_in_steps(obj, None))
    assert [str(error) for error in errors] == ["spec.a: Invalid value: 2: failed rule: self > 2"]
    assert steps > 20
    assert judge.validate(obj) == errors
    assert counted(judge.judge_in_steps(obj, None))[1] < 10


def test_whether_a_large_schema_has_rules_is_found_out_in_steps() -> None:
    judge = resource(schema(**{f"f{number}": NUMBER for number in range(2000)})).strategy
    with pytest.raises(Lengthy):
        judge.tolerated(thing(), thing())
    assert finish(judge.tolerated_in_steps(thing(), thing())) == []
    assert judge.tolerated(thing(), thing()) == []
    assert judge.validate(thing()) == []
