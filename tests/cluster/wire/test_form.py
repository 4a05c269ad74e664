"""NEG-4, NEG-5, NEG-7: tables and metadata of objects and lists, as a real server gives them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubewright.cluster.wire.form import (
    METADATA,
    encode,
    encode_in_steps,
    encode_status_in_steps,
    list_form,
    metadata_of,
    object_form,
)
from kubewright.cluster.wire.media import YAML
from kubewright.cluster.wire.negotiate import Output
from kubewright.cluster.wire.status import Failure
from kubewright.model.steps import counted

META = {"resourceVersion": "7", "name": "x", "namespace": "n", "annotations": {"a": "b"}}
CONFIG_MAP: dict[str, Any] = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": META, "data": {"k": "v"}}
WIDGET: dict[str, Any] = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": META, "spec": {}}
PARTIAL = {
    "kind": "PartialObjectMetadata",
    "apiVersion": "meta.k8s.io/v1",
    "metadata": {"name": "x", "namespace": "n", "resourceVersion": "7", "annotations": {"a": "b"}},
}
TABLE = Output(form="Table")


class Names:
    """A table of names."""

    definitions: Sequence[dict[str, Any]] = ({"name": "Name"},)

    def __init__(self, *, null_when_empty: bool = False) -> None:
        self.null_when_empty = null_when_empty

    def cells(self, obj: dict[str, Any], now: datetime) -> list[Any]:
        assert now.tzinfo is UTC
        return [obj["metadata"].get("name", "")]

    def conditions(self, obj: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"type": "Completed"}] if obj.get("done") else []


def config_maps(*items: dict[str, Any], **meta: Any) -> dict[str, Any]:
    return {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": meta, "items": list(items)}


def message(failure: pytest.ExceptionInfo[Failure]) -> tuple[int, str | None, str]:
    document = failure.value.document
    return failure.value.code, document.get("reason"), document["message"]


def test_a_plain_object_stays_as_it_is() -> None:
    assert object_form(CONFIG_MAP, Output(), Names()) is CONFIG_MAP


def test_neg_4_a_table_of_an_object() -> None:
    assert object_form(CONFIG_MAP, TABLE, Names()) == {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "7"},
        "columnDefinitions": [{"name": "Name"}],
        "rows": [{"cells": ["x"], "object": PARTIAL}],
    }


def test_neg_4_the_old_version_is_written_throughout() -> None:
    table = object_form(CONFIG_MAP, TABLE._replace(version="v1beta1"), Names())
    assert table["apiVersion"] == table["rows"][0]["object"]["apiVersion"] == "meta.k8s.io/v1beta1"


def test_neg_4_rows_may_hold_nothing() -> None:
    assert object_form(CONFIG_MAP, TABLE._replace(include="None"), Names())["rows"] == [
        {"cells": ["x"], "object": None}
    ]


def test_neg_4_rows_may_hold_the_object() -> None:
    table = object_form(WIDGET, TABLE._replace(include="Object"), Names())
    assert table["rows"][0]["object"] == WIDGET


def test_neg_4_the_end_of_the_initial_events_is_told_even_in_rows_that_hold_nothing() -> None:
    bookmark = {"kind": "Widget", "metadata": {"annotations": {"k8s.io/initial-events-end": "true"}}}
    shown = object_form(bookmark, TABLE._replace(include="None"), Names())["rows"][0]["object"]
    assert shown["metadata"] == bookmark["metadata"]


def test_rows_have_conditions_if_there_is_something_to_tell() -> None:
    assert list(object_form({**WIDGET, "done": True}, TABLE, Names())["rows"][0]) == ["cells", "conditions", "object"]


def test_neg_4_a_table_of_a_list_has_the_metadata_of_the_list() -> None:
    table = list_form(
        config_maps(CONFIG_MAP, resourceVersion="9", **{"continue": "", "remainingItemCount": 3}), TABLE, Names()
    )
    assert table["metadata"] == {"resourceVersion": "9", "remainingItemCount": 3}
    assert [row["cells"] for row in table["rows"]] == [["x"]]


def test_neg_4_objects_in_rows_of_a_list_tell_their_kind() -> None:
    item = {"metadata": META, "data": {"k": "v"}}
    table = list_form(config_maps(item), TABLE._replace(include="Object"), Names())
    assert table["rows"][0]["object"] == CONFIG_MAP


@pytest.mark.parametrize(("null", "rows"), [(False, []), (True, None)])
def test_a_table_of_nothing(null: bool, rows: list[Any] | None) -> None:
    assert list_form(config_maps(), TABLE, Names(null_when_empty=null))["rows"] == rows


def test_neg_5_the_metadata_of_an_object() -> None:
    assert object_form(WIDGET, Output(form="PartialObjectMetadata"), Names()) == PARTIAL


def test_neg_5_the_metadata_of_a_list() -> None:
    output = Output(form="PartialObjectMetadataList")
    assert list_form(config_maps(CONFIG_MAP, resourceVersion="9"), output, Names()) == {
        "kind": "PartialObjectMetadataList",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "9"},
        "items": [PARTIAL],
    }


def test_neg_5_a_list_of_no_metadata_is_null() -> None:
    assert list_form(config_maps(), Output(form="PartialObjectMetadataList"), Names())["items"] is None


def test_neg_5_a_list_is_no_object() -> None:
    with pytest.raises(Failure) as refused:
        list_form(config_maps(), Output(form="PartialObjectMetadata"), Names())
    why = "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)"
    assert message(refused) == (406, "NotAcceptable", why)


def test_neg_5_a_list_of_custom_resources_is_no_object() -> None:
    widgets = {"kind": "WidgetList", "apiVersion": "example.com/v1", "metadata": {}, "items": []}
    with pytest.raises(Failure) as refused:
        list_form(widgets, Output(form="PartialObjectMetadata"), Names())
    why = "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)"
    assert message(refused) == (406, "NotAcceptable", why)


def test_neg_5_an_object_is_no_list() -> None:
    with pytest.raises(Failure) as refused:
        object_form(CONFIG_MAP, Output(form="PartialObjectMetadataList"), Names())
    why = "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)"
    assert message(refused) == (406, "NotAcceptable", why)


def test_neg_5_a_custom_resource_is_no_list() -> None:
    with pytest.raises(Failure) as refused:
        object_form(WIDGET, Output(form="PartialObjectMetadataList"), Names())
    assert message(refused) == (500, None, "content is not a list")


@pytest.mark.parametrize("form", ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"])
def test_a_status_stays_a_status(form: str) -> None:
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    assert object_form(status, Output(form=form), Names()) is status


def test_json_is_compact() -> None:
    assert encode({"b": [1], "a": {}}, Output()) == b'{"b":[1],"a":{}}'


def test_neg_8_pretty_json_is_indented_by_two() -> None:
    assert encode({"b": [1], "a": {}, "c": []}, Output(pretty=True)) == (
        b'{\n  "b": [\n    1\n  ],\n  "a": {},\n  "c": []\n}'
    )


def test_yaml_has_its_keys_in_order() -> None:
    text = encode({"b": [{"d": "y", "c": "1"}], "a": {}}, Output(YAML))
    assert text == b'a: {}\nb:\n- c: "1"\n  d: "y"\n'
    assert yaml.safe_load(text) == json.loads('{"a":{},"b":[{"c":"1","d":"y"}]}')


def test_metadata_is_cut_out_of_an_object_that_is_arranged_as_it_is_shown() -> None:
    output = Output(form=METADATA)
    stored = {**CONFIG_MAP, "metadata": PARTIAL["metadata"], "data": {"metadata": "other"}}
    assert metadata_of(encode(stored, Output()), output) == encode(object_form(stored, output, Names()), output)


@pytest.mark.parametrize(
    "output", [Output(), TABLE, Output(form=METADATA, media=YAML), Output(form=METADATA, pretty=True)]
)
def test_what_is_not_metadata_in_json_is_not_cut(output: Output) -> None:
    assert metadata_of(encode(CONFIG_MAP, Output()), output) is None


def test_metadata_with_what_is_inside_only_is_not_cut() -> None:
    annotations = {"deprecated.daemonset.template.generation": "1"}
    held = {**CONFIG_MAP, "metadata": {"name": "x", "annotations": annotations}}
    assert metadata_of(encode(held, Output()), Output(form=METADATA)) is None


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CAUSES = st.lists(st.fixed_dictionaries({"reason": TEXTS, "message": TEXTS}, optional={"field": TEXTS}), max_size=9)


@given(TEXTS, CAUSES, st.integers(1, 9), st.integers(1, 60))
def test_a_long_status_is_written_in_steps_as_at_once(
    message: str, causes: list[dict[str, str]], few: int, length: int
) -> None:
    document = {"kind": "Status", "metadata": {}, "message": message, "details": {"causes": causes}, "code": 422}
    assert counted(encode_status_in_steps(document, Output(), few, length))[0] == encode(document, Output())


@pytest.mark.parametrize("output", [Output(), Output(pretty=True), Output(media=YAML)])
def test_a_large_answer_is_written_in_steps_as_at_once(output: Output) -> None:
    texts = ["a", "1", "<", "a\nb", "é", ""]
    items = [{"name": f"n{number}", "value": texts[number % 6], "port": number, "a": {}} for number in range(3000)]
    document = {
        "kind": "Thing",
        "apiVersion": "v1",
        "spec": {"items": items, "map": {str(-at): at for at in range(3000)}},
    }
    data, steps = counted(encode_in_steps(document, output))
    assert data == encode(document, output)
    assert steps > 6


@pytest.mark.parametrize(
    ("message", "causes", "steps"),
    [("a", [{"message": "b"}] * 5000, 11), ("<" * 2_560_000, [{"message": "c" * 2_560_000}], 21)],
)
def test_a_long_status_takes_many_steps(message: str, causes: list[dict[str, str]], steps: int) -> None:
    document = {"kind": "Status", "message": message, "details": {"causes": causes}}
    assert counted(encode_status_in_steps(document, Output())) == (encode(document, Output()), steps)
