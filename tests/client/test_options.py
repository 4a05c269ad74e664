import msgspec
import pytest

from kubewright.client.endpoint import EndpointError
from kubewright.client.options import deletion, selected, written
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
