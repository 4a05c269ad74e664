"""GC-1: what becomes of dependents, decided by pure functions over a simulated server."""

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.controllers.server import Object, Server, reference

from kubewright.cluster.controllers.collect import Ask, Delete, Release, Standing, decide
from kubewright.cluster.controllers.graph import Graph, Reference
from kubewright.cluster.registry.strategy import FOREGROUND, ORPHAN


def _server(*objects: Object) -> Server:
    server = Server()
    for obj in objects:
        server.put(obj)
    server.run()
    server.log.clear()
    return server


def _owners(server: Server, uid: str) -> list[str]:
    return [each.uid for each in server.objects[uid].owners]


def test_a_dependent_goes_after_its_owner_in_the_background() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),)), Object("c", (reference("b"),)))
    server.delete("a", "Background")
    server.run()
    assert server.log == ["remove a", "remove b", "remove c"]


def test_a_dependent_with_another_owner_stays_and_forgets_the_one_that_is_gone() -> None:
    server = _server(Object("a"), Object("b"), Object("c", (reference("a"), reference("b"))))
    server.delete("a", "Background")
    server.run()
    assert _owners(server, "c") == ["b"]


def test_in_the_foreground_blocking_dependents_go_first() -> None:
    server = _server(
        Object("a"), Object("b", (reference("a", block=True),)), Object("c", (reference("b", block=True),))
    )
    server.delete("a", "Foreground")
    server.run()
    assert server.log == ["put a", "put b", "remove c", "remove b", "remove a"]


def test_in_the_foreground_an_owner_does_not_wait_for_what_does_not_block_it() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),), finalizers=("ex.com/x",)))
    server.delete("a", "Foreground")
    server.run()
    assert "a" not in server.objects
    assert server.objects["b"].deleting


def test_an_owner_waits_for_a_blocking_dependent_that_is_held() -> None:
    server = _server(Object("a"), Object("b", (reference("a", block=True),), finalizers=("ex.com/x",)))
    server.delete("a", "Foreground")
    server.run()
    assert server.objects["a"].finalizers == (FOREGROUND,)
    server.put(replace(server.objects["b"], finalizers=()))
    server.run()
    assert not server.objects


def test_an_owner_goes_on_when_a_dependent_blocks_it_no_more() -> None:
    server = _server(Object("a"), Object("b", (reference("a", block=True),), finalizers=("ex.com/x",)))
    server.delete("a", "Foreground")
    server.run()
    server.put(replace(server.objects["b"], owners=(reference("a"),)))
    server.run()
    assert list(server.objects) == ["b"]


def test_in_the_foreground_a_dependent_with_another_owner_is_let_go() -> None:
    server = _server(Object("a"), Object("b"), Object("c", (reference("a", block=True), reference("b"))))
    server.delete("a", "Foreground")
    server.run()
    assert list(server.objects) == ["b", "c"]
    assert _owners(server, "c") == ["b"]


def test_orphans_stay_and_forget_their_owner() -> None:
    server = _server(Object("a"), Object("b", (reference("a", block=True),)), Object("c", (reference("a"),)))
    server.delete("a", "Orphan")
    server.run()
    assert server.log == ["put a", "put b", "put c", "remove a"]
    assert [_owners(server, uid) for uid in server.objects] == [[], []]


def test_a_dependent_that_orphans_its_own_dependents_does_so_when_collected() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),), finalizers=(ORPHAN,)), Object("c", (reference("b"),)))
    server.delete("a", "Background")
    server.run()
    assert list(server.objects) == ["c"]
    assert _owners(server, "c") == []


def test_in_the_foreground_a_dependent_does_not_orphan_its_own() -> None:
    server = _server(
        Object("a"), Object("b", (reference("a", block=True),), finalizers=(ORPHAN,)), Object("c", (reference("b"),))
    )
    server.delete("a", "Foreground")
    server.run()
    assert not server.objects


