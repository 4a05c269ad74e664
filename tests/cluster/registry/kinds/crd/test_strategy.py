import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import pytest

from kubewright.client import ApiError, Client, load_kubeconfig
from kubewright.cluster.registry.kinds.crd import CrdStatus, CrdStrategy
from kubewright.cluster.registry.strategy import Propagation
from kubewright.cluster.wire.builtin import builtin_codec
from kubewright.model import steps
from kubewright.schema.walk import structure
from kubewright.testing.real import RealCluster

JUDGED: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "data" / "judged.json").read_text())
CODEC = builtin_codec("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
STRATEGY, STATUS = CrdStrategy(namespaced=False), CrdStatus(namespaced=False)


def read(document: dict[str, Any]) -> dict[str, Any]:
    obj = CODEC.read(copy.deepcopy(document)).object
    STRATEGY.default(obj)
    return obj


def written(obj: dict[str, Any]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(CODEC.write(obj))
    return document


def told(errors: list[Any]) -> list[tuple[str, str, str]]:
    return sorted({(error.reason, error.field, error.message) for error in errors})


def causes(case: dict[str, Any]) -> list[tuple[str, str, str]]:
    return sorted({(cause["reason"], cause["field"], cause["message"]) for cause in case.get("causes", [])})


def warned(texts: list[str]) -> list[str]:
    return [f'299 - "{text}"'.replace('format "', 'format \\"').replace('""', '\\""') for text in texts]


@pytest.mark.parametrize("case", JUDGED["create"], ids=lambda case: case["name"])
def test_a_new_definition_is_judged_as_the_server_does(case: dict[str, Any]) -> None:
    obj = read(case["crd"])
    obj["metadata"].pop("namespace", None)  # the verb's business
    STRATEGY.prepare_create(obj)
    assert told(STRATEGY.validate(obj)) == causes(case)
    if case["code"] < 300:
        found = written(obj)
        assert (found["spec"], found["status"]) == (case["spec"], case["status"])


@pytest.mark.parametrize("case", JUDGED["update"], ids=lambda case: case["name"])
def test_a_changed_definition_is_judged_as_the_server_does(case: dict[str, Any]) -> None:
    old = read(case["old"])
    obj = read({**case["old"], "spec": {**case["old"]["spec"], **case["edit"]}})
    STRATEGY.prepare_update(obj, old)
    assert told(STRATEGY.validate_update(obj, old)) == causes(case)
    if case["code"] < 300:
        found = written(obj)
        assert (found["spec"], found["status"]) == (case["spec"], case["status"])
        assert found["metadata"]["generation"] == case["generation"]


@pytest.mark.parametrize("case", JUDGED["create"] + JUDGED["update"], ids=lambda case: case["name"])
@pytest.mark.parametrize("small", [0, 1, 1000])
def test_it_is_judged_in_steps_in_the_same_way(
    case: dict[str, Any], small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = read(case["old"]) if "old" in case else None
    obj = read(case["crd"] if old is None else {**case["old"], "spec": {**case["old"]["spec"], **case["edit"]}})
    errors = STRATEGY.validate(obj) if old is None else STRATEGY.validate_update(obj, old)
    warnings = STRATEGY.warnings(obj, old)
    monkeypatch.setattr(steps, "_STEP", 1 + small)
    monkeypatch.setattr(structure, "_LARGE", small)
    monkeypatch.setattr(structure, "_UNIT", small)
    assert steps.finish(STRATEGY.judge_in_steps(obj, old)) == errors
    assert steps.finish(STRATEGY.warnings_in_steps(obj, old)) == warnings


def test_a_large_definition_is_judged_in_many_steps() -> None:
    leaf = {"type": "string", "format": "odd"}
    fields = {
        f"f{number}": {"type": "object", "properties": {f"g{n}": leaf for n in range(20)}} for number in range(50)
    }
    rule = {"rule": "has(self.f0)", "message": "no"}
    spec = {"type": "object", "properties": fields, "default": {"f1": {}}, "x-kubernetes-validations": [rule]}
    crd = copy.deepcopy(JUDGED["create"][0]["crd"])
    crd["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    obj = read(crd)
    STRATEGY.prepare_create(obj)
    errors, count = steps.counted(STRATEGY.judge_in_steps(obj, None))
    assert told(errors) == [
        ("FieldValueInvalid", "spec.validation.openAPIV3Schema.properties[spec].default", "Invalid value: no")
    ]
    assert errors == STRATEGY.validate(obj)
    # There are a thousand schemas, and some seven questions about each.
    assert count > 50
    warnings, count = steps.counted(STRATEGY.warnings_in_steps(obj, None))
    assert warnings == STRATEGY.warnings(obj, None) == ['unrecognized format "odd"'] * 1000
    assert count > 9


def test_formats_that_nobody_knows_are_warned_of() -> None:
    case = next(case for case in JUDGED["create"] if case["name"] == "formats")
    assert sorted(warned(STRATEGY.warnings(read(case["crd"]), None))) == sorted(case["warnings"])


def test_only_new_formats_that_nobody_knows_are_warned_of_on_update() -> None:
    case = next(case for case in JUDGED["update"] if case["name"] == "a new odd format")
    new = read({**case["old"], "spec": {**case["old"]["spec"], **case["edit"]}})
    assert warned(STRATEGY.warnings(new, read(case["old"]))) == case["warnings"]


def definition() -> dict[str, Any]:
    return read(JUDGED["create"][0]["crd"])


def test_deletion_marks_a_definition_and_holds_it() -> None:
    obj = definition()
    assert STRATEGY.hold(obj, Propagation(None, None), "2020-01-01T00:00:00Z")
    assert obj["metadata"]["finalizers"] == ["customresourcecleanup.apiextensions.k8s.io"]
    [condition] = obj["status"]["conditions"]
    assert (condition["type"], condition["reason"]) == ("Terminating", "InstanceDeletionPending")


def test_a_second_deletion_holds_nothing() -> None:
    obj = definition()
    STRATEGY.hold(obj, Propagation(None, None), "2020-01-01T00:00:00Z")
    assert not STRATEGY.hold(obj, Propagation(None, None), "2020-01-01T00:00:01Z")


def test_status_is_written_through_its_own_path_alone() -> None:
    old, obj = definition(), definition()
    obj["status"]["storedVersions"] = ["v9"]
    STRATEGY.prepare_update(obj, old)
    assert obj["status"]["storedVersions"] == ["v1"]


def test_the_path_of_the_status_writes_no_spec_but_metadata() -> None:
    old, obj = definition(), definition()
    obj["spec"]["scope"] = "Cluster"
    obj["metadata"]["labels"] = {"a": "b"}
    STATUS.prepare_update(obj, old)
    assert obj["spec"] == old["spec"]
    assert obj["metadata"]["labels"] == {"a": "b"}


def test_accepted_names_in_a_status_are_judged() -> None:
    old, obj = definition(), definition()
    obj["metadata"]["resourceVersion"] = "1"
    obj["status"]["acceptedNames"]["plural"] = "A b"
    assert [error.field for error in STATUS.validate_update(obj, old)][-1] == "status.acceptedNames.plural"


@pytest.mark.real
def test_the_real_server_still_judges_as_recorded(real_cluster: RealCluster) -> None:
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

    async def judged() -> None:
        async with Client.connect(load_kubeconfig(real_cluster.kubeconfig)) as client:
            for case in JUDGED["create"]:
                found: list[dict[str, Any]] = []
                try:
                    await client.create(path, case["crd"], dryRun="All")
                except ApiError as error:
                    found = error.status["details"]["causes"]
                assert causes({"causes": found}) == causes(case), case["name"]

    asyncio.run(judged())
