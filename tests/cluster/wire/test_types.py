"""The table of types."""

from types import ModuleType

import pytest

from kubewright.cluster.wire.types import Table, UnknownType, kind_type, table
from kubewright.k8s.apps import v1 as apps
from kubewright.k8s.core import v1 as core

SMALL = """
kind v1 Thing a/v1.Thing

struct a/v1.Inner
name string 1
old *int32 - omitempty

name a/v1.Names []string

special a/v1.Odd

struct a/v1.Thing
inline a/v1.Inner 1 Inner
names a/v1.Names 2 omitempty patchStrategy=merge,retainKeys patchMergeKey=name
self *a/v1.Thing 3
odd map[string]a/v1.Odd 4 omitempty omitzero
"""


def small() -> Table:
    return Table(SMALL)


def test_a_kind_has_its_type() -> None:
    assert small().kinds == {("v1", "Thing"): "a/v1.Thing"}
    assert kind_type("apps/v1", "Deployment").go == "v1.Deployment"


def test_fields_come_in_the_order_of_the_struct_with_inlined_ones_in_their_place() -> None:
    fields = small().fields("a/v1.Thing")
    assert list(fields) == ["name", "old", "names", "self", "odd"]
    assert [field.within for field in fields.values()] == [("Inner",), ("Inner",), (), (), ()]


def test_a_field_tells_what_its_tags_say() -> None:
    names = small().fields("a/v1.Thing")["names"]
    assert (names.omitempty, names.omitzero, names.strategies, names.merge_key) == (
        True,
        False,
        ("merge", "retainKeys"),
        "name",
    )
    odd = small().fields("a/v1.Thing")["odd"]
    assert (odd.omitempty, odd.omitzero, odd.strategies, odd.merge_key) == (True, True, ("",), "")


def test_a_named_type_is_what_it_names_under_its_own_name() -> None:
    names = small().fields("a/v1.Thing")["names"].type
    assert (names.kind, names.go, names.item and names.item.kind) == ("slice", "v1.Names", "string")


@pytest.mark.parametrize(
    ("expression", "kind", "go"),
    [
        ("*a/v1.Thing", "ptr", "*v1.Thing"),
        ("[]a/v1.Names", "slice", "[]v1.Names"),
        ("map[string][]uint8", "map", "map[string][]uint8"),
        ("any", "interface", "interface {}"),
    ],
)
def test_types_are_spelled_as_go_does(expression: str, kind: str, go: str) -> None:
    found = small().type(expression)
    assert (found.kind, found.go) == (kind, go)


def test_a_type_that_reads_json_in_its_own_way_says_so() -> None:
    assert [small().type(f"a/v1.{name}").special for name in ("Odd", "Thing")] == [True, False]


def test_a_type_that_is_not_there_is_told() -> None:
    with pytest.raises(UnknownType, match=r"the table of types has no a/v1\.Nothing; write it again"):
        small().type("a/v1.Nothing")


def test_every_type_of_the_table_can_be_looked_up() -> None:
    types, met = table(), set()
    pending = [types.type(name) for name in types.kinds.values()]
    while pending:
        target = pending.pop()
        if target.item is not None:
            pending.append(target.item)
        elif target.kind == "struct" and target.name not in met:
            met.add(target.name)
            pending += [field.type for field in types.fields(target.name).values()]
    assert len(met) > 500


@pytest.mark.parametrize(("module", "api_version"), [(core, "v1"), (apps, "apps/v1")], ids=["core", "apps"])
def test_the_table_knows_the_fields_that_openapi_tells_of(module: ModuleType, api_version: str) -> None:
    """The kinds of `kubewright.k8s` come from another source of the same release."""
    kinds = [kind for version, kind in table().kinds if version == api_version and hasattr(module, kind)]
    assert len(kinds) > 4
    for kind in kinds:
        fields = [name for name in getattr(module, kind).__struct_encode_fields__ if not name.startswith("~")]
        assert set(fields) | {"apiVersion", "kind"} == set(table().fields(kind_type(api_version, kind).name)), kind
