"""Which kinds a collector is told of."""

from kubewright.cluster.controllers.kinds import tell_kinds
from kubewright.cluster.store import Record, Store


class Hearing:
    """A store, and what is told of it."""

    def __init__(self) -> None:
        self.store = Store()
        self.concerned: list[tuple[str, str]] = []
        self.redefined = 0
        self.weighed = 0

    def begin(self) -> None:
        self.end = tell_kinds(self.store, self._concerns, self.concerned.append, self._redefined)

    def put(self, key: str, value: bytes = b"mine") -> None:
        self.store.commit(key, 0, lambda _: value)

    def _concerns(self, record: Record) -> bool:
        self.weighed += 1
        return record.value == b"mine"

    def _redefined(self) -> None:
        self.redefined += 1


def test_kinds_of_which_something_is_there_are_told_at_once() -> None:
    hearing = Hearing()
    for key in ("/pods/a/one", "/pods/a/two", "/deployments.apps/a/one"):
        hearing.put(key)
    hearing.put("/secrets/a/one", b"other")
    hearing.begin()
    assert hearing.concerned == [("apps", "deployments"), ("", "pods")]


def test_others_are_told_with_their_first_object_and_not_again() -> None:
    hearing = Hearing()
    hearing.begin()
    hearing.put("/apps.garbage.example.com/a/one", b"other")
    assert not hearing.concerned
    for name in ("two", "three"):
        hearing.put(f"/apps.garbage.example.com/a/{name}")
        assert hearing.concerned == [("garbage.example.com", "apps")]


def test_objects_of_a_kind_that_was_told_are_not_looked_at() -> None:
    hearing = Hearing()
    hearing.begin()
    for name in ("one", "two", "three"):
        hearing.put(f"/pods/a/{name}")
    assert hearing.weighed == 1


def test_a_definition_that_comes_or_goes_is_told() -> None:
    hearing = Hearing()
    hearing.begin()
    key = "/customresourcedefinitions.apiextensions.k8s.io/apps.garbage.example.com"
    hearing.put(key, b"other")
    assert hearing.redefined == 1
    hearing.store.commit(key, hearing.store.revision, None)
    assert hearing.redefined == 2
    assert not hearing.concerned


def test_after_the_end_nothing_is_told() -> None:
    hearing = Hearing()
    hearing.begin()
    hearing.end()
    hearing.put("/pods/a/one")
    hearing.put("/customresourcedefinitions.apiextensions.k8s.io/apps.garbage.example.com")
    assert not hearing.concerned
    assert not hearing.redefined
