"""What a cache holds, and what holds two of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cache.server import THINGS

from kubewright.cache import Cached, Key, Selection
from kubewright.cache.selection import SelectionError
from kubewright.model.selectors import FieldSelector, LabelSelector

TERMS = ("a=1", "a=2", "a in (2,3)", "a!=1", "a", "!a", "b=1", "b in (1,2)", "b notin (2)")
selectors = st.lists(st.sampled_from(TERMS), max_size=3).map(lambda terms: LabelSelector.parse(",".join(terms)))
namespaces = st.lists(st.sampled_from(("x", "y", "z")), max_size=2).map(tuple)
labels = st.dictionaries(st.sampled_from(("a", "b")), st.sampled_from(("1", "2", "3")))


class Held:
    """As much of a cached object as a selection looks at."""

    def __init__(self, namespace: str, labels: dict[str, str]) -> None:
        self.key, self.labels = Key(namespace, "thing"), labels


def held(namespace: str, labels: dict[str, str]) -> Cached:
    return Held(namespace, labels)  # type: ignore[return-value]


def select(**more: Any) -> Selection:
    return Selection(THINGS, **more)


def of(text: str) -> LabelSelector:
    return LabelSelector.parse(text)


@given(selectors, selectors, namespaces, namespaces, st.sampled_from(("x", "y", "z")), labels)
def test_a_union_holds_what_either_holds(
    one: LabelSelector,
    other: LabelSelector,
    here: tuple[str, ...],
    there: tuple[str, ...],
    namespace: str,
    worn: dict[str, str],
) -> None:
    first, second = select(labels=one, namespaces=here), select(labels=other, namespaces=there)
    both = first | second
    thing = held(namespace, worn)
    if first.holds(thing) or second.holds(thing):
        assert both.holds(thing)
    assert both.covers(first)
    assert both.covers(second)


def test_values_of_one_label_add_up_and_what_only_one_demands_goes() -> None:
    both = select(labels=of("app=web,tier=gold,zone")) | select(labels=of("app in (db,web),tier=silver,zone"))
    assert str(both.labels) == "app in (db,web),tier in (gold,silver),zone"
    assert (select(labels=of("app=web")) | select(labels=of("tier=gold"))).labels.empty
    assert (select(labels=of("app=web")) | select()).labels.empty


def test_namespaces_add_up_and_one_that_wants_all_has_all() -> None:
    assert (select(namespaces=("b",)) | select(namespaces=("a",))).namespaces == ("a", "b")
    assert (select(namespaces=("b",)) | select()).namespaces == ()


def test_whole_objects_win_over_metadata_and_equal_fields_are_kept() -> None:
    name = FieldSelector.parse("metadata.name=x")
    one, other = select(metadata_only=True, fields=name), select(fields=name)
    assert not (one | other).metadata_only
    assert (one | one).metadata_only
    assert (one | other).fields == name
    assert (one | select()).fields.empty


def test_more_covers_less_and_not_the_other_way_round() -> None:
    assert select(labels=of("a in (1,2)")).covers(select(labels=of("a=1"), namespaces=("x",)))
    assert not select(labels=of("a=1")).covers(select(labels=of("a in (1,2)")))
    assert select().covers(select(metadata_only=True))
    assert not select(metadata_only=True).covers(select())


def test_what_only_the_server_can_tell_is_not_guessed() -> None:
    selection = select(fields=FieldSelector.parse("metadata.name=thing,spec.node=a"))
    assert selection.holds(held("x", {})) is None
    assert select(fields=FieldSelector.parse("metadata.name=other,spec.node=a")).holds(held("x", {})) is False


def test_a_name_may_tell_that_an_object_is_not_selected() -> None:
    named = select(fields=FieldSelector.parse("metadata.name=thing,spec.node=a"), namespaces=("x",))
    assert named.may_hold(Key("x", "thing"))
    assert not named.may_hold(Key("x", "other"))
    assert not named.may_hold(Key("y", "thing"))


def test_of_a_place_only_what_may_be_selected_is_of_interest() -> None:
    everything, x = Key("", ""), Key("x", "")
    assert select().parts(everything) == (everything,)
    assert select().parts(x) == (x,)
    assert select(namespaces=("x", "y")).parts(everything) == (x, Key("y", ""))
    assert select(namespaces=("x", "y")).parts(x) == (x,)
    assert select(namespaces=("y",)).parts(x) == ()
    named = select(fields=FieldSelector.parse("metadata.name=thing"))
    assert named.parts(x) == (x,)
    assert named.parts(Key("x", "thing")) == (Key("x", "thing"),)
    assert named.parts(Key("x", "other")) == ()


def test_a_text_where_a_selector_or_names_belong_is_refused() -> None:
    with pytest.raises(SelectionError, match=r"LabelSelector\.parse\(text\) reads one"):
        select(labels="a=b")
    with pytest.raises(SelectionError, match=r"as in \('default',\), not one text"):
        select(namespaces="default")
