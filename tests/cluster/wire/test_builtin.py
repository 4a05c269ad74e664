"""Codecs of built-in kinds. How they answer beside a real server is told in `test_answers`."""

import copy
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.builtin import builtin_codec, read_options
from kubewright.cluster.wire.codec import Undecodable
from kubewright.cluster.wire.types import UnknownType, table

CONFIG_MAP = builtin_codec("", "v1", "ConfigMap")
ROLE = {"kind": "Role", "apiVersion": "rbac.authorization.k8s.io/v1"}
KINDS = sorted(table().kinds)


def test_an_object_says_what_it_is_first() -> None:
    obj = CONFIG_MAP.read({"metadata": {"name": "x"}, "kind": "ConfigMap"}).object
    assert CONFIG_MAP.write(obj) == b'{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"}}'


def test_what_is_odd_is_told() -> None:
    read = CONFIG_MAP.read({"data": {"a": "2"}, "metadata": {"zzz": 1}}, ["data.a"])
    assert read.complaints == ['duplicate field "data.a"', 'unknown field "metadata.zzz"']


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(
        Undecodable, match=r"^json: cannot unmarshal number into Go struct field ConfigMap\.data of type"
    ):
        CONFIG_MAP.read({"data": 1})


def test_what_is_told_of_an_object_has_nothing_that_is_not_written() -> None:
    read = builtin_codec("rbac.authorization.k8s.io", "v1", "Role").read({"metadata": {"labels": {}}, "rules": []})
    assert read.hollow
    told = builtin_codec("rbac.authorization.k8s.io", "v1", "Role").told(read.object)
    assert told | {"kind": "Role"} == {**ROLE, "metadata": {}, "rules": []}
    assert builtin_codec("rbac.authorization.k8s.io", "v1", "Role").write(read.object).endswith(b'"rules":null}')


def test_a_review_is_answered_with_the_empty_lists_it_came_with() -> None:
    codec = builtin_codec("authorization.k8s.io", "v1", "SubjectAccessReview")
    review = codec.read({"spec": {"extra": {"a": [], "b": None}}}).object
    assert b'"extra":{"a":[],"b":null}' in codec.write(review)


def test_a_codec_is_made_once() -> None:
    assert builtin_codec("", "v1", "ConfigMap") is CONFIG_MAP


def test_a_kind_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownType, match="there is no built-in kind Widget in apps/v1"):
        builtin_codec("apps", "v1", "Widget")


def test_options_are_read() -> None:
    document = {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0, "dryRun": ["All"], "zzz": 1}
    assert read_options("DeleteOptions", document) == {name: document[name] for name in document if name != "zzz"}


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(
        Undecodable, match=r"string into Go struct field DeleteOptions\.gracePeriodSeconds of type int64"
    ):
        read_options("DeleteOptions", {"gracePeriodSeconds": "x"})


@pytest.mark.parametrize(("api_version", "kind"), KINDS, ids="-".join)
def test_an_empty_document_is_an_object_that_reads_as_itself(api_version: str, kind: str) -> None:
    group, _, version = api_version.rpartition("/")
    codec = builtin_codec(group, version, kind)
    text = codec.write(codec.read({}).object)
    assert codec.write(codec.read(msgspec.json.decode(text)).object) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_any_document_is_read_or_refused_and_reading_again_changes_nothing(data: st.DataObject) -> None:
    api_version, kind = data.draw(st.sampled_from(KINDS))
    group, _, version = api_version.rpartition("/")
    codec = builtin_codec(group, version, kind)
    document: dict[str, Any] = {
        name: data.draw(st.one_of(JSON, st.dictionaries(st.sampled_from(list(FIELDS)), JSON, max_size=5)))
        for name in data.draw(
            st.sets(st.sampled_from(list(table().fields(table().kinds[api_version, kind]))), max_size=3)
        )
    }
    try:
        obj = codec.read(copy.deepcopy(document)).object
    except Undecodable:
        return
    text = codec.write(obj)
    again = codec.read(msgspec.json.decode(text))
    assert again.complaints == []
    assert without_nulls(msgspec.json.decode(codec.write(again.object))) == without_nulls(msgspec.json.decode(text))


FIELDS = [*table().fields("core/v1.PodSpec"), *table().fields("meta/v1.ObjectMeta"), "versions", "rules", "ports"]


def without_nulls(value: Any) -> Any:
    """What remains when null is nothing: a pointer to what is written as null is gone after the next reading."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_a_member_whose_text_is_known_is_not_written_again() -> None:
    codec = builtin_codec("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
    version = {"name": "v1", "schema": {"openAPIV3Schema": {"properties": {"a": {"pattern": "<&>"}}, "type": "object"}}}
    document = {"metadata": {"name": "a.b"}, "spec": {"group": "b", "versions": [version]}, "status": {}}
    obj = codec.read(document).object
    written = codec.write(obj)
    spec = msgspec.json.decode(written, type=dict[str, msgspec.Raw])["spec"]
    assert codec.write_around(obj, "spec", spec) == written
