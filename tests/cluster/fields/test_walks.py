"""The walks over values and shapes, on hand-written cases: what is owned, compared, merged, removed and refused."""

from typing import Any

import pytest
from hypothesis import given
from tests.cluster.fields.shapes import configs, thing

from kubewright.cluster.fields.check import check, look, same, spelled_errors
from kubewright.cluster.fields.compare import NOTHING, compare
from kubewright.cluster.fields.merge import merge
from kubewright.cluster.fields.owned import leaves, whole
from kubewright.cluster.fields.pathset import PathSet, covers, union
from kubewright.cluster.fields.reconcile import reconcile
from kubewright.cluster.fields.remove import named, remove
from kubewright.cluster.fields.shape import DEDUCED, NUMERIC, STRING, Invalid, ListShape, MapShape, Shape
from kubewright.model.steps import finish

SHAPE = thing()


def _leaves(**spec: Any) -> Any:
    return leaves({"spec": spec}, SHAPE).get("f:spec")


def _merged(live: dict[str, Any], config: dict[str, Any]) -> Any:
    return merge({"spec": live}, {"spec": config}, SHAPE)["spec"]


def _problems(**spec: Any) -> str:
    return finish(spelled_errors(check({"spec": spec}, SHAPE)))


# -- what is owned


def test_a_declared_field_is_only_a_way_to_what_it_holds() -> None:
    assert _leaves(struct={"a": "1"}) == {"f:struct": {"f:a": {}}}


def test_an_empty_struct_is_owned_itself_and_so_is_null() -> None:
    assert _leaves(struct={}, text=None) == {"f:struct": {}, "f:text": {}}


def test_keys_of_a_map_are_owned_one_by_one() -> None:
    assert _leaves(map={"x": "1"}) == {"f:map": {"f:x": {}}}


def test_what_is_atomic_is_owned_as_a_whole() -> None:
    assert _leaves(whole={"x": "1"}, list=["a"]) == {"f:whole": {}, "f:list": {}}


def test_items_are_owned_by_their_keys_with_what_is_in_them() -> None:
    assert _leaves(keyed=[{"name": "a", "value": "1"}]) == {
        "f:keyed": {'k:{"name":"a"}': {".": {}, "f:name": {}, "f:value": {}}}
    }


def test_a_key_that_is_left_out_has_its_default() -> None:
    assert list(_leaves(twice=[{"name": "a"}])["f:twice"]) == ['k:{"name":"a","port":80}']


def test_an_empty_list_that_has_items_is_nothing() -> None:
    assert _leaves(keyed=[], set=[]) is None


def test_items_that_cannot_be_told_apart_are_owned_together() -> None:
    assert _leaves(keyed=[{"name": "a", "value": "1"}, {"name": "a"}]) == {"f:keyed": {'k:{"name":"a"}': {}}}


def test_in_what_is_not_declared_maps_are_granular_and_lists_are_not() -> None:
    assert _leaves(free={"m": {"x": 1}, "l": [{"y": 1}]}) == {
        "f:free": {"f:m": {".": {}, "f:x": {}}, "f:l": {}},
    }


def test_all_of_a_value_is_its_path_and_every_path_in_it() -> None:
    assert whole({"spec": {"struct": {"a": "1"}}}, SHAPE) == {
        ".": {},
        "f:spec": {".": {}, "f:struct": {".": {}, "f:a": {}}},
    }


@given(configs)
def test_what_is_owned_is_part_of_all(config: dict[str, Any]) -> None:
    assert covers(whole(config, SHAPE), leaves(config, SHAPE))


# -- what changed


def _compared(left: dict[str, Any], right: dict[str, Any]) -> list[Any]:
    return [part and part.get("f:spec") for part in compare({"spec": left}, {"spec": right}, SHAPE)]


def test_a_leaf_changes_comes_and_goes() -> None:
    assert _compared({"text": "1", "number": 1}, {"text": "2", "on": True}) == [
        {"f:number": {}},
        {"f:text": {}},
        {"f:on": {}},
    ]


def test_a_container_comes_with_all_that_is_in_it() -> None:
    assert _compared({}, {"struct": {"a": "1"}})[2] == {"f:struct": {".": {}, "f:a": {}}}


def test_the_order_of_items_is_no_change() -> None:
    assert compare({"spec": {"set": ["a", "b"]}}, {"spec": {"set": ["b", "a"]}}, SHAPE) == NOTHING


def test_one_and_true_are_different_and_one_and_one_point_zero_are_not() -> None:
    assert _compared({"free": {"x": 1}}, {"free": {"x": True}})[1] == {"f:free": {"f:x": {}}}
    assert compare({"spec": {"free": {"x": 1}}}, {"spec": {"free": {"x": 1.0}}}, SHAPE) == NOTHING


