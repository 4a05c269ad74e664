from typing import Any

import msgspec
import pytest

from kubewright.client.endpoint import EndpointError
from kubewright.client.options import Patch, Strategy, deletion, patched, selected, written
from kubewright.k8s.apps.v1 import DeploymentSpec
from kubewright.k8s.core.v1 import ConfigMap
from kubewright.model.documents import UnsayableError
from kubewright.model.selectors import FieldSelector, LabelSelector, SelectorError


def test_selectors_are_values_texts_or_labels() -> None:
    assert selected("a = b", None)["labelSelector"] == "a=b"
    assert selected({"a": "b", "c": "d"}, None)["labelSelector"] == "a=b,c=d"
    assert selected(LabelSelector.parse("a in (x,y)"), None)["labelSelector"] == "a in (x,y)"
    assert selected(None, "a.b!=c")["fieldSelector"] == "a.b!=c"
    assert selected(None, {"a.b": "c,d"})["fieldSelector"] == "a.b=c\\,d"
    assert selected(None, FieldSelector.parse("a.b=c"))["fieldSelector"] == "a.b=c"


def test_what_selects_everything_is_not_said() -> None:
    everything = {"labelSelector": None, "fieldSelector": None}
    assert selected(None, None) == selected("", "") == selected({}, {}) == everything
    assert selected(LabelSelector(), FieldSelector()) == everything


def test_a_bad_selector_is_told_before_anything_is_sent() -> None:
    with pytest.raises(SelectorError):
        selected("a b", None)
    with pytest.raises(SelectorError):
        selected(None, "nonsense")
    with pytest.raises(EndpointError, match="selects nothing"):
        selected(LabelSelector.from_json(None), None)


def test_deletion_says_only_what_was_said() -> None:
    assert deletion(None, None, None, None, False) == b""
    assert msgspec.json.decode(deletion("u", None, "Foreground", 0, True)) == {
        "apiVersion": "v1",
        "kind": "DeleteOptions",
        "preconditions": {"uid": "u"},
        "propagationPolicy": "Foreground",
        "gracePeriodSeconds": 0,
        "dryRun": ["All"],
    }


def test_a_write_says_who_owns_it() -> None:
    assert written({}, "me")["fieldManager"] == "me"
    told = written({"field_manager": "you", "dry_run": True, "field_validation": "Strict"}, "me")
    assert told == {"fieldManager": "you", "dryRun": "All", "fieldValidation": "Strict"}


@pytest.mark.parametrize(
    ("patch", "strategy", "body", "content_type"),
    [
        ({"data": {"a": None}}, None, {"data": {"a": None}}, b"application/merge-patch+json"),
        ({"data": {}}, "strategic", {"data": {}}, b"application/strategic-merge-patch+json"),
        ([{"op": "remove", "path": "/a"}], None, [{"op": "remove", "path": "/a"}], b"application/json-patch+json"),
        ((), "json", [], b"application/json-patch+json"),
        (
            ConfigMap(data={"a": "b"}),
            None,
            {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}},
            b"application/merge-patch+json",
        ),
    ],
)
def test_a_list_is_a_json_patch_and_an_object_typed_or_not_a_merge_patch_unless_it_is_said(
    patch: Patch, strategy: Strategy | None, body: Any, content_type: bytes
) -> None:
    sent, told = patched(patch, strategy)
    assert (msgspec.json.decode(sent), told) == (body, content_type)


@pytest.mark.parametrize(
    ("patch", "strategy", "message"),
    [
        ({}, "bogus", "a patch is of the strategy json, merge or strategic, not 'bogus'."),
        ({}, "apply", "a patch is of the strategy json, merge or strategic, not 'apply'."),
        ("{}", None, "a patch is an object of fields or a list of operations, not something of the type str."),
        (b"{}", None, "a patch is an object of fields or a list of operations, not something of the type bytes."),
        (
            DeploymentSpec(replicas=2),
            None,
            "a patch is an object of fields or a list of operations, not something of the type DeploymentSpec.",
        ),
        ({}, "json", "a patch of the strategy json is a list of operations; this is an object."),
        ([], "merge", "a patch of the strategy merge is an object of fields; this is a list."),
    ],
)
def test_what_is_no_patch_is_told(patch: Any, strategy: Any, message: str) -> None:
    with pytest.raises(EndpointError) as raised:
        patched(patch, strategy)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "patch",
    [
        {"data": {"a": float("nan")}},
        [{"op": "add", "path": "/a", "value": float("inf")}],
        ConfigMap(data={"a": float("nan")}),  # type: ignore[dict-item]
    ],
)
def test_a_number_that_is_none_does_not_become_the_null_that_deletes(patch: Any) -> None:
    with pytest.raises(UnsayableError, match="which JSON cannot say: it would be null"):
        patched(patch, None)


@pytest.mark.parametrize(
    ("labels", "fields", "message"),
    [
        (5, None, 'labels are a text, as in "app=web", or a dict of labels, not 5.'),
        (["app=web"], None, "labels are a text, as in \"app=web\", or a dict of labels, not ['app=web']."),
        ({"app": None}, None, "a label and its value are strings, not 'app' and None."),
        (None, 5, 'fields are a text, as in "metadata.name=web", or a dict of fields, not 5.'),
        (None, {"metadata.name": 1}, "a field and its value are strings, not 'metadata.name' and 1."),
    ],
)
def test_what_is_no_selector_is_told(labels: Any, fields: Any, message: str) -> None:
    with pytest.raises(SelectorError) as raised:
        selected(labels, fields)
    assert str(raised.value) == message


def test_the_value_of_a_label_is_no_grammar() -> None:
    with pytest.raises(SelectorError, match="Invalid value"):
        selected({"app": "web,tier=front"}, None)
