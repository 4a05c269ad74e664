import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.cluster.registry.custom.things import defined, schema, thing, version

from kubewright.cluster.registry.custom.definition import Definition
from kubewright.cluster.registry.custom.view import CustomView
from kubewright.cluster.registry.memo import memo
from kubewright.cluster.registry.view import ConversionFailed
from kubewright.cluster.store import Record

NUMBER: dict[str, Any] = {"type": "integer"}


def record(document: dict[str, Any], revision: int = 1, **how: Any) -> Record:
    return Record("/things.example.com/default/a", json.dumps(document, **how).encode(), revision, revision, None)


def seen(view: CustomView, of: Record) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(view.data(of))
    return document


def test_what_was_written_under_the_present_schema_is_served_byte_for_byte() -> None:
    stored = record(thing({"unknown": 1}), revision=5)
    assert CustomView(defined(version(openapi=schema()), since=4), "v1").data(stored) is stored.value
    assert stored.memo is None


def test_what_is_older_than_the_schema_is_pruned_and_defaulted() -> None:
    definition = defined(version(openapi=schema(a=NUMBER, d={**NUMBER, "default": 7})), since=4)
    assert seen(CustomView(definition, "v1"), record(thing({"a": 1, "b": 2}), revision=4))["spec"] == {"a": 1, "d": 7}


def test_what_is_older_and_in_order_is_not_kept_twice() -> None:
    view, codec = CustomView(defined(since=4), "v1"), defined().codecs["example.com/v1"]
    stored = Record("/k", codec.write(thing({"a": 1})), 4, 4, None)
    assert view.data(stored) is stored.value
    assert memo(stored).seen[view] is stored.value


def test_a_record_is_looked_into_once() -> None:
    view = CustomView(defined(version(openapi=schema()), since=4), "v1")
    stored = record(thing({"a": 1}), revision=4)
    assert view.data(stored) is view.data(stored)


def both(**spec: Any) -> Definition:
    return defined(
        version("v1", schema(x=NUMBER, d1={**NUMBER, "default": 1})),
        version("v2", schema(x=NUMBER, y=NUMBER, d2={**NUMBER, "default": 2}), storage=False),
        **spec,
    )


def test_another_version_has_the_defaults_of_the_stored_one_and_no_fields_but_its_own() -> None:
    document = seen(CustomView(both(), "v2"), record(thing({"x": 5}), revision=9))
    assert (document["apiVersion"], document["spec"]) == ("example.com/v2", {"x": 5})


def test_what_was_written_by_another_version_gets_the_defaults_of_the_stored_one() -> None:
    assert seen(CustomView(both(), "v1"), record(thing({"x": 5}), revision=9))["spec"] == {"x": 5, "d1": 1}


def test_an_object_is_stored_as_the_stored_version_has_it() -> None:
    obj = thing({"x": 1, "y": 2, "d2": 2}, "example.com/v2")
    stored = asyncio.run(CustomView(both(), "v2").stored(obj))
    assert (stored["apiVersion"], stored["spec"]) == ("example.com/v1", {"x": 1})
    assert obj["spec"] == {"x": 1, "y": 2, "d2": 2}


def test_an_object_of_the_stored_version_is_stored_as_it_is() -> None:
    obj = thing({"x": 1})
    assert asyncio.run(CustomView(both(), "v1").stored(obj)) is obj


def test_what_is_stored_in_a_version_that_is_gone_cannot_be_seen() -> None:
    with pytest.raises(
        ConversionFailed, match=r"^request to convert CR from an invalid group/version: example.com/v0$"
    ):
        CustomView(both(), "v1").data(record(thing({}, "example.com/v0"), revision=9))


def test_a_view_that_is_no_more_is_forgotten() -> None:
    stored = record(thing({"x": 1}), revision=1)
    old = both()
    CustomView(old, "v2").data(stored)
    old.retired = True
    CustomView(both(), "v2").data(stored)
    assert len(memo(stored).seen) == 1


class Swapped:
    """A webhook in whose place stands a function; it counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def convert(self, objects: Sequence[dict[str, Any]], wanted: str) -> list[dict[str, Any]]:
        self.asked.append(len(objects))
        specs = [{"y": each["spec"].get("x", 0), "unknown": 1} for each in objects]
        return [each | {"apiVersion": wanted, "spec": spec} for each, spec in zip(objects, specs, strict=True)]


def test_a_webhook_converts_ahead_and_once_for_many() -> None:
    webhook = Swapped()
    view = CustomView(both(webhook=webhook), "v2")
    stored = [record(thing({"x": number}), revision=number + 1) for number in range(3)]
    asyncio.run(view.fetch(stored))
    asyncio.run(view.fetch(stored))
    assert [seen(view, each)["spec"] for each in stored] == [{"y": 0}, {"y": 1}, {"y": 2}]
    assert webhook.asked == [3]


def test_a_webhook_is_not_asked_for_what_is_stored_in_the_version_that_is_wanted() -> None:
    webhook = Swapped()
    view = CustomView(both(webhook=webhook), "v1")
    stored = record(thing({"x": 1}))
    asyncio.run(view.fetch([stored]))
    assert seen(view, stored)["spec"] == {"x": 1, "d1": 1}
    assert webhook.asked == []


def test_a_definition_with_one_version_never_asks_its_webhook() -> None:
    assert not CustomView(defined(webhook=Swapped()), "v1").remote


def test_what_an_older_definition_still_writes_is_looked_into() -> None:
    old, new = defined(since=1), defined(version(openapi=schema()), since=5)
    old.retired, old.successor = True, new
    CustomView(old, "v1").note_write(6)
    view = CustomView(new, "v1")
    assert seen(view, record(thing({"unknown": 1}), revision=6))["spec"] == {}
    late = record(thing({"unknown": 1}), revision=7)
    assert view.data(late) is late.value
