from typing import Any

from kubewright.cluster.registry.kinds.crd.form import Form, versions_in_go


def version(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "served": True, "storage": name == "v1", **more}


def test_what_all_versions_have_is_said_once() -> None:
    schema = {"openAPIV3Schema": {"type": "object"}}
    form = Form({"versions": [version("v1", schema=schema), version("v2", schema=schema)]})
    assert form.common.openapi == {"type": "object"}
    assert [own.schema for own in form.own] == [None, None]


def test_what_differs_is_said_of_each() -> None:
    form = Form({"versions": [version("v1", subresources={"status": {}}), version("v2")]})
    assert form.common.subresources is None
    assert (form.status_of(0), form.status_of(1), form.any_status) == (True, False, True)


def test_no_columns_are_as_good_as_an_empty_list_of_them() -> None:
    form = Form({"versions": [version("v1", additionalPrinterColumns=[]), version("v2")]})
    assert form.common.columns == []
    assert versions_in_go(form).count('"AdditionalPrinterColumns":null') == 2


def test_versions_are_shown_with_every_field_of_gos_structure() -> None:
    assert versions_in_go(Form({"versions": [version("v1", schema={})]})) == (
        '[{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,'
        '"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]'
    )


def test_versions_that_are_left_out_are_null() -> None:
    assert versions_in_go(Form({})) == "null"
