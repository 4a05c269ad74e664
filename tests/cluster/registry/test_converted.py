"""A kind that is seen in a version which is not the stored one."""

import asyncio
from datetime import UTC, datetime

import msgspec

from kubewright.cluster.registry.builtin import builtin_resources
from kubewright.cluster.registry.resource import Resource
from kubewright.cluster.store import Record

STORED = {
    "kind": "Event",
    "apiVersion": "v1",
    "metadata": {"name": "a", "namespace": "web"},
    "involvedObject": {"kind": "Pod", "name": "p"},
    "message": "It is so.",
    "count": 2,
}


def events() -> Resource:
    return next(each for each in builtin_resources() if each.group == "events.k8s.io")


def record() -> Record:
    return Record("/events/web/a", msgspec.json.encode(STORED), 1, 1, None)


def test_it_is_stored_where_the_other_is() -> None:
    assert events().key("web", "a") == "/events/web/a"


def test_what_is_seen_is_converted_once() -> None:
    view, stored = events().view, record()
    seen = view.data(stored)
    assert view.data(stored) is seen
    document = view.document(stored)
    assert document["apiVersion"] == "events.k8s.io/v1"
    assert (document["note"], document["deprecatedCount"]) == ("It is so.", 2)


def test_what_is_written_is_stored_as_the_other() -> None:
    resource = events()
    made = asyncio.run(resource.view.stored(resource.view.document(record())))
    assert (made["apiVersion"], made["message"]) == ("v1", "It is so.")
    assert b'"apiVersion":"v1"' in resource.stored_codec.write(made)


def test_a_table_shows_both_alike() -> None:
    resource = events()
    core = next(each for each in builtin_resources() if each.storage == "events" and not each.group)
    now = datetime(2024, 1, 1, tzinfo=UTC)
    assert resource.columns.definitions == core.columns.definitions
    assert resource.columns.cells(resource.view.document(record()), now) == core.columns.cells(STORED, now)