def test_what_is_in_a_set_comes_goes_and_stays() -> None:
    found = compare({"spec": {"set": ["a", "b"]}}, {"spec": {"set": ["c", "b"]}}, SHAPE)
    assert found.removed == {"f:spec": {"f:set": {'v:"a"': {}}}}
    assert found.added == {"f:spec": {"f:set": {'v:"c"': {}}}}
    assert found.modified is None


def test_items_become_indistinguishable() -> None:
    one, two = {"keyed": [{"name": "a"}]}, {"keyed": [{"name": "a"}, {"name": "a"}]}
    removed, modified, added = _compared(one, two)
    assert removed == {"f:keyed": {'k:{"name":"a"}': {".": {}, "f:name": {}}}}
    assert (modified, added) == (None, {"f:keyed": {'k:{"name":"a"}': {}}})


def test_a_value_of_another_sort_is_a_change_and_brings_what_is_in_it() -> None:
    _, modified, added = _compared({"free": {"x": 1}}, {"free": {"x": {"y": 1}}})
    assert modified == {"f:free": {"f:x": {}}}
    assert added == {"f:free": {"f:x": {"f:y": {}}}}


@given(configs, configs)
def test_nothing_changes_twice(one: dict[str, Any], other: dict[str, Any]) -> None:
    removed, modified, added = compare(one, other, SHAPE)
    back = compare(other, one, SHAPE)
    assert (removed, added, modified) == (back.added, back.removed, back.modified)


# -- merging


def test_a_configuration_wins_and_the_rest_stays() -> None:
    assert _merged({"text": "1", "map": {"x": "1"}}, {"text": "2", "map": {"y": "1"}}) == {
        "text": "2",
        "map": {"x": "1", "y": "1"},
    }


def test_items_of_both_keep_the_order_of_the_configuration() -> None:
    assert _merged({"set": ["a", "b", "c", "d"]}, {"set": ["d", "b"]})["set"] == ["a", "c", "d", "b"]


def test_new_items_stand_where_the_configuration_has_them() -> None:
    assert _merged({"set": ["a", "b"]}, {"set": ["x", "b", "y"]})["set"] == ["a", "x", "b", "y"]


def test_null_over_a_map_keeps_it_and_over_a_scalar_does_not() -> None:
    assert _merged({"map": {"x": "1"}, "text": "1"}, {"map": None, "text": None}) == {"map": {"x": "1"}, "text": None}


def test_an_applied_item_takes_the_place_of_those_that_cannot_be_told_apart() -> None:
    live = {"keyed": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}
    assert _merged(live, {"keyed": [{"name": "a"}]})["keyed"] == [{"name": "a"}]


def test_a_merge_that_changes_nothing_is_the_object_itself() -> None:
    live = {"spec": {"set": ["a", "b"], "keyed": [{"name": "a", "value": "1"}], "text": "t"}}
    assert merge(live, {"spec": {"set": ["b"], "keyed": [{"name": "a"}], "text": "t"}}, SHAPE) is live


@given(configs, configs)
def test_a_merge_has_the_configuration_in_it(live: dict[str, Any], config: dict[str, Any]) -> None:
    merged = merge(live, config, SHAPE)
    assert merge(merged, config, SHAPE) is merged


# -- removing


def test_a_removed_item_goes_with_all_in_it() -> None:
    spec = {"keyed": [{"name": "a", "inner": {"x": "1"}}, {"name": "b"}]}
    left = remove({"spec": spec}, {"f:spec": {"f:keyed": {'k:{"name":"a"}': {}}}}, SHAPE)
    assert left == {"spec": {"keyed": [{"name": "b"}]}}


def test_an_emptied_container_is_null() -> None:
    assert remove({"spec": {"map": {"x": "1"}}}, {"f:spec": {"f:map": {"f:x": {}}}}, SHAPE) == {"spec": {"map": None}}


def test_declared_fields_on_the_way_are_named() -> None:
    fields: PathSet = {"f:spec": {"f:map": {"f:x": {}}, "f:keyed": {'k:{"name":"a"}': {"f:inner": {"f:y": {}}}}}}
    assert named(fields, SHAPE) == {
        "f:spec": {
            ".": {},
            "f:map": {".": {}, "f:x": {}},
            "f:keyed": {".": {}, 'k:{"name":"a"}': {"f:inner": {".": {}, "f:y": {}}}},
        }
    }


@given(configs)
def test_removing_all_leaves_nothing_owned(config: dict[str, Any]) -> None:
    left = remove(config, named(leaves(config, SHAPE), SHAPE), SHAPE)
    assert left is None or leaves(left, SHAPE) == {}


# -- what fits


