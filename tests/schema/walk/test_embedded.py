from typing import Any

import pytest

from kubewright.schema.walk.embedded import MalformedError, compile_coerce, compile_embedded
from kubewright.schema.walk.structure import read

RESOURCE = {"type": "object", "x-kubernetes-embedded-resource": True}


def test_a_schema_without_embedded_resources_has_nothing_to_do() -> None:
    node = read({"type": "object", "properties": {"a": {"type": "object"}}})
    assert compile_coerce(node) is None
    assert compile_embedded(node) is None


def test_metadata_is_normalised_and_its_unknown_fields_told() -> None:
    coerce = compile_coerce(read({"properties": {"a": RESOURCE}}))
    assert coerce is not None
    obj = {"a": {"metadata": {"name": "", "z": 1, "labels": {"k": None}}}}
    assert coerce(obj, "spec") == ["spec.a.metadata.z"]
    assert obj == {"a": {"metadata": {"labels": {"k": ""}}}}


def test_a_kind_that_is_no_string_cannot_be_decoded() -> None:
    coerce = compile_coerce(read({"items": RESOURCE}))
    assert coerce is not None
    with pytest.raises(MalformedError, match=r"^x\[0\].kind: Invalid value: 5: must be a string$"):
        coerce([{"kind": 5}], "x")


def test_leniently_it_is_dropped() -> None:
    coerce = compile_coerce(read(RESOURCE), lenient=True)
    assert coerce is not None
    obj: dict[str, Any] = {"kind": 5, "metadata": "x"}
    coerce(obj, "")
    assert obj == {"metadata": "x"}


def test_apiversion_and_kind_are_required_and_metadata_is_not() -> None:
    check = compile_embedded(read({"additionalProperties": RESOURCE}))
    assert check is not None
    assert list(map(str, check({"k": {}}, "x"))) == [
        "x[k].apiVersion: Required value",
        "x[k].kind: Required value",
    ]


def test_a_kind_may_have_capitals() -> None:
    check = compile_embedded(read(RESOURCE))
    assert check is not None
    assert check({"apiVersion": "v1", "kind": "ConfigMap"}, "") == []
