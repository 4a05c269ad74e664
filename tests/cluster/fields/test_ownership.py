"""What a write does to owners: laws, and sequences of writes."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.fields.shapes import configs, filled, thing

from kubewright.cluster.fields.check import same
from kubewright.cluster.fields.owned import leaves, whole
from kubewright.cluster.fields.ownership import (
    Conflicts,
    NoSuchVersion,
    Owned,
    Typed,
    Unconvertible,
    apply,
    update,
)
from kubewright.cluster.fields.pathset import PathSet, covers, recursive_difference

Document = dict[str, Any]
Managers = dict[str, Owned]

SHAPE = thing()
EMPTY: Document = {"apiVersion": "x/v1", "kind": "Thing", "metadata": {"name": "t"}}


def _same_version(typed: Typed, version: str) -> Typed:
    if version != "x/v1":
        raise NoSuchVersion(version)
    return typed


def _all(fields: PathSet, _: str) -> PathSet:
    return fields


class World:
    """An object and its owners."""

    def __init__(self) -> None:
        self.live = EMPTY
        self.managers: Managers = {}

    def update(self, me: str, new: Document) -> None:
        old, self.live = self.live, new
        live, typed = Typed(old, SHAPE), Typed(new, SHAPE)
        self.managers = update(live, typed, "x/v1", self.managers, me, _same_version, _all)

    def apply(self, me: str, config: Document, *, force: bool = False) -> None:
        live, typed = Typed(self.live, SHAPE), Typed(config, SHAPE)
        made = apply(live, typed, "x/v1", self.managers, me, _same_version, _all, force=force)
        self.live, self.managers = made.value, made.managers

    def owned(self, me: str) -> Any:
        return self.managers[me].fields.get("f:spec") if me in self.managers else None


def _thing(**spec: Any) -> Document:
    return {**EMPTY, "spec": spec}


@given(configs, configs)
def test_applying_twice_changes_nothing(first: Document, second: Document) -> None:
    world = World()
    world.update("other", first)
    world.apply("me", second, force=True)
    live, managers = world.live, world.managers
    world.apply("me", second)
    assert world.live is live
    assert world.managers == managers


@given(filled, filled)
def test_what_was_applied_is_so(first: Document, second: Document) -> None:
    world = World()
    world.apply("me", first)
    world.apply("me", second)
    assert covers(leaves(world.live, SHAPE), leaves(second, SHAPE))


@given(filled, filled)
def test_what_nobody_owns_any_more_disappears(first: Document, second: Document) -> None:
    world = World()
    world.apply("me", first)
    world.apply("me", second)
    alone = World()
    alone.apply("me", second)
    assert leaves(world.live, SHAPE) == leaves(alone.live, SHAPE)


@given(configs, configs)
def test_appliers_of_disjoint_fields_commute(first: Document, second: Document) -> None:
    shared = set(first["spec"]) & set(second["spec"])
    second = {**second, "spec": {name: value for name, value in second["spec"].items() if name not in shared}}
    one, other = World(), World()
    one.apply("a", first)
    one.apply("b", second)
    other.apply("b", second)
    other.apply("a", first)
    assert same(one.live, other.live)
    assert one.managers == other.managers


#: Whoever takes back an empty list takes what is around it along, though he owns it: so does the real server.
full = configs.filter(lambda document: [] not in document["spec"].values())


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.booleans(), full), max_size=5))
def test_everything_that_is_owned_is_there(writes: list[tuple[str, bool, Document]]) -> None:
    world = World()
    for me, applies, document in writes:
        if applies:
            world.apply(f"apply-{me}", document, force=True)
        else:
            world.update(f"update-{me}", document)
    there = whole(world.live, SHAPE)
    assert all(covers(there, owned.fields) for owned in world.managers.values())


@given(configs, configs)
def test_who_applies_without_force_takes_nothing(first: Document, second: Document) -> None:
    world = World()
    world.apply("a", first)
    before = world.managers
    with contextlib.suppress(Conflicts):
        world.apply("b", second)
    assert world.managers["a"] == before["a"]


def test_a_creator_owns_all_with_the_containers() -> None:
    world = World()
    world.update("a", _thing(map={"x": "1"}))
    assert world.owned("a") == {".": {}, "f:map": {".": {}, "f:x": {}}}


def test_an_update_takes_what_it_changes_and_drops_what_it_removes() -> None:
    world = World()
    world.update("a", _thing(map={"x": "1", "y": "1"}, text="t"))
    world.update("b", _thing(map={"x": "2", "y": "1"}))
    assert world.owned("a") == {".": {}, "f:map": {".": {}, "f:y": {}}}
    assert world.owned("b") == {"f:map": {"f:x": {}}}


def test_a_conflict_tells_who_and_what() -> None:
    world = World()
    world.apply("a", _thing(text="1", map={"x": "1"}))
    with pytest.raises(Conflicts) as found:
        world.apply("b", _thing(text="2", map={"x": "1"}))
    assert found.value.fields == {"a": {"f:spec": {"f:text": {}}}}


def test_who_applies_the_same_shares_it_until_both_let_go() -> None:
    world = World()
    world.apply("a", _thing(text="1"))
    world.apply("b", _thing(text="1"))
    world.apply("a", _thing())
    assert world.live["spec"] == {"text": "1"}
    world.apply("b", EMPTY)
    assert "text" not in (world.live.get("spec") or {})


def test_what_an_updater_put_beside_it_stays() -> None:
    world = World()
    world.apply("a", _thing(map={"x": "1"}, keyed=[{"name": "x"}]))
    world.update("b", _thing(map={"x": "1", "y": "1"}, keyed=[{"name": "x", "value": "1"}, {"name": "y"}]))
    world.apply("a", _thing(text="t"))
    # Who owns something in an item does not own the item: it goes with who does.
    assert world.live["spec"] == {"text": "t", "map": {"y": "1"}, "keyed": [{"name": "y"}]}


def test_a_manager_of_a_version_that_is_gone_is_forgotten() -> None:
    world = World()
    world.managers = {"old": Owned({"f:spec": {"f:text": {}}}, "x/v0", True)}
    world.apply("a", _thing(text="1"))
    assert {*world.managers} == {"a"}


def test_what_is_reset_belongs_to_nobody() -> None:
    keep: PathSet = {"f:spec": {"f:map": {}}}

    def without(fields: PathSet, version: str) -> PathSet:
        return recursive_difference(fields, keep)

    live, new = Typed(EMPTY, SHAPE), Typed(_thing(text="1", map={"x": "1"}), SHAPE)
    made = update(live, new, "x/v1", {}, "a", _same_version, without)
    assert made["a"].fields["f:spec"] == {".": {}, "f:text": {}}


def test_a_conversion_that_fails_says_what_it_was_for() -> None:
    def failing(typed: Typed, version: str) -> Typed:
        if typed.value is not EMPTY and version == "x/v2":
            raise Unconvertible("no")
        return typed

    managers = {"old": Owned({"f:spec": {"f:text": {}}}, "x/v2", True)}
    live, config = Typed(EMPTY, SHAPE), Typed(_thing(text="1"), SHAPE)
    with pytest.raises(Unconvertible, match="failed to convert new object: no"):
        apply(live, config, "x/v1", managers, "a", failing, _all, force=False)


def test_objects_are_compared_in_the_version_of_each_manager() -> None:
    def renamed(typed: Typed, version: str) -> Typed:
        spec = dict(typed.value.get("spec") or {})
        here, there = ("text", "struct") if version == "x/v2" else ("struct", "text")
        if here in spec:
            spec[there] = {"a": spec.pop(here)} if there == "struct" else spec.pop(here)["a"]
        return Typed({**typed.value, "spec": spec}, SHAPE)

    managers = {"old": Owned({"f:spec": {"f:struct": {"f:a": {}}}}, "x/v2", True)}
    live, config = Typed(_thing(text="1"), SHAPE), Typed(_thing(text="2"), SHAPE)
    with pytest.raises(Conflicts) as found:
        apply(live, config, "x/v1", managers, "a", renamed, _all, force=False)
    assert found.value.fields == {"old": {"f:spec": {"f:struct": {"f:a": {}}}}}
