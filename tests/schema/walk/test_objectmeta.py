import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.schema.walk.objectmeta import DecodeError, _decode, decode


def test_empty_values_vanish() -> None:
    meta = {"name": "", "labels": {}, "finalizers": [], "generation": 0, "ownerReferences": None, "uid": None}
    assert decode(meta).meta == {}


def test_pointers_keep_their_zeros() -> None:
    meta = {"deletionGracePeriodSeconds": 0, "deletionTimestamp": "0001-01-01T00:00:00Z"}
    assert decode(meta).meta == {"deletionGracePeriodSeconds": 0, "deletionTimestamp": None}


def test_an_owner_reference_always_has_its_four_names() -> None:
    assert decode({"ownerReferences": [{"controller": False}, None]}).meta == {
        "ownerReferences": [
            {"apiVersion": "", "kind": "", "name": "", "uid": "", "controller": False},
            {"apiVersion": "", "kind": "", "name": "", "uid": ""},
        ]
    }


def test_managed_fields_keep_their_field_set() -> None:
    entry = {"manager": "m", "operation": "Apply", "fieldsV1": {"f:a": {".": {}}}, "time": "2024-01-01T00:00:00+01:00"}
    assert decode({"managedFields": [entry]}).meta == {
        "managedFields": [{**entry, "time": "2023-12-31T23:00:00Z"}],
    }


def test_nulls_among_texts_are_empty_texts() -> None:
    assert decode({"finalizers": [None], "annotations": {"a": None}}).meta == {
        "finalizers": [""],
        "annotations": {"a": ""},
    }


def test_unknown_fields_are_told_with_their_place() -> None:
    decoded = decode({"zz": 1, "Name": "x", "ownerReferences": [{}, {"q": 1}]})
    assert decoded.unknown == ["Name", "ownerReferences[1].q", "zz"]


@pytest.mark.parametrize(
    ("meta", "text"),
    [
        ([], "array into Go value of type v1.ObjectMeta"),
        ({"name": True}, "bool into Go struct field ObjectMeta.name of type string"),
        ({"generation": 1.5}, "number 1.5 into Go struct field ObjectMeta.generation of type int64"),
        ({"generation": "1"}, "string into Go struct field ObjectMeta.generation of type int64"),
        ({"labels": []}, "array into Go struct field ObjectMeta.labels of type map[string]string"),
        ({"labels": {"a": {}}}, "object into Go struct field ObjectMeta.labels of type string"),
        ({"finalizers": [1]}, "number into Go struct field ObjectMeta.finalizers of type string"),
        ({"ownerReferences": {}}, "object into Go struct field ObjectMeta.ownerReferences of type []v1.OwnerReference"),
        ({"ownerReferences": [1]}, "number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference"),
        (
            {"ownerReferences": [{"controller": "x"}]},
            "string into Go struct field OwnerReference.ownerReferences.controller of type bool",
        ),
        ({"name": 1, "annotations": 2}, "number into Go struct field ObjectMeta.annotations of type map[string]string"),
    ],
)
def test_what_cannot_be_read_is_told_as_go_tells_it(meta: Any, text: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(meta)
    assert str(caught.value) == f"json: cannot unmarshal {text}"


def test_a_time_that_is_none_is_told_before_a_wrong_type() -> None:
    with pytest.raises(DecodeError, match=r"^parsing time"):
        decode({"annotations": 5, "creationTimestamp": "x"})


def test_a_wrong_type_is_named_as_go_names_it() -> None:
    with pytest.raises(DecodeError, match=r"of type types\.UID$"):
        decode({"uid": 5})
    with pytest.raises(DecodeError, match=r"of type v1\.ManagedFieldsOperationType$"):
        decode({"managedFields": [{"operation": 5}]})


def test_leniently_only_what_cannot_be_read_goes() -> None:
    decoded = decode({"name": "x", "labels": 5, "zz": 1, "ownerReferences": [{"q": 1}, 5]}, lenient=True)
    assert decoded.meta == {"name": "x"}
    assert decoded.unknown == ["zz"]


VALUES = st.sampled_from([None, "", "a", "2020-01-01T00:00:00Z", 0, 1, True, {}, {"a": "b"}, {"a": None}, [], ["a"]])
FIELDS = st.sampled_from(["name", "generateName", "namespace", "uid", "labels", "annotations", "finalizers", "zzz"])


@given(st.dictionaries(FIELDS, VALUES, max_size=4))
def test_what_is_in_order_is_what_reading_it_gives(meta: dict[str, Any]) -> None:
    try:
        found = decode(meta)
    except DecodeError as error:
        with pytest.raises(DecodeError, match=re.escape(str(error))):
            _decode(meta)
    else:
        assert found == _decode(meta)
