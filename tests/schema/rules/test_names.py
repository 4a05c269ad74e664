"""Names of properties and variables in CEL."""

import pytest

import kubewright as kw
from kubewright.schema.rules.names import property_name, variable_name


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("replicas", "replicas"),
        ("readyReplicas", "readyReplicas"),
        ("foo-bar", "foo__dash__bar"),
        ("foo.bar/x", "foo__dot__bar__slash__x"),
        ("a__b", "a__underscores__b"),
        ("namespace", "__namespace__"),
        ("in", "__in__"),
        ("while", "__while__"),
        ("$ref", None),
        ("9lives", None),
        ("é", None),
        ("", None),
    ],
)
def test_a_property_is_escaped_as_kubernetes_does(wire: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(kw.DefinitionError, match="cannot be named in CEL"):
            property_name(wire)
    else:
        assert property_name(wire) == name


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("port", "port"), ("x", "x2"), ("_", "item"), ("é", "item"), ("in", "item"), ("size", "size2"), ("self", "self2")],
)
def test_a_variable_keeps_its_name_where_cel_can_have_it(wanted: str, name: str) -> None:
    assert variable_name(wanted, {"x"}) == name