def test_a_circle_in_the_foreground_is_broken_by_unblocking() -> None:
    server = _server(Object("a"), Object("b", (reference("a", block=True),)))
    server.put(Object("a", (reference("b", block=True),)))
    server.run()
    server.log.clear()
    server.delete("a", "Foreground")
    server.run()
    assert server.log == ["put a", "put b", "remove a", "remove b"]


def test_an_object_whose_owner_never_was_is_deleted() -> None:
    server = _server(Object("b", (reference("nobody"),)))
    assert not server.objects


def test_an_owner_with_the_same_name_and_another_uid_is_absent() -> None:
    server = _server(Object("a"), Object("b", (Reference("v1", "ConfigMap", "a", "another"),)))
    assert list(server.objects) == ["a"]


def test_an_owner_found_under_another_name_is_absent() -> None:
    server = _server(Object("a"), Object("b", (Reference("v1", "ConfigMap", "other", "a"),)))
    assert list(server.objects) == ["a"]


def test_an_owner_in_another_namespace_is_absent_and_told_of_once() -> None:
    server = _server(Object("a", namespace="there"), Object("b", (reference("a"),), finalizers=("ex.com/x",)))
    told = ["b: [v1/ConfigMap, namespace: web, name: a, uid: a]"]
    assert server.objects["b"].deleting
    assert server.reports == told
    server.queue["b"] = None
    server.run()
    assert server.reports == told


def test_an_object_without_a_namespace_whose_owner_has_one_stays_and_is_told_of() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),), namespace=""))
    server.delete("a", "Foreground")
    server.run()
    assert server.reports == ["b: [v1/ConfigMap, namespace: , name: a, uid: a]"]


class Blind:
    """Nobody has seen any owner."""

    def standing(self, reference: Reference, namespace: str) -> Standing:
        return Standing.UNSEEN

    def elsewhere(self, reference: Reference, namespace: str) -> bool:
        return False


def test_owners_that_nobody_has_seen_are_asked_for_before_anything_is_decided() -> None:
    graph = Graph()
    node = Object("c", (reference("a"), reference("b"))).node()
    graph.put(node)
    assert decide(graph, "c", Blind(), fresh=True) == [Ask(node, each) for each in node.owners]


def test_an_owner_that_was_seen_to_go_is_not_asked_for() -> None:
    graph = Graph()
    node = Object("c", (reference("a"),)).node()
    graph.put(node)
    graph.remove("a")
    assert decide(graph, "c", Blind()) == [Delete(node, "Background")]


def test_who_waits_for_dependents_is_asked_for_nobody() -> None:
    graph = Graph()
    node = Object("c", (reference("a"),), finalizers=(FOREGROUND,), deleting=True).node()
    graph.put(node)
    assert decide(graph, "c", Blind()) == [Release(node, FOREGROUND)]


def test_a_reference_of_an_unknown_kind_decides_nothing() -> None:
    server = Server(unknown={"Nope"})
    server.put(Object("b", (Reference("nope.io/v1", "Nope", "n", "n"), reference("gone"))))
    server.run()
    assert list(server.objects) == ["b"]
    assert server.reports == ["b waits for a kind"]


def test_an_owner_that_was_seen_to_go_is_absent_though_its_kind_went_too() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),)))
    server.delete("a", "Background")
    server.unknown.add("ConfigMap")
    server.run()
    assert not server.objects


def test_an_object_without_owners_leaves_nothing_behind() -> None:
    server = _server(Object("a"), Object("b", (reference("a"),)), Object("c"))
    server.delete("a", "Background")
    server.run()
    assert server.graph.nodes == {}
    assert not server.graph.absent("a")


# -- against a model


@dataclass
class Model:
    """What the rules say in the end, with no order, queue or finalizer in between."""

    owners: dict[str, set[str]]
    orphaning: set[str] = field(default_factory=set)

    def delete(self, uid: str, policy: str) -> None:
        if uid not in self.owners:
            return
        del self.owners[uid]
        for other, owners in list(self.owners.items()):
            if uid not in owners or other not in self.owners:
                continue
            owners.discard(uid)
            if not owners and policy != "Orphan":
                self.delete(other, "Orphan" if other in self.orphaning else "Background")


