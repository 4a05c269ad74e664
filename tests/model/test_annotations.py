import typing
from typing import Any

from kubewright.model.annotations import annotations_of, shown


class Plain:
    first: int


class Derived(Plain):
    second: "Unknown"  # type: ignore[name-defined]  # noqa: F821 - that is what it is about


class Bare:
    pass


def test_a_class_has_its_own_annotations_and_not_those_of_its_bases() -> None:
    assert annotations_of(Plain) == {"first": int}
    assert annotations_of(Bare) == {}


def test_a_name_that_nobody_knows_is_no_error() -> None:
    assert list(annotations_of(Derived)) == ["second"]


def test_others_are_shown_meanwhile_and_then_all_is_as_before() -> None:
    before = {cls: str(annotations_of(cls)) for cls in (Plain, Derived, Bare)}
    others: dict[type, dict[str, Any]] = {Plain: {"first": str}, Derived: {"second": bytes}, Bare: {"third": float}}
    for _ in range(2):
        with shown(others):
            assert {cls: cls.__annotations__ for cls in others} == others
        assert {cls: str(annotations_of(cls)) for cls in others} == before
    assert typing.get_type_hints(Plain) == {"first": int}
    assert typing.get_type_hints(Bare) == {}
