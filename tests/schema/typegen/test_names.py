from hypothesis import given
from hypothesis import strategies as st

from kubewright.model.naming import wire_name
from kubewright.schema.typegen.names import can_be_field, class_name, member_names, singular, unique


def test_a_class_is_named_after_the_path_to_it() -> None:
    assert class_name("WebServer", "spec", "podTemplate", "x-env.vars") == "WebServerSpecPodTemplateXEnvVars"


def test_a_class_of_an_unspeakable_path_is_an_object() -> None:
    assert class_name("日本") == "Object"
    assert class_name("3d") == "N3d"


def test_a_second_class_of_a_name_gets_a_number() -> None:
    assert unique("Port", {"Port", "Port2"}) == "Port3"
    assert unique("None", set()) == "None2"


def test_an_item_is_called_by_the_singular() -> None:
    plurals = ["containers", "policies", "addresses", "boxes", "branches", "status", "class", "data", "analysis"]
    assert [singular(name) for name in plurals] == [
        "container", "policy", "address", "box", "branch", "status", "class", "data", "analysis",
    ]  # fmt: skip


def test_fields_that_would_hide_a_type_get_an_underscore() -> None:
    assert member_names(["int", "list", "from", "kw", "name"]) == {
        "int": "int_", "list": "list_", "from": "from_", "kw": "kw_", "name": "name",
    }  # fmt: skip


def test_fields_that_a_base_class_has_get_an_underscore() -> None:
    assert member_names(["set", "ready"], {"set", "condition"}) == {"set": "set_", "ready": "ready"}


def test_of_two_that_make_one_name_the_plain_one_keeps_it() -> None:
    assert member_names(["foo-bar", "fooBar", "foo_bar"]) == {
        "foo-bar": "foo_bar_2", "fooBar": "foo_bar", "foo_bar": "foo_bar_3",
    }  # fmt: skip


@given(st.lists(st.text(), unique=True))
def test_any_names_become_different_identifiers(wires: list[str]) -> None:
    names = member_names(wires)
    assert list(names) == wires
    assert len({*names.values()}) == len(wires)
    assert all(name.isidentifier() and not name.startswith("_") for name in names.values())


def test_names_msgspec_cannot_decode_are_no_fields() -> None:
    assert not any(map(can_be_field, ['a"b', "a\\b", "a\nb", "~raw"]))
    assert all(map(can_be_field, ["a b", "日本", "", "$ref", wire_name("a_b")]))