@given(configs)
def test_what_is_valid_fits(config: dict[str, Any]) -> None:
    assert look(config, SHAPE) == ([], leaves(config, SHAPE))


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"zz": 1}, ".spec.zz: field not declared in schema"),
        ({"text": 1}, ".spec.text: expected string, got &value.valueUnstructured{Value:1}"),
        ({"number": "1"}, ".spec.number: expected numeric (int or float), got string"),
        ({"on": 1}, ".spec.on: expected boolean, got &{1}"),
        ({"map": ["x"]}, ".spec.map: expected map, got &{[x]}"),
        ({"keyed": {"a": 1}}, ".spec.keyed: expected list, got &{map[a:1]}"),
        ({"set": ["a", "a"]}, '.spec.set: duplicate entries for key [="a"]'),
        ({"keyed": [{"name": "a"}, {"name": "a"}]}, '.spec.keyed: duplicate entries for key [name="a"]'),
        ({"keyed": ["a"]}, ".spec.keyed: element 0: associative list with keys may not have non-map elements"),
        ({"keyed": [None]}, ".spec.keyed: element 0: associative list with keys may not have a null element"),
        (
            {"keyed": [{"value": "x"}]},
            '.spec.keyed: element 0: associative list with keys has an element that omits all key fields ["name"] (and',
        ),
        ({"set": [None]}, ".spec.set: element 0: associative list without keys has an element that's an explicit null"),
        ({"set": [{}]}, ".spec.set: element 0: associative list without keys has an element that's a map type"),
        ({"set": [[]]}, ".spec.set: element 0: not supported: associative list with lists as elements"),
        ({"keyed": [{"name": "a", "value": 1}]}, '.spec.keyed[name="a"].value: expected string, got '),
        ({"list": ["a", 1]}, ".spec.list[1]: expected string, got "),
    ],
)
def test_what_does_not_fit_is_told(spec: dict[str, Any], problem: str) -> None:
    assert _problems(**spec).startswith(problem)


def test_several_problems_are_told_in_lines() -> None:
    assert _problems(text=1, on="x") == (
        "errors:\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}\n"
        "  .spec.on: expected boolean, got &{x}"
    )


def test_an_object_that_is_there_may_have_items_that_cannot_be_told_apart() -> None:
    assert check({"spec": {"set": ["a", "a"]}}, SHAPE, duplicates=True) == []


def test_values_are_the_same_by_what_they_are() -> None:
    assert same({"a": [1, 1.0]}, {"a": [1.0, 1]})
    assert not same({"a": 1}, {"a": True})
    assert not same([1], [1, 2])


def test_wide_values_are_the_same_as_narrow_ones_are() -> None:
    wide = {f"k{number}": [number, "x"] for number in range(100)}
    assert same(wide, {name: [*value] for name, value in wide.items()})
    assert same([*wide.values()], [[float(number), "x"] for number in range(100)])
    assert same(wide, dict(reversed(wide.items())))
    assert not same(wide, wide | {"k1": [True, "x"]})
    assert not same([*wide], [*wide][::-1])


def test_a_shape_that_allows_nothing_refuses_everything() -> None:
    with pytest.raises(Invalid, match="invalid atom"):
        leaves(1, Shape().set())


# -- schemas that changed


def _map(*, atomic: bool) -> Shape:
    text = Shape().set(scalar=STRING)
    return Shape().set(members=MapShape({"m": Shape().set(members=MapShape({}, text, atomic=atomic))}, None))


def test_who_owned_a_part_of_what_is_atomic_now_owns_it_all() -> None:
    fields: PathSet = {"f:m": {".": {}, "f:x": {}}}
    assert reconcile(fields, _map(atomic=True)) == {"f:m": {}}
    assert reconcile(fields, _map(atomic=False)) is fields


def test_who_owned_the_whole_goes_on_owning_its_path() -> None:
    fields: PathSet = {"f:m": {}}
    assert reconcile(fields, _map(atomic=False)) is fields


def test_a_list_that_became_atomic() -> None:
    shape = Shape().set(members=MapShape({"l": Shape().set(items=ListShape(Shape().set(scalar=NUMERIC)))}, None))
    assert reconcile({"f:l": {"v:1": {}}, "f:gone": {"f:x": {}}}, shape) == {"f:l": {}, "f:gone": {"f:x": {}}}


def test_what_is_not_declared_is_left_alone() -> None:
    fields: PathSet = {"f:a": {"f:b": {}}}
    assert reconcile(fields, DEDUCED) is fields


@given(configs)
def test_a_set_of_the_present_schema_needs_no_change(config: dict[str, Any]) -> None:
    fields = union(leaves(config, SHAPE), whole(config, SHAPE))
    assert reconcile(fields, SHAPE) is fields
