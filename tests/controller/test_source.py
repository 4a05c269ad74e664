"""What else makes a controller look."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from kubewright.cache import Key
from kubewright.controller.predicate import PredicateError, everything
from kubewright.controller.source import SourceError, every, only, read_keys, stream, watch
from kubewright.k8s.core.v1 import ConfigMap, Node
from kubewright.model.metadata import ObjectMeta


def test_names_are_in_the_namespace_of_the_object_that_was_mapped() -> None:
    assert read_keys(["a", ("other", "b"), Key("x", "c")], "here", True, "map") == [
        Key("here", "a"),
        Key("other", "b"),
        Key("x", "c"),
    ]


def test_one_key_need_not_be_a_list_and_none_is_none() -> None:
    assert read_keys("a", "here", True, "map") == [Key("here", "a")]
    assert read_keys(Key("x", "a"), "here", True, "map") == [Key("x", "a")]
    assert read_keys(None, "here", True, "map") == []


def test_an_object_is_its_own_key() -> None:
    config = ConfigMap(metadata=ObjectMeta(name="a", namespace="x"))
    assert read_keys([config], "here", True, "map") == [Key("x", "a")]


def test_names_of_a_kind_in_no_namespace_have_none() -> None:
    assert read_keys(["a"], "here", False, "map") == [Key("", "a")]


@pytest.mark.parametrize("given", [[5], [""], [("a",)], [("", "a")], [("x", "")], [{"name": "a"}]])
def test_what_is_no_key_is_refused_and_named(given: Any) -> None:
    with pytest.raises(SourceError, match="the map of web"):
        read_keys(given, "here", True, "the map of web")


@pytest.mark.parametrize("seconds", [0, -1, "5", True, float("nan")])
def test_a_timer_needs_seconds(seconds: Any) -> None:
    with pytest.raises(SourceError, match="seconds"):
        every(seconds)


def test_a_watch_needs_a_function_and_a_stream_one_that_is_not_called() -> None:
    with pytest.raises(SourceError, match="function"):
        watch(ConfigMap, map="owner")  # type: ignore[arg-type]

    async def keys() -> Any:
        yield "a"

    with pytest.raises(SourceError, match="not called"):
        stream(keys())


def test_a_map_that_takes_two_arguments_wants_to_look_around() -> None:
    assert watch(ConfigMap, map=lambda config, reader: []).looks
    assert not watch(ConfigMap, map=lambda config: []).looks
    assert not watch(ConfigMap, map=lambda config, limit=3: []).looks


async def slow_map(config: ConfigMap) -> list[str]:
    """It would have to be waited for."""
    return [config.metadata.name]


def test_a_map_that_cannot_be_called_so_is_refused_when_it_is_given() -> None:
    with pytest.raises(SourceError, match=r"kw.watch\(ConfigMap, map=slow_map\): a map answers at once"):
        watch(ConfigMap, map=slow_map)  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="an object and a reader"):
        watch(ConfigMap, map=lambda config, reader, more: [])
    with pytest.raises(PredicateError, match="predicates is a list"):
        watch(ConfigMap, map=lambda config: [], predicates=everything)  # type: ignore[arg-type]


def test_labels_of_what_is_wanted_may_be_a_mapping() -> None:
    assert str(only(ConfigMap, labels={"app": "web"}).labels) == "app=web"


NOBODY: Any = None


@pytest.mark.parametrize(
    ("namespaces", "message"),
    [
        ("shop", 'namespaces is a list, as in namespaces=["shop"].'),
        (NOBODY, "namespaces is a list of names, not None; leave it out for all."),
        ([NOBODY], "namespaces has None, which can be no namespace's name"),
        ([], "namespaces=[] is none; for all namespaces leave it out."),
        ([""], "namespaces has '', which can be no namespace's name"),
        (["shop", "A B"], "namespaces has 'A B', which can be no namespace's name"),
        (["x" * 64], "which can be no namespace's name"),
    ],
)
def test_what_can_be_no_namespace_is_refused_and_does_not_mean_all_of_them(namespaces: Any, message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        only(ConfigMap, namespaces=namespaces)
    assert only(ConfigMap, namespaces=["shop"]).namespaces == ("shop",)
    with pytest.raises(SourceError, match="it is in no namespace"):
        only(Node, namespaces=["shop"])


def test_fields_of_what_is_wanted_may_be_a_mapping() -> None:
    assert str(only(ConfigMap, fields={"metadata.name": "a,b"}).fields) == "metadata.name=a\\,b"


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"labels": 5}, "ConfigMap): labels are a text"),
        ({"labels": ["a"]}, "ConfigMap): labels are a text"),
        ({"fields": 5}, "ConfigMap): fields are a text"),
        ({"fields": {"metadata.name": 1}}, "ConfigMap): a field and its value are strings"),
    ],
)
def test_what_selects_nothing_sensible_is_told_with_the_kind(limits: Any, message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        only(ConfigMap, **limits)


def test_a_stream_that_gives_no_async_iterator_is_refused_when_it_is_given() -> None:
    async def awaited() -> list[str]:
        return []

    def plain() -> Iterator[str]:
        yield "a"

    for function in (awaited, plain):
        with pytest.raises(SourceError, match="write it with both `async def` and `yield`"):
            stream(function)  # type: ignore[arg-type]