@dataclass(frozen=True)
class Story:
    """Objects with owners among each other, and who is deleted how."""

    objects: list[Object]
    deletions: list[tuple[str, str]]


@st.composite
def stories(draw: st.DrawFn) -> Story:
    # An owner that waits makes those it waits for wait in turn, whatever they would do about their own dependents; one
    # that does not wait may be quicker. And who has two owners is orphaned by one before or after the other is gone. So
    # the story of one who orphans when it is collected is one of single owners that do not wait.
    orphaning = draw(st.booleans())
    names = [f"o{number}" for number in range(draw(st.integers(2, 7)))]
    objects = []
    for name in names:
        # Who blocks itself stays for ever in the foreground, as it does on a real server.
        owners = draw(
            st.lists(
                st.sampled_from([each for each in names if each != name]), max_size=1 if orphaning else 3, unique=True
            )
        )
        references = tuple(reference(owner, block=draw(st.booleans())) for owner in owners)
        finalizers = draw(st.sampled_from([(), (), (ORPHAN,) if orphaning else (FOREGROUND,)]))
        objects.append(Object(name, references, finalizers))
    policies = st.sampled_from(["Background", "Orphan", *([] if orphaning else ["Foreground"])])
    deletions = draw(st.lists(st.tuples(st.sampled_from(names), policies), min_size=1, max_size=4))
    return Story(objects, deletions)


def _build(story: Story) -> Server:
    """The server of a story: owners are all there before anyone refers to them."""
    server = Server()
    for obj in story.objects:
        server.put(replace(obj, owners=()))
    for obj in story.objects:
        server.put(obj)
    server.run()
    return server


@given(stories(), st.data())
def test_in_the_end_everything_is_as_the_model_says(story: Story, data: st.DataObject) -> None:
    server = _build(story)
    model = Model(
        {obj.uid: {each.uid for each in obj.owners} for obj in story.objects},
        {obj.uid for obj in story.objects if ORPHAN in obj.finalizers},
    )
    for uid, policy in story.deletions:
        server.delete(uid, policy)
        server.run(lambda waiting: data.draw(st.sampled_from(waiting)))
        model.delete(uid, policy)
        assert {uid: {each.uid for each in obj.owners} for uid, obj in server.objects.items()} == model.owners


@given(stories(), st.data())
def test_in_the_end_what_was_held_and_is_let_go_is_as_if_it_had_not_been_held(
    story: Story, data: st.DataObject
) -> None:
    held = data.draw(st.sets(st.sampled_from([obj.uid for obj in story.objects])))
    story = replace(
        story,
        objects=[
            replace(obj, finalizers=(*obj.finalizers, "ex.com/held")) if obj.uid in held else obj
            for obj in story.objects
        ],
    )
    server = _build(story)
    uid, policy = story.deletions[0]
    server.delete(uid, policy)
    server.run()
    for name in sorted(held):
        if obj := server.objects.get(name):
            server.put(replace(obj, finalizers=tuple(each for each in obj.finalizers if each != "ex.com/held")))
            server.run()
    model = Model(
        {obj.uid: {each.uid for each in obj.owners} for obj in story.objects},
        {obj.uid for obj in story.objects if ORPHAN in obj.finalizers},
    )
    model.delete(uid, policy)
    assert {uid: {each.uid for each in obj.owners} for uid, obj in server.objects.items()} == model.owners


@given(stories())
def test_the_graph_keeps_only_what_it_needs(story: Story) -> None:
    server = _build(story)
    for uid in [obj.uid for obj in story.objects]:
        server.delete(uid, "Background")
        server.run()
    assert server.objects == {}
    assert server.graph.nodes == {}
    assert all(not server.graph.dependents(obj.uid) and not server.graph.absent(obj.uid) for obj in story.objects)
